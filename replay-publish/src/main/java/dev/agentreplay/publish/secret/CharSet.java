package dev.agentreplay.publish.secret;

/**
 * A set of characters: of each ASCII character whether it is in the set, and of all others together
 * whether any of them may be. Immutable.
 *
 * @param low the characters 0 to 63, a bit each
 * @param high the characters 64 to 127, a bit each
 * @param hasOther whether the set may have a character above 127
 * @param isOpen whether it may have others than U+212A and U+017F, the other forms of K and S
 * @param hasEnd whether the set has the end of the text, which counts as a symbol of its own
 */
record CharSet(long low, long high, boolean hasOther, boolean isOpen, boolean hasEnd) {

  static final CharSet NONE = new CharSet(0, 0, false, false, false);
  static final CharSet ALL = new CharSet(-1L, -1L, true, true, false);
  static final CharSet TEXT_END = new CharSet(0, 0, false, false, true);
  static final CharSet LINE_FEED = of('\n');
  static final CharSet DIGITS = range('0', '9');
  static final CharSet WORD = DIGITS.or(range('a', 'z')).or(range('A', 'Z')).or(of('_'));
  static final CharSet SPACES = of('\t').or(of('\n')).or(of('\f')).or(of('\r')).or(of(' '));

  /** The number of symbols: each ASCII character, one for all others, and the end of the text. */
  static final int SYMBOLS = 130;

  /** The symbol of all characters above 127. */
  static final int OTHER = 128;

  /** The symbol of the end of the text. */
  static final int END = 129;

  private static final CharSet LETTERS_WITH_OTHER_FORMS =
      of('k').or(of('s')).or(of('K')).or(of('S'));

  static CharSet of(int codePoint) {
    return range(codePoint, codePoint);
  }

  static CharSet range(int from, int to) {
    long low = 0;
    long high = 0;
    for (int c = from; c <= Math.min(to, 127); c++) {
      if (c < 64) {
        low |= 1L << c;
      } else {
        high |= 1L << (c - 64);
      }
    }
    return new CharSet(low, high, to > 127, to > 127, false);
  }

  boolean has(int symbol) {
    if (symbol >= OTHER) {
      return symbol == OTHER ? hasOther : hasEnd;
    }
    return ((symbol < 64 ? low >>> symbol : high >>> (symbol - 64)) & 1) != 0;
  }

  CharSet or(CharSet more) {
    return new CharSet(
        low | more.low, high | more.high, hasOther || more.hasOther, isOpen || more.isOpen, false);
  }

  /** The characters that are not in this set; others may be in both. */
  CharSet negate() {
    return new CharSet(~low, ~high, true, true, false);
  }

  /** This set with the other case of each letter; K and S are also the folded forms of others. */
  CharSet ignoringCase() {
    long letters = 0x07ff_fffeL;
    long upper = high & letters;
    long lower = high >>> 32 & letters;
    long both = upper | lower;
    CharSet folded = new CharSet(low, high | both | both << 32, hasOther, isOpen, false);
    if (folded.hasOther) {
      folded = folded.or(LETTERS_WITH_OTHER_FORMS);
    } else if ((folded.high & LETTERS_WITH_OTHER_FORMS.high) != 0) {
      folded = new CharSet(folded.low, folded.high, true, false, false);
    }
    return folded;
  }

  /**
   * The characters of this set, letters in lower case; empty if there are more than a number of
   * them, or others than those of ASCII and of K and S.
   */
  String lowerCase(int most) {
    if (Long.bitCount(low) + Long.bitCount(high) > 2 * most) {
      return "";
    }
    StringBuilder chars = new StringBuilder();
    for (int c = 0; c < OTHER; c++) {
      if (has(c) && !(c >= 'A' && c <= 'Z' && has(c + ('a' - 'A')))) {
        chars.append((char) lower(c));
      }
    }
    return chars.length() > most || isOpen ? "" : chars.toString();
  }

  static int lower(int c) {
    return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
  }
}
