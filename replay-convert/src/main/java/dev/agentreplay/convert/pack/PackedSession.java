package dev.agentreplay.convert.pack;

import dev.agentreplay.io.file.WholeFile;
import java.io.IOException;
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
 * <p>The files that every session has are packed: the log with its segments, receipt, envelope and
 * summary, the blobs, and the files in {@code snapshot/} with no path segment that begins with a
 * dot. Any other file is left out unless {@link PackOptions#include} matches it, and unpacking
 * refuses it. Empty directories, times, owners and modes are not stored. Packing and unpacking
 * refuse symbolic links, special files, paths that mean something else on another platform or to a
 * human reader, and whatever exceeds the {@link UnpackLimits}; packing ignores only the compression
 * ratio: {@link #ratio} returns the one that unpacking needs.
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

  /** The paths in the directory that were not packed; a directory represents all that is in it. */
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
      reader.readFiles(files, target.create());
      target.commit();
      return new PackedSession(file, files, List.of(), reader.ratio());
    }
  }

  @Override
  public String toString() {
    return "%s: %d files".formatted(file, files.size());
  }
}
