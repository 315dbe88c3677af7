package dev.agentreplay.io.file;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * A file that is replaced or created atomically, also if the process crashes or power is lost: the
 * content is written to a temporary file next to the target, forced to disk (fsync), and renamed,
 * and then the directory is forced to disk. Closing it before {@link #commit} leaves nothing; a
 * process that is killed leaves the temporary file, {@code .replay.<16 hexadecimal digits>.tmp}.
 * Only the owner can read the file, unless it replaces a file that others can read.
 *
 * <p>Not safe for use by several threads.
 */
public final class WholeFile implements Closeable {

  private static final Pattern TEMPORARY = Pattern.compile("\\.replay\\.[0-9a-f]{16}\\.tmp");
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int BUFFER_BYTES = 1 << 16;

  private final Path file;
  private final boolean replaces;
  private final Disk disk;
  private final Path temporary;
  private final AppendFile written;
  private final OutputStream out;
  private boolean finished;

  private WholeFile(Disk disk, Path file, boolean replaces) throws IOException {
    Path directory = file.toAbsolutePath().getParent();
    if (directory != null && !disk.exists(directory)) {
      throw new NoSuchFileException(directory.toString()); // not the temporary file
    }
    if (!replaces && disk.exists(file)) {
      throw new FileAlreadyExistsException(file.toString());
    }
    this.disk = disk;
    this.file = file;
    this.replaces = replaces;
    this.temporary = temporaryBeside(file);
    AppendFile created =
        replaces ? disk.createReplacement(temporary, file) : disk.create(temporary);
    this.written = created;
    try {
      this.out = new BufferedOutputStream(created, BUFFER_BYTES) {
        @Override
        public void close() throws IOException {
          flush(); // finish() forces the file before it closes it
        }
      };
    } catch (Throwable e) {
      undo(disk, temporary, created, e);
      throw e;
    }
  }

  /**
   * Begins a new file.
   *
   * @throws FileAlreadyExistsException if the file exists now; {@link #commit} throws it if the
   *     file exists then
   */
  public static WholeFile creating(Path file) throws IOException {
    return creating(LocalDisk.INSTANCE, file);
  }

  /** Begins a new file on a disk, as {@link #creating(Path)} does. */
  public static WholeFile creating(Disk disk, Path file) throws IOException {
    return new WholeFile(disk, file, false);
  }

  /** Begins a file that replaces an existing one, if there is one. */
  public static WholeFile replacing(Path file) throws IOException {
    return replacing(LocalDisk.INSTANCE, file);
  }

  /** Begins a file on a disk that replaces an existing one, if there is one. */
  public static WholeFile replacing(Disk disk, Path file) throws IOException {
    return new WholeFile(disk, file, true);
  }

  /** Writes a new file; throws what {@link #creating} and {@link #commit} throw. */
  public static void create(Path file, byte[] bytes) throws IOException {
    create(LocalDisk.INSTANCE, file, bytes);
  }

  /** Writes a new file on a disk. */
  public static void create(Disk disk, Path file, byte[] bytes) throws IOException {
    write(disk, file, false, bytes);
  }

  /** Writes a file that replaces an existing one, if there is one. */
  public static void replace(Path file, byte[] bytes) throws IOException {
    replace(LocalDisk.INSTANCE, file, bytes);
  }

  /** Writes a file on a disk that replaces an existing one, if there is one. */
  public static void replace(Disk disk, Path file, byte[] bytes) throws IOException {
    write(disk, file, true, bytes);
  }

  private static void write(Disk disk, Path file, boolean replaces, byte[] bytes)
      throws IOException {
    WholeFile whole = new WholeFile(disk, file, replaces);
    try {
      whole.out.write(bytes);
      whole.commit();
    } catch (Throwable e) {
      undo(disk, whole.temporary, whole.written, e);
      throw e;
    }
  }

  /** Deletes the temporary file after a failure. */
  private static void undo(Disk disk, Path temporary, AppendFile written, Throwable failure) {
    try (written) {
      disk.delete(temporary);
    } catch (Throwable e) {
      failure.addSuppressed(e);
    }
  }

  /** The stream to which the content is written; it may be closed before {@link #commit}. */
  public OutputStream out() {
    return out;
  }

  /**
   * Completes the content and forces it to disk (fsync). No more may be written.
   *
   * @return the temporary file that has the content until it is committed
   */
  public Path finish() throws IOException {
    if (!finished) {
      out.flush();
      written.force();
      written.close();
      finished = true;
    }
    return temporary;
  }

  /**
   * Completes the content as {@link #finish} does, renames the file to its target, and forces the
   * directory to disk.
   *
   * @throws FileAlreadyExistsException if this is a new file, and the target exists
   * @throws IOException if it cannot be written or forced; an existing file may already have been
   *     replaced; a new file is deleted
   */
  public void commit() throws IOException {
    finish();
    if (replaces) {
      disk.move(temporary, file);
      disk.forceParent(file);
      return;
    }
    disk.moveIfAbsent(temporary, file);
    try {
      disk.forceParent(file);
    } catch (Throwable e) { // a crash may undo the rename: the caller may retry
      try {
        disk.delete(file);
      } catch (Throwable again) {
        e.addSuppressed(again);
      }
      throw e;
    }
  }

  @Override
  public void close() throws IOException {
    try (written) {
      disk.delete(temporary);
    }
  }

  /** The path of a new temporary file next to a file, with a random name. */
  public static Path temporaryBeside(Path file) {
    return file.resolveSibling(temporaryName());
  }

  /** A random name for a temporary file; it is short enough for any file system. */
  public static String temporaryName() {
    return ".replay." + HexFormat.of().toHexDigits(RANDOM.nextLong()) + ".tmp";
  }

  /** Whether a name has the form of {@link #temporaryName}. */
  public static boolean isTemporary(String name) {
    return TEMPORARY.matcher(name).matches();
  }

  /** Forces the content of an existing file to disk (fsync). */
  public static void force(Path file) throws IOException {
    // unlike a channel, it is not closed by an interrupt of the thread
    try (FileOutputStream written = new FileOutputStream(file.toFile(), true)) {
      written.getFD().sync();
    }
  }
}
