package dev.agentreplay.publish.policy;

import java.util.regex.Pattern;

/**
 * Digests in a text of which a part is replaced, such as those in the {@code index} line of a
 * {@code git diff}: a reader could test guesses of the replaced part with them.
 */
final class Digests {

  /** Hexadecimal digits, of which some are digits and some are letters. */
  private static final Pattern DIGEST =
      Pattern.compile("(?<![0-9A-Za-z_-])(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{7,128}"
          + "(?![0-9A-Za-z_-])");

  private static final String MARK = "[REDACTED:digest]";

  private Digests() {}

  static String redact(String text) {
    return DIGEST.matcher(text).replaceAll(MARK);
  }
}
