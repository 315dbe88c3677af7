package dev.agentreplay.canonical.commitment;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The version and the parameters of a public form. They are fixed when the root of a session is
 * signed, and are the same for all published copies of it.
 *
 * @param padding the multiple to which the numbers of members and elements are rounded up with
 *     decoys, so that a partly shown object or array does not tell how many it has; 1 for none
 */
public record PublicForm(int padding) {

  /** The form without padding. */
  public static final PublicForm DEFAULT = new PublicForm(1);

  /** The largest padding. */
  public static final int MAX_PADDING = 1024;

  static final String VERSION = "replay.public/1";

  private static final Pattern ID = Pattern.compile("replay\\.public/1(?:\\+pad([1-9]\\d{0,3}))?");

  /**
   * Checks the range.
   *
   * @throws IllegalArgumentException unless the padding is from 1 to {@link #MAX_PADDING}
   */
  public PublicForm {
    if (padding < 1 || padding > MAX_PADDING) {
      throw new IllegalArgumentException(
          "padding must be from 1 to %d: %d".formatted(MAX_PADDING, padding));
    }
  }

  /** The text: {@code replay.public/1}, or as in {@code replay.public/1+pad8}. */
  public String id() {
    return padding == 1 ? VERSION : VERSION + "+pad" + padding;
  }

  /** Parses {@link #id}; returns null if it is not one that this version knows. */
  public static @Nullable PublicForm tryParse(String id) {
    Matcher matcher = ID.matcher(id);
    if (!matcher.matches()) {
      return null;
    }
    int padding = matcher.group(1) == null ? 1 : Integer.parseInt(matcher.group(1));
    boolean isCanonical = (padding == 1) == (matcher.group(1) == null);
    return isCanonical && padding <= MAX_PADDING ? new PublicForm(padding) : null;
  }

  /** The number of commitments for so many members or elements: these, and decoys. */
  int slots(int values) {
    int multiples = Math.max(1, (values + padding - 1) / padding);
    return padding == 1 ? values : multiples * padding;
  }
}
