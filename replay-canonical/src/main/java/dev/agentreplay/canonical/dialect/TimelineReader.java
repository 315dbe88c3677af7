package dev.agentreplay.canonical.dialect;

import dev.agentreplay.canonical.dialect.ConversionLedger.Action;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the form of a bundle that has a timeline: calls and results without ids, and times in
 * milliseconds from the start, as lines of the draft.
 */
final class TimelineReader {

  static final String TOOL_CALL = "tool_call";
  static final String TOOL_RESULT = "tool_result";
  static final String ASSISTANT = "assistant";

  /** Milliseconds to nanoseconds. */
  private static final int NANO_DIGITS = 6;

  private static final String PAIRED = "paired by tool and order";

  private final List<JsonObject> lines = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();
  private final ConversionLedger ledger = new ConversionLedger();
  private final Map<String, Deque<String>> open = new HashMap<>();
  private @Nullable Timestamp start;
  private int calls;
  private int answers;
  private int strays;

  private TimelineReader() {}

  static ReplayBundle read(JsonObject document, JsonArray timeline) {
    TimelineReader reader = new TimelineReader();
    reader.header(document);
    for (int i = 0; i < timeline.size(); i++) {
      String pointer = "/timeline/" + i;
      if (timeline.get(i) instanceof JsonObject entry) {
        reader.entry(entry, pointer);
      } else {
        reader.problems.add(
            "%s: must be an object, found %s".formatted(pointer, timeline.get(i).typeName()));
      }
    }
    return new ReplayBundle(Dialect.DRAFT, reader.lines, reader.problems, reader.ledger);
  }

  private void header(JsonObject document) {
    String version = text(document, "version", "");
    if (version != null && !version.startsWith("1.")) {
      problems.add("/version: must be 1.0, found \"" + version + "\"");
    }
    String id = text(document, "id", "");
    String created = text(document, "created_at", "");
    start = created == null ? null : Timestamp.tryParse(created);
    if (created != null && start == null) {
      problems.add("/created_at: must be an ISO 8601 time with offset, found \"" + created + "\"");
    }
    JsonObject.Builder header = JsonObject.builder();
    header.add("type", JsonString.of("ReplayHeader"));
    header.add("version", JsonString.of(Dialect.DRAFT.version()));
    ledger.add(Action.RESPELLED, "ReplayBundle", "version", "ReplayHeader.version");
    if (id != null) {
      header.add("session_id", JsonString.of(id));
      ledger.add(Action.RENAMED, "ReplayBundle", "id", "ReplayHeader.session_id");
    }
    if (created != null) {
      header.add("started_at", JsonString.of(created));
      ledger.add(
          Action.RENAMED,
          "ReplayBundle",
          "created_at",
          "ReplayHeader.started_at",
          "taken for the start of the timeline");
    }
    JsonObject kept = document.without("id", "created_at", "timeline");
    for (String name : kept.names()) {
      ledger.add(
          Action.MOVED, "ReplayBundle", name, "ReplayHeader." + KeptAside.BUNDLE + "." + name);
    }
    lines.add(header.add(KeptAside.BUNDLE, kept).build());
    lines.add(JsonObject.of("type", "SessionStart", "task", ""));
    ledger.add(Action.INVENTED, "SessionStart", null, null);
  }

  private void entry(JsonObject entry, String pointer) {
    String type = text(entry, "type", pointer);
    JsonObject.Builder line = JsonObject.builder();
    if (type == null) {
      return;
    }
    time(entry, type, pointer, line);
    switch (type) {
      case TOOL_CALL -> call(entry, pointer, line);
      case TOOL_RESULT -> result(entry, pointer, line);
      case ASSISTANT -> assistant(entry, line);
      default -> {
        if (EventKind.ofTag(type) != EventKind.UNKNOWN) {
          problems.add(pointer + "/type: is the name of an event of a log: " + type);
        }
        line.add("type", JsonString.of(type));
        entry.without("t", "type").forEach((name, value) -> rest(type, name, value, line));
      }
    }
    lines.add(line.build());
  }

