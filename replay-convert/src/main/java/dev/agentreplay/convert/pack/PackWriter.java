package dev.agentreplay.convert.pack;

import dev.agentreplay.io.file.RegularFiles;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.session.SessionDirectory;
import dev.agentreplay.model.BlobRef;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** Packs the files of a directory. */
final class PackWriter {

  private static final int BUFFER = 1 << 16;

  private final Path root;

  /** The options, with the limits that unpacking applies. */
  private final PackOptions options;

  /** The lengths of the files by path. */
  private final Map<String, Long> files = new TreeMap<>(PackManifest.ORDER);

  private final List<String> leftOut = new ArrayList<>();

  private PackWriter(Path root, PackOptions options) {
    this.root = root;
    this.options = options;
  }

  /**
   * Returns a writer of the files of a session that are in its directory now; links to the
   * directory are followed.
   *
   * @throws IOException if the directory holds no log, or a file that cannot be packed
   */
  static PackWriter of(Path directory, PackOptions options) throws IOException {
    Path root = directory.toRealPath();
    if (!Files.isDirectory(root)) {
      throw new IOException(directory + ": not a directory");
    }
    Session.open(root);
    PackWriter writer = new PackWriter(root, options);
    PackSelection selection = PackSelection.of(options.include());
    SessionDirectory tree = SessionDirectory.of(
        root,
        path -> selection.takes(joined(path)),
        path -> selection.entersDirectory(joined(path)));
    for (Map.Entry<Path, Long> file : tree.files().entrySet()) {
      writer.files.put(writer.text(file.getKey()), file.getValue());
    }
    for (Path path : tree.leftOut()) {
      if (!PackSelection.isCache(joined(path))) {
        writer.leftOut.add(joined(path));
      }
    }
    try {
      PackRules rules = PackRules.of(writer.files.size(), options);
      for (Map.Entry<String, Long> file : writer.files.entrySet()) {
        rules.add(file.getKey(), file.getValue());
      }
      rules.finish();
    } catch (PackRules.BrokenException e) {
      throw writer.refused(e.path(), e.detail());
    }
    return writer;
  }

  /** The directory that is packed. */
  Path root() {
    return root;
  }

  /** The paths in the directory that are not packed, without caches. */
  List<String> leftOut() {
    return leftOut;
  }

  /**
   * Measures and hashes the files.
   *
   * @throws IOException also if one of them has grown or shrunk, or the manifest is too long
   */
  List<PackedFile> measure() throws IOException {
    List<PackedFile> packed = new ArrayList<>(files.size());
    for (Map.Entry<String, Long> entry : files.entrySet()) {
      BlobRef measured = copy(entry.getKey(), entry.getValue(), OutputStream.nullOutputStream());
      packed.add(new PackedFile(entry.getKey(), measured.bytes(), measured.blob()));
    }
    try {
      PackRules.checkManifest(PackManifest.encode(packed).length, options.limits());
    } catch (PackRules.BrokenException e) {
      throw refused(null, e.detail());
    }
    return packed;
  }

  /**
   * Writes the packed session, and closes the stream.
   *
   * @param packed the files as they were measured
   * @throws IOException also if one of them has changed since
   */
  void write(OutputStream file, List<PackedFile> packed) throws IOException {
    try (OutputStream out = new GZIPOutputStream(file, BUFFER)) {
      TarWriter tar = new TarWriter(out);
      byte[] manifest = PackManifest.encode(packed);
      tar.begin(PackManifest.NAME, manifest.length);
      out.write(manifest);
      tar.end(manifest.length);
      for (PackedFile each : packed) {
        tar.begin(each.path(), each.bytes());
        if (!copy(each.path(), each.bytes(), out).blob().equals(each.sha256())) {
          throw changed(each.path());
        }
        tar.end(each.bytes());
      }
      tar.finish();
    }
  }

  /** Copies a file, which must still have its length. */
  private BlobRef copy(String path, long bytes, OutputStream out) throws IOException {
    // reading one byte more detects that the file has grown
    BlobRef copied = RegularFiles.measure(root.resolve(path), bytes + 1, out);
    if (copied.bytes() != bytes) {
      throw changed(path);
    }
    return copied;
  }

  private IOException changed(String path) {
    return new IOException(root.resolve(path) + ": the file changed while it was packed");
  }

  private IOException refused(@Nullable String path, String detail) {
    return new IOException("\"%s\" cannot be packed: %s"
        .formatted(PackFormatException.shown(path == null ? root.toString() : path), detail));
  }

  /** The path of a file in the manifest. */
  private String text(Path path) throws IOException {
    String text = joined(path);
    boolean isText;
    try {
      isText = Path.of(text).equals(path);
    } catch (InvalidPathException e) {
      isText = false;
    }
    if (!isText) {
      throw refused(text, "its name is not text in the encoding of the platform");
    }
    return text;
  }

  private static String joined(Path path) {
    List<String> segments = new ArrayList<>();
    path.forEach(segment -> segments.add(segment.toString()));
    return String.join("/", segments);
  }
}
