package dev.agentreplay.io.internal;

import dev.agentreplay.io.LogLockedException;
import dev.agentreplay.model.internal.Excerpt;
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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The right to write a log, which one writer has at a time. It is a lock of the operating system on
 * a file beside the log, {@code <log>.lock}, which names its holder: that lock goes with the
 * process, however it dies, and the file that is left then means nothing.
 *
 * <p>The lock is not on the log itself, because a process loses such a lock when it closes any
 * other descriptor of that file, and logs are read while they are written. For the same reason
 * nothing in a process that has the lock opens its file and closes it again: {@link #isHeld} asks
 * the process first, then the file, and locks out all copies of this class in the process while it
 * does so.
 *
 * <p>A writer locks the whole file, and who asks whether there is one only its {@link #PROBED}
 * byte, shared, for a moment. A writer that meets that tells it from a writer by the first byte,
 * and tries again.
 */
public final class WriterLock implements Closeable {

  private static final String SUFFIX = ".lock";
  private static final int MAX_HOLDER_BYTES = 256;

  /** The byte of the lock file that is locked to ask for a writer. */
  private static final long PROBED = Long.MAX_VALUE - 1;

  /** One object in the process, whatever loaded this class: literals are interned. */
  private static final Object PROCESS = "dev.agentreplay.io.internal.WriterLock";

  /** Channels that cannot be closed: that would end the lock of another copy of this class. */
  private static final Map<Path, FileChannel> NEVER_CLOSED = new HashMap<>();

  /** The same channels and others of the kind: a collected channel closes its file as well. */
  private static final List<FileChannel> PINNED = new ArrayList<>();

  /** Times that a writer meets a process that asks for one, before it gives up. */
  private static final int ATTEMPTS = 5_000;

  /** Times that the file of a held lock is read, until it names the holder. */
  private static final int HOLDER_ATTEMPTS = 100;

  private static final long PAUSE_NANOS = 1_000_000;

  /** Who writes what in this process. */
  private static final Map<Path, String> HELD = new ConcurrentHashMap<>();

  private final Path key;
  private final Path file;

  /** Not made while the lock is held: the first one of a process takes a while. */
  private final String token = UUID.randomUUID().toString();

  private @Nullable FileChannel channel;
  private @Nullable FileLock lock;

  /** The same file, opened by its name: null if it is never deleted. */
  private @Nullable FileChannel named;

  private WriterLock(Path key, Path file) {
    this.key = key;
    this.file = file;
  }

  /**
   * Claims a log.
   *
   * @throws LogLockedException if another writer has it
   */
  static WriterLock acquire(Path log) throws IOException {
    Path key = key(log);
    String thread = "thread \"%s\", since %s"
        .formatted(Thread.currentThread().getName(), Instant.now().truncatedTo(ChronoUnit.SECONDS));
    String holder = "process %d, %s".formatted(ProcessHandle.current().pid(), thread);
    WriterLock claim = new WriterLock(key, key.resolveSibling(key.getFileName() + SUFFIX));
    String other = HELD.putIfAbsent(key, thread);
    if (other != null) {
      throw new LogLockedException(log, "this process, " + other);
    }
    boolean acquired = false;
    try {
      synchronized (PROCESS) {
        Uninterrupted.call(() -> claim.lock(log, holder));
      }
      acquired = true;
      return claim;
    } finally {
      if (!acquired) {
        HELD.remove(key);
      }
    }
  }

  /**
   * Gives the log up. The file goes first: whoever opened it before finds that it is gone. May be
   * called again when an Error has interrupted it.
   */
  @Override
  public void close() throws IOException {
    FileChannel open = channel;
    if (open == null || !open.isOpen()) {
      return;
    }
    try (open;
        FileChannel again = named) {
      if (again != null) { // else it could not be told from the next one
        Files.deleteIfExists(file);
      }
      release(lock);
    } finally {
      HELD.remove(key);
    }
  }

  /**
   * Whether a writer has a log now, in this process or another one. It is not disturbed by that.
   * False also when that cannot be told, because the lock file may not be read.
   */
  public static boolean isHeld(Path log) {
    try {
      Path key = key(log);
      Path file = key.resolveSibling(key.getFileName() + SUFFIX);
      if (HELD.containsKey(key)) {
        return true;
      }
      synchronized (PROCESS) {
        // a pipe could keep its reader waiting, and a link lead anywhere
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
            && (HELD.containsKey(key) || Uninterrupted.call(() -> isLocked(file)));
      }
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean isLocked(Path file) throws IOException {
    FileChannel channel = NEVER_CLOSED.remove(file);
    if (channel == null) {
      channel = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    }
    boolean close = true;
    try {
      return channel.tryLock(PROBED, 1, true) == null;
    } catch (OverlappingFileLockException e) {
      close = false;
      NEVER_CLOSED.put(file, channel);
      PINNED.add(channel);
      return true;
    } finally {
      if (close) {
        channel.close();
      }
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

  /** The log, whatever it is called. */
  private static Path key(Path log) throws IOException {
    if (Files.exists(log)) {
      return log.toRealPath();
    }
    Path absolute = log.toAbsolutePath();
    Path parent = Objects.requireNonNull(absolute.getParent(), "a log is in a directory");
    return parent.toRealPath().resolve(absolute.getFileName());
  }

  private WriterLock lock(Path log, String holder) throws IOException {
    int asked = 0;
    while (true) {
      try {
        createIfAbsent(file);
        FileChannel opened = FileChannel.open(
            file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        boolean close = true;
        try {
          FileLock taken = opened.tryLock();
          if (taken == null) {
            if (opened.tryLock(0, 1, false) != null && asked++ < ATTEMPTS) {
              LockSupport.parkNanos(PAUSE_NANOS);
              continue; // only asked for: no writer has the first byte
            }
            throw new LogLockedException(log, read(opened));
          }
          if (isNamed(opened, holder)) {
            lock = taken;
            channel = opened;
            close = false;
            return this;
          }
        } catch (OverlappingFileLockException e) {
          close = false; // for ever: it would end the lock of the other copy of this class
          PINNED.add(opened); // nor may it be collected, which closes it
          throw new LogLockedException(log, "another class loader of this process");
        } finally {
          if (close) {
            opened.close();
          }
        }
      } catch (NoSuchFileException e) {
        if (file.getParent() == null || !Files.exists(file.getParent())) {
          throw e;
        }
        // another writer has just given it up
      }
    }
  }

  /**
   * Writes the holder into the locked file, and tells whether that file still has its name: one
   * that its writer has deleted meanwhile locks nothing. A token in the file tells it from the next
   * one of that name; its inode number does not, which the next one may be given.
   */
  private boolean isNamed(FileChannel locked, String holder) throws IOException {
    locked.truncate(0);
    locked.write(ByteBuffer.wrap((token + "\n" + holder).getBytes(StandardCharsets.UTF_8)));
    if (!hasKey(file)) {
      return true; // nobody deletes it
    }
    FileChannel byName = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    boolean close = true;
    try {
      if (content(byName).startsWith(token)) {
        close = false; // before the lock is given up: that would end it
        named = byName;
        return true;
      }
      return false;
    } finally {
      if (close) {
        byName.close();
      }
    }
  }

  private static void createIfAbsent(Path file) throws IOException {
    try {
      OwnerOnly.createFile(file);
    } catch (FileAlreadyExistsException e) {
      return; // somebody's, or left by a process that was killed
    }
  }

  /** What the holder wrote, or is about to write. */
  private static String read(FileChannel channel) throws IOException {
    String content = content(channel);
    for (int i = 0; i < HOLDER_ATTEMPTS && content.indexOf('\n') < 0; i++) {
      LockSupport.parkNanos(PAUSE_NANOS);
      content = content(channel);
    }
    int line = content.indexOf('\n');
    return line < 0 ? "another process" : PathText.escaped(Excerpt.of(content.substring(line + 1)));
  }

  private static String content(FileChannel channel) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(MAX_HOLDER_BYTES);
    channel.read(bytes, 0);
    return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
  }

  /** Whether files are told apart here; where they are not, an open file cannot be deleted. */
  private static boolean hasKey(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
            .fileKey()
        != null;
  }
}
