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
 * Asks whether a lock file is locked by a {@link WriterLock}: tries to lock the last of the bytes
 * that it locks, shared. A descriptor that meets a lock of this process, by another copy of these
 * classes, is never closed: that would end the lock. All methods are called under the monitor of
 * the writer locks of the process.
 */
final class LockProbe {

  private static final long PROBED = Long.MAX_VALUE - 1;

  /** Each is taken out before its file is opened again, so there is one a file. */
  private static final Map<Path, FileChannel> NEVER_CLOSED = new HashMap<>();

  private LockProbe() {}

  /** Keeps a channel as long as this class. */
  static void keepOpen(Path file, FileChannel channel) {
    NEVER_CLOSED.put(file, channel);
  }

  /** Whether a channel that was kept meets the lock of another copy of these classes still. */
  static boolean isLockedHere(Path file) throws IOException {
    FileChannel kept = NEVER_CLOSED.remove(file);
    return kept != null && isLocked(file, kept) && NEVER_CLOSED.containsKey(file); // kept again
  }

  /**
   * Whether any process locks a file. A channel that was kept may be of a file that was deleted
   * since: it can say yes, but not no.
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
