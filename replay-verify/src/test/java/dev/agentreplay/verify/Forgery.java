package dev.agentreplay.verify;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.signature.SignedJson;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonBoolean;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.signature.Signer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Changes to a session by an attacker who knows its format and does not have its key. */
final class Forgery {

  /** Members of events that have a hash next to them, by the name of the hash. */
  private static final Map<String, String> HASHED = Map.of(
      "params_hash", "params",
      "output_hash", "output",
      "payload_hash", "payload",
      "prompt_hash", "prompt",
      "answer_hash", "answer");

  /**
   * A value with one thing in it changed to another that is as well-formed.
   *
   * @param path the names that lead to it
   */
  record Edit(String path, JsonValue value) {}

  private Forgery() {}

  /** A value, changed in each place in turn. */
  static List<Edit> edits(JsonValue value) {
    List<Edit> edits = new ArrayList<>();
    if (value instanceof JsonObject object && !object.isEmpty()) {
      object.forEach((name, member) -> edits(member)
          .forEach(edit -> edits.add(new Edit(
              edit.path.isEmpty() ? name : name + "." + edit.path,
              object.with(name, edit.value)))));
    } else if (value instanceof JsonArray array && array.size() > 0) {
      for (int i = 0; i < array.size(); i++) {
        for (Edit edit : edits(array.get(i))) {
          List<JsonValue> values = new ArrayList<>(array.values());
          values.set(i, edit.value);
          edits.add(new Edit(edit.path, JsonArray.copyOf(values)));
        }
      }
    } else {
      edits.add(new Edit("", other(value)));
    }
    return edits;
  }

  private static JsonValue other(JsonValue value) {
    if (value instanceof JsonString string) {
      return JsonValue.of(other(string.value()));
    } else if (value instanceof JsonNumber number) {
      return number.text().contains(".")
          ? JsonText.parse("0.125")
          : JsonValue.of(number.asLong() + 1);
    } else if (value instanceof JsonBoolean bool) {
      return JsonValue.of(!bool.value());
    } else if (value instanceof JsonArray) {
      return JsonArray.of("x");
    }
    return value instanceof JsonNull ? JsonValue.of(1) : JsonObject.of("x", 1);
  }

  private static String other(String text) {
    if (text.matches("(sha256:)?[0-9a-f]{64}")) {
      String start = text.substring(0, text.length() - 1);
      return start + (text.endsWith("0") ? '1' : '0');
    }
    return text.startsWith("2026-") ? "2027" + text.substring(4) : text + "x";
  }

  /** Whether a hash is next to a member of an event. */
  static boolean isHashed(JsonObject line, String member) {
    return HASHED.containsValue(member) && line.has(member) && line.has(member + "_hash");
  }

  /** A line whose hashes are computed again from the values next to them. */
  static JsonObject rehashed(JsonObject line) {
    JsonObject fitting = line;
    for (Map.Entry<String, String> hashed : HASHED.entrySet()) {
      JsonValue value = line.get(hashed.getValue());
      if (value != null && line.has(hashed.getKey())) {
        fitting = fitting.with(hashed.getKey(), CanonicalJson.SERDE.hash(value).toString());
      }
    }
    return fitting;
  }

  /** A log whose last totals are made to fit its events. */
  static Exhibit totalled(Exhibit log) {
    long latency = log.numbers("ToolResult").stream()
        .mapToLong(number -> log.json(number).at("/latency_ms").asLong())
        .sum();
    Exhibit fitting = log;
    for (int end : log.numbers("SessionEnd")) {
      fitting = fitting.replace(
          end,
          log.json(end)
              .with("total_tool_calls", log.numbers("ToolCall").size())
              .with("total_latency_ms", latency));
    }
    return fitting;
  }

  /** A log whose checkpoints are made to fit, signed with a key or not at all. */
  static Exhibit checkpointed(Exhibit log, Signer signer) {
    Exhibit fitting = log;
    for (int number : log.numbers("Checkpoint")) {
      JsonObject line = fitting
          .json(number)
          .without("signature")
          .with("tree_size", number - 1)
          .with("tree_root", fitting.tree(number - 1).root().toString());
      fitting = fitting.replace(number, signer == null ? line : signed(line, signer));
    }
    return fitting;
  }

  private static JsonObject signed(JsonObject line, Signer signer) {
    try {
      return line.with(
          "signature",
          SignedJson.sign(line, SignedJson.CHECKPOINT, CanonicalJson.SERDE, signer)
              .toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A log in which every value that has a hash is another, and all that follows is made to fit. */
  static Exhibit rewritten(Exhibit log) {
    Exhibit other = log;
    for (int number = 1; number <= log.size(); number++) {
      JsonObject line = log.json(number);
      for (String member : HASHED.values()) {
        if (isHashed(line, member)) {
          line = rehashed(line.with(member, edits(line.get(member)).get(0).value()));
        }
      }
      other = other.replace(number, line);
    }
    return totalled(other);
  }
}
