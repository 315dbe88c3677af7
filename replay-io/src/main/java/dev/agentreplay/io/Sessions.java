package dev.agentreplay.io;

import dev.agentreplay.io.internal.LogParts;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Objects;

/** Directories of sessions. */
public final class Sessions {

  private Sessions() {}

  /**
   * Finds the sessions in a directory and below it: each directory that holds a log, plain or
   * compressed, or a part of one, or a receipt: where the log of a receipt is gone, that is not
   * passed over. They come as they are found, in the order of their names, a directory before those
   * in it. Each iteration looks anew.
   *
   * <p>Links are not followed, save to the directory itself; {@value Session#BLOBS_NAME} and
   * {@value #SNAPSHOT_NAME} of a session hold no sessions. A directory that cannot be listed is a
   * place as well, with its failure. Memory is that of the names in the directories between this
   * one and the session.
   */
  public static Iterable<SessionPlace> find(Path directory) {
    Objects.requireNonNull(directory, "directory");
    return () -> new SessionWalk(directory);
  }

  /** Whether a directory itself holds a log, even one that is a link. */
  public static boolean isSession(Path directory) {
    return exists(directory.resolve(Session.LOG_NAME))
        || exists(directory.resolve(Session.COMPRESSED_LOG_NAME));
  }

  /** The name of the directory of files that a session began with. */
  static final String SNAPSHOT_NAME = "snapshot";

  /** Whether a directory with a file of this name should hold a session. */
  static boolean isOfSession(String name) {
    return name.equals(Session.LOG_NAME)
        || name.equals(Session.COMPRESSED_LOG_NAME)
        || name.equals(Session.RECEIPT_NAME)
        || name.equals(Session.ENVELOPE_NAME)
        || LogParts.isLaterPart(Session.LOG_NAME, name);
  }

  private static boolean exists(Path path) {
    return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
  }
}
