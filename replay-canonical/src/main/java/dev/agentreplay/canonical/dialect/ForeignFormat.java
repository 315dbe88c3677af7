package dev.agentreplay.canonical.dialect;

import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.UnknownEvent;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.receipt.TrajectoryReceipt;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Recognizes files of other formats that were passed as a log by mistake, and names the format for
 * an error message. The result is a guess from the first bytes of the file: it is null when in
 * doubt, never fails, and takes time proportional to the bytes examined. Safe for use by several
 * threads.
 */
public final class ForeignFormat {

  /** The maximum number of bytes examined. */
  public static final int HEAD_BYTES = 1 << 16;

  private static final Set<String> CLAUDE_CODE_RECORDS = Set.of(
      "user",
      "assistant",
      "system",
      "summary",
      "progress",
      "attachment",
      "file-history-snapshot",
      "queue-operation",
      "permission-mode",
      "last-prompt",
      "custom-title",
      "ai-title");

  private static final Set<String> CODEX_RECORDS =
      Set.of("session_meta", "response_item", "event_msg", "turn_context", "compacted");

  /**
   * A kind of JSON object that is recognized by its members.
   *
   * @param words the name of the format
   * @param fits the condition on the object
   */
  private record Form(String words, Predicate<JsonObject> fits) {}

  /** The end of the name of a format that can be imported. */
  private static final String IMPORTED = ", which replay import reads";

  private static final List<Form> FORMS = List.of(
      new Form("a Claude Code transcript" + IMPORTED, ForeignFormat::isClaudeCode),
      new Form("a Codex transcript" + IMPORTED, ForeignFormat::isCodex),
      new Form("a HAR archive", ForeignFormat::isHar),
      new Form(
          "an Inspect evaluation log" + IMPORTED,
          object -> isObject(object, "eval") && object.has("version")),
      new Form("a SWE-agent trajectory" + IMPORTED, ForeignFormat::isSweAgent),
      new Form(
          "an OpenHands evaluation output",
          object -> text(object, "instance_id") != null && isArray(object, "history")),
      new Form("an OpenHands event" + IMPORTED, ForeignFormat::isOpenHands),
      new Form(
          "a Gemini CLI chat" + IMPORTED,
          object -> text(object, "sessionId") != null
              && text(object, "projectHash") != null
              && isArray(object, "messages")),
      new Form("a Jaeger trace", ForeignFormat::isJaeger),
      new Form(
          "an any-agent trace", object -> isArray(object, "spans") && object.has("final_output")),
      new Form("a ReplayBundle, which replay convert reads", ForeignFormat::isBundle),
      new Form(
          "a session with a timeline",
          object -> text(object, "version") != null && isArray(object, "timeline")),
      new Form(
          "a session record, which replay-records reads",
          object -> isObject(object, "inputs") && isObject(object, "trace")),
      new Form(
          "a receipt of the form " + TrajectoryReceipt.SCHEMA,
          object -> TrajectoryReceipt.SCHEMA.equals(text(object, "schema"))),
      new Form(
          "a receipt of the form session",
          object -> text(object, "session_id") != null && isArray(object, "tool_calls")),
      new Form(
          "OpenTelemetry data in JSON",
          object -> isArray(object, "resourceSpans")
              || isArray(object, "resourceLogs")
              || isArray(object, "resourceMetrics")
              || (first(object, "batches") instanceof JsonObject batch && batch.has("resource"))),
      new Form("a log of chat completions", ForeignFormat::isChat));

  private ForeignFormat() {}

  /**
   * Recognizes a file.
   *
   * @param bytes an array that contains the first bytes of the file
   * @param from the index of the first byte of the file
   * @param to the index after the last byte read
   * @return a phrase such as {@code "a HAR archive"}; null if the format is not recognized
   */
  public static @Nullable String recognize(byte[] bytes, int from, int to) {
    Objects.checkFromToIndex(from, to, bytes.length);
    FileHead head = new FileHead(bytes, from, Math.min(to, from + HEAD_BYTES));
    String signature = FileSignature.recognize(head);
    if (signature != null) {
      return signature;
    }
    JsonValue value = JsonHead.parse(head);
    if (value instanceof JsonObject object) {
      String form = recognize(object);
      return form == null && !isEvent(object) && JsonHead.hasSeveralLines(head)
          ? "one JSON document of several lines"
          : form;
    }
    if (value instanceof JsonArray array) {
      JsonValue first = array.size() > 0 ? array.get(0) : null;
      return first instanceof JsonObject object
          ? isOpenHands(object)
              ? "an array of OpenHands events" + IMPORTED
              : "a JSON array of objects"
          : "a JSON array";
    }
    return TextTable.isCsv(head) ? "a CSV table" : null;
  }

