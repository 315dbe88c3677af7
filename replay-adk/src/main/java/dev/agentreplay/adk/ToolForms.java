package dev.agentreplay.adk;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.google.adk.JsonBaseModel;
import com.google.adk.events.EventActions;
import com.google.adk.events.ToolConfirmation;
import com.google.adk.sessions.State;
import com.google.adk.tools.ToolContext;
import dev.agentreplay.adk.AgentLanes.Lane;
import dev.agentreplay.io.agent.EventTexts;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonBoolean;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Creates the events of tool calls, and restores results of tools from their events. */
final class ToolForms {

  static final String TRANSFER = "transfer_to_agent";

  private static final String EXIT_LOOP = "exit_loop";
  private static final String OUTPUT = "/output";

  /** The member with the effects of a tool on the session and the agents of the kit. */
  private static final String ACTIONS = "actions";

  private static final String STATE = "state_delta";
  private static final String REMOVED = "state_removed";
  private static final String ARTIFACTS = "artifact_delta";
  private static final String ESCALATE = "escalate";
  private static final String SKIP_SUMMARIZATION = "skip_summarization";
  private static final String END_OF_AGENT = "end_of_agent";
  private static final String CONFIRMATIONS = "requested_tool_confirmations";
  private static final String AUTH = "requested_auth_configs";
  private static final String DELETED = "deleted_artifact_ids";

  private ToolForms() {}

  /** Creates the event of a call; its id is empty if it has none. */
  static ToolCall call(String tool, Map<String, Object> arguments, ToolContext context, Lane lane) {
    EventTexts texts = new EventTexts();
    String id = texts.at("/id", context.functionCallId().orElse(""));
    JsonValue params = texts.value("/params", arguments);
    return ToolCall.of(id, texts.at("/tool", tool), params).withMeta(lane.in(texts.meta()));
  }

  /** The agent that a call transfers to; null if it is a call of a different tool. */
  static @Nullable String transfer(String tool, Map<String, Object> arguments) {
    return tool.equals(TRANSFER)
            && (arguments.get("agent_name") != null
                    ? arguments.get("agent_name")
                    : arguments.get("agentName"))
                instanceof String agent
        ? agent
        : null;
  }

  private static @Nullable String transfer(ToolCall call) {
    return call.tool().equals(TRANSFER)
            && call.params().value() instanceof JsonObject params
            && params.get("agent_name") instanceof JsonString agent
        ? agent.value()
        : null;
  }

  /** Creates the event of a result; null is that of a tool without one, such as a pending one. */
  static ToolResult result(
      String id, @Nullable Map<String, Object> output, ToolContext context, Lane lane) {
    EventTexts texts = new EventTexts();
    JsonValue value = texts.value(OUTPUT, output);
    if (KeyOrder.isVisible(context.invocationContext().agent())
        && !KeyOrder.of(value).isEmpty()) {
      texts.add(KeyOrder.NAME, KeyOrder.of(value));
    }
    JsonObject effects = actions(texts, context.actions());
    if (!effects.isEmpty()) {
      texts.add(ACTIONS, effects);
    }
    return ToolResult.of(id, value).withOutcome(Outcome.OK).withMeta(lane.in(texts.meta()));
  }

  /** Creates the event of the result of a tool that threw. */
  static ToolResult failed(String id, Throwable error, ToolContext context, Lane lane) {
    EventTexts texts = new EventTexts();
    JsonObject effects = actions(texts, context.actions());
    if (!effects.isEmpty()) {
      texts.add(ACTIONS, effects);
    }
    return ToolResult.of(id, EventTexts.message(error))
        .withOutcome(Outcome.failed(error))
        .withMeta(lane.in(texts.meta()));
  }

  private static JsonObject actions(EventTexts texts, EventActions actions) {
    JsonObject form = JsonObject.EMPTY;
    Map<String, Object> set = new TreeMap<>();
    List<String> removed = new ArrayList<>();
    new TreeMap<>(actions.stateDelta()).forEach((key, value) -> {
      if (value == State.REMOVED) {
        removed.add(key);
      } else {
        set.put(key, value);
      }
    });
    form = with(texts, form, STATE, set, set.isEmpty());
    // an instruction shows a value of the state as text
    JsonObject orders = form.get(STATE) == null ? JsonObject.EMPTY : KeyOrder.of(form.get(STATE));
    if (!orders.isEmpty()) {
      form = form.with(KeyOrder.NAME, orders);
    }
    form = with(texts, form, REMOVED, removed, removed.isEmpty());
    form = with(
        texts, form, ARTIFACTS, actions.artifactDelta(), actions.artifactDelta().isEmpty());
    List<String> deleted = actions.deletedArtifactIds().stream().sorted().toList();
    form = with(texts, form, DELETED, deleted, deleted.isEmpty());
    if (actions.transferToAgent().isPresent()) {
      form = form.with(TRANSFER, EventTexts.wellFormed(actions.transferToAgent().get()));
    }
    if (actions.escalate().isPresent()) {
      form = form.with(ESCALATE, actions.escalate().get());
    }
    if (actions.skipSummarization().isPresent()) {
      form = form.with(SKIP_SUMMARIZATION, actions.skipSummarization().get());
    }
    if (actions.endOfAgent()) {
      form = form.with(END_OF_AGENT, true);
    }
    if (!actions.requestedAuthConfigs().isEmpty()) {
      // their number only: they have secrets of the application
      form = form.with(AUTH, actions.requestedAuthConfigs().size());
    }
    if (!actions.requestedToolConfirmations().isEmpty()) {
      // by the id of the call, which differs from run to run
      form = form.with(
          CONFIRMATIONS,
          JsonArray.copyOf(actions.requestedToolConfirmations().values().stream()
              .map(confirmation -> GenAiJson.form(confirmation).value())
              .toList()));
    }
    return form;
  }

