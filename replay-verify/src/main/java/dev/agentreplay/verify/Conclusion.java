package dev.agentreplay.verify;

import java.util.Objects;

/**
 * One thing that a verification proved, or that it did not.
 *
 * @param claim what it is, for programs
 * @param isProved whether it is proved
 * @param text to what extent, and by what; or what is not proved, and why: for people
 */
public record Conclusion(Claim claim, boolean isProved, String text) {

  /** Checks for null. */
  public Conclusion {
    Objects.requireNonNull(claim, "claim");
    Objects.requireNonNull(text, "text");
  }
}
