package dev.agentreplay.model;

import dev.agentreplay.model.json.JsonValue;
import java.util.Objects;

/**
 * A value that is another one each time was handed out: a replay hands out the same.
 *
 * @param source what handed it out: {@link #CLOCK}, {@link #RANDOM}, {@link #ID}, or another word
 * @param ordinal how many values of that source were handed out before it, from 0
 * @param value the value
 * @param meta what every event has
 */
public record RecordedValue(String source, long ordinal, JsonValue value, Meta meta)
    implements ReplayEvent {

  /** The source of times. */
  public static final String CLOCK = "clock";

  /** The source of random numbers. */
  public static final String RANDOM = "random";

  /** The source of ids. */
  public static final String ID = "id";

  /** Checks for null. */
  public RecordedValue {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(meta, "meta");
  }

  /** A value of a source. */
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
