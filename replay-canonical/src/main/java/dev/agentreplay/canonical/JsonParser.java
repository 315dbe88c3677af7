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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads one JSON value from UTF-8 bytes. Does not recurse, so that any thread's stack will do. */
final class JsonParser extends JsonScanner {

  /** The containers around the next value, the innermost first. */
  private final Deque<Container> open = new ArrayDeque<>();

  JsonParser(JsonLimits limits) {
    super(limits.withMaxDepth(Math.min(limits.maxDepth(), JsonValue.MAX_DEPTH)));
  }

  JsonValue parse(byte[] text, int from, int to) {
    begin(text, from, to);
    JsonValue value = value();
    while (value == null || !open.isEmpty()) {
      value = value == null ? value() : after(value);
    }
    end();
    return value;
  }

  /** Reads a value, or the beginning of a container; then the result is null. */
  private @Nullable JsonValue value() {
    int c = at(at);
    return switch (c) {
      case '{' -> openObject();
      case '[' -> openArray();
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

  /** Goes on behind a value in a container. Returns the container when that was its last value. */
  private @Nullable JsonValue after(JsonValue value) {
    JsonValue whole = open.element().add(value);
    if (whole != null) {
      open.pop();
    }
    return whole;
  }

  private @Nullable JsonValue openObject() {
    openBracket(open.size());
    if (skip('}')) {
      return JsonObject.EMPTY;
    }
    Members members = new Members();
    members.name();
    open.push(members);
    return null;
  }

  private @Nullable JsonValue openArray() {
    openBracket(open.size());
    if (skip(']')) {
      return JsonArray.EMPTY;
    }
    open.push(new Elements());
    return null;
  }

  /** A container that is not closed. */
  private interface Container {

    /** Adds a value and goes on behind it. Returns the container when it is closed there. */
    @Nullable
    JsonValue add(JsonValue value);
  }

  private final class Elements implements Container {
    private final List<JsonValue> values = new ArrayList<>();

    @Override
    public @Nullable JsonValue add(JsonValue value) {
      values.add(value);
      return hasNextElement() ? null : JsonArray.copyOf(values);
    }
  }

  private final class Members implements Container {
    private final JsonObject.Builder builder = JsonObject.builder();
    private String name = "";
    private int nameAt;
    private int count;
    private @Nullable JsonSyntaxException duplicate;

    void name() {
      nameAt = at;
      requireName();
      if (++count > limits.maxMembers()) {
        throw tooManyMembers();
      }
      name = string();
      skipColon();
    }

    @Override
    public @Nullable JsonValue add(JsonValue value) {
      if (!builder.addIfAbsent(name, value) && duplicate == null) {
        duplicate = duplicate(nameAt, JsonString.of(name).toString());
      }
      if (hasNextMember()) {
        name();
        return null;
      }
      if (duplicate != null) {
        throw duplicate;
      }
      return builder.build();
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
