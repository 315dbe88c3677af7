package dev.agentreplay.engine.accept;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.StrictObject;
import dev.agentreplay.io.file.Disk;
import dev.agentreplay.io.file.LocalDisk;
import dev.agentreplay.io.file.RegularFiles;
import dev.agentreplay.io.file.WholeFile;
import dev.agentreplay.io.log.LogDigest;
import dev.agentreplay.io.log.RawLine;
import dev.agentreplay.io.log.RawLineReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The accepted divergences of one recording: the file {@value Session#ACCEPTED_NAME} in its
 * directory, or {@code <log>.accepted.json} next to a log with a name of its own. The file is
 * canonical JSON with a line feed, {@code docs/schema/replay.accepted-1.schema.json}. Unknown
 * members are refused: one may restrict what is accepted.
 *
 * <p>It states the root of the tree over the lines of the recording, so that it does not apply to a
 * different one.
 */
public final class AcceptedDivergences {

  /** The value of {@code schema}. */
  public static final String SCHEMA = "replay.accepted/1";

  private static final String ACCEPTED = "accepted";
  private static final int MAX_BYTES = 16 << 20;

  private final ContentHash treeRoot;
  private final List<AcceptedDivergence> all;

  private AcceptedDivergences(ContentHash treeRoot, List<AcceptedDivergence> all) {
    this.treeRoot = treeRoot;
    this.all = List.copyOf(all);
  }

  /**
   * Returns none, for a recording.
   *
   * @param treeRoot the root of the tree over the lines of the recording
   *     ({@link #treeRoot(Session)})
   */
  public static AcceptedDivergences none(ContentHash treeRoot) {
    return new AcceptedDivergences(Objects.requireNonNull(treeRoot, "root"), List.of());
  }

  /** The path of the file of a recording, which may not exist. */
  public static Path file(Session recording) {
    return recording.acceptedFile();
  }

  /**
   * Computes the root of the tree over the lines of a log, which is read once. The lines may have
   * any content, and the last one may have no line feed.
   *
   * @throws IOException if the log cannot be read
   */
  public static ContentHash treeRoot(Session recording) throws IOException {
    LogDigest digest = new LogDigest(true);
    try (RawLineReader lines = RawLineReader.open(recording.log(), recording.readerOptions())) {
      for (RawLine line = lines.read(); line != null; line = lines.read()) {
        line.writeTo(digest);
      }
    }
    TreeHead head = Objects.requireNonNull(digest.toTree());
    return head.root();
  }

  /**
   * Reads the file of a recording; null if there is none.
   *
   * @throws DocumentFormatException if it is not of this form; the message has the file and the
   *     place
   * @throws IOException if it cannot be read, is a link, or has more than 16 MiB
   */
  public static @Nullable AcceptedDivergences read(Session recording) throws IOException {
    Path file = RegularFiles.file(file(recording));
    return file == null ? null : read(file);
  }

  /**
   * Reads a file.
   *
   * @throws DocumentFormatException if it is not of this form; the message has the file and the
   *     place
   * @throws IOException if it cannot be read, or has more than 16 MiB
   */
  public static AcceptedDivergences read(Path file) throws IOException {
    byte[] bytes = RegularFiles.read(file, MAX_BYTES);
    if (bytes == null) {
      throw new DocumentFormatException(
          "%s: expected at most %d bytes, found more".formatted(file, MAX_BYTES));
    }
    try {
      return parse(bytes);
    } catch (DocumentFormatException e) {
      throw new DocumentFormatException(file + ": " + e.getMessage(), e);
    }
  }

  /**
   * Parses the text of a file.
   *
   * @throws DocumentFormatException if it is not of this form; the message has the place: the
   *     offset of a byte, or the path of a member
   */
  public static AcceptedDivergences parse(byte[] utf8) throws DocumentFormatException {
    StrictObject json = StrictObject.of(StrictObject.parse(utf8));
    json.constant("schema", SCHEMA);
    json.only("schema", Names.TREE_ROOT, ACCEPTED);
    ContentHash root = json.hash(Names.TREE_ROOT);
    Map<ContentHash, AcceptedDivergence> all = new LinkedHashMap<>();
    for (StrictObject each : json.objects(ACCEPTED)) {
      AcceptedDivergence entry = AcceptedDivergence.of(each);
      if (all.putIfAbsent(entry.fingerprint(), entry) != null) {
        throw new DocumentFormatException(
            "%s/fingerprint: is stated twice".formatted(each.pointer()));
      }
    }
    return new AcceptedDivergences(root, List.copyOf(all.values()));
  }

  /** The root of the tree over the lines of the recording. */
  public ContentHash treeRoot() {
    return treeRoot;
  }

  /** All entries, in the order of the file. */
  public List<AcceptedDivergence> all() {
    return all;
  }

  /**
   * Returns these with more entries at the end. One with a fingerprint that is present, such as one
   * that has expired, replaces the present one.
   */
  public AcceptedDivergences with(List<AcceptedDivergence> more) {
    Map<ContentHash, AcceptedDivergence> entries = new LinkedHashMap<>();
    all.forEach(each -> entries.put(each.fingerprint(), each));
    more.forEach(each -> {
      entries.remove(each.fingerprint());
      entries.put(each.fingerprint(), each);
    });
    return new AcceptedDivergences(treeRoot, List.copyOf(entries.values()));
  }

  /** Returns these without the entries that have expired on a day in UTC. */
  public AcceptedDivergences withoutExpired(LocalDate day) {
    List<AcceptedDivergence> rest = new ArrayList<>(all);
    rest.removeIf(each -> each.isExpired(day));
    return new AcceptedDivergences(treeRoot, rest);
  }

  /** The JSON of the file. */
  public JsonObject json() {
    return JsonObject.of(
        "schema",
        SCHEMA,
        Names.TREE_ROOT,
        treeRoot.toString(),
        ACCEPTED,
        JsonArray.copyOf(all.stream().map(AcceptedDivergence::json).toList()));
  }

  /** The bytes of the file: canonical JSON in the profile {@code serde}, and a line feed. */
  public byte[] bytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(CanonicalJson.SERDE.bytes(json()));
    bytes.write('\n');
    return bytes.toByteArray();
  }

  /** Writes the file atomically; it replaces an existing one ({@link WholeFile}). */
  public void write(Path file) throws IOException {
    write(LocalDisk.INSTANCE, file);
  }

  /** Writes the file on a disk, as {@link #write(Path)} does. */
  public void write(Disk disk, Path file) throws IOException {
    WholeFile.replace(disk, file, bytes());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof AcceptedDivergences that
        && treeRoot.equals(that.treeRoot)
        && all.equals(that.all);
  }

  @Override
  public int hashCode() {
    return Objects.hash(treeRoot, all);
  }

  @Override
  public String toString() {
    return json().toString();
  }
}
