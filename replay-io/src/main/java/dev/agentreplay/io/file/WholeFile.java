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
 * A file that is there whole or not at all: it is written under another name beside its place,
 * forced to disk, and then put there. Closing it before {@link #commit} leaves nothing; a process
 * that is killed leaves the other name, {@code .replay.<16 hexadecimal digits>.tmp}. No other user
 * can read it, unless it replaces a file that they can read.
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
      throw new NoSuchFileException(directory.toString()); // else the temporary name is blamed
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
          flush(); // the file is forced first
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
   * @throws FileAlreadyExistsException if the file exists, now or when it is committed
   */
  public static WholeFile creating(Path file) throws IOException {
    return creating(LocalDisk.INSTANCE, file);
  }

  /** Begins a new file on a disk. */
  public static WholeFile creating(Disk disk, Path file) throws IOException {
    return new WholeFile(disk, file, false);
  }

  /** Begins a file that takes the place of the one that is there, if there is one. */
  public static WholeFile replacing(Path file) throws IOException {
    return replacing(LocalDisk.INSTANCE, file);
  }

  /** Begins a file on a disk that takes the place of the one that is there, if there is one. */
  public static WholeFile replacing(Disk disk, Path file) throws IOException {
    return new WholeFile(disk, file, true);
  }

  /** Writes a new file; fails as {@link #creating} does. */
  public static void create(Path file, byte[] bytes) throws IOException {
    create(LocalDisk.INSTANCE, file, bytes);
  }

  /** Writes a new file on a disk. */
  public static void create(Disk disk, Path file, byte[] bytes) throws IOException {
    write(disk, file, false, bytes);
  }

  /** Writes a file in place of the one that is there, if there is one. */
  public static void replace(Path file, byte[] bytes) throws IOException {
    write(LocalDisk.INSTANCE, file, true, bytes);
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

  /** Leaves nothing, because of a failure. */
  private static void undo(Disk disk, Path temporary, AppendFile written, Throwable failure) {
    try (written) {
      disk.delete(temporary);
    } catch (Throwable e) {
      failure.addSuppressed(e);
    }
  }

  /** Where to write its content; may be closed. */
  public OutputStream out() {
    return out;
  }

  /** Ends the content, and forces it to the disk. Returns where it is until it is committed. */
  public Path finish() throws IOException {
    if (!finished) {
      out.flush();
      written.force();
      written.close();
      finished = true;
    }
    return temporary;
  }

  /** Puts the file in its place, with what was written. */
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
    } catch (Throwable e) { // it is there, but may not stay; creating it may be tried again
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

  /** A name beside a file that nothing else has. */
  public static Path temporaryBeside(Path file) {
    return file.resolveSibling(temporaryName());
  }

  /** A name that nothing else has; short, so that it fits where any other does. */
  public static String temporaryName() {
    return ".replay." + HexFormat.of().toHexDigits(RANDOM.nextLong()) + ".tmp";
  }

  /** Whether a name is one that {@link #temporaryName} makes. */
  public static boolean isTemporary(String name) {
    return TEMPORARY.matcher(name).matches();
  }

  /** Forces a file that was written to disk. */
  public static void force(Path file) throws IOException {
    // unlike a channel, it is not closed by an interrupt of the thread
    try (FileOutputStream written = new FileOutputStream(file.toFile(), true)) {
      written.getFD().sync();
    }
  }
}
