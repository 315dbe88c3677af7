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
 * A session's directory in one file: a tar archive, compressed with gzip, whose first entry is a
 * manifest with the length and the SHA-256 hash of every file. Two packs of the same files made by
 * one Java runtime are the same bytes.
 *
 * <pre>{@code
 * PackedSession packed = PackedSession.pack(directory, Path.of("fix-auth.tar.gz"));
 * PackedSession.unpack(packed.file(), Path.of("elsewhere"));
 * }</pre>
 *
 * <p>Packed are the files that every session has: the log with its segments, receipt, envelope and
 * summary, the blobs, and what is in {@code snapshot/} and does not begin with a dot. Any other one
 * is left out, unless {@link PackOptions#include} names it, and refused by unpacking. Empty
 * directories, times, owners and modes are not kept. Refused are a symbolic link, a special file, a
 * path that would mean something else on another platform or to its reader, and what is beyond the
 * {@link UnpackLimits}, but for the ratio: {@link #ratio} says which one unpacking needs.
 *
 * <p>Unpacking trusts nothing in the file. What is unpacked is there whole, as the manifest says,
 * or not at all; a process that is killed meanwhile leaves {@code .replay.<16 hexadecimal
 * digits>.tmp}, beside a new directory or in one that was there, which may be deleted, and so does
 * one that packs. That the manifest is the one that was packed is for the session's receipt to say:
 * verify the session. Memory is that of the manifest. Packing trusts whoever may write to the
 * directory: a directory in it that is replaced by a link meanwhile is followed.
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

  /** The packed session. */
  public Path file() {
    return file;
  }

  /** The files in it, in the order of paths, without the manifest. */
  public List<PackedFile> files() {
    return files;
  }

  /**
   * The paths of what was in the directory and was not packed; a directory stands for all it holds.
   */
  public List<String> leftOut() {
    return leftOut;
  }

  /** The least {@link UnpackLimits#maxRatio} with which it is unpacked. */
  public int ratio() {
    return ratio;
  }

  /** The length of all files together, uncompressed. */
  public long totalBytes() {
    return files.stream().mapToLong(PackedFile::bytes).sum();
  }

  /**
   * Packs a session into a new file. The file is there whole, or not at all.
   *
   * @param directory the session's directory
   * @throws FileAlreadyExistsException if the file exists
   * @throws NoSuchFileException if the directory holds no log
   * @throws IOException if the directory holds what cannot be packed, a file in it changes
   *     meanwhile, or the packed one would be in it
   */
  public static PackedSession pack(Path directory, Path file) throws IOException {
    return pack(directory, file, PackOptions.defaults());
  }

  /**
   * Packs a session as {@link #pack(Path, Path)} does, with other options. A file that is replaced
   * is there until the new one is whole.
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

  /** Unpacks as {@link #unpack(Path, Path, PackOptions)} does, with the default options. */
  public static PackedSession unpack(Path file, Path directory) throws IOException {
    return unpack(file, directory, PackOptions.defaults());
  }

  /**
   * Unpacks a session. Its files are written and checked in a temporary directory, beside a new one
   * or in an empty one that is there, forced to disk, and then moved into place; when that fails,
   * nothing is left. A directory that is there stays what it is, with its mode; a new one is made
   * with that of the process.
   *
   * @param directory where to; must not exist, or be an empty directory
   * @throws FileAlreadyExistsException if there is something else
   * @throws PackFormatException if the file is not a packed session, its files are not those of its
   *     manifest, a path is not safe, a file is none of a session and not included, or it is beyond
   *     the limits
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
