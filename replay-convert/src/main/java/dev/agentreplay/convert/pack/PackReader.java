package dev.agentreplay.convert.pack;

import dev.agentreplay.convert.pack.PackFormatException.Reason;
import dev.agentreplay.io.file.GzipInput;
import dev.agentreplay.io.file.LocalDisk;
import dev.agentreplay.io.file.OwnerOnly;
import dev.agentreplay.io.file.RegularFiles;
import dev.agentreplay.io.file.WholeFile;
import dev.agentreplay.model.BlobRef;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a packed session: first its manifest, then one file after the other, each checked against
 * the manifest.
 */
final class PackReader implements AutoCloseable {

  private final String source;
  private final PackOptions options;
  private final RatioLimit in;
  private final TarReader tar;

  /** The directory of the last file that was written. */
  private @Nullable Path lastDirectory;

  private PackReader(String source, PackOptions options, InputStream packed) {
    this.source = source;
    this.options = options;
    UnpackLimits limits = options.limits();
    this.in = new RatioLimit(new GzipInput(packed, source), source, limits.maxRatio());
    this.tar = new TarReader(in, source, limits.maxPathBytes());
  }

  static PackReader open(Path file, PackOptions options) throws IOException {
    return new PackReader(file.toString(), options, Files.newInputStream(file));
  }

  /** Whether a file begins as a packed session does: with the name of the manifest, compressed. */
  static boolean isPacked(Path file) throws IOException {
    byte[] name = (PackManifest.NAME + '\0').getBytes(StandardCharsets.US_ASCII);
    try (InputStream in = new GzipInput(Files.newInputStream(file), file.toString())) {
      return Arrays.equals(in.readNBytes(name.length), name);
    } catch (GzipInput.DamagedException e) {
      return false;
    }
  }

  /** Reads the manifest, and checks that all its paths and lengths are allowed. */
  List<PackedFile> readManifest() throws IOException {
    try {
      TarReader.Entry entry = tar.next();
      if (entry == null || !entry.path().equals(PackManifest.NAME)) {
        throw tar.failure(Reason.MANIFEST, "expected the entry " + PackManifest.NAME + " first");
      }
      PackRules.checkManifest(entry.size(), options.limits());
      List<PackedFile> files = PackManifest.decode(readAll());
      check(files);
      return files;
    } catch (PackManifest.MalformedException e) {
      throw tar.failure(Reason.MANIFEST, e.detail());
    } catch (PackRules.BrokenException e) {
      throw failure(e.reason(), e.path() == null ? tar.current() : e.path(), e.detail());
    } catch (GzipInput.DamagedException e) {
      throw damaged(e);
    }
  }

  /** Writes the files into a new directory, and checks that all match the manifest. */
  void readFiles(List<PackedFile> files, Path directory) throws IOException {
    try {
      for (int i = 0; i < files.size(); i++) {
        TarReader.Entry entry = tar.next();
        PackedFile file = files.get(i);
        if (entry == null) {
          throw failure(Reason.MISSING_ENTRY, file.path(), "the archive ends without this file");
        }
        if (!entry.path().equals(file.path())) {
          throw unexpected(entry.path(), files, i);
        }
        if (entry.size() != file.bytes()) {
          throw tar.failure(
              Reason.CONTENT,
              "%d bytes, but the manifest says %d".formatted(entry.size(), file.bytes()));
        }
        write(file, directory);
      }
      TarReader.Entry more = tar.next();
      if (more != null) {
        throw unexpected(more.path(), files, files.size());
      }
    } catch (GzipInput.DamagedException e) {
      throw damaged(e);
    }
  }

  /** The least {@link UnpackLimits#maxRatio} that accepts the bytes read so far. */
  int ratio() {
    return in.needed();
  }

