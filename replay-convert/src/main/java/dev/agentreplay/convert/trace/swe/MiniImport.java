package dev.agentreplay.convert.trace.swe;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.convert.trace.reading.Conversation;
import dev.agentreplay.convert.trace.reading.MessageText;
import dev.agentreplay.convert.trace.reading.SourceHead;
import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.convert.trace.reading.TraceOutput;
import dev.agentreplay.convert.trace.reading.TraceSession;
import dev.agentreplay.convert.trace.report.SourcePlace;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ModelResult.Completion;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.Settings.Setting;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.Timing;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes the session of a trajectory of mini-SWE-agent: a list of messages, in which each answer
 * has the action to run, and the message after it the output.
 */
final class MiniImport {

  /** The member with the messages. */
  static final String MESSAGES = "messages";

  private static final String EXTRA = "extra";
  private static final String IN_PROMPT = "ModelCall/prompt/messages";
  private static final long MAX_SECONDS = 253_402_300_799L; // the end of the year 9999

  private final TraceSession session;
  private final SourceRecord document;
  private final Conversation conversation;
  private final Actions actions = new Actions();

  /** The calls without an id in the source that have no output yet. */
  private final Deque<String> unanswered = new ArrayDeque<>();

  private long answers;

  private MiniImport(TraceSession session, SourceRecord document) {
    this.session = session;
    this.document = document;
    this.conversation = session.conversation(null);
  }

  /**
   * Writes a session.
   *
   * @param document the document; if it is an array, an object with the array
   * @param whole the document as it is
   */
  static void write(JsonObject document, JsonValue whole, TraceOutput output) throws IOException {
    TraceSession session =
        output.begin(SourceHead.text(document, "instance_id"), firstTime(document));
    SourceRecord record = session.record(
        document, "trajectory", SourcePlace.DOCUMENT, CanonicalJson.SERDE.hash(whole));
    new MiniImport(session, record).write(record.split("message", MESSAGES));
  }

  private static @Nullable Timestamp firstTime(JsonObject document) {
    for (JsonValue message : Objects.requireNonNull(document.get(MESSAGES)).asArray()) {
      if (message instanceof JsonObject object && object.get(EXTRA) instanceof JsonObject extra) {
        Timestamp time = time(extra.get("timestamp"));
        if (time != null) {
          return time;
        }
      }
    }
    return null;
  }

  private void write(List<SourceRecord> messages) throws IOException {
    if (session.start().meta().sessionId() != null
        && session.start().meta().sessionId().equals(document.text("instance_id"))) {
      document.move("SessionStart/session_id", "instance_id");
    }
    Settings settings = settings();
    SessionEnd end = ExitStatus.of(document);
    session.start(session.start(), document);
    if (!settings.values().isEmpty()) {
      session.emit(settings, document);
    }
    int last = -1;
    for (int i = 0; i < messages.size(); i++) {
      last = isAnswer(messages.get(i)) ? i : last;
    }
    for (int i = 0; i < messages.size(); i++) {
      write(messages.get(i), i < last);
    }
    if (end != null) {
      session.emit(end, document);
    }
  }

  private Settings settings() {
    Map<String, Setting> settings = new LinkedHashMap<>();
    add(settings, Settings.MODEL, JsonString.class, "info", "config", "model", "model_name");
    add(
        settings,
        Settings.MODEL_PARAMETERS,
        JsonObject.class,
        "info",
        "config",
        "model",
        "model_kwargs");
    add(
        settings,
        Settings.WORKING_DIRECTORY,
        JsonString.class,
        "info",
        "config",
        "environment",
        "cwd");
    String version = document.text("info", "mini_version");
    if (version != null) {
      document.derive("Settings/versions", "info", "mini_version");
      settings.put(Settings.VERSIONS, new Setting(JsonObject.of("mini-swe-agent", version), null));
    }
    return Settings.of(settings);
  }

