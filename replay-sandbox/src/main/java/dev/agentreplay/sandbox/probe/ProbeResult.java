package dev.agentreplay.sandbox.probe;

import java.util.Locale;
import java.util.Objects;

/**
 * The result of one probe.
 *
 * @param aspect the kind of isolation
 * @param outcome the outcome
 * @param by the part of the operating system that enforces, as the program in the sandbox saw it;
 *     {@code "none"} if the outcome is not {@link Outcome#ENFORCED}
 * @param detail the attempt and its failure, or the reason of the outcome
 */
public record ProbeResult(Aspect aspect, Outcome outcome, String by, String detail) {

  /** The outcome of a probe. */
  public enum Outcome {
    /** The attempt succeeded outside, and failed inside, where the program was seen to work. */
    ENFORCED,
    /** The attempt succeeded inside. */
    OPEN,
    /** Nothing is shown: the attempt failed outside, too, or the program did not work inside. */
    INCONCLUSIVE;

    /** The text of the constant in JSON. */
    public String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Checks for null. */
  public ProbeResult {
    Objects.requireNonNull(aspect, "aspect");
    Objects.requireNonNull(outcome, "outcome");
    Objects.requireNonNull(by, "by");
    Objects.requireNonNull(detail, "detail");
  }
}
