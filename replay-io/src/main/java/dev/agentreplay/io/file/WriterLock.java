package dev.agentreplay.io.file;

import dev.agentreplay.model.text.Excerpt;
import dev.agentreplay.model.text.PlainText;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The file lock that gives one writer at a time the right to write a log. It is a lock of the
 * operating system on a file next to the log, {@code <log>.lock}, whose text names the holder. The
 * operating system releases the lock when the process ends, however it ends; a lock file that is
 * left behind locks nothing. The lock excludes writers on the same machine; whether it excludes
 * those on other machines that mount the directory depends on the file system.
 *
 * <p>The log itself is not locked, because a process loses such a lock when it closes any other
 * descriptor of the file, and logs are read while they are written. For the same reason a process
 * that holds the lock must not open and close the lock file: {@link #isHeld} checks the locks of
 * this process first and then probes the file, and meanwhile excludes all copies of this class in
 * the process, through {@link LockProbe}.
 *
 * <p>A writer locks all bytes after the text; a probe locks the last of these bytes, shared, for a
 * moment. A writer that fails because of a probe can lock the first byte after the text, which
 * tells a probe from a writer, and tries again.
 */
final class WriterLock implements Disk.Lock {

  private static final String SUFFIX = ".lock";

  /** The bytes of the lock file that are not locked, so that other processes can read its text. */
  private static final int TEXT_BYTES = 256;

  /**
   * One object for the whole process, whichever class loaders have loaded this class: literals are
   * interned.
   */
  private static final Object PROCESS = "dev.agentreplay.io.file.WriterLock";

  /** The number of attempts that fail for a transient reason before a writer gives up. */
  private static final int ATTEMPTS = 5_000;

  /** The number of attempts while the holder has not written its name yet. */
  private static final int NAMELESS_ATTEMPTS = 500;

  /** The number of attempts while there is a name, which may be that of the previous holder. */
  private static final int NAMED_ATTEMPTS = 3;

  private static final long PAUSE_NANOS = 1_000_000;

  /** The locks of this process, including those that are still being acquired. */
  private static final Map<Path, WriterLock> HELD = new ConcurrentHashMap<>();

  private final Path log;
  private final Path key;
  private final Path file;
  private final String thread = "thread \"%s\", since %s"
      .formatted(Thread.currentThread().getName(), Instant.now().truncatedTo(ChronoUnit.SECONDS));

  /** Identifies this lock file among others of the same name. */
  private final String token = UUID.randomUUID().toString();

  /**
   * The token and the holder. Made before the lock is acquired, because that takes time, in which
   * others would not find whose lock it is.
   */
  private final byte[] content = "%s\nprocess %d, %s"
      .formatted(token, ProcessHandle.current().pid(), thread)
      .getBytes(StandardCharsets.UTF_8);

  private @Nullable FileChannel channel;
  private @Nullable FileLock lock;

  /**
   * A second channel to the same file, opened by name; null if the file is not deleted when the
   * lock is released.
   */
  private @Nullable FileChannel named;

  /** The identity of the locked file while it is open; null if the file system has none. */
  private @Nullable Object fileKey;

  private WriterLock(Path log, Path key) {
    this.log = log;
    this.key = key;
    this.file = lockFile(key);
  }

  /**
   * Locks a log.
   *
   * @throws LogLockedException if another writer has locked it
   */
  static WriterLock acquire(Path log) throws IOException {
    WriterLock claim = new WriterLock(log, key(log));
    WriterLock other = HELD.putIfAbsent(claim.key, claim);
    if (other != null) {
      throw new LogLockedException(log, "this process, " + other.thread);
    }
    boolean acquired = false;
    try {
      Uninterrupted.call(claim::lock);
      acquired = true;
      return claim;
    } finally {
      if (!acquired) {
        HELD.remove(claim.key, claim);
      }
    }
  }

  @Override
  public Path log() {
    return log;
  }

  /**
   * Deletes the lock file and releases the lock, in this order: a process that has opened the file
   * before finds it deleted. May be called again when an Error has interrupted it.
   */
  @Override
  public void close() throws IOException {
    synchronized (PROCESS) {
      try {
        deleteFile();
      } catch (IOException e) {
        giveUp();
        throw e;
      }
      giveUp();
    }
  }

  private void deleteFile() throws IOException {
    try {
      if (isOpen(named) && Objects.equals(fileKey, fileKey(file))) {
        Files.delete(file);
      }
    } catch (NoSuchFileException e) {
      return; // it was deleted already, or its directory was moved
    }
  }

  @SuppressWarnings("try") // both are only closed
  private void giveUp() throws IOException {
    try (Closeable first = channel;
        Closeable second = named) {
      release(lock);
    } finally {
      if (!isOpen(channel) && !isOpen(named)) {
        HELD.remove(key, this);
      }
    }
  }

  private static boolean isOpen(@Nullable FileChannel channel) {
    return channel != null && channel.isOpen();
  }

  /**
   * Whether a log is locked by a writer now, in this process or a different one. The writer is not
   * disturbed. Also false if this cannot be determined because the lock file cannot be read.
   */
  static boolean isHeld(Path log) {
    try {
      Path key = key(log);
      Path file = lockFile(key);
      if (HELD.containsKey(key)) {
        return true;
      }
      synchronized (PROCESS) {
        // opening a pipe may block, and a link may lead anywhere
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
            && (HELD.containsKey(key) || Uninterrupted.call(() -> LockProbe.isLocked(file)));
      }
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Releases the lock first: a channel whose lock cannot be released keeps its file open when it is
   * closed.
   */
  private static void release(@Nullable FileLock lock) {
    try {
      if (lock != null) {
        lock.release();
      }
    } catch (IOException e) {
      return; // closing the channel tries again, and reports a failure
    }
  }

  private static Path lockFile(Path key) {
    return key.resolveSibling(key.getFileName() + SUFFIX);
  }

  /** The real path of the log. */
  private static Path key(Path log) throws IOException {
    if (Files.exists(log)) {
      return log.toRealPath();
    }
    Path absolute = log.toAbsolutePath();
    Path parent = Objects.requireNonNull(absolute.getParent(), "a log is in a directory");
    return parent.toRealPath().resolve(absolute.getFileName());
  }

  private WriterLock lock() throws IOException {
    for (int attempt = 1; ; attempt++) {
      Refusal refusal;
      synchronized (PROCESS) {
        refusal = tryLock();
      }
      if (refusal == null) {
        return this;
      }
      if (attempt >= refusal.attempts) {
        throw refusal.reason;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /**
   * The reason why the lock was not acquired, and the number of attempts after which it is thrown.
   */
  private record Refusal(IOException reason, int attempts) {}

  /** Tries once to acquire the lock; returns null if it was acquired. */
  private @Nullable Refusal tryLock() throws IOException {
    if (LockProbe.isLockedHere(file)) {
      return new Refusal(new LogLockedException(log, "another class loader of this process"), 1);
    }
    FileChannel opened;
    try {
      createIfAbsent(file);
      opened = FileChannel.open(
          file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException e) { // just released, or the directory is missing
      return new Refusal(e, Files.exists(key.resolveSibling(".")) ? ATTEMPTS : 1);
    }
    boolean close = true;
    try {
      FileLock taken = opened.tryLock(TEXT_BYTES, Long.MAX_VALUE - TEXT_BYTES, false);
      if (taken == null) {
        return refusal(opened);
      }
      write(opened, content);
      fileKey = fileKey(file);
      if (fileKey == null || isNamed()) {
        lock = taken;
        channel = opened;
        close = false;
        return null;
      }
      return new Refusal(
          new IOException(file + " was replaced during every attempt to lock it"), ATTEMPTS);
    } catch (NoSuchFileException e) { // just released
      return new Refusal(e, ATTEMPTS);
    } catch (OverlappingFileLockException e) {
      close = false; // closing would release the lock of the other copy of this class
      LockProbe.keepOpen(file, opened);
      return new Refusal(new LogLockedException(log, "another class loader of this process"), 1);
    } finally {
      if (close) {
        opened.close();
      }
    }
  }

  private Refusal refusal(FileChannel opened) throws IOException {
    String text = read(opened);
    int line = text.indexOf('\n');
    String holder =
        line < 0 ? "another process" : PlainText.escaped(Excerpt.of(text.substring(line + 1)));
    LogLockedException reason = new LogLockedException(log, holder);
    if (opened.tryLock(TEXT_BYTES, 1, false) != null) {
      return new Refusal(reason, ATTEMPTS); // locked by a probe: no writer has the first byte
    }
    return new Refusal(reason, line < 0 ? NAMELESS_ATTEMPTS : NAMED_ATTEMPTS);
  }

  /**
   * Whether the locked file, which contains the token, still has its name: a file that its holder
   * has deleted meanwhile locks nothing. Inode numbers cannot show this: Java reads them by name
   * only, and a number that was read before the file was opened may belong to a different file
   * since.
   */
  private boolean isNamed() throws IOException {
    FileChannel byName = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    boolean close = true;
    try {
      if (read(byName).startsWith(token)) {
        close = false; // closing would release the lock
        named = byName;
      }
    } finally {
      if (close) {
        byName.close();
      }
    }
    return named != null;
  }

  private static void createIfAbsent(Path file) throws IOException {
    try {
      OwnerOnly.createFile(file);
    } catch (FileAlreadyExistsException e) {
      return; // of another writer, or left by a process that was killed
    }
  }

  private static void write(FileChannel channel, byte[] content) throws IOException {
    channel.truncate(0);
    ByteBuffer bytes = ByteBuffer.wrap(content);
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  /** The text of the holder or, for a moment, that of the previous holder. */
  private static String read(FileChannel channel) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(TEXT_BYTES);
    while (bytes.hasRemaining() && channel.read(bytes, bytes.position()) > 0) {
      // read up to the end
    }
    return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
  }

  /**
   * The identity of a file; null where files have none: these are not POSIX file systems, and an
   * open file cannot be deleted there.
   */
  private static @Nullable Object fileKey(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
        .fileKey();
  }
}
