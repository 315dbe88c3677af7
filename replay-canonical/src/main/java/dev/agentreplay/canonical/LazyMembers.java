package dev.agentreplay.canonical;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.json.UncheckedValues;
import org.jspecify.annotations.Nullable;

/**
 * Checks long values that are members of the outermost object of a text, and leaves them to be
 * parsed when they are first used. Not safe for use by several threads.
 */
final class LazyMembers {

  /**
   * The minimum length of the text from an array, object or string with escape sequences on, so
   * that the value may be parsed later: a short one is parsed as fast as it is checked.
   */
  private static final int MIN_REST = 256;

  /** The maximum length of a string without escape sequences that is not parsed later. */
  private static final int MAX_EAGER_STRING = 128;

  /**
   * The maximum number of times that a text may be as long as a value that is parsed later, and
   * keeps the text until then.
   */
  private static final int MAX_TIMES_KEPT = 4;

  /**
   * The part of a text that may be checked in vain; then no further values are checked before they
   * are parsed.
   */
  private static final int MAX_IN_VAIN = 16;

  /** The length of a hash with its prefix. */
  private static final int HASH_LENGTH = "sha256:".length() + ContentHash.HEX_LENGTH;

  /** The maximum length of a text whose times and hashes are parsed without creating a string. */
  private static final int MAX_TEXT_OF_TIMES = 1 << 12;

  private final CanonicalSkipper skipper;

  /** The number of bytes of values of the text that were checked, and then parsed at once. */
  private int inVain;

  private int end;

  LazyMembers(JsonLimits limits, NumberForms numbers) {
    skipper = new CanonicalSkipper(limits, numbers);
  }

  /** Begins a text. */
  void begin() {
    inVain = 0;
  }

  /** Drops the reference to the text. */
  void forget() {
    skipper.forget();
  }

  /** The index after the value that was returned last. */
  int end() {
    return end;
  }

  /** The array or object at the index of a scanner; null if it has to be parsed now. */
  @Nullable
  JsonValue container(JsonScanner text) {
    if (!mayBeLong(text)) {
      return null;
    }
    end = skipper.skip(text, 1);
    if (!isLeftForLater(text)) {
      return null;
    }
    CanonicalText json = new CanonicalText(text.bytes, text.at, end, false);
    return text.bytes[text.at] == '{'
        ? UncheckedValues.object(json, skipper.depth())
        : UncheckedValues.array(json, skipper.depth());
  }

  /**
   * The string at the index of a scanner; null if it has to be parsed now.
   *
   * @param plainTo the index of its first byte that is not plain
   * @param isPlain whether that is its closing quote
   */
  @Nullable
  JsonString string(JsonScanner text, int plainTo, boolean isPlain) {
    if (isPlain) {
      if (!isSkippedIfPlain(text, text.at + 1, plainTo - text.at - 1)) {
        return null;
      }
      end = plainTo + 1;
    } else {
      if (!mayBeLong(text)) {
        return null;
      }
      end = skipper.skipString(text, plainTo);
      if (!isLeftForLater(text)) {
        return null;
      }
    }
    return UncheckedValues.string(new CanonicalText(text.bytes, text.at, end, isPlain));
  }

  /** Whether the value at the current index may be so long that it is checked instead of parsed. */
  private boolean mayBeLong(JsonScanner text) {
    int rest = text.to - text.at;
    return rest >= MIN_REST && isLargePart(text, rest) && inVain <= text.to / MAX_IN_VAIN;
  }

  /** Whether a value of this length may keep the whole text until it is used. */
  private static boolean isLargePart(JsonScanner text, int length) {
    return length >= text.to / MAX_TIMES_KEPT;
  }

  /** Whether the value that was checked is parsed later; otherwise it was checked in vain. */
  private boolean isLeftForLater(JsonScanner text) {
    boolean isKnown = end != CanonicalSkipper.UNKNOWN;
    if (isKnown && isLargePart(text, end - text.at)) {
      return true;
    }
    inVain = isKnown ? inVain + end - text.at : text.to;
    return false;
  }

  /**
   * Whether a string without escape sequences is long, or likely to be read as a time or a hash,
   * and not as a string.
   */
  private static boolean isSkippedIfPlain(JsonScanner text, int start, int length) {
    if (length > MAX_EAGER_STRING) {
      return isLargePart(text, length);
    }
    if (text.to > MAX_TEXT_OF_TIMES) {
      return false;
    }
    byte[] bytes = text.bytes;
    return length == HASH_LENGTH
        ? bytes[start + 6] == ':'
        : length > JsonParser.MAX_KNOWN_STRING
            && bytes[start + 4] == '-'
            && bytes[start + 10] == 'T';
  }
}