  private void add(Map<String, Setting> settings, String name, Class<?> type, String... path) {
    JsonValue value = document.get(path);
    if (type.isInstance(value)) {
      document.derive("Settings/" + name, path);
      settings.put(name, new Setting(Objects.requireNonNull(value), null));
    }
  }

  private static boolean isAnswer(SourceRecord message) {
    return "assistant".equals(message.text("role")) || isResponse(message);
  }

  /** Whether a message is the answer of a Responses API, which has no role. */
  private static boolean isResponse(SourceRecord message) {
    return message.get("role") == null && message.get("output") instanceof JsonArray;
  }

  private void write(SourceRecord message, boolean isInPrompt) throws IOException {
    Timestamp time = time(message.get(EXTRA, "timestamp"));
    if (time != null) {
      message.derive("t", EXTRA, "timestamp");
    }
    Meta meta = Meta.NONE.withTime(time);
    String role = message.text("role");
    if (isAnswer(message)) {
      writeAnswer(message, meta);
    } else if (message.text("tool_call_id") != null || message.text("call_id") != null) {
      String member = message.text("tool_call_id") == null ? "call_id" : "tool_call_id";
      message.derive("ToolResult/id", member);
      writeResult(Objects.requireNonNull(message.text(member)), message, meta, isInPrompt);
    } else if ("user".equals(role) && !unanswered.isEmpty()) {
      message.generate("ToolResult/id", "that of the action before");
      writeResult(unanswered.remove(), message, meta, isInPrompt);
    } else if ("user".equals(role)) {
      conversation.add(shown(message));
      message.derive(IN_PROMPT, "content");
      String text = MessageText.of(message.get("content"));
      if (text != null && !text.isBlank()) {
        session.task(message, text, "content");
      }
      session.message(message, meta);
    } else {
      if (!"exit".equals(role)) {
        conversation.add(shown(message));
        toPrompt(message, isInPrompt);
      }
      session.keep(message, meta);
    }
  }

  private static JsonObject shown(SourceRecord message) {
    return message.json().without(EXTRA);
  }

  /** States that the content of a message is in the prompts, if there is one after it. */
  private static void toPrompt(SourceRecord message, boolean isInPrompt) {
    if (isInPrompt) {
      message.move(IN_PROMPT, message.get("content") == null ? "output" : "content");
    }
  }

  private void writeAnswer(SourceRecord message, Meta meta) throws IOException {
    String id = "answer-" + ++answers;
    message.generate("ModelCall/id", "numbered");
    String model = message.text(EXTRA, "response", "model");
    if (model == null) {
      model = document.text("info", "config", "model", "model_name");
    } else {
      message.derive("ModelCall/model", EXTRA, "response", "model");
    }
    session.derive(conversation.call(id, model, ModelCall.Parameters.NONE, Meta.NONE), message);
    JsonObject answer = shown(message);
    for (String name : answer.names()) {
      message.move("ModelResult/answer", name);
    }
    List<ToolCall> calls = calls(message, meta);
    session.emit(result(id, answer, message, meta), message);
    conversation.add(answer);
    for (ToolCall call : calls) {
      session.emit(call, message);
    }
  }

  /** The calls of an answer: by name, in the list of its actions, or in its text. */
  private List<ToolCall> calls(SourceRecord message, Meta meta) {
    unanswered.clear();
    String member = isResponse(message) ? "output" : "tool_calls";
    List<ToolCall> named = actions.named(message.get(member), meta);
    if (!named.isEmpty()) {
      message.derive("ToolCall", member);
      return named;
    }
    List<ToolCall> calls = new ArrayList<>();
    for (JsonValue action : message.array(EXTRA, "actions")) {
      String command =
          action instanceof JsonObject object ? SourceHead.text(object, "command") : null;
      if (command != null) {
        message.derive("ToolCall/params/command", EXTRA, "actions");
        calls.add(actions.shell(command, meta));
      }
    }
    String text = message.text("content");
    String command = calls.isEmpty() && text != null ? Actions.inText(text) : null;
    if (command != null) {
      message.derive("ToolCall/params/command", "content");
      calls.add(actions.shell(command, meta));
    }
    calls.forEach(call -> unanswered.add(call.id()));
    return calls;
  }

