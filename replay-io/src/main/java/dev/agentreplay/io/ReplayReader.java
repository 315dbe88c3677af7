package dev.agentreplay.io;

import dev.agentreplay.canonical.JsonSyntaxException;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.dialect.Decoded;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.canonical.dialect.LineEncoder;
import dev.agentreplay.canonical.internal.ForeignFormat;
import dev.agentreplay.model.Finding;
import dev.agentreplay.model.FindingCode;
import dev.agentreplay.model.Position;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads a log, one line at a time. The memory it needs is that of the longest line and its values,
 * which may take many times its bytes; a line longer than {@link LineEncoder#MAX_LINE_BYTES} is
 * refused. The dialect is that of the first line.
 *
 * <p>A line feed ends a line, and nothing else does. Bytes after the last line feed that are a
 * whole event are read, with the finding NO_FINAL_NEWLINE. Not safe for use by several threads.
 */
public final class ReplayReader implements Closeable, Iterable<ReplayLine> {

  private final String source;
  private final LineSplitter lines;
  private @Nullable Dialect dialect;
  private boolean detected;
  private @Nullable String foreignFormat;

  private ReplayReader(String source, InputStream in) {
    this.source = source;
    this.lines = new LineSplitter(in, LineEncoder.MAX_LINE_BYTES);
  }

  /**
   * Opens a log, which may be compressed with gzip, whatever its name. Positions count decompressed
   * bytes.
   *
   * @throws java.nio.file.NoSuchFileException if there is no such file
   */
  public static ReplayReader open(Path file) throws IOException {
    return new ReplayReader(file.toString(), LogFile.open(file));
  }

  /**
   * Reads a log from a stream as it is, which is closed with the reader.
   *
   * @param source what to call the stream in messages
   */
  public static ReplayReader of(InputStream in, String source) {
    return new ReplayReader(
        Objects.requireNonNull(source, "source"), Objects.requireNonNull(in, "in"));
  }

  /** The dialect of the log; null before the first line, and when its first line bears no tag. */
  public @Nullable Dialect dialect() {
    return dialect;
  }

  /**
   * What the file looks like when its first line is not an event that a dialect knows, in words
   * such as {@code "a HAR archive"}. Null before that line was read, and when there is nothing to
   * say. A guess: the file may be a log all the same.
   */
  public @Nullable String foreignFormat() {
    return foreignFormat;
  }

  /**
   * The next line, or null at the end.
   *
   * @throws ReplayFormatException if it is not an event; reading may go on with the line after it
   * @throws IOException if the file cannot be read, or decompressed; reading ends with it
   */
  public @Nullable ReplayLine read() throws IOException {
    boolean found;
    try {
      found = lines.next();
    } catch (LineSplitter.LineTooLongException e) {
      throw malformed(
          FindingCode.MALFORMED_LINE,
          0,
          "line is longer than " + LineEncoder.MAX_LINE_BYTES + " bytes");
    }
    if (!found) {
      return null;
    }
    JsonObject json = parse();
    if (lines.line() == 1) {
      foreignFormat = ForeignFormat.recognize(json);
    }
    if (!detected) {
      dialect = Dialect.detect(json);
      detected = true;
    }
    Position position = new Position(lines.line(), lines.offset());
    Decoded decoded = (dialect == null ? Dialect.EVENT : dialect).decode(json);
    List<Finding> findings = new ArrayList<>(0);
    for (Finding finding : decoded.findings()) {
      findings.add(finding.at(position));
    }
    if (!lines.isTerminated()) {
      findings.add(
          new Finding(FindingCode.NO_FINAL_NEWLINE, position, "the last line has no line feed"));
    }
    byte[] raw = Arrays.copyOfRange(lines.buffer(), lines.from(), lines.to());
    return new ReplayLine(position, raw, json, decoded.event(), findings);
  }

  /**
   * The lines that are left. Where {@link #read} throws, the iterator throws
   * {@link UncheckedIOException}.
   */
  @Override
  public Iterator<ReplayLine> iterator() {
    return new Lines();
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }

  private JsonObject parse() throws ReplayFormatException {
    FindingCode syntax = lines.isTerminated() ? FindingCode.MALFORMED_LINE : FindingCode.TORN_TAIL;
    if (lines.from() == lines.to()) {
      throw unparsable(syntax, 0, "expected a JSON object, found an empty line");
    }
    JsonValue value;
    try {
      value = JsonText.parse(lines.buffer(), lines.from(), lines.to());
    } catch (JsonSyntaxException e) {
      boolean duplicate = e.reason() == JsonSyntaxException.Reason.DUPLICATE_KEY;
      FindingCode code = duplicate && lines.isTerminated() ? FindingCode.DUPLICATE_KEY : syntax;
      throw unparsable(code, e.offset(), describe(e));
    }
    if (!(value instanceof JsonObject object)) {
      throw unparsable(syntax, 0, "expected a JSON object, found a JSON " + value.typeName());
    }
    return object;
  }

  private String describe(JsonSyntaxException e) {
    return lines.isTerminated()
        ? e.detail()
        : "the last line is cut short after " + (lines.to() - lines.from()) + " bytes: "
            + e.detail();
  }

  /** The line is not an event; the first one may be the beginning of something else. */
  private ReplayFormatException unparsable(FindingCode code, int at, String detail) {
    if (lines.line() == 1) {
      foreignFormat = ForeignFormat.recognize(lines.buffer(), lines.from(), lines.filled());
      if (foreignFormat != null) {
        return malformed(code, at, detail + "; the file looks like " + foreignFormat);
      }
    }
    return malformed(code, at, detail);
  }

  private ReplayFormatException malformed(FindingCode code, int at, String detail) {
    Position position = new Position(lines.line(), lines.offset() + at);
    return new ReplayFormatException(code, source, position, detail);
  }

  private final class Lines implements Iterator<ReplayLine> {
    private @Nullable ReplayLine next;

    @Override
    public boolean hasNext() {
      if (next == null) {
        try {
          next = read();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
      return next != null;
    }

    @Override
    public ReplayLine next() {
      if (!hasNext() || next == null) {
        throw new NoSuchElementException();
      }
      ReplayLine line = next;
      next = null;
      return line;
    }
  }
}
