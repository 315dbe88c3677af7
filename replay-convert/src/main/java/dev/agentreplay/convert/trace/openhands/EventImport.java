package dev.agentreplay.convert.trace.openhands;

import dev.agentreplay.convert.trace.reading.MessageText;
import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.convert.trace.reading.SourceTimes;
import dev.agentreplay.convert.trace.reading.ToolDefinitions;
import dev.agentreplay.convert.trace.reading.TraceSession;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.Settings.Setting;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes one session from the events of a conversation of version 1. */
final class EventImport {

  /** The maximum number of events that wait for further actions of an answer. */
  private static final int MAX_WAITING = 256;

  private static final Set<String> KNOWN = Set.of(
      "SystemPromptEvent",
      "SystemPromptUpdateEvent",
      "ActionEvent",
      "ObservationEvent",
      "UserRejectObservation",
      "AgentErrorEvent",
      "MessageEvent",
      "TokenEvent",
      "Condensation",
      "CondensationRequest",
      "CondensationSummaryEvent",
      "ConversationStateUpdateEvent",
      "ConversationErrorEvent",
      "ConversationIterationLimitEvent",
      "PauseEvent",
      "InterruptEvent",
      "LLMCompletionLogEvent",
      "HookExecutionEvent",
      "StreamingDeltaEvent",
      "ACPToolCallEvent",
      "ServerErrorEvent");

  private final TraceSession session;
  private final Usage usage = new Usage();
  private final PromptView view;
  private final AnswerEvents answers;
  private final ResultEvents results;

  /** The actions of the last answer, of which more may follow, and the events after them. */
  private final List<SourceRecord> batch = new ArrayList<>();

  private final Deque<SourceRecord> waiting = new ArrayDeque<>();
  private @Nullable String status;

  EventImport(TraceSession session) {
    this.session = session;
    this.view = new PromptView(session.conversation(null));
    this.answers = new AnswerEvents(session, view, usage);
    this.results = new ResultEvents(session, view);
  }

  /** Takes the state of the conversation, which is next to the events. */
  void state(SourceRecord state) throws IOException {
    usage.add(state.get("stats"));
    state.derive("ModelResult/tokens_in", "stats");
    status(state, "execution_status");
    Map<String, Setting> settings = new LinkedHashMap<>();
    if (state.get("agent", "llm", "model") instanceof JsonString model) {
      answers.model(model.value());
      state.derive("ModelCall/model", "agent", "llm", "model");
      settings.put(Settings.MODEL, new Setting(model, null));
    }
    JsonObject.Builder parameters = JsonObject.builder();
    for (String name : List.of("temperature", "top_p", "reasoning_effort")) {
      JsonValue value = state.get("agent", "llm", name);
      if (value != null) {
        state.derive("Settings/model_parameters/" + name, "agent", "llm", name);
        parameters.put(name, value);
      }
    }
    if (!parameters.build().isEmpty()) {
      settings.put(Settings.MODEL_PARAMETERS, new Setting(parameters.build(), null));
    }
    if (state.get("workspace", "working_dir") instanceof JsonString directory) {
      state.derive("Settings/working_directory", "workspace", "working_dir");
      settings.put(Settings.WORKING_DIRECTORY, new Setting(directory, null));
    }
    SessionStart start = session.start();
    if (state.get("id") instanceof JsonString id
        && id.value().equals(start.meta().sessionId())) {
      state.move("SessionStart/session_id", "id");
    }
    session.start(start, state);
    if (!settings.isEmpty()) {
      session.derive(Settings.of(settings), state);
    }
  }

  /** Adds the next event. */
  void add(SourceRecord event) throws IOException {
    String kind = event.type();
    if (!KNOWN.contains(kind)) {
      event.unknown();
    }
    if ("stats".equals(event.text("key"))) {
      event.derive("ModelResult/tokens_in", "value");
      usage.add(event.get("value"));
    }
    String response = event.text("llm_response_id");
    if (kind.equals("ActionEvent")) {
      boolean isOfBatch = !batch.isEmpty()
          && response != null
          && response.equals(batch.get(0).text("llm_response_id"));
      if (!isOfBatch) {
        flush();
      }
      batch.add(event);
    } else if (batch.isEmpty()) {
      write(event);
    } else {
      waiting.add(event);
      if (kind.equals("MessageEvent") || waiting.size() > MAX_WAITING) {
        flush();
      }
    }
  }