  private static ModelResult result(String id, JsonObject answer, SourceRecord message, Meta meta) {
    String[] usage = {EXTRA, "response", "usage"};
    Long input = count(message, "prompt_tokens", "input_tokens");
    Long output = count(message, "completion_tokens", "output_tokens");
    JsonObject extra = meta.extra();
    if (message.get(usage) instanceof JsonObject) {
      message.derive("ModelResult/" + Names.TOKENS_IN, usage);
      message.derive("ModelResult/" + Names.TOKENS_OUT, usage);
      extra = extra.with(
          Names.TOKEN_DETAILS, message.move("ModelResult/" + Names.TOKEN_DETAILS, usage));
    }
    String response = message.text(EXTRA, "response", "id");
    if (response != null) {
      message.derive("ModelResult/" + Names.RESPONSE_ID, EXTRA, "response", "id");
      extra = extra.with(Names.RESPONSE_ID, response);
    }
    JsonArray choices = message.array(EXTRA, "response", "choices");
    String reason = choices.size() > 0 && choices.get(0) instanceof JsonObject choice
        ? SourceHead.text(choice, "finish_reason")
        : null;
    if (reason != null) {
      message.derive("ModelResult/finish_reason", EXTRA, "response", "choices");
    }
    return new ModelResult(
        id,
        Content.of(answer),
        new Completion(reason, null, null),
        new TokenCounts(input, output),
        Timing.NONE,
        meta.withExtra(extra));
  }

  private static @Nullable Long count(SourceRecord message, String name, String otherName) {
    Long count = message.integer(EXTRA, "response", "usage", name);
    count = count == null ? message.integer(EXTRA, "response", "usage", otherName) : count;
    return count == null || count < 0 ? null : count;
  }

  private void writeResult(String id, SourceRecord message, Meta meta, boolean isInPrompt)
      throws IOException {
    conversation.add(shown(message));
    JsonValue output = message.get(EXTRA, "raw_output");
    if (output == null) {
      String member = message.get("content") == null ? "output" : "content";
      output = message.move("ToolResult/output", member);
    } else {
      message.move("ToolResult/output", EXTRA, "raw_output");
      toPrompt(message, isInPrompt);
    }
    ToolResult result = ToolResult.of(id, output == null ? "" : output)
        .withOutcome(outcome(message))
        .withMeta(meta);
    session.emit(result, message);
  }

  private static Outcome outcome(SourceRecord message) {
    Long code = message.integer(EXTRA, "returncode");
    String exception = message.text(EXTRA, "exception_info");
    if (code != null) {
      message.derive("ToolResult/exit_code", EXTRA, "returncode");
    }
    if (exception != null && !exception.isBlank()) {
      message.derive("ToolResult/error", EXTRA, "exception_info");
      String type = message.text(EXTRA, "exception_type");
      Failure failure = Failure.of(type == null ? "Exception" : type, exception);
      return Outcome.of(false, exitCode(code), failure);
    }
    return code == null ? Outcome.NONE : Outcome.of(code == 0, exitCode(code), null);
  }

  private static @Nullable Integer exitCode(@Nullable Long code) {
    return code == null || code != code.intValue() ? null : Integer.valueOf(code.intValue());
  }

  /** A time in seconds since 1970. */
  private static @Nullable Timestamp time(@Nullable JsonValue seconds) {
    double value = seconds instanceof JsonNumber number ? number.asDouble() : -1;
    return value > 0 && value < MAX_SECONDS
        ? Timestamp.of(Instant.ofEpochSecond((long) value, Math.round(value % 1 * 1e6) * 1_000))
        : null;
  }
}
