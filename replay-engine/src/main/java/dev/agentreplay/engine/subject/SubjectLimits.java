package dev.agentreplay.engine.subject;

import java.time.Duration;
import java.util.Objects;

/**
 * The limits of a subject. Immutable.
 *
 * @param maxLineBytes the maximum length of a line from the subject, in bytes; 64 MiB by default
 * @param maxOutstanding the maximum number of requests that are not answered yet; 1,000 by default
 * @param grace the time in which the subject must exit after it has ended, was stopped, or closed
 *     its input or output; 10 s by default
 */
public record SubjectLimits(int maxLineBytes, int maxOutstanding, Duration grace) {

  private static final SubjectLimits DEFAULTS =
      new SubjectLimits(64 << 20, 1_000, Duration.ofSeconds(10));

  /** Checks the ranges. */
  public SubjectLimits {
    Objects.requireNonNull(grace, "grace");
    if (maxLineBytes < 1 || maxOutstanding < 1 || grace.isNegative() || grace.isZero()) {
      throw new IllegalArgumentException("limits must be positive: %d bytes, %d requests, %s"
          .formatted(maxLineBytes, maxOutstanding, grace));
    }
  }

  /** The default limits. */
  public static SubjectLimits defaults() {
    return DEFAULTS;
  }

  /** Returns these limits with a different maximum length of a line. */
  public SubjectLimits withMaxLineBytes(int bytes) {
    return new SubjectLimits(bytes, maxOutstanding, grace);
  }

  /** Returns these limits with a different maximum number of requests that are not answered. */
  public SubjectLimits withMaxOutstanding(int requests) {
    return new SubjectLimits(maxLineBytes, requests, grace);
  }

  /** Returns these limits with a different time in which the subject must exit. */
  public SubjectLimits withGrace(Duration newGrace) {
    return new SubjectLimits(maxLineBytes, maxOutstanding, newGrace);
  }
}
