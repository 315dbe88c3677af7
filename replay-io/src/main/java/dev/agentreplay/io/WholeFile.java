package dev.agentreplay.io;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * A file that is there whole or not at all: it is written under another name beside its place,
 * forced to disk, and then put there. Closing it before {@link #commit} leaves nothing; a process
 * that is killed leaves the other name, {@code .replay.<16 hexadecimal digits>.tmp}.
 */
final class WholeFile implements Closeable {

  private static final Pattern TEMPORARY = Pattern.compile("\\.replay\\.[0-9a-f]{16}\\.tmp");
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int BUFFER_BYTES = 1 << 16;

  private final Path file;
  private final boolean replaces;
  private final Path temporary;
  private final OutputStream out;

  private WholeFile(Path file, boolean replaces) throws IOException {
    Path directory = file.toAbsolutePath().getParent();
    if (directory != null && Files.notExists(directory)) {
      throw new NoSuchFileException(directory.toString()); // else the temporary name is blamed
    }
    if (!replaces && Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new FileAlreadyExistsException(file.toString());
    }
    this.file = file;
    this.replaces = replaces;
    this.temporary = temporaryBeside(file);
    // unlike those of a channel, its writes are not broken off by an interrupt of the thread
    OutputStream target =
        Files.newOutputStream(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    this.out = new BufferedOutputStream(target, BUFFER_BYTES);
  }

  /**
   * Begins a new file.
   *
   * @throws FileAlreadyExistsException if the file exists, now or when it is committed
   */
  static WholeFile creating(Path file) throws IOException {
    return new WholeFile(file, false);
  }

  /** Begins a file that takes the place of the one that is there, if there is one. */
  static WholeFile replacing(Path file) throws IOException {
    return new WholeFile(file, true);
  }

  /** Writes a new file; fails as {@link #creating} does. */
  static void create(Path file, byte[] bytes) throws IOException {
    write(creating(file), bytes);
  }

  /** Writes a file in place of the one that is there, if there is one. */
  static void replace(Path file, byte[] bytes) throws IOException {
    write(replacing(file), bytes);
  }

  private static void write(WholeFile file, byte[] bytes) throws IOException {
    try (file) {
      file.out.write(bytes);
      file.commit();
    }
  }

  /** Where to write its content; may be closed. */
  OutputStream out() {
    return out;
  }

  /** Ends the content. Returns where it is until it is committed. */
  Path finish() throws IOException {
    out.close();
    return temporary;
  }

  /** Puts the file in its place, with what was written. */
  void commit() throws IOException {
    finish();
    force(temporary);
    if (replaces) {
      Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    } else {
      link();
    }
    forceParent(file);
  }

  /** A link is made only where nothing is; a move looks first, and may come too late. */
  private void link() throws IOException {
    try {
      Files.createLink(file, temporary);
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (UnsupportedOperationException | FileSystemException noLinksHere) {
      Files.move(temporary, file);
    }
  }

  @Override
  public void close() throws IOException {
    try (out) {
      Files.deleteIfExists(temporary);
    }
  }

  /** A name beside a file that nothing else has. */
  static Path temporaryBeside(Path file) {
    return file.resolveSibling(temporaryName());
  }

  /** A name that nothing else has; short, so that it fits where any other does. */
  static String temporaryName() {
    return ".replay." + HexFormat.of().toHexDigits(RANDOM.nextLong()) + ".tmp";
  }

  /** Whether a name is one that {@link #temporaryName} makes. */
  static boolean isTemporary(String name) {
    return TEMPORARY.matcher(name).matches();
  }

  /** Forces a file that was written to disk. */
  static void force(Path file) throws IOException {
    // unlike a channel, it is not closed by an interrupt of the thread
    try (FileOutputStream written = new FileOutputStream(file.toFile(), true)) {
      written.getFD().sync();
    }
  }

  /** Forces the name of a file to disk, as {@link #forceDirectory} does. */
  static void forceParent(Path file) {
    Path parent = file.toAbsolutePath().getParent();
    if (parent != null) {
      forceDirectory(parent);
    }
  }

  /** Forces the names in a directory to disk, on platforms that open directories. */
  static void forceDirectory(Path directory) {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException notHere) {
      // Windows opens no directories, and what was moved is in its place all the same
    }
  }
}
