package dev.agentreplay.io.session;

import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A search for the session that an id or a name means, see {@link Sessions#find(Path, String)}. */
final class SessionSearch {

  /** The maximum number of lines of a log that are read in search of its session id. */
  private static final int MAX_LINES = 64;

  /** The number of bytes of a log after which no further line is read. */
  private static final long MAX_BYTES = 1 << 20;

  /** The maximum number of sessions that a message names. */
  private static final int NAMED = 5;

  private final Path directory;
  private final String name;
  private final List<Path> found = new ArrayList<>();
  private final Set<String> similar = new LinkedHashSet<>();

  SessionSearch(Path directory, String name) {
    this.directory = directory;
    this.name = name;
  }

  Path run() throws NoSuchFileException {
    if (!Files.isDirectory(directory)) {
      throw none("no such session: not a directory: " + directory);
    }
    Path direct = direct();
    boolean isDirectory = direct != null && Files.isDirectory(direct);
    // a directory of this name may hold other sessions, and a different session may have this id
    if (direct != null && !isDirectory && (Files.isRegularFile(direct) || name.contains("/"))) {
      return direct;
    }
    if (direct != null && isDirectory && name.contains("/")) {
      return direct;
    }
    for (SessionLocation place : Sessions.find(directory)) {
      visit(place);
    }
    if (found.size() == 1) {
      return found.get(0);
    }
    if (direct != null && isDirectory && found.isEmpty()) {
      return direct;
    }
    throw none(found.isEmpty() ? missing() : ambiguous());
  }

  /** The path that the name is, seen from the directory; null if it cannot be a path. */
  private @Nullable Path direct() {
    try {
      return directory.resolve(name);
    } catch (InvalidPathException onlyAnId) {
      return null;
    }
  }

  private void visit(SessionLocation place) {
    String id = id(place);
    Path last = place.path().getFileName();
    String file = last == null ? "" : last.toString();
    if (name.equals(id) || name.equals(file)) {
      found.add(place.path());
    } else if (similar.size() < NAMED) {
      if (isSimilar(id)) {
        similar.add(id);
      } else if (isSimilar(file)) {
        similar.add(file);
      }
    }
  }

  private NoSuchFileException none(String reason) {
    return new NoSuchFileException(name, null, reason);
  }

  private String missing() {
    return "no such file or directory, and no session below %s has this id or name%s"
        .formatted(directory, similar.isEmpty() ? "" : "; similar: " + String.join(", ", similar));
  }

  private String ambiguous() {
    return "%d sessions have this id or name: %s%s; name one by its path"
        .formatted(
            found.size(),
            found.stream().limit(NAMED).map(Path::toString).collect(Collectors.joining(", ")),
            found.size() > NAMED ? ", …" : "");
  }

  /**
   * The session id that the first lines of a log state; null if they state none, or cannot be read.
   */
  private static @Nullable String id(SessionLocation place) {
    try (OpenSession open = place.open();
        ReplayReader reader = open.session().reader()) {
      for (int i = 0; i < MAX_LINES; i++) {
        ReplayLine line = reader.read();
        if (line == null || line.position().offset() > MAX_BYTES) {
          return null;
        }
        String id = line.event().meta().sessionId();
        if (id != null) {
          return id;
        }
      }
      return null;
    } catch (IOException unreadable) {
      return null; // a session that cannot be read has no id, but it has a name
    }
  }

  /** Whether one of two names contains the other, or they differ in one place. */
  private boolean isSimilar(@Nullable String other) {
    if (other == null || other.isEmpty()) {
      return false;
    }
    String one = name.toLowerCase(Locale.ROOT);
    String two = other.toLowerCase(Locale.ROOT);
    return one.contains(two) || two.contains(one) || differInOnePlace(one, two);
  }

  /** Whether two names differ in one character, or long ones in two adjacent characters. */
  private static boolean differInOnePlace(String one, String two) {
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
    int longer = Math.max(one.length(), two.length());
    return longer - prefix - suffix <= (longer < 8 ? 1 : 2);
  }
}
