package dev.agentreplay.langchain4j;

import dev.agentreplay.model.Meta;
import dev.agentreplay.model.json.JsonObject;
import java.nio.ByteBuffer;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The well-formed texts of one event. A model may cut a text in the middle of a character; the half
 * of a surrogate pair that is left has no UTF-8 form (RFC 3629, section 3). It is written as
 * U+FFFD, and the exact text in the additional member {@code utf16}: by the JSON Pointer of the
 * text, or of the value that was made from it, the base64 form of its UTF-16BE code units. Not safe
 * for use by several threads.
 */
final class WellFormedTexts {

  private static final String EXACT = "utf16";

  private JsonObject exact = JsonObject.EMPTY;
  private JsonObject additional = JsonObject.EMPTY;

  /** A text as it can be written. */
  static String wellFormed(String text) {
    return isWellFormed(text)
        ? text
        : text.codePoints()
            .map(point -> isSurrogate(point) ? '\ufffd' : point)
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
            .toString();
  }

  static boolean isWellFormed(String text) {
    return text.codePoints().noneMatch(WellFormedTexts::isSurrogate);
  }

  /** A text as it can be written at a place of the event. */
  String at(String pointer, String text) {
    if (isWellFormed(text)) {
      return text;
    }
    keepExact(pointer, text);
    return wellFormed(text);
  }

  /** Keeps a text as it is, beside what is written of it. */
  void keepExact(String pointer, String text) {
    ByteBuffer units = ByteBuffer.allocate(Math.multiplyExact(text.length(), Character.BYTES));
    units.asCharBuffer().put(text);
    exact = exact.with(pointer, Base64.getEncoder().encodeToString(units.array()));
  }

  /** Adds a member to the event. */
  void add(String name, @Nullable Object value) {
    additional = additional.with(name, value);
  }

  /** The additional members of the event. */
  Meta meta() {
    return Meta.NONE.withExtra(exact.isEmpty() ? additional : additional.with(EXACT, exact));
  }

  /** Of the code points of a text, only halves of pairs are surrogates. */
  private static boolean isSurrogate(int codePoint) {
    return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
  }
}
