package dev.agentreplay.canonical;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.json.LazyText;
import dev.agentreplay.model.json.UncheckedValues;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The text of a value that is the same in every canonical form, within the default limits. */
final class CanonicalText extends LazyText {

  private static final VarHandle LONG = JsonScanner.LONG;

  /** Whether it is a string of ASCII characters without escape sequences. */
  private final boolean isPlainString;

  CanonicalText(byte[] bytes, int from, int to, boolean isPlainString) {
    super(bytes, from, to);
    this.isPlainString = isPlainString;
  }

  @Override
  protected JsonValue parse(byte[] utf8, int first, int end) {
    if (utf8[first] != '"') {
      return JsonText.parse(utf8, first, end);
    }
    return UncheckedValues.string(
        isPlainString
            ? new String(utf8, first + 1, end - first - 2, StandardCharsets.ISO_8859_1)
            : decode(utf8, first + 1, end - 1));
  }

  /** The text of a canonical string without its quotes. */
  private static String decode(byte[] in, int from, int to) {
    byte[] out = new byte[to - from + Long.BYTES];
    long all = 0;
    int i = from;
    int o = 0;
    while (i < to) {
      while (i <= to - Long.BYTES) {
        long eight = (long) LONG.get(in, i);
        LONG.set(out, o, eight);
        all |= eight;
        long backslashes = JsonScanner.backslashes(eight);
        if (backslashes != 0) {
          int plain = Long.numberOfTrailingZeros(backslashes) >>> 3;
          i += plain;
          o += plain;
          break;
        }
        i += Long.BYTES;
        o += Long.BYTES;
      }
      if (i < to) {
        if (in[i] == '\\') {
          byte escaped = JsonScanner.ESCAPED[in[i + 1]];
          boolean isShort = escaped != 0;
          out[o++] = isShort ? escaped : (byte) CharacterWriter.escaped(in, i);
          i += isShort ? 2 : CharacterWriter.MAX_BYTES;
        } else {
          all |= in[i];
          out[o++] = in[i++];
        }
      }
    }
    boolean ascii = (all & JsonScanner.HIGH_BITS) == 0;
    return new String(out, 0, o, ascii ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8);
  }

  /** The hash that a string denotes, as {@link ContentHash#tryParseAnyForm(String)} reads it. */
  static @Nullable ContentHash hash(JsonString string) {
    CanonicalText text = of(string);
    byte[] utf8 = text == null ? null : text.bytes();
    return text == null || utf8 == null
        ? ContentHash.tryParseAnyForm(string.value())
        : ContentHash.tryParseAnyForm(utf8, text.from() + 1, text.to() - 1);
  }

  /** The time that a string denotes, as {@link Timestamp#tryParse(String)} reads it. */
  static @Nullable Timestamp time(JsonString string) {
    CanonicalText text = of(string);
    byte[] utf8 = text == null ? null : text.bytes();
    return text == null || utf8 == null
        ? Timestamp.tryParse(string.value())
        : Timestamp.tryParse(utf8, text.from() + 1, text.to() - 1);
  }

  private static @Nullable CanonicalText of(JsonString string) {
    return UncheckedValues.lazyText(string) instanceof CanonicalText text ? text : null;
  }

  /** Writes the text, unless the value was created. Returns whether it was written. */
  boolean writeTo(CanonicalWriter writer) {
    byte[] text = bytes();
    if (text == null) {
      return false;
    }
    writer.copy(text, from(), to());
    return true;
  }
}