  /** The least {@link UnpackLimits#maxRatio} that accepts a packed session. */
  static int ratioOf(Path file) throws IOException {
    String source = file.toString();
    try (RatioLimit in = new RatioLimit(
        new GzipInput(Files.newInputStream(file), source), source, Integer.MAX_VALUE)) {
      in.transferTo(OutputStream.nullOutputStream());
      return in.needed();
    }
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  /** Forces the files that were written to disk (fsync). */
  void force(List<PackedFile> files, Path directory) throws IOException {
    Set<Path> directories = new HashSet<>();
    directories.add(directory);
    for (PackedFile file : files) {
      Path written = resolve(directory, file.path());
      if (file.bytes() > 0) { // forcing the directory keeps an empty file
        WholeFile.force(written);
      }
      Path parent = written.getParent();
      while (parent != null && directories.add(parent)) {
        parent = parent.getParent();
      }
    }
    for (Path forced : directories) {
      LocalDisk.INSTANCE.forceDirectory(forced);
    }
  }

  private byte[] readAll() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    byte[] chunk = new byte[1 << 13];
    for (int read = tar.read(chunk); read >= 0; read = tar.read(chunk)) {
      bytes.write(chunk, 0, read);
    }
    return bytes.toByteArray();
  }

  private void check(List<PackedFile> files) throws PackRules.BrokenException {
    PackRules rules = PackRules.of(files.size(), options);
    for (PackedFile file : files) {
      rules.add(file.path(), file.bytes());
    }
    rules.finish();
  }

  private void write(PackedFile file, Path directory) throws IOException {
    Path target = resolve(directory, file.path());
    Path parent = target.getParent();
    if (parent != null && !parent.equals(lastDirectory)) {
      createParents(parent, directory);
      lastDirectory = parent;
    }
    BlobRef found;
    try (OutputStream out = OwnerOnly.newFile(target)) {
      found = RegularFiles.measure(tar::read, out);
    } catch (FileAlreadyExistsException e) {
      throw tar.failure(
          Reason.DUPLICATE, "the file system treats the path as that of an earlier file");
    }
    if (!found.blob().equals(file.sha256())) {
      throw tar.failure(
          Reason.CONTENT,
          "the bytes have the hash %s, but the manifest says %s"
              .formatted(found.blob(), file.sha256()));
    }
  }

  /** Creates a directory and its parents, but not the top one: it may have been deleted since. */
  private static void createParents(Path parent, Path top) throws IOException {
    if (!parent.equals(top) && !Files.isDirectory(parent, LinkOption.NOFOLLOW_LINKS)) {
      createParents(Objects.requireNonNull(parent.getParent(), "a directory in another"), top);
      Files.createDirectory(parent);
    }
  }

  private Path resolve(Path directory, String path) throws PackFormatException {
    Path target;
    try {
      target = directory.resolve(path).normalize();
    } catch (InvalidPathException e) {
      throw failure(Reason.PATH, path, "not a path on this platform: " + e.getReason());
    }
    if (!target.startsWith(directory) || target.equals(directory)) {
      throw failure(Reason.PATH, path, "the path leads out of the directory");
    }
    return target;
  }

  /** Returns the exception for an entry that is not the next file of the manifest. */
  private PackFormatException unexpected(String path, List<PackedFile> files, int at) {
    String fault = PortablePath.fault(path);
    if (fault != null) {
      return failure(Reason.PATH, path, fault);
    }
    String folded = PortablePath.folded(path);
    if (path.equals(PackManifest.NAME)
        || files.subList(0, at).stream()
            .anyMatch(file -> PortablePath.folded(file.path()).equals(folded))) {
      return failure(Reason.DUPLICATE, path, "an earlier entry has this path, ignoring case");
    }
    return at < files.size() && files.stream().anyMatch(file -> file.path().equals(path))
        ? failure(
            Reason.MISSING_ENTRY,
            files.get(at).path(),
            "found \"" + PackFormatException.shown(path) + "\" in its place")
        : failure(Reason.UNEXPECTED_ENTRY, path, "the manifest does not list it");
  }

  private PackFormatException failure(Reason reason, @Nullable String path, String detail) {
    return new PackFormatException(reason, source, path, tar.offset(), detail);
  }

  private PackFormatException damaged(GzipInput.DamagedException e) {
    return new PackFormatException(
        Reason.COMPRESSION, source, tar.current(), e.offset(), e.detail());
  }
}
