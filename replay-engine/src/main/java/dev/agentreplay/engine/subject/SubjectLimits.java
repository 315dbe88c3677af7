package dev.agentreplay.engine.subject;

import java.time.Duration;
import java.util.Objects;

/**
 * The limits of a subject. Immutable.
 *
 * @param maxLineBytes the maximum length of a line from the subject, in bytes; 64 MiB by default
 * @param maxOutstanding the maximum number of requests that are not answered yet; 1,000 by default
 * @param hello the time in which the subject must send its first message; 30 s by default
 * @param grace the time in which the subject must exit after it has ended, was stopped, or closed
 *     its input or output; 10 s by default
 */
public record SubjectLimits(int maxLineBytes, int maxOutstanding, Duration hello, Duration grace) {

  private static final SubjectLimits DEFAULTS =
      new SubjectLimits(64 << 20, 1_000, Duration.ofSeconds(30), Duration.ofSeconds(10));

  /** Checks the ranges. */
  public SubjectLimits {
    Objects.requireNonNull(hello, "hello");
    Objects.requireNonNull(grace, "grace");
    if (maxLineBytes < 1 || maxOutstanding < 1 || !isPositive(hello) || !isPositive(grace)) {
      throw new IllegalArgumentException("limits must be positive: %d bytes, %d requests, %s, %s"
          .formatted(maxLineBytes, maxOutstanding, hello, grace));
    }
  }

  /** The default limits. */
  public static SubjectLimits defaults() {
    return DEFAULTS;
  }

  /** Returns these limits with a different maximum length of a line. */
  public SubjectLimits withMaxLineBytes(int bytes) {
    return new SubjectLimits(bytes, maxOutstanding, hello, grace);
  }

  /** Returns these limits with a different maximum number of requests that are not answered. */
  public SubjectLimits withMaxOutstanding(int requests) {
    return new SubjectLimits(maxLineBytes, requests, hello, grace);
  }

  /** Returns these limits with a different time for the first message. */
  public SubjectLimits withHello(Duration time) {
    return new SubjectLimits(maxLineBytes, maxOutstanding, time, grace);
  }

  /** Returns these limits with a different time in which the subject must exit. */
  public SubjectLimits withGrace(Duration newGrace) {
    return new SubjectLimits(maxLineBytes, maxOutstanding, hello, newGrace);
  }

  private static boolean isPositive(Duration time) {
    return !time.isNegative() && !time.isZero();
  }
}