  /**
   * Returns the JSON object or array at the start of a file, which may have several lines. If it is
   * longer than the bytes read, it is closed after the last complete element.
   *
   * @param bytes an array that contains the first bytes of the file
   * @param from the index of the first byte of the file
   * @param to the index after the last byte read
   * @return null if the file does not start with an object or array
   */
  public static @Nullable JsonValue beginning(byte[] bytes, int from, int to) {
    Objects.checkFromToIndex(from, to, bytes.length);
    return JsonHead.parse(new FileHead(bytes, from, Math.min(to, from + HEAD_BYTES)));
  }

  /**
   * Recognizes a file by the object of its first line.
   *
   * @return a phrase such as {@code "a Codex transcript" + IMPORTED}; null if the format is not
   *     recognized, or if the object is an event that a dialect knows
   */
  public static @Nullable String recognize(JsonObject firstLine) {
    if (isEvent(firstLine)) {
      return null;
    }
    return FORMS.stream()
        .filter(form -> form.fits.test(firstLine))
        .map(Form::words)
        .findFirst()
        .orElse(null);
  }

  /** Whether a dialect knows the tag, even if the event is damaged. */
  private static boolean isEvent(JsonObject object) {
    return Arrays.stream(Dialect.values()).anyMatch(dialect -> {
      ReplayEvent event = dialect.decode(object).event();
      return !(event instanceof UnknownEvent unknown)
          || EventKind.ofTag(unknown.type()) != EventKind.UNKNOWN;
    });
  }

  private static boolean isClaudeCode(JsonObject object) {
    String type = text(object, "type");
    if (type == null) {
      return false;
    }
    boolean linked = object.has("parentUuid") && object.has("sessionId");
    boolean stream = type.equals("system") && object.has("subtype") && object.has("session_id");
    boolean record = CLAUDE_CODE_RECORDS.contains(type)
        && (text(object, "sessionId") != null
            || text(object, "uuid") != null
            || text(object, "leafUuid") != null
            || text(object, "messageId") != null);
    return linked || stream || record;
  }

  private static boolean isCodex(JsonObject object) {
    String type = text(object, "type");
    if (type != null) {
      boolean stream = type.equals("thread.started") && object.has("thread_id");
      return stream || (CODEX_RECORDS.contains(type) && isObject(object, "payload"));
    }
    boolean first = text(object, "id") != null
        && text(object, "timestamp") != null
        && object.has("instructions");
    return first || "state".equals(text(object, "record_type"));
  }

  /**
   * Recognizes a trajectory by its first step, with action and observation, or by its final
   * members; a file may be cut in between.
   */
  private static boolean isSweAgent(JsonObject object) {
    String format = text(object, "trajectory_format");
    boolean isMini = format != null && format.startsWith("mini-swe-agent");
    boolean hasSteps = first(object, "trajectory") instanceof JsonObject step
        && step.has("action")
        && step.has("observation");
    boolean isWhole =
        isObject(object, "info") && (isArray(object, "trajectory") || isArray(object, "history"));
    return isMini || hasSteps || isWhole;
  }

  /** Recognizes an event of either version; newer ones name their class. */
  private static boolean isOpenHands(JsonObject object) {
    String kind = text(object, "kind");
    boolean isNew = kind != null && kind.endsWith("Event");
    boolean isOld = text(object, "action") != null || text(object, "observation") != null;
    return (isNew || isOld)
        && object.has("id")
        && text(object, "timestamp") != null
        && text(object, "source") != null;
  }

  private static boolean isJaeger(JsonObject object) {
    return first(object, "data") instanceof JsonObject trace
        && first(trace, "spans") instanceof JsonObject span
        && span.has("operationName");
  }

  private static boolean isHar(JsonObject object) {
    return object.get("log") instanceof JsonObject log
        && (isArray(log, "entries") || (text(log, "version") != null && isObject(log, "creator")));
  }

  private static boolean isBundle(JsonObject object) {
    return isObject(object, "header") && isArray(object, "events");
  }

  private static boolean isChat(JsonObject object) {
    String kind = text(object, "object");
    boolean completion = kind != null && kind.startsWith("chat.completion");
    boolean messages = object.get("messages") instanceof JsonArray array
        && array.size() > 0
        && array.get(0) instanceof JsonObject message
        && text(message, "role") != null;
    return completion || messages;
  }

  private static @Nullable String text(JsonObject object, String name) {
    return object.get(name) instanceof JsonString string ? string.value() : null;
  }

  private static @Nullable JsonValue first(JsonObject object, String name) {
    return object.get(name) instanceof JsonArray array && array.size() > 0 ? array.get(0) : null;
  }

  private static boolean isObject(JsonObject object, String name) {
    return object.get(name) instanceof JsonObject;
  }

  private static boolean isArray(JsonObject object, String name) {
    return object.get(name) instanceof JsonArray;
  }
}
