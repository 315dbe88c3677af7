package dev.agentreplay.convert.trace.span;

import dev.agentreplay.convert.trace.reading.Conversation;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The prompts of one lane. A span may state the whole prompt, which mostly extends that of the
 * request before, or none: then the prompt is what came before it, if an earlier span stated how
 * the conversation begins.
 */
final class LanePrompts {

  private final Conversation conversation;
  private final List<JsonValue> known = new ArrayList<>();
  private boolean isStated;

  LanePrompts(Conversation conversation) {
    this.conversation = conversation;
  }

  /** Whether the beginning of the conversation is known. */
  boolean isStated() {
    return isStated;
  }

  /** Sets the prompt that a span states. Returns the messages that are new in the lane. */
  List<JsonValue> set(ModelFacts.Prompt prompt) {
    if (prompt.system() != null) {
      conversation.system(prompt.system());
      isStated = true;
    }
    if (prompt.tools() != null) {
      conversation.context(JsonObject.of("tools", prompt.tools()));
    }
    List<JsonValue> stated = prompt.messages();
    if (stated.isEmpty()) {
      return List.of();
    }
    isStated = true;
    int common = 0;
    while (common < stated.size()
        && common < known.size()
        && stated.get(common).equals(known.get(common))) {
      common++;
    }
    conversation.keepFirst(common);
    known.subList(common, known.size()).clear();
    List<JsonValue> added = stated.subList(common, stated.size());
    added.forEach(this::add);
    return added;
  }

  /** Returns a call with the prompt. The caller emits it. */
  ModelCall call(String id, @Nullable String model, ModelCall.Parameters parameters, Meta meta) {
    if (!isStated) {
      return new ModelCall(id, model, Content.NONE, parameters, meta);
    }
    if (conversation.isCut()) {
      conversation.clear();
      known.forEach(conversation::add);
    }
    return conversation.call(id, model, parameters, meta);
  }

  /** Adds the answer of the model. Of several choices the first one continues. */
  void addAnswer(@Nullable JsonValue answer) {
    JsonValue first = answer;
    if (answer instanceof JsonArray choices) {
      first = choices.size() == 0 ? null : choices.get(0);
    }
    if (isStated && first != null) {
      add(first);
    }
  }

  /** Adds the result of a tool, in the form that most providers have. */
  void addResult(String id, String tool, @Nullable JsonValue output) {
    if (isStated) {
      add(JsonObject.of("role", "tool", "tool_call_id", id, "name", tool, "content", output));
    }
  }

  private void add(JsonValue message) {
    conversation.add(message);
    known.add(message);
  }
}
