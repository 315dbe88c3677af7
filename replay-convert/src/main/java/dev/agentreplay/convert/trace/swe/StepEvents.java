package dev.agentreplay.convert.trace.swe;

import dev.agentreplay.convert.trace.reading.Conversation;
import dev.agentreplay.convert.trace.reading.MessageText;
import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.convert.trace.reading.TraceSession;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes the messages of a history, and its answers with the steps that belong to them. */
final class StepEvents {

  /** The members of a message that the harness adds, and does not send to the model. */
  private static final List<String> OWN =
      List.of("agent", "message_type", "thought", "action", "is_demo", "tags");

  private static final String IN_PROMPT = "ModelCall/prompt/messages";
  private static final String QUERY = "query";

  private final TraceSession session;
  private final @Nullable String model;
  private final Set<JsonValue> history;
  private final Actions actions = new Actions();

  /** The messages that show the output of a step to the model. */
  private final Set<SourceRecord> outputs = new HashSet<>();

  /** The members of the last message, by lane, role and name. */
  private final Map<String, JsonValue> last = new HashMap<>();

  /** The messages of the last prompt that a step states, by lane. */
  private final Map<String, List<JsonValue>> queries = new HashMap<>();

  private long answers;

  /**
   * Creates events.
   *
   * @param model the model of the configuration; null if there is none
   * @param history the messages of the history
   */
  StepEvents(TraceSession session, @Nullable String model, Set<JsonValue> history) {
    this.session = session;
    this.model = model;
    this.history = history;
  }

  /** Whether a step states the messages that were sent for it. */
  static boolean hasQuery(SourceRecord step) {
    return TrajectoryImport.messages(step.get(QUERY)) != null;
  }

  /**
   * Writes a message that is not an answer.
   *
   * @param isInPrompt whether its content is in a prompt that follows
   */
  void message(SourceRecord message, Meta meta, boolean isInPrompt) throws IOException {
    if (message.isWritten()) {
      return; // with the call that it is the result of
    }
    session.conversation(meta.agent()).add(shown(message));
    dropRepeated(message, meta);
    boolean isOutput = outputs.remove(message);
    boolean isTurn = !isOutput && "user".equals(message.text("role")) && !message.isTrue("is_demo");
    if (isTurn) {
      message.derive(IN_PROMPT, "content");
      String text = MessageText.of(message.get("content"));
      if (text != null && !text.isBlank() && meta.agent() == null) {
        session.task(message, text, "content");
      }
      session.message(message, meta);
      return;
    }
    if (isInPrompt) {
      for (String name : shown(message).names()) {
        message.move(IN_PROMPT, name);
      }
    }
    if (!message.rest().isEmpty()) {
      session.keep(message, meta);
    }
  }

  private static JsonObject shown(SourceRecord message) {
    return message.json().without(OWN.toArray(String[]::new));
  }

  /** Drops the name of the agent and the type of a message where they are as before. */
  private void dropRepeated(SourceRecord message, Meta meta) {
    for (String name : List.of("agent", "message_type")) {
      JsonValue value = message.get(name);
      String role = name.equals("agent") ? "" : message.text("role");
      if (value != null && value.equals(last.put(meta.agent() + "/" + role + "/" + name, value))) {
        message.drop("equal to the one of the last message of the kind", name);
      }
    }
  }

  /**
   * Writes an answer, its action, and the output.
   *
   * @param answer the answer in the history; null if it does not have it
   * @param step the step of the answer; null if the trajectory does not have it
   * @param output the message in the history that follows the answer; null if there is none
   */
  void write(
      @Nullable SourceRecord answer,
      @Nullable SourceRecord step,
      @Nullable SourceRecord output,
      Meta meta)
      throws IOException {
    SourceRecord first = answer == null ? step : answer;
    if (first == null) {
      return;
    }
    Conversation conversation = session.conversation(meta.agent());
    if (step != null) {
      takeQuery(step, conversation, meta);
      takeSnapshot(step);
    }
    String id = "answer-" + ++answers;
    first.generate("ModelCall/id", "numbered");
    session.derive(conversation.call(id, model, ModelCall.Parameters.NONE, meta), first);
    JsonObject message;
    if (answer == null) {
      JsonValue response = first.move("ModelResult/answer/content", "response");
      message = JsonObject.of("role", "assistant", "content", response == null ? "" : response);
    } else {
      message = shown(answer);
      message.names().forEach(name -> answer.move("ModelResult/answer", name));
      dropRepeated(answer, meta);
    }
    List<ToolCall> calls = calls(answer, step, meta);
    if (answer != null && step != null) {
      dropEqual(step, answer);
    }
    ModelResult result =
        ModelResult.of(id, null).withAnswer(Content.of(message)).withMeta(meta);
    session.emit(result, first);
    conversation.add(message);
    for (ToolCall call : calls) {
      session.emit(call, first);
    }
    writeResult(calls, step, output, meta);
  }

