package dev.agentreplay.engine.replay.edit;

import dev.agentreplay.model.Content;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelCall.Parameters;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A change of a model call, and of the calls that continue it: an agent that does not know of the
 * change sends the old beginning of its prompt again, which is replaced by the new one.
 *
 * @param before the call as the agent made it
 * @param after the changed call
 */
record PromptEdit(ModelCall before, ModelCall after) {

  private static final String MESSAGES = "messages";

  /** Returns a later call with the same change; the call itself if it has nothing in common. */
  ModelCall continuing(ModelCall call) {
    String model = Objects.equals(call.model(), before.model()) ? after.model() : call.model();
    JsonObject parameters = merged(
        before.parameters().json(), after.parameters().json(), call.parameters().json());
    Content prompt = call.prompt();
    if (prompt.value() instanceof JsonObject value
        && before.prompt().value() instanceof JsonObject old
        && after.prompt().value() instanceof JsonObject changed) {
      JsonObject edited = merged(old, changed, value);
      prompt = edited.equals(value) ? prompt : Content.of(edited);
    }
    ModelCall edited =
        new ModelCall(call.id(), model, prompt, new Parameters(parameters), call.meta());
    return edited.equals(call) ? call : edited;
  }

  /** The members of a later object, with those replaced that are as they were before. */
  private static JsonObject merged(JsonObject old, JsonObject changed, JsonObject later) {
    Set<String> names = new TreeSet<>(old.names());
    names.addAll(changed.names());
    JsonObject merged = later;
    for (String name : names) {
      JsonValue was = old.get(name);
      JsonValue is = changed.get(name);
      JsonValue now = later.get(name);
      if (Objects.equals(was, is)) {
        continue;
      }
      JsonValue replaced = name.equals(MESSAGES) ? continued(was, is, now) : null;
      if (replaced != null) {
        merged = merged.with(name, replaced);
      } else if (Objects.equals(was, now)) {
        merged = is == null ? merged.without(name) : merged.with(name, is);
      }
    }
    return merged;
  }

  /** The messages of a later prompt with a new beginning; null if they begin differently. */
  private static @Nullable JsonArray continued(
      @Nullable JsonValue was, @Nullable JsonValue is, @Nullable JsonValue now) {
    if (!(was instanceof JsonArray old)
        || !(is instanceof JsonArray changed)
        || !(now instanceof JsonArray later)
        || later.size() < old.size()
        || !later.values().subList(0, old.size()).equals(old.values())) {
      return null;
    }
    List<JsonValue> messages = new ArrayList<>(changed.values());
    messages.addAll(later.values().subList(old.size(), later.size()));
    return JsonArray.copyOf(messages);
  }
}
