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
 * The right to write a log, which one writer has at a time. It is a lock of the operating system on
 * a file beside the log, {@code <log>.lock}, which names its holder: that lock goes with the
 * process, however it dies, and the file that is left then means nothing. It holds on one machine;
 * whether it does on others that mount the same directory depends on their file system.
 *
 * <p>The lock is not on the log itself, because a process loses such a lock when it closes any
 * other descriptor of that file, and logs are read while they are written. For the same reason
 * nothing in a process that has the lock opens its file and closes it again: {@link #isHeld} asks
 * the process first, then the file, and locks out all copies of this class in the process while it
 * does so, through {@link LockProbe}.
 *
 * <p>A writer locks all bytes after the text, and a probe the last of them, shared, for a moment. A
 * writer that meets that tells it from a writer by the first byte of the lock, and tries again.
 */
final class WriterLock implements Disk.Lock {

  private static final String SUFFIX = ".lock";

  /** Bytes of the lock file that are not locked, so that others can read who has it. */
  private static final int TEXT_BYTES = 256;

  /** One object in the process, whatever loaded this class: literals are interned. */
  private static final Object PROCESS = "dev.agentreplay.io.file.WriterLock";

  /** Times that a writer meets what is over in a moment, before it gives up. */
  private static final int ATTEMPTS = 5_000;

  /** Times that it meets a holder that has not written its name yet. */
  private static final int NAMELESS_ATTEMPTS = 500;

  /** Times that it meets one that has: the name may be of the holder before. */
  private static final int NAMED_ATTEMPTS = 3;

  private static final long PAUSE_NANOS = 1_000_000;

  /** The claims of this process, also those that are still tried. */
  private static final Map<Path, WriterLock> HELD = new ConcurrentHashMap<>();

  private final Path log;
  private final Path key;
  private final Path file;
  private final String thread = "thread \"%s\", since %s"
      .formatted(Thread.currentThread().getName(), Instant.now().truncatedTo(ChronoUnit.SECONDS));

  /** Tells this lock file from others of its name. Made before the lock is taken: it takes time. */
  private final String token = UUID.randomUUID().toString();

  private @Nullable FileChannel channel;
  private @Nullable FileLock lock;

  /** The same file, opened by its name: null if it is not deleted when the lock is given up. */
  private @Nullable FileChannel named;

  /** Tells the locked file, while it is open, from others of its name; null if nothing does. */
  private @Nullable Object fileKey;

  private WriterLock(Path log, Path key) {
    this.log = log;
    this.key = key;
    this.file = lockFile(key);
  }

  /**
   * Claims a log.
   *
   * @throws LogLockedException if another writer has it
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
   * Gives the log up. The file goes first: a process that opened it before finds that it is gone.
   * May be called again when an Error has interrupted it.
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
      return; // it was deleted, or its directory moved
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
   * Whether a writer has a log now, in this process or another one. It is not disturbed by that.
   * False also when that cannot be told, because the lock file may not be read.
   */
  static boolean isHeld(Path log) {
    try {
      Path key = key(log);
      Path file = lockFile(key);
      if (HELD.containsKey(key)) {
        return true;
      }
      synchronized (PROCESS) {
        // a pipe could keep its reader waiting, and a link lead anywhere
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
            && (HELD.containsKey(key) || Uninterrupted.call(() -> LockProbe.isLocked(file)));
      }
    } catch (IOException e) {
      return false;
    }
  }

  /** A channel whose lock cannot be given up leaves its file open when it is closed. */
  private static void release(@Nullable FileLock lock) {
    try {
      if (lock != null) {
        lock.release();
      }
    } catch (IOException e) {
      return; // closing the channel tries it again, and says so
    }
  }

  private static Path lockFile(Path key) {
    return key.resolveSibling(key.getFileName() + SUFFIX);
  }

  /** The log, whatever it is called. */
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

  /** The reason that a lock was not taken, and the attempt after which it is thrown. */
  private record Refusal(IOException reason, int attempts) {}

  /** Null when the lock was taken. */
  private @Nullable Refusal tryLock() throws IOException {
    if (LockProbe.isLockedHere(file)) {
      return new Refusal(new LogLockedException(log, "another class loader of this process"), 1);
    }
    FileChannel opened;
    try {
      createIfAbsent(file);
      opened = FileChannel.open(
          file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException e) { // its holder has just given it up, or there is no directory
      return new Refusal(e, Files.exists(key.resolveSibling(".")) ? ATTEMPTS : 1);
    }
    boolean close = true;
    try {
      FileLock taken = opened.tryLock(TEXT_BYTES, Long.MAX_VALUE - TEXT_BYTES, false);
      if (taken == null) {
        return refusal(opened);
      }
      write(opened, token + "\n" + "process " + ProcessHandle.current().pid() + ", " + thread);
      fileKey = fileKey(file);
      if (fileKey == null || isNamed()) {
        lock = taken;
        channel = opened;
        close = false;
        return null;
      }
      return new Refusal(new IOException(file + " was replaced all the time"), ATTEMPTS);
    } catch (NoSuchFileException e) { // its holder has just given it up
      return new Refusal(e, ATTEMPTS);
    } catch (OverlappingFileLockException e) {
      close = false; // it would end the lock of the other copy of this class
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
      return new Refusal(reason, ATTEMPTS); // only asked for: no writer has the first byte
    }
    return new Refusal(reason, line < 0 ? NAMELESS_ATTEMPTS : NAMED_ATTEMPTS);
  }

  /**
   * Whether the file that was locked, and holds the token, still has its name: one that its holder
   * has deleted meanwhile locks nothing. Inode numbers do not tell that: Java reads them by name
   * only, and one that was read before the file was opened may have been given to another file
   * since.
   */
  private boolean isNamed() throws IOException {
    FileChannel byName = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    boolean close = true;
    try {
      if (read(byName).startsWith(token)) {
        close = false; // which would end the lock
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
      return; // somebody's, or left by a process that was killed
    }
  }

  private static void write(FileChannel channel, String text) throws IOException {
    channel.truncate(0);
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  /** The text of the holder or, for a moment, that of the holder before it. */
  private static String read(FileChannel channel) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(TEXT_BYTES);
    while (bytes.hasRemaining() && channel.read(bytes, bytes.position()) > 0) {
      // until its end
    }
    return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
  }

  /** Null where files have no keys: not on POSIX, and a file that is open is not deleted there. */
  private static @Nullable Object fileKey(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
        .fileKey();
  }
}
