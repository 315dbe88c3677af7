package dev.agentreplay.convert;

import dev.agentreplay.canonical.JsonLimits;
import dev.agentreplay.canonical.JsonSyntaxException;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.dialect.ConversionLedger;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.canonical.dialect.ReplayBundle;
import dev.agentreplay.canonical.tree.MerkleTree;
import dev.agentreplay.io.log.ReplayFormatException;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The source of a conversion: the lines of a log, or the lines in a bundle. */
abstract sealed class ConversionSource implements Closeable {

  /** The maximum length of a bundle: 1 GiB. */
  static final int MAX_BUNDLE_BYTES = 1 << 30;

  private static final Set<FindingCode> PROMPT_FAULTS = EnumSet.of(
      FindingCode.PROMPT_DELTA_INVALID, FindingCode.HASH_UNVERIFIABLE, FindingCode.BLOB_MISMATCH);

  private final String name;
  private final Dialect dialect;

  private ConversionSource(String name, Dialect dialect) {
    this.name = name;
    this.dialect = dialect;
  }

  /**
   * Opens a log or a bundle.
   *
   * @param fullPrompts whether the prompts of a log are read in full
   * @throws ReplayFormatException if the first line cannot be read, and the file is not a bundle
   */
  static ConversionSource open(Session session, boolean fullPrompts) throws IOException {
    Path file = session.log();
    ReplayReader reader = fullPrompts ? session.readerWithFullPrompts() : session.reader();
    boolean isRead = false;
    try {
      ReplayLine first = reader.read();
      if (first != null && ReplayBundle.isBundle(first.json())) {
        if (reader.read() != null) {
          throw new IOException(file + ": a bundle, but data follows it");
        }
        return bundle(file, first.json());
      }
      Dialect dialect = reader.dialect();
      if (first == null || dialect == null || reader.foreignFormat() != null) {
        throw new IOException(file + ": neither a log nor a bundle: " + found(first, reader));
      }
      isRead = true;
      return new OfLog(dialect, reader, first);
    } catch (ReplayFormatException notALog) {
      JsonObject document = document(file);
      if (document == null || !ReplayBundle.isBundle(document)) {
        throw notALog;
      }
      return bundle(file, document);
    } finally {
      if (!isRead) {
        reader.close();
      }
    }
  }

  private static ConversionSource bundle(Path file, JsonObject document) throws IOException {
    try {
      return new OfBundle(document);
    } catch (DocumentFormatException hasTimeline) {
      throw new IOException(file + ": " + hasTimeline.getMessage(), hasTimeline);
    }
  }

  private static String found(@Nullable ReplayLine first, ReplayReader reader) {
    if (first == null) {
      return "it is empty";
    }
    String foreign = reader.foreignFormat();
    return foreign == null ? "its first line has no event tag" : "the file looks like " + foreign;
  }

  /** Reads a whole file as one JSON object; returns null when it is not one. */
  private static @Nullable JsonObject document(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      return null;
    }
    byte[] text;
    try (InputStream in = new Session(file, null).openLog()) {
      text = in.readNBytes(MAX_BUNDLE_BYTES);
    }
    JsonLimits limits = JsonLimits.defaults().withMaxBytes(MAX_BUNDLE_BYTES);
    try {
      return JsonText.parse(text, 0, text.length, limits) instanceof JsonObject object
          ? object
          : null;
    } catch (JsonSyntaxException notJson) {
      return null;
    }
  }

  /** The name of the format in reports. */
  final String name() {
    return name;
  }

  final Dialect dialect() {
    return dialect;
  }

  final boolean isBundle() {
    return this instanceof OfBundle;
  }

  /** Whether the source is the log of a published copy. */
  boolean isPublished() {
    return false;
  }

  /** The conflicts in the last line, between its own members and those that it carries over. */
  abstract List<Finding> conflicts();

  private static List<Finding> conflictsIn(List<Finding> findings) {
    return findings.stream()
        .filter(finding -> finding.code() == FindingCode.CARRIED_OVER_CONFLICT)
        .toList();
  }

  /** The reason why the prompt of the last line could not be read in full; null if it could. */
  @Nullable
  String promptFault() {
    return null;
  }

  /** The requirements of the specification that the source does not meet. */
  List<String> problems() {
    return List.of();
  }

  /** The ledger of the members of a bundle that are not in a line of the log. */
  ConversionLedger ledger() {
    return new ConversionLedger();
  }

  /** Returns the next line, or null at the end. */
  abstract @Nullable JsonObject next() throws IOException;

  /**
   * Writes the bytes of the last line; returns false, and writes nothing, in a bundle, or if the
   * line is not read as it is written.
   */
  boolean copyTo(OutputStream out) throws IOException {
    return false;
  }

  /** Adds the last line to a Merkle tree, if the source is a log. */
  void addTo(MerkleTree tree) {}

  /** Returns the header if the line is one, or null. */
  final @Nullable ReplayHeader header(JsonObject line) {
    return dialect.decode(line).event() instanceof ReplayHeader header ? header : null;
  }

  private static final class OfLog extends ConversionSource {
    private final ReplayReader reader;
    private @Nullable ReplayLine first;
    private @Nullable ReplayLine last;

    OfLog(Dialect dialect, ReplayReader reader, ReplayLine first) {
      super(dialect.id(), dialect);
      this.reader = reader;
      this.first = first;
    }

    @Override
    boolean isPublished() {
      return first != null
          && first.json().get(Names.PUBLISHED) instanceof JsonObject published
          && published.get("form") instanceof JsonString;
    }

    @Override
    @Nullable
    JsonObject next() throws IOException {
      last = first == null ? reader.read() : first;
      first = null;
      return last == null ? null : last.json();
    }

    @Override
    List<Finding> conflicts() {
      return conflictsIn(last == null ? List.of() : last.findings());
    }

    @Override
    @Nullable
    String promptFault() {
      return last != null && last.event() instanceof ModelCall call && call.promptDelta() != null
          ? last.findings().stream()
              .filter(finding -> PROMPT_FAULTS.contains(finding.code()))
              .map(Finding::message)
              .findFirst()
              .orElse(null)
          : null;
    }

    @Override
    boolean copyTo(OutputStream out) throws IOException {
      if (last == null || last.isExpanded()) {
        return false;
      }
      last.writeTo(out);
      return true;
    }

    @Override
    void addTo(MerkleTree tree) {
      if (last != null) {
        tree.add(last.bytes());
      }
    }

    @Override
    public void close() throws IOException {
      reader.close();
    }
  }

  private static final class OfBundle extends ConversionSource {
    private final ReplayBundle bundle;
    private final Iterator<JsonObject> lines;
    private JsonObject last = JsonObject.EMPTY;

    OfBundle(JsonObject document) throws DocumentFormatException {
      this(ReplayBundle.read(document));
    }

    private OfBundle(ReplayBundle bundle) {
      super(SessionFormat.BUNDLE.id(), bundle.dialect());
      this.bundle = bundle;
      this.lines = bundle.lines().iterator();
    }

    @Override
    List<String> problems() {
      return bundle.problems();
    }

    @Override
    ConversionLedger ledger() {
      return bundle.ledger();
    }

    @Override
    @Nullable
    JsonObject next() {
      if (!lines.hasNext()) {
        return null;
      }
      last = lines.next();
      return last;
    }

    @Override
    List<Finding> conflicts() {
      return conflictsIn(dialect().decode(last).findings());
    }

    @Override
    public void close() {}
  }
}
