package dev.agentreplay.canonical.dialect;

import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.canonical.JsonLimits;
import dev.agentreplay.canonical.internal.CanonicalWriter;
import dev.agentreplay.canonical.internal.KeyOrder;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes the line of an event: canonical JSON and a line feed.
 *
 * <p>A time that the event leaves out is filled in, and so are the hashes of values that it holds,
 * where the specification of the dialect has them. A hash that the event gives is checked against
 * the value beside it. Members in {@link dev.agentreplay.model.Meta#extra()} are written in their
 * place. Not safe for use by several threads; it keeps its buffer for the next event.
 */
public final class LineEncoder {

  /** The length of the longest line, without its line feed, that is written or read: 64 MiB. */
  public static final int MAX_LINE_BYTES = JsonLimits.defaults().maxBytes();

  private static final int[] NONE = {};

  private final Dialect dialect;
  private final CanonicalWriter out;
  private final KeyOrder keyOrder;

  private int members;
  private int valueFrom;
  private int hashedFrom;
  private int hashedTo;
  private @Nullable Timestamp time;
  private @Nullable ContentHash contentHash;

  /** An encoder of a dialect, with the canonicalization {@link Canonicalization#SERDE}. */
  public LineEncoder(Dialect dialect) {
    this(dialect, Canonicalization.SERDE);
  }

  /** An encoder of a dialect; lines and hashes are made with the canonicalization. */
  public LineEncoder(Dialect dialect, Canonicalization canonicalization) {
    this.dialect = Objects.requireNonNull(dialect, "dialect");
    this.out = new CanonicalWriter(canonicalization, false, JsonLimits.defaults());
    this.keyOrder = KeyOrder.of(canonicalization);
  }

  /**
   * Encodes an event; {@link #writeTo} then hands out its line.
   *
   * @param now the time of an event that has none
   * @throws IllegalArgumentException if the dialect demands something that the event does not say,
   *     or a hash is not that of the value beside it, or an additional member is one that the
   *     dialect knows, or the line would be beyond the default {@link JsonLimits}, or the
   *     canonicalization would round an integer
   */
  public EncodedLine encode(ReplayEvent event, Timestamp now) {
    Objects.requireNonNull(now, "now");
    contentHash = null;
    time = null;
    try {
      encode(table(event), event, now);
      if (out.size() > MAX_LINE_BYTES) {
        throw invalid(event, "is longer than " + MAX_LINE_BYTES + " bytes");
      }
    } catch (IllegalArgumentException e) {
      out.reset();
      throw e;
    }
    out.raw('\n');
    return new EncodedLine(time, contentHash, out.size());
  }

  /** Hands the line that was encoded last to a stream, in one call. */
  public void writeTo(OutputStream stream) throws IOException {
    out.writeTo(stream);
  }

  /** Hands the line that was encoded last to a digest. */
  public void update(MessageDigest digest) {
    out.update(digest);
  }

  @SuppressWarnings("unchecked") // the table of a kind is the table of that event
  private Table<ReplayEvent> table(ReplayEvent event) {
    return (Table<ReplayEvent>) dialect.codec().table(event.kind());
  }

  private <E extends ReplayEvent> void encode(Table<E> table, E event, Timestamp now) {
    out.reset();
    members = 0;
    JsonObject extra = event.meta().extra();
    int[] order = extra.isEmpty() ? NONE : keyOrder.sortedPositions(extra);
    int next = 0;
    char separator = '{';
    for (Row<E, ?> row : table.sorted()) {
      for (; next < order.length && isBefore(extra.name(order[next]), row.name); next++) {
        separator = member(event, separator, extra.name(order[next]), extra.value(order[next]));
      }
      JsonValue additional = extra.get(row.name);
      JsonValue value = value(table, row, event, additional, now);
      if (value != null) {
        separator = member(event, separator, row.name, value);
        if (row.isHashed) {
          hashedFrom = valueFrom;
          hashedTo = out.size();
        }
      }
    }
    for (; next < order.length; next++) {
      separator = member(event, separator, extra.name(order[next]), extra.value(order[next]));
    }
    if (separator == '{') {
      out.raw('{');
    }
    out.raw('}');
  }

  private boolean isBefore(String left, String right) {
    return keyOrder.compare(left, right) < 0;
  }

  private char member(ReplayEvent event, char separator, String name, JsonValue value) {
    if (++members > JsonLimits.defaults().maxMembers()) {
      throw invalid(event, "has more than " + JsonLimits.defaults().maxMembers() + " members");
    }
    if (value.depth() >= JsonValue.MAX_DEPTH) {
      throw invalid(event, "would be nested deeper than " + JsonValue.MAX_DEPTH);
    }
    out.raw(separator).name(name);
    valueFrom = out.size();
    out.value(value);
    return ',';
  }

  /** What to write for a row here; null leaves it out, or to the additional member. */
  private <E extends ReplayEvent> @Nullable JsonValue value(
      Table<E> table, Row<E, ?> row, E event, @Nullable JsonValue additional, Timestamp now) {
    JsonValue given = row.given(event);
    boolean alsoExtra = additional != null;
    if (additional != null && (given != null || evades(table, row, additional))) {
      throw invalid(event, "has the member " + row.name + " twice: known and additional");
    }
    if (table.isTime(row) && !alsoExtra) {
      time = event.time() != null || row.isAdditional() ? event.time() : now;
      return time == null ? null : FieldType.TIME.write().apply(time);
    }
    if (row.hashed != null) {
      return hash(row, event, given, alsoExtra);
    }
    if (given != null || alsoExtra) {
      return given;
    }
    JsonValue fallback = row.fallback(event);
    if (fallback == null && row.presence == Presence.NULLABLE) {
      return JsonNull.NULL;
    }
    if (fallback == null && row.presence != Presence.OPTIONAL) {
      throw invalid(event, "needs " + row.name + " in the dialect " + dialect.id());
    }
    return fallback;
  }

  /**
   * Whether an additional member is one that its row could read, and so evades the checks of it.
   */
  private static <E extends ReplayEvent> boolean evades(
      Table<E> table, Row<E, ?> row, JsonValue additional) {
    boolean checked = row.hashed != null || table.isTime(row) || !table.leavesOver();
    Object component = row.type.read().apply(additional);
    return checked && component != null && !row.saysNothing(component);
  }

  private <E extends ReplayEvent> @Nullable JsonValue hash(
      Row<E, ?> row, E event, @Nullable JsonValue given, boolean alsoExtra) {
    boolean hasValue = row.hashed != null && row.hashed.given(event) != null;
    if (hasValue && !alsoExtra) {
      ContentHash computed = out.hash(hashedFrom, hashedTo);
      if (given instanceof JsonString stated && !stated.value().equals(computed.toString())) {
        throw invalid(
            event,
            "has the %s %s, but its value has %s".formatted(row.name, stated.value(), computed));
      }
      contentHash = computed;
      boolean left = given == null && row.isAdditional();
      return left ? null : JsonString.of(computed.toString());
    }
    if (given instanceof JsonString stated) {
      contentHash = ContentHash.parse(stated.value());
    } else if (row.presence == Presence.REQUIRED && !alsoExtra) {
      throw invalid(event, "needs a value, or its " + row.name);
    }
    return given;
  }

  private static IllegalArgumentException invalid(ReplayEvent event, String what) {
    return new IllegalArgumentException(
        (event.kind().tag().isEmpty() ? "event" : event.kind().tag()) + " " + what);
  }
}
