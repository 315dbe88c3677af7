package dev.agentreplay.canonical;

import dev.agentreplay.canonical.JsonSyntaxException.Reason;
import dev.agentreplay.model.internal.Excerpt;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonBoolean;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Reads one JSON value from UTF-8 bytes. */
final class JsonParser {

  private static final int END = -1;

  private final byte[] bytes;
  private final int from;
  private final int to;
  private int at;

  JsonParser(byte[] bytes, int from, int to) {
    this.bytes = bytes;
    this.from = from;
    this.to = to;
    this.at = from;
  }

  JsonValue parse() {
    if (to - from >= 3 && at(from) == 0xef && at(from + 1) == 0xbb && at(from + 2) == 0xbf) {
      throw error(Reason.ENCODING, from, "byte order mark");
    }
    skipWhiteSpace();
    JsonValue value = value(0);
    skipWhiteSpace();
    if (at < to) {
      throw unexpected("nothing more after the value");
    }
    return value;
  }

  private JsonValue value(int depth) {
    int c = at(at);
    if (depth == JsonValue.MAX_DEPTH && (c == '{' || c == '[')) {
      throw error(Reason.SYNTAX, at, "nested deeper than " + JsonValue.MAX_DEPTH);
    }
    return switch (c) {
      case '{' -> object(depth);
      case '[' -> array(depth);
      case '"' -> JsonString.of(string());
      case 't' -> literal("true", JsonBoolean.TRUE);
      case 'f' -> literal("false", JsonBoolean.FALSE);
      case 'n' -> literal("null", JsonNull.NULL);
      default -> {
        if (c == '-' || isDigit(c)) {
          yield number();
        }
        throw unexpected("a JSON value");
      }
    };
  }

  private JsonObject object(int depth) {
    at++;
    JsonObject.Builder members = JsonObject.builder();
    skipWhiteSpace();
    if (skip('}')) {
      return JsonObject.EMPTY;
    }
    while (true) {
      int nameAt = at;
      if (at(at) != '"') {
        throw unexpected("a name in quotes");
      }
      String name = string();
      skipWhiteSpace();
      if (!skip(':')) {
        throw unexpected("':' after a name");
      }
      skipWhiteSpace();
      JsonValue value = value(depth + 1);
      if (!members.addIfAbsent(name, value)) {
        throw error(
            Reason.DUPLICATE_KEY,
            nameAt,
            "duplicate name " + Excerpt.of(JsonString.of(name).toString()));
      }
      skipWhiteSpace();
      if (skip('}')) {
        return members.build();
      }
      if (!skip(',')) {
        throw unexpected("',' or '}' after a member");
      }
      skipWhiteSpace();
    }
  }

  private JsonArray array(int depth) {
    at++;
    skipWhiteSpace();
    if (skip(']')) {
      return JsonArray.EMPTY;
    }
    List<JsonValue> elements = new ArrayList<>();
    while (true) {
      elements.add(value(depth + 1));
      skipWhiteSpace();
      if (skip(']')) {
        return JsonArray.copyOf(elements);
      }
      if (!skip(',')) {
        throw unexpected("',' or ']' after an element");
      }
      skipWhiteSpace();
    }
  }

  private JsonValue literal(String text, JsonValue value) {
    for (int i = 0; i < text.length(); i++) {
      if (at(at + i) != text.charAt(i)) {
        throw unexpected("a JSON value");
      }
    }
    at += text.length();
    return value;
  }

  private JsonNumber number() {
    int start = at;
    skip('-');
    if (!skip('0')) {
      digits();
    }
    if (skip('.')) {
      digits();
    }
    if (at(at) == 'e' || at(at) == 'E') {
      at++;
      if (!skip('+')) {
        skip('-');
      }
      digits();
    }
    String text = new String(bytes, start, at - start, StandardCharsets.ISO_8859_1);
    try {
      return JsonNumber.of(text);
    } catch (IllegalArgumentException beyondRange) {
      throw error(Reason.NUMBER_RANGE, start, String.valueOf(beyondRange.getMessage()));
    }
  }

  private void digits() {
    if (!isDigit(at(at))) {
      throw unexpected("a digit");
    }
    while (isDigit(at(at))) {
      at++;
    }
  }