  private void call(JsonObject entry, String pointer, JsonObject.Builder line) {
    String tool = text(entry, "tool", pointer);
    String id = "call-" + ++calls;
    line.add("type", JsonString.of("ToolCall")).add("id", JsonString.of(id));
    ledger.add(Action.INVENTED, TOOL_CALL, "id", null);
    if (tool != null) {
      line.add("tool", JsonString.of(tool));
      open.computeIfAbsent(tool, key -> new ArrayDeque<>()).add(id);
    }
    data(entry, TOOL_CALL, "input", "params", pointer, line);
  }

  private void result(JsonObject entry, String pointer, JsonObject.Builder line) {
    String tool = text(entry, "tool", pointer);
    Deque<String> waiting = tool == null ? null : open.get(tool);
    String call = waiting == null ? null : waiting.poll();
    line.add("type", JsonString.of("ToolResult"));
    line.add("id", JsonString.of(call == null ? "result-" + ++strays : call));
    ledger.add(Action.INVENTED, TOOL_RESULT, "id", null, call == null ? "no call waits" : PAIRED);
    if (tool != null) {
      ledger.add(Action.DROPPED, TOOL_RESULT, "tool", null, "its call says it");
    }
    data(entry, TOOL_RESULT, "result", "output", pointer, line);
  }

  private void assistant(JsonObject entry, JsonObject.Builder line) {
    line.add("type", JsonString.of("ModelResult"));
    line.add("id", JsonString.of("model-" + ++answers));
    ledger.add(Action.INVENTED, ASSISTANT, "id", null);
    JsonValue data = entry.get("data");
    if (data != null) {
      line.add("answer", data);
      ledger.add(Action.RENAMED, ASSISTANT, "data", "ModelResult.answer");
    }
    entry.without("t", "type", "data").forEach((name, value) -> rest(ASSISTANT, name, value, line));
  }

  /** The member of the data that a call or result is about; what stands beside it is kept. */
  private void data(
      JsonObject entry,
      String type,
      String member,
      String name,
      String pointer,
      JsonObject.Builder line) {
    JsonObject data = entry.get("data") instanceof JsonObject object ? object : JsonObject.EMPTY;
    JsonValue value = data.get(member);
    if (value == null) {
      problems.add(pointer + "/data/" + member + ": is missing");
    } else {
      line.add(name, value);
      ledger.add(Action.RENAMED, type, "data." + member, name);
    }
    JsonObject others = data.without(member);
    if (!others.isEmpty()) {
      line.add("data", others);
    }
    entry.without("t", "type", "tool", "data").forEach((n, v) -> rest(type, n, v, line));
  }

  private void rest(String type, String name, JsonValue value, JsonObject.Builder line) {
    if (!line.addIfAbsent(name, value)) {
      ledger.add(Action.DROPPED, type, name, null, "the event has another member of that name");
    }
  }

  private void time(JsonObject entry, String type, String pointer, JsonObject.Builder line) {
    if (!(entry.get("t") instanceof JsonNumber t)) {
      problems.add(pointer + "/t: must be a number of milliseconds");
      return;
    }
    if (start == null) {
      return;
    }
    try {
      double millis = t.asDouble();
      if (!(millis >= 0 && millis < Long.MAX_VALUE / 1e6)) {
        throw new ArithmeticException("out of range");
      }
      long nanos = new BigDecimal(t.text()).movePointRight(NANO_DIGITS).longValueExact();
      Timestamp time = Timestamp.of(start.instant().plusNanos(nanos));
      line.add("ts", JsonString.of(time.text()));
      ledger.add(Action.RENAMED, type, "t", "ts");
    } catch (ArithmeticException | NumberFormatException | DateTimeException outOfRange) {
      problems.add("%s/t: must be milliseconds from 0, to the nanosecond, found %s"
          .formatted(pointer, t.text()));
    }
  }

  private @Nullable String text(JsonObject object, String name, String pointer) {
    if (object.get(name) instanceof JsonString string && !string.value().isEmpty()) {
      return string.value();
    }
    problems.add("%s/%s: %s"
        .formatted(
            pointer, name, object.has(name) ? "must be a string that is not empty" : "is missing"));
    return null;
  }
}
