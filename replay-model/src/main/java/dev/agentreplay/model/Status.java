package dev.agentreplay.model;

import java.util.Locale;
import java.util.Objects;

/**
 * The status with which a session, a step or a payment ended. The specifications spell statuses
 * differently: a status keeps its spelling, and {@link #kind()} is its meaning.
 *
 * @param kind the meaning of the status
 * @param spelling the status as it was written
 */
public record Status(Kind kind, String spelling) {

  /** The meaning of a status. */
  public enum Kind {
    /** Completed successfully. */
    SUCCESS,
    /** Failed. */
    FAILURE,
    /** Cancelled on request. */
    CANCELLED,
    /** Exceeded a time limit. */
    TIMEOUT,
    /** Skipped; used for steps. */
    SKIPPED,
    /** Stopped at the maximum number of attempts; used for steps. */
    MAX_ITERATIONS_REACHED,
    /** A status that this version does not know. */
    OTHER
  }

  /** Completed successfully. */
  public static final Status SUCCESS = new Status(Kind.SUCCESS, "Success");

  /** Failed. */
  public static final Status FAILED = new Status(Kind.FAILURE, "Failed");

  /** Cancelled on request. */
  public static final Status CANCELLED = new Status(Kind.CANCELLED, "Cancelled");

  /** Exceeded a time limit. */
  public static final Status TIMEOUT = new Status(Kind.TIMEOUT, "Timeout");

  /** Skipped; used for steps. */
  public static final Status SKIPPED = new Status(Kind.SKIPPED, "Skipped");

  /** Stopped at the maximum number of attempts; used for steps. */
  public static final Status MAX_ITERATIONS_REACHED =
      new Status(Kind.MAX_ITERATIONS_REACHED, "MaxIterationsReached");

  /** Checks for null. */
  public Status {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(spelling, "spelling");
  }

  /** The kind in lower case, such as {@code success}; for {@link Kind#OTHER} the spelling. */
  public String word() {
    return kind == Kind.OTHER ? spelling : kind.name().toLowerCase(Locale.ROOT);
  }

  /** Whether the kind is {@link Kind#SUCCESS}. */
  public boolean isSuccess() {
    return kind == Kind.SUCCESS;
  }

  /** Parses a status, ignoring case; the kind of an unknown one is {@link Kind#OTHER}. */
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