  /** Writes the events that wait. */
  void flush() throws IOException {
    if (!batch.isEmpty()) {
      answers.actions(List.copyOf(batch));
      batch.clear();
    }
    for (SourceRecord event = waiting.poll(); event != null; event = waiting.poll()) {
      write(event);
    }
  }

  private void write(SourceRecord event) throws IOException {
    switch (event.type()) {
      case "SystemPromptEvent", "SystemPromptUpdateEvent" -> system(event);
      case "MessageEvent" -> message(event);
      case "ObservationEvent", "UserRejectObservation", "AgentErrorEvent" -> results.write(event);
      case "Condensation" -> condensation(event);
      default -> other(event);
    }
  }

  private void other(SourceRecord event) throws IOException {
    if ("execution_status".equals(event.text("key"))) {
      status(event, "value");
    }
    session.keep(event, meta(event));
  }

  private void status(SourceRecord record, String member) {
    if (record.get(member) instanceof JsonString stated) {
      status = stated.value();
      record.derive("SessionEnd/status", member);
    }
  }

  /** The time of an event. */
  static Meta meta(SourceRecord event) {
    return Meta.NONE.withTime(SourceTimes.take(event, "timestamp"));
  }

  private void system(SourceRecord event) throws IOException {
    Meta meta = meta(event);
    List<JsonValue> parts = new ArrayList<>();
    for (String name : List.of("system_prompt", "dynamic_context")) {
      if (event.get(name) instanceof JsonObject part) {
        event.derive("ModelCall/prompt/system", name);
        parts.add(part);
      }
    }
    JsonArray tools = event.array("tools");
    view.system(JsonArray.copyOf(parts), tools);
    event.derive("ModelCall/prompt/context", "tools");
    if (ToolDefinitions.areIn(tools)) {
      event.derive("Settings/tools", "tools");
      Settings settings = Settings.of(
          Map.of(Settings.TOOLS, new Setting(ToolDefinitions.descriptions(tools), null)));
      session.derive(settings.withMeta(meta), event);
    }
    session.keep(event, meta);
  }

  private void message(SourceRecord event) throws IOException {
    String source = String.valueOf(event.text("source"));
    if (source.equals("agent")) {
      answers.message(event);
      return;
    }
    JsonObject message = event.object("llm_message");
    JsonArray added = event.array("extended_content");
    if (added.size() > 0 && message.get("content") instanceof JsonArray content) {
      List<JsonValue> all = new ArrayList<>(content.values());
      all.addAll(added.values());
      message = message.with("content", JsonArray.copyOf(all));
    }
    event.derive("ModelCall/prompt", "llm_message");
    view.add(ids(event), message);
    Meta meta = meta(event);
    if (!source.equals("user")) {
      session.keep(event, meta);
      return;
    }
    String text = MessageText.of(event.get("llm_message", "content"));
    if (text != null) {
      session.task(event, text, "llm_message", "content");
    }
    session.message(event, meta);
  }

  static List<String> ids(SourceRecord event) {
    String id = event.text("id");
    return id == null ? List.of() : List.of(id);
  }

  private void condensation(SourceRecord event) throws IOException {
    Set<String> forgotten = new HashSet<>();
    for (JsonValue id : event.array("forgotten_event_ids")) {
      if (id instanceof JsonString text) {
        forgotten.add(text.value());
      }
    }
    event.derive("ModelCall/prompt", "forgotten_event_ids");
    event.derive("ModelCall/prompt", "summary");
    view.condense(forgotten, event.text("summary"), event.integer("summary_offset"));
    session.keep(event, meta(event));
  }

  /** Writes what waits, and the end of the session if the last state is one. */
  void complete() throws IOException {
    flush();
    if (status == null) {
      return;
    }
    Status end =
        switch (status) {
          case "finished" -> Status.SUCCESS;
          case "error", "stuck" -> Status.FAILED;
          default -> null;
        };
    if (end != null) {
      SessionEnd last = SessionEnd.of(end);
      session.emit(
          end.isSuccess() ? last : last.withErrorMessage("the last state is " + status), null);
    }
  }
}
