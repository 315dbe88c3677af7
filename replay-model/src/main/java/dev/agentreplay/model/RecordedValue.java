package dev.agentreplay.model;

import dev.agentreplay.model.json.JsonValue;
import java.util.Objects;

/**
 * A nondeterministic value (time, random number, generated id), recorded so that a replay can
 * return the same one.
 *
 * @param source the source of the value: {@link #CLOCK}, {@link #RANDOM}, {@link #ID}, or another
 *     word
 * @param ordinal the number of values that the source returned before this one, from 0
 * @param value the value
 * @param meta the data common to all events
 */
public record RecordedValue(String source, long ordinal, JsonValue value, Meta meta)
    implements ReplayEvent {

  /** The source of times. */
  public static final String CLOCK = "clock";

  /** The source of random numbers. */
  public static final String RANDOM = "random";

  /** The source of generated ids. */
  public static final String ID = "id";

  /** Checks for null. */
  public RecordedValue {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(meta, "meta");
  }

  /** Creates the event for a value of a source. */
  public static RecordedValue of(String source, long ordinal, JsonValue value) {
    return new RecordedValue(source, ordinal, value, Meta.NONE);
  }

  @Override
  public EventKind kind() {
    return EventKind.RECORDED_VALUE;
  }

  @Override
  public String name() {
    return source;
  }

  @Override
  public RecordedValue withMeta(Meta newMeta) {
    return new RecordedValue(source, ordinal, value, newMeta);
  }
}
