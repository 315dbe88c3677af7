package dev.agentreplay.canonical.dialect;

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
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes the line of an event: canonical JSON and a line feed.
 *
 * <p>A time that the event leaves out is filled in, and so are the hashes of values that it holds.
 * A hash that the event gives is checked against the value beside it. Members in
 * {@link dev.agentreplay.model.Meta#extra()} are written in their place. Not safe for use by
 * several threads; it keeps its buffer for the next event.
 */
public final class LineEncoder {

  private final Dialect dialect;
  private final CanonicalWriter out = new CanonicalWriter();

  private int hashedFrom;
  private int hashedTo;
  private @Nullable Timestamp time;
  private @Nullable ContentHash contentHash;

  /** An encoder of a dialect. */
  public LineEncoder(Dialect dialect) {
    this.dialect = Objects.requireNonNull(dialect, "dialect");
  }

  /**
   * Encodes an event; {@link #writeTo} then hands out its line.
   *
   * @param now the time of an event that has none
   * @throws IllegalArgumentException if the dialect demands something that the event does not say,
   *     or a hash is not that of the value beside it, or an additional member has the name of a
   *     known one
   */
  public EncodedLine encode(ReplayEvent event, Timestamp now) {
    Objects.requireNonNull(now, "now");
    out.reset();
    contentHash = null;
    time = event.time() != null ? event.time() : now;
    encode(table(event), event, now);
    out.raw('\n');
    return new EncodedLine(time, contentHash, out.size());
  }

  /** Hands the line that was encoded last to a stream, in one call. */
  public void writeTo(OutputStream stream) throws IOException {
    out.writeTo(stream);
  }

  @SuppressWarnings("unchecked") // the table of a kind is the table of that event
  private Table<ReplayEvent> table(ReplayEvent event) {
    return (Table<ReplayEvent>) dialect.codec().table(event.kind());
  }

  private <E extends ReplayEvent> void encode(Table<E> table, E event, Timestamp now) {
    JsonObject extra = event.meta().extra();
    List<String> names = extra.names().stream().sorted(KeyOrder::compare).toList();
    int next = 0;
    char separator = '{';
    for (Row<E, ?> row : table.sorted()) {
      for (; next < names.size() && KeyOrder.compare(names.get(next), row.name) < 0; next++) {
        separator = member(separator, names.get(next), extra);
      }
      boolean alsoExtra = next < names.size() && names.get(next).equals(row.name);
      JsonValue value = value(row, event, alsoExtra, table.isTime(row) ? now : null);
      if (value != null) {
        out.raw(separator).name(row.name);
        int from = out.size();
        out.value(value);
        if (row.isHashed) {
          hashedFrom = from;
          hashedTo = out.size();
        }
        separator = ',';
      }
    }
    for (; next < names.size(); next++) {
      separator = member(separator, names.get(next), extra);
    }
    if (separator == '{') {
      out.raw('{');
    }
    out.raw('}');
  }

  private char member(char separator, String name, JsonObject extra) {
    JsonValue value = Objects.requireNonNull(extra.get(name));
    out.raw(separator).name(name).value(value);
    return ',';
  }

  /** What to write for a row here; null leaves it out, or to the additional member. */
  private <E extends ReplayEvent> @Nullable JsonValue value(
      Row<E, ?> row, E event, boolean alsoExtra, @Nullable Timestamp now) {
    JsonValue given = row.given(event);
    if (given != null && alsoExtra) {
      throw invalid(event, "has the member " + row.name + " twice: known and additional");
    }
    if (row.hashed != null) {
      return hash(row, event, given, alsoExtra);
    }
    if (given != null || alsoExtra) {
      return given;
    }
    JsonValue fallback =
        now == null ? row.fallback(event) : FieldType.TIME.write().apply(now);
    if (fallback == null && row.presence == Presence.NULLABLE) {
      return JsonNull.NULL;
    }
    if (fallback == null && row.presence != Presence.OPTIONAL) {
      throw invalid(event, "needs " + row.name + " in the dialect " + dialect.id());
    }
    return fallback;
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
      return JsonString.of(computed.toString());
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
