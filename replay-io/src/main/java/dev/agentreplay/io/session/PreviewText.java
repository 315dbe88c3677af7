package dev.agentreplay.io.session;

import dev.agentreplay.canonical.JsonSyntaxException;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Excerpt;
import dev.agentreplay.model.text.Preview;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The preview of a value: for a string {@link Preview#ofOutput} of its text, for any other value
 * that of its canonical JSON.
 *
 * @param start the beginning of the preview
 * @param hash the hash of the preview, so that many previews can be kept
 */
public record PreviewText(String start, ContentHash hash) {

  /**
   * The number of bytes of canonical JSON that surely hold the characters that a preview takes from
   * either end: an escaped character has six.
   */
  private static final int END_BYTES = 8_000;

  /** The same for the preview of a stream, which has five times as many characters. */
  private static final int STREAM_END_BYTES = 5 * END_BYTES;

  /** The bytes of an end that a preview never needs. */
  private static final int SPARE_BYTES = 1_900;

  private static final int ESCAPE_BYTES = 6;

  /**
   * The full preview of a value.
   *
   * @param json the canonical JSON of the value
   */
  public static String of(JsonValue value, byte[] json) {
    return Preview.ofOutput(value instanceof JsonString text ? text.value() : plain(json));
  }

  /** The preview of a text. */
  public static PreviewText ofText(String text) {
    return ofPreview(Preview.ofOutput(text));
  }

  /** A preview that was made already. */
  public static PreviewText ofPreview(String preview) {
    return new PreviewText(Excerpt.of(preview), hashOf(preview));
  }

  /** The preview of a value, from its canonical JSON; null if that is not JSON. */
  public static @Nullable PreviewText ofJson(byte[] json) {
    if (json.length == 0 || json[0] != '"') {
      return ofText(plain(json));
    }
    try {
      return JsonText.parse(ends(json, END_BYTES)) instanceof JsonString text
          ? ofText(text.value())
          : null;
    } catch (JsonSyntaxException notJson) {
      return null;
    }
  }

  /**
   * The preview of a stream ({@link Preview#ofStream}) that is a member of a value; null if the
   * value is not an object that has this member, or the member is not a string.
   *
   * @param json the canonical JSON of the value
   */
  static @Nullable PreviewText ofStream(byte[] json, String member) {
    byte[] text = CanonicalMember.find(json, member);
    if (text == null || text[0] != '"') {
      return null;
    }
    try {
      return JsonText.parse(ends(text, STREAM_END_BYTES)) instanceof JsonString string
          ? ofPreview(Preview.ofStream(string.value()))
          : null;
    } catch (JsonSyntaxException notJson) {
      return null;
    }
  }

  private static String plain(byte[] json) {
    return new String(ends(json, END_BYTES), StandardCharsets.UTF_8);
  }

  /** The JSON of a long text without its middle, which the preview does not have either. */
  private static byte[] ends(byte[] json, int endBytes) {
    if (json.length <= 3 * endBytes) {
      return json;
    }
    int head = between(json, endBytes);
    int tail = between(json, json.length - endBytes);
    if (head < endBytes - SPARE_BYTES || tail <= head) {
      return json;
    }
    byte[] ends = Arrays.copyOf(json, head + json.length - tail);
    System.arraycopy(json, tail, ends, head, json.length - tail);
    return ends;
  }

  /** The last index up to a given one that is surely between two characters; 0 if there is none. */
  private static int between(byte[] json, int upTo) {
    int place = upTo;
    int plain = 0; // the bytes before the index that do not begin an escape
    for (int at = upTo - 1; at > 0 && plain < ESCAPE_BYTES; at--) {
      boolean isWithinCharacter = plain == 0 && (json[at + 1] & 0xc0) == 0x80;
      if (json[at] == '\\' || isWithinCharacter) {
        place = at;
        plain = 0;
      } else {
        plain++;
      }
    }
    return plain < ESCAPE_BYTES ? 0 : place;
  }

  /** Whether a stated preview equals this one. */
  public boolean is(String stated) {
    return hashOf(stated).equals(hash);
  }

  private static ContentHash hashOf(String text) {
    return ContentHash.sha256(text.getBytes(StandardCharsets.UTF_8));
  }
}
