package dev.agentreplay.canonical;

import dev.agentreplay.canonical.JsonSyntaxException.Reason;
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
final class JsonParser extends JsonScanner {

  private final int maxDepth;

  JsonParser(JsonLimits limits) {
    super(limits.withMaxDepth(Math.min(limits.maxDepth(), JsonValue.MAX_DEPTH)));
    this.maxDepth = this.limits.maxDepth();
  }

  JsonValue parse(byte[] text, int from, int to) {
    begin(text, from, to);
    JsonValue value = value(0);
    end();
    return value;
  }

  private JsonValue value(int depth) {
    int c = at(at);
    if (depth == maxDepth && (c == '{' || c == '[')) {
      throw tooDeep();
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
    int count = 0;
    int duplicateAt = -1;
    String duplicate = "";
    skipWhiteSpace();
    if (skip('}')) {
      return JsonObject.EMPTY;
    }
    while (true) {
      int nameAt = at;
      if (at(at) != '"') {
        throw unexpected("a name in quotes");
      }
      if (++count > limits.maxMembers()) {
        throw tooManyMembers();
      }
      String name = string();
      skipWhiteSpace();
      if (!skip(':')) {
        throw unexpected("':' after a name");
      }
      skipWhiteSpace();
      JsonValue value = value(depth + 1);
      if (!members.addIfAbsent(name, value) && duplicateAt < 0) {
        duplicateAt = nameAt;
        duplicate = name;
      }
      skipWhiteSpace();
      if (skip('}')) {
        if (duplicateAt >= 0) {
          throw duplicate(duplicateAt, JsonString.of(duplicate).toString());
        }
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
    skipLiteral(text);
    return value;
  }

  private JsonNumber number() {
    int start = at;
    skipNumber();
    String text = new String(bytes, start, at - start, StandardCharsets.ISO_8859_1);
    try {
      return JsonNumber.of(text);
    } catch (IllegalArgumentException beyondRange) {
      throw error(Reason.NUMBER_RANGE, start, String.valueOf(beyondRange.getMessage()));
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
    throw unterminated();
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
        text.appendCodePoint(escape());
        copied = at;
      } else if (b < 0x20) {
        throw controlCharacter(at);
      } else if (b < 0x80) {
        at++;
      } else {
        at += sequenceLength();
      }
    }
    throw unterminated();
  }

  private void append(StringBuilder text, int start) {
    text.append(new String(bytes, start, at - start, StandardCharsets.UTF_8));
  }
}