  /** Reads a string; fast while it is ASCII without escapes. */
  private String string() {
    int start = ++at;
    while (at < to) {
      byte b = bytes[at];
      if (b == '"') {
        return new String(bytes, start, at++ - start, StandardCharsets.ISO_8859_1);
      }
      if (b < 0x20 || b == '\\') { // also every byte above 0x7f, which is negative
        return stringFrom(start);
      }
      at++;
    }
    throw unexpected("'\"' at the end of a string");
  }

  private String stringFrom(int start) {
    StringBuilder text = new StringBuilder();
    int copied = start;
    while (at < to) {
      int b = at(at);
      if (b == '"') {
        append(text, copied);
        at++;
        return text.toString();
      }
      if (b == '\\') {
        append(text, copied);
        escape(text);
        copied = at;
      } else if (b < 0x20) {
        throw error(
            Reason.SYNTAX, at, "unescaped control character U+%04X in a string".formatted(b));
      } else if (b < 0x80) {
        at++;
      } else {
        at += sequenceLength();
      }
    }
    throw unexpected("'\"' at the end of a string");
  }

  private void append(StringBuilder text, int start) {
    text.append(new String(bytes, start, at - start, StandardCharsets.UTF_8));
  }

  /** The length of the UTF-8 sequence here: RFC 3629 section 4, so nothing overlong. */
  private int sequenceLength() {
    int b = at(at);
    int second = at(at + 1);
    int lowest = b == 0xe0 ? 0xa0 : b == 0xf0 ? 0x90 : 0x80;
    int highest = b == 0xed ? 0x9f : b == 0xf4 ? 0x8f : 0xbf;
    int length = b >= 0xc2 && b <= 0xdf ? 2 : b >= 0xe0 && b <= 0xef ? 3 : 4;
    boolean valid = b >= 0xc2
        && b <= 0xf4
        && second >= lowest
        && second <= highest
        && (length < 3 || isContinuation(at + 2))
        && (length < 4 || isContinuation(at + 3));
    if (!valid) {
      throw error(Reason.ENCODING, at, "invalid UTF-8, byte 0x%02x".formatted(b));
    }
    return length;
  }

  private boolean isContinuation(int index) {
    return (at(index) & 0xc0) == 0x80;
  }

  private void escape(StringBuilder text) {
    int start = at;
    at++;
    switch (at(at)) {
      case '"', '\\', '/' -> text.append((char) at(at));
      case 'b' -> text.append('\b');
      case 'f' -> text.append('\f');
      case 'n' -> text.append('\n');
      case 'r' -> text.append('\r');
      case 't' -> text.append('\t');
      case 'u' -> {
        unicodeEscape(text, start);
        return;
      }
      default -> throw unexpected("one of \"\\/bfnrtu after '\\'");
    }
    at++;
  }

  private void unicodeEscape(StringBuilder text, int start) {
    char c = hexDigits();
    text.append(c);
    if (!Character.isSurrogate(c)) {
      return;
    }
    if (Character.isHighSurrogate(c) && at(at) == '\\' && at(at + 1) == 'u') {
      at++;
      char low = hexDigits();
      if (Character.isLowSurrogate(low)) {
        text.append(low);
        return;
      }
    }
    throw error(Reason.ENCODING, start, "lone surrogate U+%04X".formatted((int) c));
  }

  /** Reads the four digits after a {@code u}. */
  private char hexDigits() {
    at++;
    int value = 0;
    for (int i = 0; i < 4; i++, at++) {
      int digit = at(at) == END ? -1 : Character.digit(at(at), 16);
      if (digit < 0 || at(at) >= 0x80) {
        throw unexpected("four hexadecimal digits after '\\u'");
      }
      value = value << 4 | digit;
    }
    return (char) value;
  }

  private void skipWhiteSpace() {
    while (at < to
        && (bytes[at] == ' ' || bytes[at] == '\n' || bytes[at] == '\r' || bytes[at] == '\t')) {
      at++;
    }
  }

  private boolean skip(char c) {
    if (at(at) != c) {
      return false;
    }
    at++;
    return true;
  }

  private int at(int index) {
    return index < to ? bytes[index] & 0xff : END;
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  private JsonSyntaxException unexpected(String expected) {
    return error(Reason.SYNTAX, at, "expected " + expected + ", found " + found());
  }

  private String found() {
    int c = at(at);
    if (c == END) {
      return "the end";
    }
    return c > 0x20 && c < 0x7f ? "'" + (char) c + "'" : "byte 0x%02x".formatted(c);
  }

  private JsonSyntaxException error(Reason reason, int index, String detail) {
    return new JsonSyntaxException(reason, index - from, detail);
  }
}
