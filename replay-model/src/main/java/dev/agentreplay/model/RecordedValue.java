package dev.agentreplay.model;

import dev.agentreplay.model.json.JsonValue;
import java.util.Objects;

/**
 * A nondeterministic value (time, random number, generated id), recorded so that a replay can
 * return the same one.
 *
 * @param source the source of the value: a constant of this type, a prefix of this type with a
 *     name, or another word
 * @param ordinal the number of values that the source returned in the same lane before this one,
 *     from 0
 * @param value the value
 * @param meta the data common to all events
 */
public record RecordedValue(String source, long ordinal, JsonValue value, Meta meta)
    implements ReplayEvent {

  /** The source of times. */
  public static final String CLOCK = "clock";

  /** The source of times in nanoseconds since an arbitrary origin. */
  public static final String NANO_TIME = "nano_time";

  /** The source of random numbers. */
  public static final String RANDOM = "random";

  /** The source of generated ids. */
  public static final String ID = "id";

  /** The source of random durations that are added to a delay. */
  public static final String JITTER = "jitter";

  /** The source of delays before a repeated attempt. */
  public static final String DELAY = "delay";

  /** The source of permutations of lists. */
  public static final String SHUFFLE = "shuffle";

  /** The source of the names in a directory. */
  public static final String DIRECTORY = "directory";

  /** The source of the paths that match a glob. */
  public static final String GLOB = "glob";

  /** The prefix of the source of an environment variable; the name of the variable follows. */
  public static final String ENVIRONMENT_PREFIX = "environment:";

  /** The prefix of the source of a version of the agent's code; the id of the part follows. */
  public static final String VERSION_PREFIX = "version:";

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
