package dev.agentreplay.io.recording;

import dev.agentreplay.io.file.Disk;
import dev.agentreplay.io.log.LogRecovery;
import dev.agentreplay.io.log.Recovery;
import dev.agentreplay.model.ReplayHeader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;

/** A log that was left by a recorder which was interrupted before its session had begun. */
final class Leftover {

  private Leftover() {}

  /**
   * Deletes a log that is empty, or holds a header and nothing else. A torn line after that, or a
   * torn header, is kept as {@link LogRecovery#repair()} keeps it.
   *
   * @param lock the lock of the log
   * @throws FileAlreadyExistsException if it holds anything else; nothing is changed
   */
  static void delete(Disk disk, Path log, Disk.Lock lock) throws IOException {
    boolean[] hasOther = new boolean[1];
    Recovery recovery;
    try {
      recovery = LogRecovery.of(disk, log)
          .inspect(line -> hasOther[0] |= !(line.event() instanceof ReplayHeader));
    } catch (IOException e) {
      throw new FileAlreadyExistsException(log.toString(), null, "it cannot be read: " + e);
    }
    boolean isTorn = recovery instanceof Recovery.TornTail && beginsAsObject(disk, log);
    if (hasOther[0] || recovery.events() > 1 || !(isTorn || recovery instanceof Recovery.Open)) {
      throw new FileAlreadyExistsException(log.toString());
    }
    if (isTorn) {
      LogRecovery.of(disk, log).repair(lock, line -> {});
    }
    disk.delete(log);
    disk.forceParent(log);
  }

  private static boolean beginsAsObject(Disk disk, Path log) throws IOException {
    try (InputStream in = disk.read(log)) {
      return in.read() == '{';
    }
  }
}
