package dev.agentreplay.publish.secret;

import java.util.Objects;

/**
 * A secret that was found in a text.
 *
 * @param rule the id of the rule that found it
 * @param from the index of its first character in the text (UTF-16 code units)
 * @param to the index after its last character
 */
public record SecretMatch(String rule, int from, int to) {

  /**
   * Checks for null and the range.
   *
   * @throws IllegalArgumentException unless {@code 0 <= from < to}
   */
  public SecretMatch {
    Objects.requireNonNull(rule, "rule");
    if (from < 0 || to <= from) {
      throw new IllegalArgumentException("a match must not be empty: %d to %d".formatted(from, to));
    }
  }
}
