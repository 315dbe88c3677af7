package dev.agentreplay.engine.diff.pattern;

import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Patterns of ids in texts, as {@link dev.agentreplay.engine.diff.rule.Ignore} documents them. */
public final class IdPatterns {

  /** A UUID (RFC 9562) of any version. */
  public static final Pattern UUID = Pattern.compile(
      "(?=[0-9A-Fa-f])(?<![0-9A-Za-z])[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}(?![0-9A-Za-z])");

  /** A ULID: 26 characters in Crockford's base 32 with at least one letter. */
  public static final Pattern ULID =
      Pattern.compile("(?=[0-7])(?<![0-9A-Za-z_])(?=[0-9]{1,25}+[A-Z])"
          + "[0-7][0-9A-HJKMNP-TV-Z]{25}(?![0-9A-Za-z_])");

  /**
   * An id with the prefix of a well-known service, such as of a call or a message, if
   * {@link #isMeant} accepts the match.
   */
  public static final Pattern PREFIXED = Pattern.compile("(?=[abcefgmrst])(?<![0-9A-Za-z_])"
      + "(?:call|toolu|srvtoolu|tooluse|chatcmpl|chatcmpl-tool|cmpl|msg|resp|req|rs|fc|run|thread"
      + "|asst|evt|batch|gen|trace|span|sess)[_-]"
      + "([0-9A-Za-z]{12,64}+)(?![0-9A-Za-z_])");

  private static final int LONG_HEX = 16;
  private static final int LONG = 20;

  private IdPatterns() {}

  /** Whether a match is an id; a prefix may also be followed by words. */
  public static boolean isMeant(MatchResult match) {
    return match.groupCount() == 0 || isRandom(match.group(1));
  }

  /** Whether letters and digits alternate too often for words followed by numbers. */
  private static boolean isRandom(String id) {
    boolean isHex = true;
    int pieces = 0;
    int numbers = 0;
    for (int i = 0; i < id.length(); i++) {
      char c = id.charAt(i);
      char before = i == 0 ? ' ' : id.charAt(i - 1);
      isHex &= Character.digit(c, 16) >= 0;
      if (isDigit(c) != isDigit(before) || i == 0) {
        pieces++;
        numbers += isDigit(c) ? 1 : 0;
      } else if (isCapital(c)) {
        boolean isWithinCapitals =
            isCapital(before) && (i + 1 == id.length() || !isSmall(id.charAt(i + 1)));
        pieces += isWithinCapitals ? 0 : 1;
      }
    }
    return (isHex && numbers > 0 && pieces > 1 && id.length() >= LONG_HEX)
        || 2 * pieces >= id.length()
        || (3 * pieces >= id.length() && (numbers > 1 || id.length() >= LONG));
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isCapital(char c) {
    return c >= 'A' && c <= 'Z';
  }

  private static boolean isSmall(char c) {
    return c >= 'a' && c <= 'z';
  }
}
