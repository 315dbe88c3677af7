package dev.agentreplay.io.session;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Objects;

/** Directories of sessions. */
public final class Sessions {

  private Sessions() {}

  /**
   * Finds the sessions in a directory and everywhere below it, also below a directory that holds a
   * session itself. A session is
   *
   * <ul>
   *   <li>each directory that holds a log, plain or compressed, or a segment of one, or a receipt:
   *       where the log of a receipt is missing, that is not passed over;
   *   <li>each other file {@code *.jsonl} or {@code *.jsonl.gz}, in any case of its letters, whose
   *       first or second line is an event that is known, or that cannot be read from disk.
   * </ul>
   *
   * <p>Nothing is passed over in silence: a link to a directory or to such a file is not followed,
   * and it and a directory that cannot be listed are places whose failure is a
   * {@link SessionSkippedException}. The directory itself may be a link.
   *
   * <p>Places come as they are found, in the order of their names, a directory before those in it.
   * Each iteration looks again. Memory is that of the names in the directories between this one and
   * the session.
   */
  public static Iterable<SessionLocation> find(Path directory) {
    Objects.requireNonNull(directory, "directory");
    return () -> new SessionWalk(directory);
  }

  /** Whether a directory itself holds a log, even one that is a link. */
  public static boolean isSession(Path directory) {
    return exists(directory.resolve(Session.LOG_NAME))
        || exists(directory.resolve(Session.COMPRESSED_LOG_NAME));
  }

  private static boolean exists(Path path) {
    return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
  }
}