  private static JsonObject with(
      EventTexts texts, JsonObject form, String name, Object value, boolean isEmpty) {
    return isEmpty ? form : form.with(name, texts.value("/" + ACTIONS + "/" + name, value));
  }

  /** The exception of a result; null if its tool did not throw. */
  static @Nullable Exception thrown(ToolResult result) {
    if (result.outcome().succeeded()) {
      return null;
    }
    Failure error = result.outcome().error();
    return RecordedExceptions.of(
        error == null ? Failure.of("java.lang.RuntimeException", "the tool failed") : error);
  }

  /** Restores the output of a result; empty if the tool had none. */
  static Map<String, Object> output(ToolResult result) {
    JsonValue recorded = result.output().value();
    JsonValue output = recorded == null
        ? null
        : KeyOrder.restored(recorded, result.meta().extra().get(KeyOrder.NAME));
    if (output instanceof JsonObject object) {
      return map(result, JsonPointer.parse(OUTPUT), object);
    }
    Map<String, Object> other = new LinkedHashMap<>();
    if (output != null && !(output instanceof dev.agentreplay.model.json.JsonNull)) {
      other.put("result", value(result, JsonPointer.parse(OUTPUT), output));
    }
    return other;
  }

  /**
   * Repeats the effects of a recorded tool.
   *
   * @param isStated whether the recording states effects, as an imported one does not; otherwise
   *     those of the kit's own tools are known
   */
  static void repeatActions(
      ToolResult result, ToolCall call, ToolContext context, boolean isStated) {
    if (!isStated) {
      String target = transfer(call);
      if (target != null) {
        context.actions().setTransferToAgent(target);
      } else if (call.tool().equals(EXIT_LOOP)) {
        context.actions().setEscalate(true);
      }
    }
    if (!(result.meta().extra().get(ACTIONS) instanceof JsonObject form)) {
      return;
    }
    EventActions actions = context.actions();
    JsonPointer place = JsonPointer.parse("/" + ACTIONS);
    if (form.get(STATE) instanceof JsonObject set) {
      JsonValue ordered = KeyOrder.restored(set, form.get(KeyOrder.NAME));
      context.state().putAll(map(result, place.append(STATE), ordered.asObject()));
    }
    if (form.get(REMOVED) instanceof JsonArray removed) {
      removed.forEach(key -> {
        context.state().remove(key.asString());
        actions.removeStateByKey(key.asString()); // also if the state does not have it
      });
    }
    if (form.get(DELETED) instanceof JsonArray deleted) {
      Set<String> ids = new LinkedHashSet<>(actions.deletedArtifactIds());
      deleted.forEach(id -> ids.add(id.asString()));
      actions.setDeletedArtifactIds(ids);
    }
    if (form.get(ARTIFACTS) instanceof JsonObject artifacts) {
      artifacts.forEach(
          (name, version) -> actions.artifactDelta().put(name, Math.toIntExact(version.asLong())));
    }
    if (form.get(TRANSFER) instanceof JsonString agent) {
      actions.setTransferToAgent(agent.value());
    }
    if (form.get(ESCALATE) instanceof JsonBoolean escalate) {
      actions.setEscalate(escalate.value());
    }
    if (form.get(SKIP_SUMMARIZATION) instanceof JsonBoolean skip) {
      actions.setSkipSummarization(skip.value());
    }
    if (form.get(END_OF_AGENT) instanceof JsonBoolean end) {
      actions.setEndOfAgent(end.value());
    }
    if (form.get(CONFIRMATIONS) instanceof JsonArray confirmations && confirmations.size() > 0) {
      actions
          .requestedToolConfirmations()
          .put(
              context.functionCallId().orElse(""),
              read(GenAiJson.camel(confirmations.get(0)), ToolConfirmation.class));
    }
  }

  private static Map<String, Object> map(ReplayEvent event, JsonPointer place, JsonObject object) {
    Map<String, Object> map = new LinkedHashMap<>();
    object.forEach((name, member) -> map.put(name, value(event, place.append(name), member)));
    return map;
  }

  @SuppressWarnings("NullAway") // the values of outputs may be null
  private static Object value(ReplayEvent event, JsonPointer place, JsonValue value) {
    if (value instanceof JsonObject object) {
      return map(event, place, object);
    } else if (value instanceof JsonArray array) {
      List<Object> list = new ArrayList<>();
      for (JsonValue element : array) {
        list.add(value(event, place.append(list.size()), element));
      }
      return list;
    } else if (value instanceof JsonString text) {
      return EventTexts.exact(event, place.toString(), text.value());
    } else if (value instanceof JsonBoolean bool) {
      return bool.value();
    }
    return value instanceof JsonNumber ? read(value, Object.class) : null;
  }

  private static <T> T read(JsonValue value, Class<T> type) {
    try {
      return JsonBaseModel.getMapper().readValue(value.toString(), type);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("cannot restore " + type.getSimpleName(), e);
    }
  }
}
