package dev.agentreplay.convert.trace.reading;

import dev.agentreplay.canonical.JsonSyntaxException;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.convert.trace.report.SourceFault;
import dev.agentreplay.convert.trace.report.SourceFault.Kind;
import dev.agentreplay.convert.trace.report.SourcePlace;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a source in JSON lines, with what can be recovered of those that are broken. Blank
 * lines are passed over. The memory is that of the longest line. Not safe for use by several
 * threads.
 */
public final class SourceLines implements Closeable {

  /** The maximum length of a line in bytes. */
  static final int MAX_LINE_BYTES = 32 << 20;

  private static final int BUFFER_BYTES = 1 << 18;

  /** The maximum number of places at which a record is looked for after one that was cut. */
  private static final int MAX_TRIED = 1_000;

  /**
   * A line, or one of the records that are on one line.
   *
   * @param place the place of the line
   * @param hash the hash of the bytes of the record, without the line feed
   * @param json the object; null if the text is not a JSON object
   * @param text the text, if it is not a JSON object, else null; bytes that are not UTF-8 are
   *     replaced by U+FFFD
   * @param fault the fault of the line; null if it has none
   */
  public record Line(
      SourcePlace place,
      ContentHash hash,
      @Nullable JsonObject json,
      @Nullable String text,
      @Nullable SourceFault fault) {}

  private final InputStream in;
  private final @Nullable String file;
  private final Deque<Line> ready = new ArrayDeque<>();
  private byte[] buffer = new byte[BUFFER_BYTES];
  private int from;
  private int filled;
  private boolean isAtEnd;
  private long offset;
  private long number;

  /**
   * Creates the lines of a stream, which is closed with them.
   *
   * @param file the name of the file in places; null for the only or first one of the source
   */
  public SourceLines(InputStream in, @Nullable String file) {
    this.in = in;
    this.file = file;
  }

  /** Returns the next line; null at the end. */
  public @Nullable Line next() throws IOException {
    while (ready.isEmpty()) {
      if (!readLine()) {
        return null;
      }
    }
    return ready.poll();
  }

  private boolean readLine() throws IOException {
    int end = from;
    while (true) {
      while (end < filled && buffer[end] != '\n') {
        end++;
      }
      if (end < filled || isAtEnd) {
        break;
      }
      if (end - from > MAX_LINE_BYTES) {
        skipLine();
        return true;
      }
      int length = end - from;
      fill();
      end = from + length;
    }
    if (end == from && end == filled) {
      return false;
    }
    boolean isLast = end == filled;
    number++;
    decode(from, end, SourcePlace.line(file, number, offset), isLast);
    int next = isLast ? end : end + 1;
    offset += next - from;
    from = next;
    return true;
  }

  private void fill() throws IOException {
    if (from > 0) {
      System.arraycopy(buffer, from, buffer, 0, filled - from);
      filled -= from;
      from = 0;
    }
    if (filled == buffer.length) {
      buffer = Arrays.copyOf(buffer, buffer.length * 2);
    }
    int read = in.read(buffer, filled, buffer.length - filled);
    isAtEnd = read < 0;
    filled += Math.max(read, 0);
  }

  /** Passes over a line that is too long, and reports it. */
  private void skipLine() throws IOException {
    MessageDigest digest = ContentHash.newDigest();
    SourcePlace place = SourcePlace.line(file, ++number, offset);
    long length = 0;
    while (true) {
      int end = from;
      while (end < filled && buffer[end] != '\n') {
        end++;
      }
      digest.update(buffer, from, end - from);
      length += end - from;
      boolean isEnd = end < filled;
      from = isEnd ? end + 1 : end;
      if (isEnd || isAtEnd) {
        offset += length + (isEnd ? 1 : 0);
        break;
      }
      fill();
    }
    SourceFault fault = new SourceFault(
        Kind.RECORD_TOO_LONG,
        place,
        "the line has %,d bytes, more than the limit of %,d".formatted(length, MAX_LINE_BYTES));
    ready.add(new Line(place, ContentHash.of(digest.digest()), null, null, fault));
  }

  private void decode(int start, int end, SourcePlace place, boolean isLast) {
    int first = start;
    int last = end;
    if (place.offset() == 0 && has(first, last, 0xef, 0xbb, 0xbf)) {
      first += 3;
    }
    while (first < last && isSpace(buffer[first])) {
      first++;
    }
    while (last > first && isSpace(buffer[last - 1])) {
      last--;
    }
    if (first == last) {
      return;
    }
    try {
      JsonValue value = JsonText.parse(buffer, first, last);
      if (value.depth() > TraceSource.MAX_DEPTH) {
        String message = "nested deeper than " + TraceSource.MAX_DEPTH;
        ready.add(broken(first, last, place, Kind.NOT_REPRESENTABLE, message));
      } else if (value instanceof JsonObject object) {
        SourceFault fault = hasLongNumber(first, last) ? LongNumbers.fault(object, place) : null;
        ready.add(new Line(place, hashOf(start, end), object, null, fault));
      } else {
        String found = "expected an object, found " + value.typeName();
        ready.add(broken(first, last, place, Kind.BROKEN_LINE, found));
      }
    } catch (JsonSyntaxException e) {
      recover(start, first, last, place, isLast, e);
    }
  }

