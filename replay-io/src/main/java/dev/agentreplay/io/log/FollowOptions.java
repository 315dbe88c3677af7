package dev.agentreplay.io.log;

import java.time.Duration;
import java.util.Objects;

/**
 * The options for following a log. Immutable.
 *
 * @param reader the options for reading its lines
 * @param pollInterval the time that a {@link LogFollower} waits before it checks the file again:
 *     from 1 ms to 1 h; 50 ms by default
 * @param awaitsFile whether the follower waits for a log that does not exist yet; false by default:
 *     a missing log is refused
 */
public record FollowOptions(ReaderOptions reader, Duration pollInterval, boolean awaitsFile) {

  private static final Duration MAX_POLL_INTERVAL = Duration.ofHours(1);

  private static final FollowOptions DEFAULTS =
      new FollowOptions(ReaderOptions.defaults(), Duration.ofMillis(50), false);

  /**
   * Checks for null, and the range of the interval.
   *
   * @throws IllegalArgumentException if the interval is out of range
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

  /** Returns these options with different options for reading lines. */
  public FollowOptions withReader(ReaderOptions newReader) {
    return new FollowOptions(newReader, pollInterval, awaitsFile);
  }

  /** Returns these options with a different poll interval. */
  public FollowOptions withPollInterval(Duration newPollInterval) {
    return new FollowOptions(reader, newPollInterval, awaitsFile);
  }

  /** Returns these options with or without waiting for a missing log. */
  public FollowOptions withAwaitsFile(boolean newAwaitsFile) {
    return new FollowOptions(reader, pollInterval, newAwaitsFile);
  }
}
