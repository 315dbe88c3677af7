package dev.agentreplay.io.recording;

import dev.agentreplay.io.file.LocalDisk;
import dev.agentreplay.model.SessionStart;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** A directory for a session that no other session has, named like the session. */
record NewDirectory(Path path, String id) {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  /** Characters that a file system refuses in a name, or that separate names. */
  private static final String REFUSED = "/\\:*?\"<>|";

  /** The most sessions of one name and second. */
  private static final int MAX_NUMBER = 10_000;

  /**
   * Creates the directory: the name, the time, and, if another session has both, a number.
   *
   * @throws IllegalArgumentException if the name is blank, or no file can have it
   */
  static NewDirectory create(Path sessions, String name, Instant time) throws IOException {
    requireFileName(name);
    LocalDisk.createDirectories(sessions);
    String first = name + "-" + TIME.format(time);
    String id = first;
    for (int number = 2; number <= MAX_NUMBER; number++) {
      Path path = sessions.resolve(id);
      try {
        LocalDisk.createNewDirectory(path);
        return new NewDirectory(path, id);
      } catch (FileAlreadyExistsException taken) {
        id = first + "-" + number;
      }
    }
    throw new FileAlreadyExistsException(
        sessions.toString(), null, "it holds %d sessions named %s".formatted(MAX_NUMBER, first));
  }

  /** The start of a session with the id of this directory. */
  SessionStart named(SessionStart start) {
    return start.withMeta(start.meta().withSessionId(id));
  }

  /** Deletes the directory if it is empty, as after a start that failed. */
  void deleteIfEmpty() {
    try {
      Files.deleteIfExists(path);
    } catch (IOException notEmpty) {
      // it holds what the start has written
    }
  }

  private static void requireFileName(String name) {
    boolean isRefused =
        name.chars().anyMatch(c -> Character.isISOControl(c) || REFUSED.indexOf(c) >= 0);
    if (name.isBlank() || isRefused) {
      throw new IllegalArgumentException(
          "a session in a new directory needs a name that a file can have, found \"%s\""
              .formatted(name));
    }
  }
}
