package dev.agentreplay.io.file;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The file system of this machine. Files are written with streams, which, unlike channels, an
 * interrupt does not close. {@link AppendFile#force} is {@code FileDescriptor.sync},
 * {@link #forceDirectory} is {@code FileChannel.force}.
 */
public final class LocalDisk implements Disk {

  /** The only instance. */
  public static final Disk INSTANCE = new LocalDisk();

  private static final boolean IS_WINDOWS = File.separatorChar == '\\';

  private LocalDisk() {}

  @Override
  public AppendFile create(Path file) throws IOException {
    try {
      OwnerOnly.createFile(file);
      return append(file);
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (Throwable e) { // a log has empty files only after a crash
      try {
        Files.deleteIfExists(file); // it may exist although creating it has failed
      } catch (Throwable again) {
        e.addSuppressed(again);
      }
      throw e;
    }
  }

  @Override
  public AppendFile createReplacement(Path file, Path replaced) throws IOException {
    AppendFile created = create(file);
    try {
      OwnerOnly.copyPermissions(replaced, file);
      return created;
    } catch (Throwable e) {
      try (created) {
        Files.deleteIfExists(file);
      } catch (Throwable again) {
        e.addSuppressed(again);
      }
      throw e;
    }
  }

  @Override
  public AppendFile append(Path file) throws IOException {
    if (!Files.exists(file)) { // a stream would create it
      throw new NoSuchFileException(file.toString());
    }
    return new LocalFile(file);
  }

  @Override
  public InputStream read(Path file) throws IOException {
    return RegularFiles.open(file);
  }

  @Override
  public @Nullable FileState state(Path file) throws IOException {
    BasicFileAttributes now = RegularFiles.attributes(file);
    return now == null ? null : new FileState(now.isRegularFile(), now.size(), now.fileKey());
  }

  @Override
  public Lock lock(Path file) throws IOException {
    return WriterLock.acquire(file);
  }

  /**
   * Whether a log is locked by a writer now, in this process or a different one; false if this
   * cannot be determined.
   */
  public static boolean isLocked(Path file) {
    return WriterLock.isHeld(file);
  }

  @Override
  public boolean exists(Path file) {
    return Files.exists(file, LinkOption.NOFOLLOW_LINKS);
  }

  @Override
  public List<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  @Override
  public void move(Path file, Path name) throws IOException {
    Files.move(file, name, StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Uses a hard link where the file system has them, which is atomic. Otherwise the file is
   * moved after a check, and a file that is created between the two may be replaced.
   */
  @Override
  public void moveIfAbsent(Path file, Path name) throws IOException {
    try {
      Files.createLink(name, file);
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (UnsupportedOperationException | FileSystemException noLinksHere) {
      Files.move(file, name);
      return;
    }
    Files.delete(file);
  }

  @Override
  public void delete(Path file) throws IOException {
    Files.deleteIfExists(file);
  }

  @Override
  public void forceDirectory(Path directory) throws IOException {
    try {
      Uninterrupted.call(() -> {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
          channel.force(true);
          return directory;
        }
      });
    } catch (FileSystemException e) {
      if (!IS_WINDOWS) { // which cannot open directories, and keeps names without fsync
        throw e;
      }
    }
  }

  /**
   * Creates a directory that only its owner can access, and its missing parents with default
   * permissions, and forces their directory entries to disk.
   */
  public static void createDirectories(Path directory) throws IOException {
    if (Files.isDirectory(directory)) {
      return;
    }
    createParents(directory);
    OwnerOnly.createDirectoryIfAbsent(directory); // another thread may have created it
    INSTANCE.forceParent(directory);
  }

  /**
   * Creates a directory for its owner alone, whose parent exists.
   *
   * @throws FileAlreadyExistsException if something has its name
   */
  public static void createNewDirectory(Path directory) throws IOException {
    OwnerOnly.createDirectory(directory);
    INSTANCE.forceParent(directory);
  }

  @Override
  public void createDirectory(Path directory) throws IOException {
    createDirectories(directory);
  }

  private static void createParents(Path directory) throws IOException {
    Path parent = directory.toAbsolutePath().getParent();
    if (parent != null && !Files.isDirectory(parent)) {
      createParents(parent);
      Files.createDirectories(parent);
      INSTANCE.forceParent(parent);
    }
  }

  private static final class LocalFile extends AppendFile {
    private final FileOutputStream out;

    /** Truncates the file. Its position is never used, so that no byte is overwritten. */
    private final RandomAccessFile cutter;

    private final Path file;

    LocalFile(Path file) throws IOException {
      this.file = file;
      cutter = new RandomAccessFile(file.toFile(), "rw");
      try {
        out = new FileOutputStream(file.toFile(), true);
      } catch (Throwable e) {
        cutter.close();
        throw e;
      }
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      out.write(bytes, from, length);
    }

    @Override
    public long length() throws IOException {
      return cutter.length();
    }

    @Override
    public void truncate(long length) throws IOException {
      cutter.setLength(length);
    }

    @Override
    public void force() throws IOException {
      out.getFD().sync();
    }

    @Override
    public void close() throws IOException {
      try (cutter) {
        out.close();
      } catch (IOException e) { // its message does not name the file
        FileSystemException named =
            new FileSystemException(file.toString(), null, "cannot be closed: " + e.getMessage());
        named.initCause(e);
        throw named;
      }
    }
  }
}
