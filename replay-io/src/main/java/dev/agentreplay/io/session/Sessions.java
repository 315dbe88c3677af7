package dev.agentreplay.io.session;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;

/** Finds sessions in directories. */
public final class Sessions {

  private Sessions() {}

  /**
   * Finds the sessions in a directory and everywhere below it, also below a directory that is a
   * session itself. A session is
   *
   * <ul>
   *   <li>each directory that contains a log, compressed or not, a segment of one, a receipt or its
   *       envelope: a receipt without its log is reported, not skipped;
   *   <li>each other file {@code *.jsonl} or {@code *.jsonl.gz}, in upper or lower case, whose
   *       first or second line is a known event, or which cannot be read from disk.
   * </ul>
   *
   * <p>Nothing is skipped silently: a link to a directory or to such a file is not followed; such
   * links, and directories that cannot be listed, are returned as locations whose failure is a
   * {@link SessionSkippedException}. The directory itself may be a link.
   *
   * <p>Locations are returned as they are found, in the order of their names, a directory before
   * its entries. Each iteration reads the directories again. Memory is bounded by the names in the
   * directories between the given one and the session.
   */
  public static Iterable<SessionLocation> find(Path directory) {
    Objects.requireNonNull(directory, "directory");
    return () -> new SessionWalk(directory);
  }

  /**
   * Returns the path of the session that a text means: a path below a directory, the name of a
   * session's directory or log there or anywhere below, or the {@code session_id} that a log states
   * in its first 64 lines. A directory with that name is returned, even if it is not a session, if
   * no session has this id or name.
   *
   * <p>Each call reads the first lines of every log below the directory. A session that cannot be
   * read is found by its name only.
   *
   * @throws NoSuchFileException if there is no such session, with the directory and similar ids and
   *     names in the reason; if several sessions have this id or name, with their paths; or if the
   *     directory is not a directory
   */
  public static Path find(Path directory, String name) throws NoSuchFileException {
    Objects.requireNonNull(directory, "directory");
    Objects.requireNonNull(name, "name");
    return new SessionSearch(directory, name).run();
  }

  /** Whether a directory itself contains a log, even one that is a link. */
  public static boolean isSession(Path directory) {
    return exists(directory.resolve(Session.LOG_NAME))
        || exists(directory.resolve(Session.COMPRESSED_LOG_NAME));
  }

  private static boolean exists(Path path) {
    return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
  }
}
