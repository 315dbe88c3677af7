package dev.agentreplay.io.log;

import dev.agentreplay.canonical.DocumentParser;
import dev.agentreplay.canonical.JsonDocument;
import dev.agentreplay.canonical.JsonLimits;
import dev.agentreplay.canonical.JsonSyntaxException;
import dev.agentreplay.canonical.dialect.Decoded;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.canonical.dialect.ForeignFormat;
import dev.agentreplay.model.UnknownEvent;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.finding.Position;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.text.PlainText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the lines of one log to events, in the dialect of the first line that is an object. Not
 * safe for use by several threads, except {@link #forLaterLines}. Closing it returns its buffers to
 * a pool; it can be used again afterwards.
 */
final class LineDecoder implements AutoCloseable {

  /** The beginning of a torn first line: that of an object, or NUL bytes after power loss. */
  private static final String FIRST_EVENT = "[ \\t\\r]*+\\{[ \\t\\r]*+(\"|\\z)|\\x00";

  private final String source;
  private final @Nullable LogBytes log;
  private final JsonLimits limits;

  /** Whether the maximum length of a line is within the default limit of JSON text. */
  private final boolean isOrdinary;

  private final DocumentParser documents = new DocumentParser();

  private @Nullable Dialect dialect;
  private boolean detected;
  private @Nullable String foreignFormat;

  /**
   * Creates a decoder of a log.
   *
   * @param source the name of the log in messages
   * @param log the log that is decoded; null if the bytes come from an arbitrary stream
   */
  LineDecoder(String source, @Nullable LogBytes log, ReaderOptions options) {
    this(
        source,
        log,
        JsonLimits.defaults().withMaxBytes(options.maxLineBytes()),
        options.maxLineBytes() <= JsonLimits.defaults().maxBytes());
  }

  private LineDecoder(
      String source, @Nullable LogBytes log, JsonLimits limits, boolean isOrdinary) {
    this.source = source;
    this.log = log;
    this.limits = limits;
    this.isOrdinary = isOrdinary;
  }

  /**
   * Returns a decoder for lines after the one that the dialect was detected by, whose messages do
   * not name the segment of a line. Any thread may call this, and each decode with its own.
   */
  LineDecoder forLaterLines() {
    LineDecoder decoder = new LineDecoder(source, null, limits, isOrdinary);
    decoder.setDialect(dialect);
    return decoder;
  }

  /** Sets the dialect if it is known already; null if the log is known to have none. */
  void setDialect(@Nullable Dialect known) {
    dialect = known;
    detected = true;
  }

  /** Whether the dialect is known, or that the log has none. */
  boolean isDetected() {
    return detected;
  }

  /** The dialect; null before the first line that is a JSON object, and if that has no tag. */
  @Nullable
  Dialect dialect() {
    return dialect;
  }

  /**
   * The format that the file seems to have if its first line is not a known event; null if none is
   * recognized.
   */
  @Nullable
  String foreignFormat() {
    return foreignFormat;
  }

  /**
   * Decodes a line.
   *
   * @throws ReplayFormatException if the line is not an event
   */
  ReplayLine decode(LineBytes line) throws ReplayFormatException {
    JsonDocument document = parse(line);
    JsonObject json = document.value().asObject();
    Position position = line.position();
    if (!detected) {
      setDialect(Dialect.detect(json));
    }
    Decoded decoded = (dialect == null ? Dialect.EVENT : dialect).decode(json);
    if (position.line() == 1 && decoded.event() instanceof UnknownEvent) {
      foreignFormat = ForeignFormat.recognize(json);
    }
    List<Finding> findings = findings(decoded, line, position);
    return new ReplayLine(position, document, decoded.event(), findings);
  }

  @Override
  public void close() {
    documents.close();
  }

  /** The exception for a line that is longer than allowed. */
  ReplayFormatException tooLong(LineBytes line) {
    String detail = "line is longer than " + limits.maxBytes() + " bytes";
    return malformed(FindingCode.MALFORMED_LINE, line, 0, detail);
  }

  private static List<Finding> findings(Decoded decoded, LineBytes line, Position position) {
    if (decoded.findings().isEmpty() && line.isTerminated()) {
      return List.of();
    }
    List<Finding> findings = new ArrayList<>();
    for (Finding finding : decoded.findings()) {
      findings.add(finding.at(position));
    }
    if (!line.isTerminated()) {
      findings.add(
          new Finding(FindingCode.NO_FINAL_NEWLINE, position, "the last line has no line feed"));
    }
    return findings;
  }

  private JsonDocument parse(LineBytes line) throws ReplayFormatException {
    if (line.from() == line.to()) {
      throw unparsable(
          FindingCode.MALFORMED_LINE, line, 0, "expected a JSON object, found an empty line");
    }
    JsonDocument document;
    try {
      document = isOrdinary
          ? documents.parse(line.buffer(), line.from(), line.to())
          : JsonDocument.parse(line.buffer(), line.from(), line.to(), limits);
    } catch (JsonSyntaxException e) {
      FindingCode code = e.reason() == JsonSyntaxException.Reason.DUPLICATE_KEY
          ? FindingCode.DUPLICATE_KEY
          : FindingCode.MALFORMED_LINE;
      throw unparsable(code, line, e.offset(), e.detail());
    }
    if (!(document.value() instanceof JsonObject)) {
      throw unparsable(
          FindingCode.MALFORMED_LINE,
          line,
          0,
          "expected a JSON object, found a JSON " + document.value().typeName());
    }
    return document;
  }

  /**
   * The exception for a line that is not an event. A last line without its line feed is torn,
   * unless the file does not seem to be a log. The message for the first line names the format that
   * the file seems to have.
   */
  private ReplayFormatException unparsable(
      FindingCode code, LineBytes line, int at, String detail) {
    boolean isFirst = line.position().line() == 1;
    if (isFirst) {
      foreignFormat = ForeignFormat.recognize(line.buffer(), line.from(), line.filled());
    }
    String format = foreignFormat == null ? "" : "; the file looks like " + foreignFormat;
    if (line.isTerminated() || (isFirst && foreignFormat != null)) {
      return malformed(code, line, at, detail + format);
    }
    if (isFirst && !beginsAsEvent(line)) {
      return malformed(code, line, at, detail + "; the file does not look like a REPLAY.jsonl");
    }
    String torn = "the last line is cut short after %s: %s"
        .formatted(PlainText.count(line.to() - line.from(), "byte"), detail);
    return malformed(FindingCode.TORN_TAIL, line, at, torn + format);
  }

  private static boolean beginsAsEvent(LineBytes line) {
    String text = new String(
        line.buffer(), line.from(), line.to() - line.from(), StandardCharsets.ISO_8859_1);
    return Pattern.compile(FIRST_EVENT).matcher(text).lookingAt();
  }

  private ReplayFormatException malformed(FindingCode code, LineBytes line, int at, String detail) {
    Position from = line.position();
    Position position = new Position(from.line(), from.offset() + at, from.offset());
    String place = log == null ? "" : log.place(position.offset());
    return new ReplayFormatException(code, source + place, position, detail);
  }
}
