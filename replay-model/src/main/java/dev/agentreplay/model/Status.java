package dev.agentreplay.model;

import java.util.Locale;
import java.util.Objects;

/**
 * How a session or a step ended. The specifications spell it differently; a status keeps its
 * spelling, and {@link #kind()} says what is meant.
 *
 * @param kind what is meant
 * @param spelling how it was written
 */
public record Status(Kind kind, String spelling) {

  /** What a status means. */
  public enum Kind {
    /** It succeeded. */
    SUCCESS,
    /** It failed. */
    FAILURE,
    /** It was given up on request. */
    CANCELLED,
    /** It took too long. */
    TIMEOUT,
    /** A step was left out. */
    SKIPPED,
    /** A step was tried as often as was allowed. */
    MAX_ITERATIONS_REACHED,
    /** A status that this version does not know. */
    OTHER
  }

  /** It succeeded. */
  public static final Status SUCCESS = new Status(Kind.SUCCESS, "Success");

  /** It failed. */
  public static final Status FAILED = new Status(Kind.FAILURE, "Failed");

  /** It was given up on request. */
  public static final Status CANCELLED = new Status(Kind.CANCELLED, "Cancelled");

  /** It took too long. */
  public static final Status TIMEOUT = new Status(Kind.TIMEOUT, "Timeout");

  /** A step was left out. */
  public static final Status SKIPPED = new Status(Kind.SKIPPED, "Skipped");

  /** A step was tried as often as was allowed. */
  public static final Status MAX_ITERATIONS_REACHED =
      new Status(Kind.MAX_ITERATIONS_REACHED, "MaxIterationsReached");

  /** Checks for null. */
  public Status {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(spelling, "spelling");
  }

  /** Its kind in lower case, such as {@code success}; the spelling of a kind not known. */
  public String word() {
    return kind == Kind.OTHER ? spelling : kind.name().toLowerCase(Locale.ROOT);
  }

  /** Whether it succeeded. */
  public boolean isSuccess() {
    return kind == Kind.SUCCESS;
  }

  /** Reads a status without regard to case; one that is not known is of kind {@code OTHER}. */
  public static Status parse(String spelling) {
    Kind kind =
        switch (spelling.toLowerCase(Locale.ROOT)) {
          case "success" -> Kind.SUCCESS;
          case "failed", "failure" -> Kind.FAILURE;
          case "cancelled", "canceled" -> Kind.CANCELLED;
          case "timeout" -> Kind.TIMEOUT;
          case "skipped" -> Kind.SKIPPED;
          case "maxiterationsreached", "max_iterations_reached" -> Kind.MAX_ITERATIONS_REACHED;
          default -> Kind.OTHER;
        };
    return new Status(kind, spelling);
  }
}
