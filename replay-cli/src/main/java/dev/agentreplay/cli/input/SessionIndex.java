package dev.agentreplay.cli.input;

import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.session.SessionLocation;
import dev.agentreplay.io.session.Sessions;
import dev.agentreplay.model.text.PlainText;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The sessions below a directory: finds one by its id or name, and suggests similar ones. */
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

  /**
   * The path of the session whose directory has a name, or whose log has a session id.
   *
   * @param otherwise the result if no session matches, or null
   * @throws NoSuchFileException if no session matches and {@code otherwise} is null, or several
   *     match
   */
  Path find(String name, @Nullable Path otherwise) throws NoSuchFileException {
    List<Path> found = new ArrayList<>();
    Set<String> similar = new LinkedHashSet<>();
    for (SessionLocation place : Sessions.find(directory)) {
      String id = id(place);
      Path last = place.path().getFileName();
      String file = last == null ? "" : last.toString();
      if (name.equals(id) || name.equals(file)) {
        found.add(place.path());
      } else if (similar.size() < NAMED) {
        if (isSimilar(name, id)) {
          similar.add(id);
        } else if (isSimilar(name, file)) {
          similar.add(file);
        }
      }
    }
    if (found.size() == 1) {
      return found.get(0);
    }
    if (found.isEmpty() && otherwise != null) {
      return otherwise;
    }
    String reason = found.isEmpty()
        ? "no such file or directory, and no session below %s has this id or name%s"
            .formatted(
                directory, similar.isEmpty() ? "" : "; similar: " + String.join(", ", similar))
        : "%d sessions have this id or name: %s%s; name one by its path"
            .formatted(found.size(), names(found), found.size() > NAMED ? ", …" : "");
    throw new NoSuchFileException(name, null, reason);
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

  /** The session id in a log; null when there is none, or the log cannot be read. */
  private static @Nullable String id(SessionLocation place) {
    try {
      Session session = place.open();
      return session.id();
    } catch (IOException unreadable) {
      return null;
    }
  }

  /** Whether one of two names contains the other. */
  private static boolean isSimilar(String name, @Nullable String other) {
    if (other == null || other.isEmpty()) {
      return false;
    }
    String one = name.toLowerCase(Locale.ROOT);
    String two = other.toLowerCase(Locale.ROOT);
    return one.contains(two) || two.contains(one) || differInOne(one, two);
  }

  /** Whether two names differ in one character. */
  private static boolean differInOne(String one, String two) {
    int prefix = 0;
    int shorter = Math.min(one.length(), two.length());
    while (prefix < shorter && one.charAt(prefix) == two.charAt(prefix)) {
      prefix++;
    }
    int suffix = 0;
    while (suffix < shorter - prefix
        && one.charAt(one.length() - 1 - suffix) == two.charAt(two.length() - 1 - suffix)) {
      suffix++;
    }
    return Math.max(one.length(), two.length()) - prefix - suffix <= 1;
  }
}
