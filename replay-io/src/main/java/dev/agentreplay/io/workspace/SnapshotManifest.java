package dev.agentreplay.io.workspace;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.StrictObject;
import dev.agentreplay.io.file.RegularFiles;
import dev.agentreplay.io.file.WholeFile;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.text.Excerpt;
import dev.agentreplay.model.text.PlainText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The list of the files, directories and links of a workspace with their modes, times and hashes: a
 * header and a line of canonical JSON for each entry, sorted by path. Their contents are in
 * {@link SnapshotFiles}. docs/format.md specifies the form.
 *
 * <p>A manifest is read strictly: it cannot name anything outside of the workspace, because each
 * path is relative and without {@code ..}, and each parent is a directory of the manifest itself,
 * never a link. Immutable; safe for use by several threads.
 */
public final class SnapshotManifest {

  /** The name of the manifest in the directory of a snapshot. */
  public static final String NAME = "MANIFEST.jsonl";

  /** The maximum length of a manifest that is read: 512 MiB, some million entries. */
  public static final int MAX_BYTES = 512 << 20;

  private static final CanonicalJson CANONICAL = CanonicalJson.SERDE;

  private final SnapshotHeader header;
  private final List<SnapshotEntry> entries;
  private final SnapshotHeader.Sums sums;
  private final byte[] utf8;
  private final ContentHash hash;
  private final ContentHash treeHash;

  private SnapshotManifest(SnapshotHeader header, List<SnapshotEntry> entries) {
    this.header = Objects.requireNonNull(header, "header");
    this.entries = List.copyOf(entries);
    this.sums = SnapshotHeader.Sums.of(entries);
    ManifestLines lines = new ManifestLines(entries.size() + 1);
    lines.add(header.json(sums));
    int first = lines.size();
    entries.forEach(lines::add);
    this.utf8 = lines.toBytes();
    this.hash = ContentHash.sha256(utf8);
    ManifestLines directory = new ManifestLines(1);
    directory.add(header.tree());
    MessageDigest tree = ContentHash.newDigest();
    tree.update(directory.toBytes());
    tree.update(utf8, first, utf8.length - first);
    this.treeHash = ContentHash.of(tree.digest());
  }

  /**
   * Creates a manifest of entries that are sorted by {@link SnapshotEntry#PATH_ORDER}.
   *
   * @throws IllegalArgumentException if they are not sorted, two have the same path, the parent of
   *     one is not a directory among them, or the sum of their bytes is not a 64-bit number
   */
  public static SnapshotManifest of(SnapshotHeader header, List<SnapshotEntry> entries) {
    Order order = new Order();
    for (SnapshotEntry entry : entries) {
      String fault = order.fault(entry);
      if (fault != null) {
        throw new IllegalArgumentException(fault);
      }
    }
    return new SnapshotManifest(header, entries);
  }

  /**
   * Reads a manifest.
   *
   * @param file the manifest, or the directory of a snapshot that contains {@value #NAME}; the
   *     manifest must not be a symbolic link
   * @throws NoSuchFileException if it does not exist
   * @throws DocumentFormatException if it is malformed; the message has the number of the line
   */
  public static SnapshotManifest read(Path file) throws IOException {
    Path manifest = Files.isDirectory(file) ? file.resolve(NAME) : file;
    if (RegularFiles.file(manifest) == null) {
      throw new NoSuchFileException(manifest.toString());
    }
    byte[] bytes;
    try (InputStream in = RegularFiles.open(manifest)) {
      bytes = in.readNBytes(MAX_BYTES + 1);
    }
    String name = PlainText.escaped(manifest.toString());
    if (bytes.length > MAX_BYTES) {
      throw new DocumentFormatException(
          "%s: expected at most %d bytes, found more".formatted(name, MAX_BYTES));
    }
    return parse(bytes, name);
  }

