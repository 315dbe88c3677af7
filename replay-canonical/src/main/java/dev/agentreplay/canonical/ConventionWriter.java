package dev.agentreplay.canonical;

import dev.agentreplay.canonical.ConventionRules.Trait;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;

/** Writes JSON by the rules of a producer and reports the position of each token. */
final class ConventionWriter {

  /**
   * A token of the text: a name, a scalar, a bracket or a separator.
   *
   * @param pointer the JSON Pointer (RFC 6901) of the value that the token belongs to
   * @param text the text of the token
   */
  record Token(String pointer, String text) {}

  /** Receives the tokens in order. The pointer is computed on demand. */
  private interface Sink {
    void token(String text, Supplier<String> pointer);
  }

  private static final int CHUNK = 1 << 13;

  private final ConventionRules rules;
  private final Sink sink;
  private final Deque<String> path = new ArrayDeque<>();

  private ConventionWriter(ConventionRules rules, Sink sink) {
    this.rules = rules;
    this.sink = sink;
  }

  private static void write(JsonValue value, ConventionRules rules, Sink sink) {
    new ConventionWriter(rules, sink).value(rules.values().apply(value));
  }

  /** The SHA-256 hash of the text of a value. The text is not kept in memory. */
  static ContentHash hash(JsonValue value, ConventionRules rules) {
    MessageDigest digest = ContentHash.newDigest();
    StringBuilder chunk = new StringBuilder();
    write(value, rules, (text, pointer) -> {
      chunk.append(text);
      if (chunk.length() >= CHUNK) {
        digest.update(chunk.toString().getBytes(StandardCharsets.UTF_8));
        chunk.setLength(0);
      }
    });
    digest.update(chunk.toString().getBytes(StandardCharsets.UTF_8));
    return ContentHash.of(digest.digest());
  }

  /** The texts of all tokens of a value. */
  static List<String> tokens(JsonValue value, ConventionRules rules) {
    List<String> tokens = new ArrayList<>();
    write(value, rules, (text, pointer) -> tokens.add(text));
    return tokens;
  }

  /**
   * One token of a value.
   *
   * @param number the index of the token, counted from 0
   */
  static Token token(int number, JsonValue value, ConventionRules rules) {
    Token[] found = new Token[1];
    int[] next = {0};
    write(value, rules, (text, pointer) -> {
      if (next[0]++ == number) {
        found[0] = new Token(pointer.get(), text);
      }
    });
    return found[0];
  }

  private void value(JsonValue value) {
    if (value instanceof JsonObject object) {
      object(object);
    } else if (value instanceof JsonArray array) {
      token("[");
      for (int i = 0; i < array.size(); i++) {
        path.addLast(Integer.toString(i));
        separate(i);
        value(array.get(i));
        path.removeLast();
      }
      token("]");
    } else if (value instanceof JsonString string) {
      token(quoted(string.value()));
    } else if (value instanceof JsonNumber number) {
      token(rules.numbers().apply(number));
    } else {
      token(value.toString());
    }
  }

  private void object(JsonObject object) {
    token("{");
    List<String> names = object.names().stream().sorted(rules.order()).toList();
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      path.addLast(JsonPointer.escape(name));
      separate(i);
      token(rules.traits().contains(Trait.UNESCAPED_NAMES) ? '"' + name + '"' : quoted(name));
      token(rules.traits().contains(Trait.SPACES) ? ": " : ":");
      JsonValue member = object.get(name);
      if (member != null) {
        value(member);
      }
      path.removeLast();
    }
    token("}");
  }

  private void separate(int index) {
    if (index > 0) {
      token(rules.traits().contains(Trait.SPACES) ? ", " : ",");
    }
  }

  private void token(String text) {
    sink.token(text, this::pointer);
  }

  private String pointer() {
    StringBuilder pointer = new StringBuilder();
    path.forEach(step -> pointer.append('/').append(step));
    return pointer.toString();
  }

  private String quoted(String text) {
    String json = JsonString.of(text).toString();
    if (!rules.traits().contains(Trait.ASCII)) {
      return json;
    }
    StringBuilder escaped = new StringBuilder();
    for (int i = 0; i < json.length(); i++) {
      char c = json.charAt(i);
      if (c < 0x7f) {
        escaped.append(c);
      } else {
        escaped.append("\\u%04x".formatted((int) c));
      }
    }
    return escaped.toString();
  }
}