  /** The calls: by name, or the action as a line for the shell. */
  private List<ToolCall> calls(
      @Nullable SourceRecord answer, @Nullable SourceRecord step, Meta meta) {
    SourceRecord first = answer != null && answer.get("tool_calls") != null ? answer : step;
    if (first != null) {
      List<ToolCall> named = actions.named(first.get("tool_calls"), meta);
      if (!named.isEmpty()) {
        first.derive("ToolCall", "tool_calls");
        return named;
      }
    }
    SourceRecord acting = step != null && step.text("action") != null ? step : answer;
    String action = acting == null ? null : acting.text("action");
    if (acting == null || action == null || action.isBlank()) {
      return List.of();
    }
    acting.move("ToolCall/params/command", "action");
    if (answer != null && acting != answer && action.equals(answer.text("action"))) {
      answer.drop("equal to the action of the step", "action");
    }
    return List.of(actions.shell(action, meta));
  }

  private static void dropEqual(SourceRecord step, SourceRecord answer) {
    JsonValue content = answer.get("content");
    if (content != null && content.equals(step.get("response"))) {
      step.drop("equal to the content of the answer", "response");
    }
    for (String name : List.of("thought", "action")) {
      JsonValue value = step.get(name);
      if (value != null && value.equals(answer.get(name)) && step.rest().has(name)) {
        step.drop("equal to the one of the answer", name);
      }
    }
    JsonValue thought = answer.get("thought");
    if (thought != null && thought.equals(content)) {
      answer.drop("equal to the content of the answer", "thought");
    }
  }

  private void writeResult(
      List<ToolCall> calls, @Nullable SourceRecord step, @Nullable SourceRecord output, Meta meta)
      throws IOException {
    if (step != null && !calls.isEmpty() && step.get("observation") != null) {
      JsonValue observation = step.move("ToolResult/output", "observation");
      ToolResult result = ToolResult.of(calls.get(0).id(), observation).withMeta(meta);
      if (step.get("execution_time") instanceof JsonNumber seconds && seconds.asDouble() >= 0) {
        step.derive("ToolResult/latency_ms", "execution_time");
        result = result.withLatencyMillis(Math.round(Math.min(seconds.asDouble(), 1e9) * 1_000));
      }
      session.emit(result, step);
      if (output != null) {
        outputs.add(output);
      }
    } else if (!calls.isEmpty() && output != null) {
      session.conversation(meta.agent()).add(shown(output));
      dropRepeated(output, meta);
      JsonValue content = output.move("ToolResult/output", "content");
      ToolResult result = ToolResult.of(calls.get(0).id(), content == null ? "" : content);
      session.emit(result.withMeta(meta), output);
    }
    if (step != null && !step.isWritten()) {
      session.keep(step, meta);
    }
  }

  /** Makes the messages that a step states the prompt of its call. */
  private void takeQuery(SourceRecord step, Conversation conversation, Meta meta) {
    JsonArray query = TrajectoryImport.messages(step.get(QUERY));
    if (query == null) {
      return;
    }
    List<JsonValue> messages = new ArrayList<>();
    query.forEach(message -> messages.add(message.asObject().without(OWN.toArray(String[]::new))));
    List<JsonValue> before = queries.getOrDefault(String.valueOf(meta.agent()), List.of());
    int same = 0;
    while (same < before.size()
        && same < messages.size()
        && before.get(same).equals(messages.get(same))) {
      same++;
    }
    conversation.keepFirst(same);
    messages.subList(same, messages.size()).forEach(conversation::add);
    queries.put(String.valueOf(meta.agent()), messages);
    step.derive("ModelCall/prompt", QUERY);
    step.drop("the messages are in the prompt, and in the history", QUERY);
  }

  /** Drops the history until a step, which some versions repeat in each. */
  private void takeSnapshot(SourceRecord step) {
    JsonArray messages = TrajectoryImport.messages(step.get("messages"));
    if (messages != null && history.containsAll(messages.values())) {
      step.drop("each message is in the history", "messages");
    }
  }
}