  /**
   * Parses a manifest.
   *
   * @param source the name of the manifest in messages
   * @throws DocumentFormatException if it is malformed; the message has the number of the line
   */
  public static SnapshotManifest parse(byte[] utf8, String source) throws DocumentFormatException {
    SnapshotHeader header = null;
    SnapshotHeader.Sums stated = null;
    List<SnapshotEntry> entries = new ArrayList<>();
    Order order = new Order();
    int number = 1;
    int from = 0;
    try {
      while (from < utf8.length || header == null) {
        int end = lineEnd(utf8, from);
        JsonObject json = canonical(utf8, from, end);
        if (header == null) {
          header = SnapshotHeader.of(json);
          stated = SnapshotHeader.Sums.stated(json);
        } else {
          SnapshotEntry entry = SnapshotEntry.of(json);
          String fault = order.fault(entry);
          if (fault != null) {
            throw new DocumentFormatException(fault);
          }
          entries.add(entry);
        }
        from = end + 1;
        number++;
      }
      number = 1;
      SnapshotManifest manifest = new SnapshotManifest(header, entries);
      if (!manifest.sums.equals(stated)) {
        throw new DocumentFormatException(
            "the header says %s, but the entries have %s".formatted(stated, manifest.sums));
      }
      return manifest;
    } catch (DocumentFormatException | IllegalArgumentException e) {
      throw new DocumentFormatException(
          "%s: line %d: %s".formatted(source, number, e.getMessage()), e);
    }
  }

  private static int lineEnd(byte[] utf8, int from) throws DocumentFormatException {
    for (int i = from; i < utf8.length; i++) {
      if (utf8[i] == '\n') {
        return i;
      }
    }
    throw new DocumentFormatException(
        from == utf8.length ? "the header is missing" : "the line does not end with a line feed");
  }

  private static JsonObject canonical(byte[] utf8, int from, int end)
      throws DocumentFormatException {
    byte[] line = Arrays.copyOfRange(utf8, from, end);
    JsonObject json = StrictObject.parse(line);
    if (!CANONICAL.isCanonical(line)) {
      throw new DocumentFormatException("the line is not canonical JSON");
    }
    return json;
  }

  /** The header. */
  public SnapshotHeader header() {
    return header;
  }

  /** The entries, sorted by path. */
  public List<SnapshotEntry> entries() {
    return entries;
  }

  /** The number of regular files. */
  public long files() {
    return sums.files();
  }

  /** The number of bytes of all regular files; a content of two files counts twice. */
  public long bytes() {
    return sums.bytes();
  }

  /** The hash of the manifest's bytes, which a session's log states. */
  public ContentHash hash() {
    return hash;
  }

  /**
   * The hash of the tree: of the mode and the time of the workspace's directory, and of all
   * entries. Two workspaces with the same files, modes, times and links have the same, wherever and
   * by whomever the snapshots were taken.
   */
  public ContentHash treeHash() {
    return treeHash;
  }

  /** The bytes of the manifest. */
  public byte[] toBytes() {
    return utf8.clone();
  }

  /**
   * Writes the manifest to a new file, atomically, and forces it to disk (fsync).
   *
   * @throws java.nio.file.FileAlreadyExistsException if the file exists
   */
  public void write(Path file) throws IOException {
    WholeFile.create(file, utf8);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SnapshotManifest that && hash.equals(that.hash);
  }

  @Override
  public int hashCode() {
    return hash.hashCode();
  }

  @Override
  public String toString() {
    return "%d files, %d bytes, %s".formatted(sums.files(), sums.bytes(), hash);
  }

  /** The order of the entries, and the directories among them. */
  private static final class Order {
    private final Set<String> directories = new HashSet<>();
    private @Nullable String last;

    /** The fault of the next entry; null if it has none. */
    @Nullable
    String fault(SnapshotEntry entry) {
      String path = entry.path();
      String before = last;
      int compared = before == null ? -1 : SnapshotEntry.PATH_ORDER.compare(before, path);
      if (compared >= 0) {
        return compared == 0
            ? "the path \"%s\" occurs twice".formatted(shown(path))
            : "the path \"%s\" sorts before \"%s\", which it follows"
                .formatted(shown(path), shown(Objects.requireNonNull(before)));
      }
      String parent = SnapshotPath.parent(path);
      if (parent != null && !directories.contains(parent)) {
        return "the path \"%s\" is not in a directory of the manifest".formatted(shown(path));
      }
      if (entry instanceof SnapshotEntry.Directory) {
        directories.add(path);
      }
      last = path;
      return null;
    }

    private static String shown(String path) {
      return Excerpt.of(PlainText.escaped(path));
    }
  }
}