  private Line broken(int first, int last, SourcePlace place, Kind kind, String message) {
    return new Line(
        place, hashOf(first, last), null, text(first, last), new SourceFault(kind, place, message));
  }

  /** Finds the records of a line that is not one JSON value. */
  private void recover(
      int start, int first, int last, SourcePlace place, boolean isLast, JsonSyntaxException e) {
    byte[] repaired = Surrogates.repair(buffer, first, last);
    if (repaired != null && parse(repaired, 0, repaired.length) instanceof JsonObject object) {
      ready.add(new Line(place, hashOf(first, last), object, null, loneSurrogate(place)));
      return;
    }
    List<Line> found = new ArrayList<>();
    int at = first;
    while (at < last) {
      SourcePlace here =
          SourcePlace.line(place.file(), place.line(), place.offset() + (at - start));
      int end = endOfObject(at, last);
      JsonObject object = end < 0 ? null : object(at, end);
      if (object != null) {
        found.add(new Line(here, hashOf(at, end), object, null, null));
      } else {
        int next = buffer[at] == '{' ? lastRecord(at + 1, last) : -1;
        boolean isCut = isLast && end < 0 && next < 0;
        end = next < 0 ? last : next;
        found.add(broken(
            at,
            end,
            here,
            isCut ? Kind.TRUNCATED_END : Kind.BROKEN_LINE,
            isCut ? "the last line ends within a record" : message(e)));
      }
      at = end;
      while (at < last && isSpace(buffer[at])) {
        at++;
      }
    }
    Line line = found.get(0);
    if (found.size() > 1 && line.fault() == null) {
      SourceFault spliced = new SourceFault(
          Kind.SPLICED_LINE, place, "a record ends within the line, and other bytes follow");
      found.set(0, new Line(line.place(), line.hash(), line.json(), null, spliced));
    }
    ready.addAll(found);
  }

  private static String message(JsonSyntaxException e) {
    return "not JSON (%s) at byte %,d of the line"
        .formatted(e.reason().name().toLowerCase(Locale.ROOT).replace('_', ' '), e.offset());
  }

  private static SourceFault loneSurrogate(SourcePlace place) {
    return new SourceFault(
        Kind.LONE_SURROGATE, place, "an unpaired surrogate was replaced by U+FFFD");
  }

  /**
   * The start of a record that ends with the line, after one that was cut; negative if none is
   * found.
   */
  private int lastRecord(int from, int last) {
    int tried = 0;
    for (int at = from; at < last - 1 && tried < MAX_TRIED; at++) {
      if (buffer[at] == '{' && buffer[at + 1] == '"') {
        tried++;
        if (endOfObject(at, last) == last && object(at, last) != null) {
          return at;
        }
      }
    }
    return -1;
  }

  /** Whether there are as many digits in a row as an integer of more than 64 bits has. */
  private boolean hasLongNumber(int first, int last) {
    int digits = 0;
    for (int i = first; i < last; i++) {
      byte b = buffer[i];
      digits = b >= '0' && b <= '9' ? digits + 1 : 0;
      if (digits > LongNumbers.MAX_DIGITS) {
        return true;
      }
    }
    return false;
  }

  private ContentHash hashOf(int start, int end) {
    MessageDigest digest = ContentHash.newDigest();
    digest.update(buffer, start, end - start);
    return ContentHash.of(digest.digest());
  }

  private @Nullable JsonObject object(int start, int end) {
    JsonValue value = parse(buffer, start, end);
    if (value == null) {
      byte[] repaired = Surrogates.repair(buffer, start, end);
      value = repaired == null ? null : parse(repaired, 0, repaired.length);
    }
    return value instanceof JsonObject object ? object : null;
  }

  private static @Nullable JsonValue parse(byte[] bytes, int start, int end) {
    try {
      JsonValue value = JsonText.parse(bytes, start, end);
      return value.depth() > TraceSource.MAX_DEPTH ? null : value;
    } catch (JsonSyntaxException notJson) {
      return null;
    }
  }

  /** The index after the object that begins at an index; negative if it does not end. */
  private int endOfObject(int start, int end) {
    int depth = 0;
    boolean isText = false;
    for (int i = start; i < end; i++) {
      byte b = buffer[i];
      if (isText) {
        if (b == '\\') {
          i++;
        } else if (b == '"') {
          isText = false;
        }
      } else if (b == '"') {
        isText = true;
      } else if (b == '{' || b == '[') {
        depth++;
      } else if ((b == '}' || b == ']') && --depth <= 0) {
        return i + 1;
      }
    }
    return -1;
  }

  private String text(int start, int end) {
    return new String(buffer, start, end - start, StandardCharsets.UTF_8);
  }

  private boolean has(int start, int end, int... bytes) {
    if (end - start < bytes.length) {
      return false;
    }
    for (int i = 0; i < bytes.length; i++) {
      if ((buffer[start + i] & 0xff) != bytes[i]) {
        return false;
      }
    }
    return true;
  }

  private static boolean isSpace(byte b) {
    return b == ' ' || b == '\t' || b == '\r';
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
