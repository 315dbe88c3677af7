package dev.agentreplay.engine.diff;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A recorded session as its calls and the events between them, so that calls can be inserted,
 * removed, moved and changed. Results follow their calls at once.
 */
final class RecordedCalls {

  /** A call with its result, if it has one. */
  record Call(JsonObject call, JsonObject result) {

    Call withId(String id) {
      return new Call(named(call, id), result == null ? null : named(result, id));
    }

    private static JsonObject named(JsonObject event, String id) {
      return event.with(idName(event), id);
    }

    Call withParams(JsonValue params) {
      return new Call(call.without("params_hash").with("params", params), result);
    }

    Call withOutput(JsonValue output) {
      return new Call(call, result.without("output_hash").with("output", output));
    }

    boolean isLike(Call other) {
      return call.get("tool").equals(other.call.get("tool"))
          && call.get("params").equals(other.call.get("params"))
          && (result == null
              ? other.result == null
              : other.result != null && result.get("output").equals(other.result.get("output")));
    }
  }

  private final List<JsonObject> before = new ArrayList<>();
  private final List<JsonObject> after = new ArrayList<>();
  final List<Call> calls = new ArrayList<>();

  private RecordedCalls() {}

  static RecordedCalls read(Path session) {
    RecordedCalls recorded = new RecordedCalls();
    Map<String, Integer> open = new HashMap<>();
    try {
      for (String line : Files.readAllLines(session.resolve("REPLAY.jsonl"))) {
        recorded.add(JsonText.parse(line).asObject(), open);
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return recorded;
  }

  private void add(JsonObject event, Map<String, Integer> open) {
    String tag = event.get("event") != null ? "event" : "type";
    String kind = event.get(tag).asString();
    String id = idName(event);
    if (kind.equals("ToolCall")) {
      // ids that are used again are no matter of these tests
      open.putIfAbsent(event.get(id).asString(), calls.size());
      calls.add(new Call(event, null));
    } else if (kind.equals("ToolResult")) {
      Integer call = open.remove(event.get(id).asString());
      if (call != null) {
        calls.set(call, new Call(calls.get(call).call(), event).withId("call-" + call));
      }
    } else {
      (calls.isEmpty() ? before : after).add(event);
    }
  }

  private static String idName(JsonObject event) {
    return event.get("id") != null ? "id" : "step_id";
  }

  RecordedCalls with(List<Call> newCalls) {
    RecordedCalls other = new RecordedCalls();
    other.before.addAll(before);
    other.after.addAll(after);
    other.calls.addAll(newCalls);
    return other;
  }

  boolean isOfDialect(RecordedCalls other) {
    return idName(calls.get(0).call()).equals(idName(other.calls.get(0).call()));
  }

  Session write(Path file) {
    List<String> lines = new ArrayList<>();
    before.forEach(event -> lines.add(event.toString()));
    for (Call call : calls) {
      lines.add(call.call().toString());
      if (call.result() != null) {
        lines.add(call.result().toString());
      }
    }
    after.forEach(event -> lines.add(event.toString()));
    try {
      Files.write(file, (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return new Session(file, null);
  }
}
