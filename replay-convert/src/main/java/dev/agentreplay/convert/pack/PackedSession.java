package dev.agentreplay.convert.pack;

import dev.agentreplay.convert.shown.ShownFileSystem;
import dev.agentreplay.io.file.TemporaryDirectory;
import dev.agentreplay.io.file.WholeFile;
import dev.agentreplay.io.session.OpenSession;
import dev.agentreplay.io.session.Session;
import java.io.IOException;
import java.nio.file.ClosedFileSystemException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/**
 * The directory of a session packed into one file: a tar archive compressed with gzip, whose first
 * entry is a manifest with the length and the SHA-256 hash of every file. Packing the same files
 * twice with one Java runtime produces the same bytes.
 *
 * <pre>{@code
 * PackedSession packed = PackedSession.pack(directory, Path.of("fix-auth.tar.gz"));
 * PackedSession.unpack(packed.file(), Path.of("elsewhere"));
 * }</pre>
 *
 * <p>The files that every session has are packed: the log with its segments, receipt, envelope,
 * summary and the account of an import, the blobs, and the files in {@code snapshot/} with no path
 * segment that begins with a dot. Any other file is left out unless {@link PackOptions#include}
 * matches it, and unpacking refuses it. Empty directories, times, owners and modes are not stored.
 * Packing and unpacking refuse symbolic links, special files, paths that mean something else on
 * another platform or to a human reader, and whatever exceeds the {@link UnpackLimits}; packing
 * ignores only the compression ratio: {@link #ratio} returns the one that unpacking needs.
 *
 * <p>Unpacking does not trust the file. The result is either complete and as the manifest lists it,
 * or absent. A process that is killed while unpacking leaves a temporary directory
 * {@code .replay.<16 hexadecimal digits>.tmp}, next to a new target or inside an existing one; one
 * that is killed while packing leaves a temporary file of that form. These leftovers may be
 * deleted. The manifest does not prove that the archive is the one that was packed; the receipt of
 * the session does: verify the session. Memory is bounded by the manifest. Packing trusts all users
 * who can write to the directory: a directory in it that is replaced by a link meanwhile is
 * followed.
 */
public final class PackedSession {

  private final Path file;
  private final List<PackedFile> files;
  private final List<String> leftOut;
  private final int ratio;

  private PackedSession(Path file, List<PackedFile> files, List<String> leftOut, int ratio) {
    this.file = file;
    this.files = List.copyOf(files);
    this.leftOut = List.copyOf(leftOut);
    this.ratio = ratio;
  }

  /** The packed file. */
  public Path file() {
    return file;
  }

  /** The files in it, in the order of their paths, without the manifest. */
  public List<PackedFile> files() {
    return files;
  }

  /**
   * The paths in the directory that were not packed; a directory represents all that is in it. The
   * cache of a snapshot is not listed.
   */
  public List<String> leftOut() {
    return leftOut;
  }

  /** The least {@link UnpackLimits#maxRatio} with which it can be unpacked. */
  public int ratio() {
    return ratio;
  }

  /** The length of all files together, uncompressed, in bytes. */
  public long totalBytes() {
    return files.stream().mapToLong(PackedFile::bytes).sum();
  }

  /**
   * Packs a session into a new file, atomically.
   *
   * @param directory the directory of the session
   * @throws FileAlreadyExistsException if the file exists
   * @throws NoSuchFileException if the directory holds no log
   * @throws IOException if the directory holds a file that cannot be packed, a file in it changes
   *     meanwhile, or the packed file would be in it
   */
  public static PackedSession pack(Path directory, Path file) throws IOException {
    return pack(directory, file, PackOptions.defaults());
  }

  /**
   * Packs a session like {@link #pack(Path, Path)}, with options. A file that is replaced exists
   * until the new one is complete.
   */
  public static PackedSession pack(Path directory, Path file, PackOptions options)
      throws IOException {
    boolean replace = options.overwrite();
    if (!replace && Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new FileAlreadyExistsException(file.toString());
    }
    PackWriter writer = PackWriter.of(directory, options);
    Path parent = file.toAbsolutePath().getParent();
    if (parent == null) {
      throw new NoSuchFileException(file.toString(), null, "not a name in a directory");
    }
    if (parent.toRealPath().startsWith(writer.root())) {
      throw new IOException(file + ": the file would be in the directory that is packed");
    }
    List<PackedFile> files = writer.measure();
    try (WholeFile packed = replace ? WholeFile.replacing(file) : WholeFile.creating(file)) {
      writer.write(packed.out(), files);
      int ratio = PackReader.ratioOf(packed.finish());
      packed.commit();
      return new PackedSession(file, files, writer.leftOut(), ratio);
    }
  }

