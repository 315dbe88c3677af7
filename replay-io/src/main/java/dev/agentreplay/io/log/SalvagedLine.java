package dev.agentreplay.io.log;

import dev.agentreplay.io.log.Salvaged.Gap;
import dev.agentreplay.io.log.Salvaged.GapKind;
import dev.agentreplay.model.finding.Position;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Splits a damaged line into events and gaps: takes events from its beginning, then from its end.
 * The bytes left between are the gap.
 */
final class SalvagedLine {

  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

  private final SalvageDecoder decoder;
  private final byte[] bytes;
  private final int lineFrom;
  private final int lineTo;
  private final Position start;
  private final boolean terminated;

  /** The pieces that were found from the end, in their order in the line. */
  private final Deque<Found> behind = new ArrayDeque<>();

  /** The start of the bytes between the pieces that were returned and those found from the end. */
  private int from;

  private int to;
  private Phase phase = Phase.WHOLE;

  /** The event after the splice that was returned last. */
  private @Nullable Salvaged spliced;

  /** Whether the last piece that was returned is an event. */
  private boolean behindEvent;

  private enum Phase {
    WHOLE,
    BEGINNING,
    END
  }

  /**
   * A gap, or an event if it has no kind, which is decoded again later: a line may have many
   * events.
   */
  private record Found(@Nullable GapKind gap, int begin, int end) {}

  /**
   * Creates the pieces of the current line of a splitter; valid until the splitter moves to the
   * next line.
   */
  SalvagedLine(LineSplitter lines, SalvageDecoder decoder) {
    this.decoder = decoder;
    this.bytes = lines.buffer();
    this.lineFrom = lines.from();
    this.lineTo = lines.to();
    this.start = new Position(lines.line(), lines.offset());
    this.terminated = lines.isTerminated();
    this.from = lineFrom;
    this.to = lineTo;
  }

  /** The next piece of the line, or null. */
  @Nullable
  Salvaged next() {
    Salvaged piece = spliced;
    if (piece != null) {
      spliced = null;
    } else if (phase == Phase.WHOLE) {
      piece = wholeLine();
      phase = piece == null ? Phase.BEGINNING : Phase.END;
    }
    if (piece == null && phase == Phase.BEGINNING) {
      piece = fromBeginning();
    }
    if (piece == null && !behind.isEmpty()) {
      piece = read(behind.remove());
    }
    behindEvent = piece instanceof Salvaged.Line;
    return piece;
  }

  private @Nullable Salvaged wholeLine() {
    ReplayLine whole = decoder.decode(bytes, from, to, start);
    if (whole != null) {
      return line(whole, to);
    }
    return terminated && skipSpace(from) == to
        ? gap(GapKind.BLANK_LINE, from, to, "expected a JSON object, found a blank line")
        : null;
  }

  private @Nullable Salvaged fromBeginning() {
    int begin = from;
    if (takeMark()) {
      return gap(GapKind.BYTE_ORDER_MARK, begin, from, "a byte order mark");
    }
    if (takeNulRun()) {
      return nulRun(begin, from);
    }
    Salvaged object = takeObject();
    if (object != null) {
      return object;
    }
    phase = Phase.END;
    while (from < to && (takeLastNulRun() || takeLastObject())) {
      // each call takes one piece
    }
    return from < to ? rest() : null;
  }

  private Salvaged read(Found found) {
    if (found.gap() == GapKind.NUL_RUN) {
      return nulRun(found.begin(), found.end());
    }
    if (found.gap() == GapKind.SPLICED) {
      return splice(found.begin(), found.end());
    }
    ReplayLine event = decoder.decode(bytes, found.begin(), found.end(), position(found.begin()));
    return line(Objects.requireNonNull(event, "an event that was read before"), found.end());
  }

  private boolean takeMark() {
    int end = from + BYTE_ORDER_MARK.length;
    if (from > lineFrom || end > to || !isMark()) {
      return false;
    }
    from = end;
    return true;
  }

  private boolean isMark() {
    for (int i = 0; i < BYTE_ORDER_MARK.length; i++) {
      if (bytes[from + i] != BYTE_ORDER_MARK[i]) {
        return false;
      }
    }
    return true;
  }

  private boolean takeNulRun() {
    int end = from;
    while (end < to && bytes[end] == 0) {
      end++;
    }
    boolean taken = end > from;
    from = end;
    return taken;
  }

