package dev.agentreplay.cli.input;

import dev.agentreplay.io.session.SessionLocation;
import dev.agentreplay.io.session.Sessions;
import dev.agentreplay.model.text.PlainText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The sessions below a directory that is not a session itself. */
final class SessionIndex {

  private static final int NAMED = 5;

  /** The maximum number of sessions that are counted. */
  private static final int COUNTED = 1_000;

  private final Path directory;

  private SessionIndex(Path directory) {
    this.directory = directory;
  }

  /** The sessions below a directory. */
  static SessionIndex below(Path directory) {
    return new SessionIndex(directory);
  }

  /** The number of sessions and the names of some; null if there are none. */
  @Nullable
  String summary() {
    List<Path> found = new ArrayList<>();
    for (SessionLocation place : Sessions.find(directory)) {
      if (!place.path().equals(directory)) { // one without its log
        found.add(place.path());
      }
      if (found.size() == COUNTED) {
        break;
      }
    }
    if (found.isEmpty()) {
      return null;
    }
    return "directory holds no REPLAY.jsonl; name one of the %s%s below it: %s%s"
        .formatted(
            found.size() == COUNTED ? "first " : "",
            PlainText.count(found.size(), "session"),
            names(found),
            found.size() > NAMED ? ", …" : "");
  }

  private static String names(List<Path> paths) {
    return paths.stream().limit(NAMED).map(Path::toString).collect(Collectors.joining(", "));
  }
}
