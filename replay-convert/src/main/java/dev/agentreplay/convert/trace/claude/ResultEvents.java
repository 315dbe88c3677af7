package dev.agentreplay.convert.trace.claude;

import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.convert.trace.reading.TraceSession;
import dev.agentreplay.convert.trace.reading.UnnamedCalls;
import dev.agentreplay.model.FileState;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonBoolean;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes the results of tools, and the states of the files that they changed. */
final class ResultEvents {

  private static final Set<String> MEMBERS =
      Set.of("type", Names.TOOL_USE_ID, "content", "is_error");

  private static final List<String> DURATIONS = List.of("totalDurationMs", "durationMs");

  private final TraceSession session;
  private final UnnamedCalls unnamed;
  private final Circumstances circumstances;
  private final FileChanges changes = new FileChanges();

  ResultEvents(TraceSession session, UnnamedCalls unnamed, Circumstances circumstances) {
    this.session = session;
    this.unnamed = unnamed;
    this.circumstances = circumstances;
  }

  /** Whether one of the blocks of a message is the result of a tool. */
  static boolean hasResults(JsonArray blocks) {
    return blocks.stream().anyMatch(ResultEvents::isResult);
  }

  private static boolean isResult(JsonValue block) {
    return block instanceof JsonObject object
        && object.get("type") instanceof JsonString type
        && type.value().equals(Names.TOOL_RESULT);
  }

  /** The id of the call of the first result; null if it states none. */
  static @Nullable String firstId(JsonValue content) {
    for (JsonValue block : content.asArray()) {
      if (isResult(block)) {
        return id(block.asObject());
      }
    }
    return null;
  }

  private static @Nullable String id(JsonObject block) {
    return block.get(Names.TOOL_USE_ID) instanceof JsonString id && !id.value().isBlank()
        ? id.value()
        : null;
  }

  void write(SourceRecord record, JsonArray blocks, Meta meta) throws IOException {
    boolean isWhole = blocks.stream()
        .allMatch(block -> isResult(block)
            && MEMBERS.containsAll(block.asObject().names())
            && block.asObject().has("content"));
    if (isWhole) {
      record.move("ToolResult/output", "message", "content");
      record.drop("the message holds results only", "message", "role");
    }
    FileState change = blocks.size() == 1 ? changes.of(record, circumstances.workspace()) : null;
    if (change != null) {
      session.derive(change.withMeta(meta), record);
    }
    boolean isOnly = blocks.stream().filter(ResultEvents::isResult).count() == 1;
    for (JsonValue block : blocks) {
      if (isResult(block)) {
        ToolResult result = result(block.asObject(), meta);
        session.emit(isOnly ? withLatency(result, record) : result, record);
      }
    }
  }

  /** Whether a block of an answer is the result of a tool that ran where the model did. */
  static boolean isServerResult(JsonValue block) {
    return block instanceof JsonObject object
        && object.get("type") instanceof JsonString type
        && type.value().endsWith("tool_result")
        && id(object) != null;
  }

  /** The result of a tool that ran where the model did. */
  static ToolResult serverResult(JsonObject block) {
    ToolResult result = ToolResult.of(String.valueOf(id(block)), block.get("content"));
    if (block.get("is_error") instanceof JsonBoolean error) {
      return result.withOutcome(Outcome.of(!error.value(), null, null));
    }
    boolean isError = block.get("content") instanceof JsonObject content
        && content.get("type") instanceof JsonString type
        && type.value().endsWith("_error");
    return isError ? result.withOutcome(Outcome.of(false, null, null)) : result;
  }

  private ToolResult result(JsonObject block, Meta meta) {
    String id = id(block);
    ToolResult result =
        ToolResult.of(id == null ? unnamed.result(meta.agent()) : id, block.get("content"));
    if (block.get("is_error") instanceof JsonBoolean error) {
      result = result.withOutcome(Outcome.of(!error.value(), null, null));
    }
    return result.withMeta(meta);
  }

  /** A result with the duration that its record states, which has no other result. */
  private static ToolResult withLatency(ToolResult result, SourceRecord record) {
    for (String name : DURATIONS) {
      Long millis = record.integer("toolUseResult", name);
      if (millis != null && millis >= 0) {
        record.derive("ToolResult/latency_ms", "toolUseResult", name);
        return result.withLatencyMillis(millis);
      }
    }
    return result;
  }
}