  private boolean takeLastNulRun() {
    int begin = to;
    while (begin > from && bytes[begin - 1] == 0) {
      begin--;
    }
    if (begin == to) {
      return false;
    }
    behind.addFirst(new Found(GapKind.NUL_RUN, begin, to));
    to = begin;
    return true;
  }

  /**
   * Takes the object at the beginning of the remaining bytes, if it is an event, of any kind: no
   * truncated event precedes it, of which it could be a part.
   */
  private @Nullable Salvaged takeObject() {
    int begin = skipSpace(from);
    int end = begin < to && bytes[begin] == '{' ? ObjectBounds.end(bytes, begin, to) : -1;
    if (end < 0) {
      return null;
    }
    if (isBehindNul(begin) && isFollowedAsAValue(end)) {
      return null;
    }
    end = skipSpace(end) == lineTo ? lineTo : end;
    int lineBegin = behindEvent ? begin : from;
    ReplayLine event = decoder.decode(bytes, lineBegin, end, position(lineBegin));
    if (event == null) {
      return null;
    }
    int gapBegin = from;
    from = end;
    if (!behindEvent) {
      return line(event, end);
    }
    spliced = line(event, end);
    return splice(gapBegin, begin);
  }

  /** Takes the object at the end of the remaining bytes, if it is an event of a known kind. */
  private boolean takeLastObject() {
    int end = to;
    while (end > from && isSpace(bytes[end - 1])) {
      end--;
    }
    int begin = end > from && bytes[end - 1] == '}' ? ObjectBounds.begin(bytes, from, end) : -1;
    if (begin < 0 || bytes[begin] != '{' || isAValue(begin)) {
      return false;
    }
    Found next = behind.peekFirst();
    boolean beforeEvent = next != null && next.gap() == null;
    int lineEnd = beforeEvent ? end : to;
    if (!decoder.isKnown(bytes, begin, lineEnd)) {
      return false;
    }
    if (beforeEvent) {
      behind.addFirst(new Found(GapKind.SPLICED, end, to));
    }
    behind.addFirst(new Found(null, begin, lineEnd));
    to = begin;
    return true;
  }

  /**
   * Whether the object that begins here is a value of the text before it, as in the output of a
   * tool.
   */
  private boolean isAValue(int begin) {
    int i = begin - 1;
    while (i >= from && (isSpace(bytes[i]) || bytes[i] == 0)) {
      i--;
    }
    return i >= from && (bytes[i] == ':' || bytes[i] == ',' || bytes[i] == '[');
  }

  private boolean isBehindNul(int begin) {
    int i = begin - 1;
    while (i >= lineFrom && isSpace(bytes[i])) {
      i--;
    }
    return i >= lineFrom && bytes[i] == 0;
  }

  /** Whether the object that ends here is a value of an object whose beginning is missing. */
  private boolean isFollowedAsAValue(int end) {
    int i = skipSpace(end);
    return i < to && (bytes[i] == ',' || bytes[i] == '}' || bytes[i] == ']');
  }

  private Gap rest() {
    decoder.decode(bytes, from, to, position(from));
    boolean eventBehind = behind.stream().anyMatch(found -> found.gap() == null);
    int begin = skipSpace(from);
    boolean cutShort = begin < to && bytes[begin] == '{' && ObjectBounds.end(bytes, begin, to) < 0;
    GapKind kind = !terminated && !eventBehind
        ? GapKind.TORN_TAIL
        : cutShort ? GapKind.TRUNCATED : GapKind.MALFORMED;
    return gap(kind, from, to, decoder.fault());
  }

  private Gap nulRun(int begin, int end) {
    return gap(GapKind.NUL_RUN, begin, end, (end - begin) + " NUL bytes");
  }

  private Gap splice(int begin, int end) {
    return gap(GapKind.SPLICED, begin, end, "two events without a line feed between them");
  }

  private Gap gap(GapKind kind, int begin, int end, String detail) {
    int feed = hasLineFeed(end) ? 1 : 0;
    return new Gap(kind, position(begin), end - begin + feed, detail);
  }

  private Salvaged.Line line(ReplayLine event, int end) {
    return new Salvaged.Line(event, hasLineFeed(end));
  }

  private boolean hasLineFeed(int end) {
    return terminated && end == lineTo;
  }

  private Position position(int index) {
    return new Position(start.line(), start.offset() + index - lineFrom, start.offset());
  }

  private int skipSpace(int index) {
    int i = index;
    while (i < to && isSpace(bytes[i])) {
      i++;
    }
    return i;
  }

  private static boolean isSpace(byte b) {
    return b == ' ' || b == '\t' || b == '\r';
  }
}
