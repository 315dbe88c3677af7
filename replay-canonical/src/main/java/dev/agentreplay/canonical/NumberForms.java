package dev.agentreplay.canonical;

import dev.agentreplay.model.json.JsonNumber;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The values of the texts of numbers, and whether the texts are canonical. Keeps those of recent
 * short texts. Not safe for use by several threads.
 */
final class NumberForms {

  /**
   * A parsed number.
   *
   * @param canonical whether its text is its canonical form {@code serde}
   * @param portable whether the canonical form is the same in every canonicalization
   */
  record Form(JsonNumber value, boolean canonical, boolean portable) {}

  private final NumberWriter writer = new NumberWriter(Canonicalization.SERDE, false);
  private final byte[] written = new byte[NumberWriter.MAX_BYTES];
  private final TextCache<Form> known = new TextCache<>();

  /**
   * The number in a range of an array, which has to be a number by the grammar.
   *
   * @param integer whether it has neither a fraction nor an exponent
   * @throws IllegalArgumentException if it is not finite as a double
   */
  Form of(byte[] bytes, int from, int to, boolean integer) {
    boolean isShort = to - from <= TextCache.MAX_LENGTH;
    Form form = isShort ? known.find(bytes, from, to) : null;
    if (form == null) {
      form = create(bytes, from, to, integer);
      if (isShort) {
        known.put(form);
      }
    }
    return form;
  }

  /** Whether the number in a range has this form in every canonicalization; false if invalid. */
  boolean isCommonForm(byte[] bytes, int from, int to, boolean integer) {
    try {
      Form form = of(bytes, from, to, integer);
      return form.canonical() && form.portable();
    } catch (IllegalArgumentException beyondRange) {
      return false;
    }
  }

  private Form create(byte[] bytes, int from, int to, boolean integer) {
    String text = new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    JsonNumber value = JsonNumber.of(text);
    writer.reset();
    int length = writer.write(bytes, from, to, integer, written, 0);
    return new Form(value, Arrays.equals(bytes, from, to, written, 0, length), writer.isPortable());
  }
}
