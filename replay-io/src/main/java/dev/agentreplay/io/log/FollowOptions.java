package dev.agentreplay.io.log;

import java.time.Duration;
import java.util.Objects;

/**
 * How a log is followed.
 *
 * @param reader how its lines are read
 * @param pollInterval how long a {@link LogFollower} waits before it looks again: from 1 ms to 1 h;
 *     50 ms by default
 * @param awaitsFile whether a log that is not there yet is waited for, instead of being refused;
 *     not by default
 */
public record FollowOptions(ReaderOptions reader, Duration pollInterval, boolean awaitsFile) {

  private static final Duration MAX_POLL_INTERVAL = Duration.ofHours(1);

  private static final FollowOptions DEFAULTS =
      new FollowOptions(ReaderOptions.defaults(), Duration.ofMillis(50), false);

  /**
   * Checks for null, and the range of the interval.
   *
   * @throws IllegalArgumentException if the interval is out of its range
   */
  public FollowOptions {
    Objects.requireNonNull(reader, "reader");
    if (pollInterval.compareTo(Duration.ofMillis(1)) < 0
        || pollInterval.compareTo(MAX_POLL_INTERVAL) > 0) {
      throw new IllegalArgumentException("pollInterval must be from 1 ms to 1 h: " + pollInterval);
    }
  }

  /** The default options. */
  public static FollowOptions defaults() {
    return DEFAULTS;
  }

  /** With the lines being read in another way. */
  public FollowOptions withReader(ReaderOptions newReader) {
    return new FollowOptions(newReader, pollInterval, awaitsFile);
  }

  /** With another time between two looks at the log. */
  public FollowOptions withPollInterval(Duration newPollInterval) {
    return new FollowOptions(reader, newPollInterval, awaitsFile);
  }

  /** With the log being waited for, or not. */
  public FollowOptions withAwaitsFile(boolean newAwaitsFile) {
    return new FollowOptions(reader, pollInterval, newAwaitsFile);
  }
}