  /** Unpacks like {@link #unpack(Path, Path, PackOptions)}, with the default options. */
  public static PackedSession unpack(Path file, Path directory) throws IOException {
    return unpack(file, directory, PackOptions.defaults());
  }

  /**
   * Unpacks a session. Its files are written to a temporary directory, next to a new target or in
   * an existing empty one, checked, forced to disk (fsync), and then moved into place; after a
   * failure nothing is left. An existing directory keeps its mode; a new one is accessible only to
   * its owner, if the file system has POSIX permissions.
   *
   * @param directory the target; must not exist, or be an empty directory
   * @throws FileAlreadyExistsException if the target exists and is not an empty directory
   * @throws PackFormatException if the file is not a packed session, its files do not match its
   *     manifest, a path is not safe, a file does not belong to a session and is not included, or a
   *     limit is exceeded
   */
  public static PackedSession unpack(Path file, Path directory, PackOptions options)
      throws IOException {
    try (UnpackTarget target = UnpackTarget.of(directory);
        PackReader reader = PackReader.open(file, options)) {
      List<PackedFile> files = reader.readManifest();
      Path unpacked = target.create();
      reader.readFiles(files, unpacked);
      reader.force(files, unpacked);
      target.commit();
      return new PackedSession(file, files, List.of(), reader.ratio());
    }
  }

  /**
   * Whether a file is a packed session, by its first bytes; its name is ignored. A damaged one is
   * recognized if these bytes are intact. A pipe is not read, and is not one.
   *
   * @throws IOException if the file cannot be read
   */
  public static boolean isPacked(Path file) throws IOException {
    return Files.isRegularFile(file) && PackReader.isPacked(file);
  }

  /** Opens a packed session like {@link #open(Path, UnpackLimits)}, with the default limits. */
  public static OpenSession open(Path file) throws IOException {
    return open(file, UnpackLimits.defaults());
  }

  /**
   * Opens a packed session for reading, without unpacking it permanently. Its files are unpacked
   * into a temporary directory, accessible only to its owner, and checked as {@link #unpack} does,
   * except that files with other names than those of a session need not be included. The directory
   * is deleted when the result is closed, when opening fails, and when the JVM ends before, also by
   * a signal such as that of Ctrl+C; one that a killed process has left is deleted by the next that
   * creates a {@link TemporaryDirectory}.
   *
   * <p>The paths of the session are in a file system of their own, which cannot be written to. They
   * name the packed file as if it were a directory, as in {@code fix-auth.tar.gz/REPLAY.jsonl}, and
   * cannot be converted to a {@link java.io.File}. Once closed, they throw a
   * {@link ClosedFileSystemException}.
   *
   * @throws PackFormatException as {@link #unpack} does
   * @throws ClosedFileSystemException if the JVM ends meanwhile
   */
  public static OpenSession open(Path file, UnpackLimits limits) throws IOException {
    return open(file, limits, () -> {});
  }

  /**
   * Opens a packed session like {@link #open(Path, UnpackLimits)}.
   *
   * @param beforeExit is run in an exit hook when the JVM ends, before the directory is deleted; it
   *     may wait for a thread that still reads the session
   */
  public static OpenSession open(Path file, UnpackLimits limits, Runnable beforeExit)
      throws IOException {
    PackOptions options = PackOptions.defaults().withInclude("**").withLimits(limits);
    try (PackReader reader = PackReader.open(file, options)) {
      List<PackedFile> files = reader.readManifest();
      TemporaryDirectory directory = TemporaryDirectory.create(beforeExit);
      try {
        reader.readFiles(files, directory.path());
        ShownFileSystem opened = new ShownFileSystem(file, directory.path(), directory);
        return OpenSession.of(Session.open(opened.root()), opened);
      } catch (Throwable e) {
        if (!directory.isOpen()) { // the JVM ends, and has deleted the files
          throw new ClosedFileSystemException();
        }
        try (directory) {
          throw e;
        }
      }
    }
  }

  @Override
  public String toString() {
    return "%s: %d files".formatted(file, files.size());
  }
}
