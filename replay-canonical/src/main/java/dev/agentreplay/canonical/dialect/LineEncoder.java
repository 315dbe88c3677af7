package dev.agentreplay.canonical.dialect;

import dev.agentreplay.canonical.CanonicalWriter;
import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.canonical.JsonLimits;
import dev.agentreplay.canonical.KeyOrder;
import dev.agentreplay.canonical.TooLargeException;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Excerpt;
import java.io.IOException;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Encodes events as lines of a log: canonical JSON followed by a line feed.
 *
 * <p>The encoder fills in a missing time, and the missing hashes of values that the event contains,
 * if the specification of the dialect defines them. A hash that the event states is checked against
 * the value next to it. Members of {@link dev.agentreplay.model.Meta#extra()} are written at their
 * position in the canonical order. Not safe for use by several threads; keeps its buffer for the
 * next event unless the line was very long.
 */
public final class LineEncoder {

  /**
   * The maximum length in bytes of a line that is written or read, without its line feed: 16 MiB.
   */
  public static final int MAX_LINE_BYTES = 16 << 20;

  private static final JsonLimits LIMITS = JsonLimits.defaults().withMaxBytes(MAX_LINE_BYTES);

  /** The maximum size in bytes of a buffer that is kept for the next event. */
  private static final int MAX_KEPT_BYTES = 1 << 20;

  private static final int[] NONE = {};

  private final Dialect dialect;
  private final CanonicalWriter out;
  private final KeyOrder keyOrder;

  private int members;
  private int hashedFrom;
  private int hashedTo;
  private @Nullable Timestamp time;
  private @Nullable ContentHash contentHash;

  private LineEncoder(Dialect dialect, Canonicalization canonicalization) {
    this.dialect = Objects.requireNonNull(dialect, "dialect");
    this.out = new CanonicalWriter(canonicalization, false, LIMITS);
    this.keyOrder = KeyOrder.of(canonicalization);
  }

  /** Creates an encoder for a dialect with the canonicalization {@link Canonicalization#SERDE}. */
  public static LineEncoder of(Dialect dialect) {
    return of(dialect, Canonicalization.SERDE);
  }

  /** Creates an encoder for a dialect; lines and hashes use the given canonicalization. */
  public static LineEncoder of(Dialect dialect, Canonicalization canonicalization) {
    return new LineEncoder(dialect, canonicalization);
  }

  /**
   * Encodes an event. Afterwards {@link #writeTo} and {@link #update} give access to its line.
   *
   * @param now the time for an event that has none
   * @throws IllegalArgumentException if the event lacks a member that the dialect requires, has a
   *     status, a value or a number that the specification of the dialect does not allow, or states
   *     a hash that does not match the value next to it, or has an extra member with the name of a
   *     member that the event states as well, or that the dialect could read, or if the line would
   *     be longer than {@link #MAX_LINE_BYTES} or exceed the default {@link JsonLimits}, or if the
   *     canonicalization would round an integer
   */
  public EncodedLine encode(ReplayEvent event, Timestamp now) {
    Objects.requireNonNull(now, "now");
    contentHash = null;
    time = null;
    try {
      encode(table(event), event, now);
      if (out.size() > MAX_LINE_BYTES) {
        throw tooLong(event);
      }
    } catch (TooLargeException e) {
      release();
      throw tooLong(event);
    } catch (IllegalArgumentException e) {
      release();
      throw e;
    }
    out.raw('\n');
    return new EncodedLine(time, contentHash, out.size());
  }

  private static IllegalArgumentException tooLong(ReplayEvent event) {
    String limit = "%d MiB (%d bytes), the maximum length of a line"
        .formatted(MAX_LINE_BYTES >> 20, MAX_LINE_BYTES);
    if (event instanceof ToolCall call) {
      return new IllegalArgumentException(
          ("the params of call \"%s\" (%s) make its line longer than %s; a recorder stores such"
                  + " params in a blob, unless the dialect requires them in the log")
              .formatted(call.id(), call.tool(), limit));
    }
    String call = event.callId();
    return invalid(
        event, (call == null ? "" : "of call \"" + call + "\" ") + "is longer than " + limit);
  }

  /** The length in bytes of the last encoded line, with its line feed. */
  public int length() {
    return out.size();
  }

  /** Writes the last encoded line to a stream in one call. */
  public void writeTo(OutputStream stream) throws IOException {
    out.writeTo(stream);
  }

  /** Feeds the last encoded line to a digest. */
  public void update(MessageDigest digest) {
    out.update(digest);
  }

  /**
   * Discards the last encoded line and frees the buffer of a very long one. {@link #encode} does
   * the same first; call this method if the next event may be long in coming.
   */
  public void release() {
    out.reset(MAX_KEPT_BYTES);
  }

  @SuppressWarnings("unchecked") // the table of a kind is the table of that type of event
  private Table<ReplayEvent> table(ReplayEvent event) {
    return (Table<ReplayEvent>) dialect.codec().table(event.kind());
  }

  private <E extends ReplayEvent> void encode(Table<E> table, E event, Timestamp now) {
    release();
    out.raw('{');
    members = 0;
    Meta meta = event.meta();
    JsonObject extra = meta.extra();
    int[] order = extra.isEmpty() ? NONE : keyOrder.sortedPositions(extra);
    int next = 0;
    boolean mayBeInLane = meta.agent() != null || meta.parent() != null || order.length > 0;
    for (Row<E, ?> row : mayBeInLane ? table.sorted() : table.sortedOutsideLanes()) {
      for (; next < order.length && isBefore(extra.name(order[next]), row.name); next++) {
        additional(event, extra.name(order[next]), extra.value(order[next]));
      }
      known(table, row, event, order.length == 0 ? null : extra.get(row.name), now);
    }
    for (; next < order.length; next++) {
      additional(event, extra.name(order[next]), extra.value(order[next]));
    }
    out.raw('}');
  }

  private boolean isBefore(String left, String right) {
    return keyOrder.compare(left, right) < 0;
  }

  private void additional(ReplayEvent event, String name, JsonValue value) {
    count(event);
    if (!isFirst()) {
      out.raw(',');
    }
    out.name(name);
    value(event, value);
  }

  private <E extends ReplayEvent, T> void known(
      Table<E> table, Row<E, T> row, E event, @Nullable JsonValue additional, Timestamp now) {
    T given = row.get.apply(event);
    if (given == null && additional == null && row.isOmitted) {
      return;
    }
    T component = component(table, row, event, given, additional, now);
    boolean isNull = component == null && row.presence == Presence.NULLABLE && additional == null;
    if (component == null && !isNull) {
      return;
    }
    count(event);
    out.raw(row.encodedName, isFirst() ? 1 : 0);
    int from = out.size();
    if (component == null) {
      out.value(JsonNull.NULL);
    } else if (row.type.isPlain()) {
      out.plain(component);
    } else {
      value(event, row.type.write().apply(component));
    }
    if (row.isHashed) {
      hashedFrom = from;
      hashedTo = out.size();
    }
  }

  private void count(ReplayEvent event) {
    if (++members > LIMITS.maxMembers()) {
      throw invalid(event, "has more than " + LIMITS.maxMembers() + " members");
    }
  }

  private boolean isFirst() {
    return members == 1;
  }

  private void value(ReplayEvent event, JsonValue value) {
    if (value.depth() >= JsonValue.MAX_DEPTH) {
      throw invalid(event, "would be nested deeper than " + JsonValue.MAX_DEPTH);
    }
    out.value(value);
  }

  /** The component to write for a row; null if the member is left out or written from extra. */
  @SuppressWarnings("unchecked") // a time row has a Timestamp, a hash row a ContentHash
  private <E extends ReplayEvent, T> @Nullable T component(
      Table<E> table,
      Row<E, T> row,
      E event,
      @Nullable T given,
      @Nullable JsonValue additional,
      Timestamp now) {
    boolean alsoExtra = additional != null;
    if (additional != null && (given != null || evades(table, row, additional))) {
      throw invalid(event, "has the member " + row.name + " twice: known and additional");
    }
    if (table.isTime(row) && !alsoExtra) {
      time = event.time() != null || row.isAdditional() ? event.time() : now;
      return (T) time;
    }
    if (row.hashed != null) {
      return (T) hash(row, row.hashed, event, (ContentHash) given, alsoExtra);
    }
    if (given != null) {
      restrict(row, event, given);
    }
    if (given != null || alsoExtra) {
      return given;
    }
    T fallback = row.fallbackComponent(event);
    if (fallback == null
        && (row.presence == Presence.IDENTITY || row.presence == Presence.REQUIRED)) {
      throw invalid(event, "needs " + row.name + " in the dialect " + dialect.id());
    }
    return fallback;
  }

  private static <E extends ReplayEvent, T> void restrict(Row<E, T> row, E event, T given) {
    Restriction<T> restriction = row.restriction();
    if (restriction != null && !restriction.isWritten().test(given)) {
      throw invalid(
          event,
          "%s must be %s, found %s"
              .formatted(
                  row.name, restriction.expected(), Excerpt.of(String.valueOf(row.given(event)))));
    }
  }

  /**
   * Whether an extra member could be read by its row and would thus bypass the checks of that row.
   */
  private static <E extends ReplayEvent> boolean evades(
      Table<E> table, Row<E, ?> row, JsonValue additional) {
    boolean checked = row.hashed != null || table.isTime(row) || !table.leavesOver();
    Object component = row.type.read(additional);
    return checked && component != null && !row.saysNothing(component);
  }

  private <E extends ReplayEvent> @Nullable ContentHash hash(
      Row<E, ?> row,
      Row<E, JsonValue> hashed,
      E event,
      @Nullable ContentHash stated,
      boolean alsoExtra) {
    if (hashed.get.apply(event) != null && !alsoExtra) {
      ContentHash computed = out.hash(hashedFrom, hashedTo);
      if (stated != null && !stated.equals(computed)) {
        throw invalid(
            event, "has the %s %s, but its value has %s".formatted(row.name, stated, computed));
      }
      contentHash = computed;
      return stated != null ? stated : row.isAdditional() ? null : computed;
    }
    if (stated != null) {
      contentHash = stated;
    } else if (row.presence == Presence.REQUIRED && !alsoExtra) {
      throw invalid(event, "needs a value, or its " + row.name);
    }
    return stated;
  }

  private static IllegalArgumentException invalid(ReplayEvent event, String what) {
    return new IllegalArgumentException(
        (event.kind().id().isEmpty() ? "event" : event.kind().id()) + " " + what);
  }

  /**
   * The values that the encoder filled in.
   *
   * @param time the time in the line; null if there is none
   * @param contentHash the hash of the event's parameters, output or other value, whether it was
   *     written or not; null if the event has none
   * @param length the length of the line in bytes, with its line feed
   */
  public record EncodedLine(
      @Nullable Timestamp time, @Nullable ContentHash contentHash, int length) {}
}
