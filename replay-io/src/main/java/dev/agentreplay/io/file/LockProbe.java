package dev.agentreplay.io.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;

/**
 * Checks whether a lock file is locked by a {@link WriterLock}: tries to lock the last of the bytes
 * that a writer locks, shared. A channel that finds a lock of this process, held by another copy of
 * these classes, is never closed: that would release the lock. All methods are called under the
 * monitor of the writer locks of the process.
 */
final class LockProbe {

  private static final long PROBED = Long.MAX_VALUE - 1;

  /**
   * The channels that must stay open, at most one per file: each is removed before its file is
   * opened again.
   */
  private static final Map<Path, FileChannel> NEVER_CLOSED = new HashMap<>();

  private LockProbe() {}

  /** Keeps a channel open for as long as this class is loaded. */
  static void keepOpen(Path file, FileChannel channel) {
    NEVER_CLOSED.put(file, channel);
  }

  /** Whether a channel that was kept open still finds the lock of another copy of these classes. */
  static boolean isLockedHere(Path file) throws IOException {
    FileChannel kept = NEVER_CLOSED.remove(file);
    return kept != null && isLocked(file, kept) && NEVER_CLOSED.containsKey(file); // kept again
  }

  /**
   * Whether any process has locked a file. A channel that was kept open may belong to a file that
   * was deleted since: it can show that the file is locked, but not that it is unlocked.
   */
  static boolean isLocked(Path file) throws IOException {
    FileChannel kept = NEVER_CLOSED.remove(file);
    return (kept != null && isLocked(file, kept))
        || isLocked(
            file, FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
  }

  private static boolean isLocked(Path file, FileChannel channel) throws IOException {
    boolean close = true;
    try {
      return channel.tryLock(PROBED, 1, true) == null;
    } catch (OverlappingFileLockException e) {
      close = false;
      keepOpen(file, channel);
      return true;
    } finally {
      if (close) {
        channel.close();
      }
    }
  }
}
