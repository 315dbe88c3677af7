package dev.agentreplay.engine.report.embedded;

import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.PromptDelta;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonValue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Prompts that begin with the messages of the previous prompt of their lane, as changes of that
 * one. An agent sends its model the whole conversation with each call: a page with all of it grows
 * with the square of the calls, and the new messages at the end are those that would be cut.
 */
public final class RepeatedPrompts {

  private static final String PROMPT = "prompt";

  /** The members with the messages, in the formats of different providers. */
  private static final List<String> MESSAGES = List.of("messages", "input", "contents");

  private static final int MAX_LANES = 256;

  /** A prompt with its line and the id of its call. */
  private record Last(String id, long line, JsonObject prompt) {}

  private final Map<@Nullable String, Last> last = new LinkedHashMap<>();

  /**
   * A line with its prompt as a change.
   *
   * @param json the line with {@code prompt_delta} in place of {@code prompt}
   * @param base the line of the previous prompt
   */
  public record Changed(JsonObject json, long base) {}

  /** The line of a call with its prompt as a change; null if it does not continue the last one. */
  @Nullable
  public Changed of(ModelCall call, JsonObject json) {
    Last before = last.get(call.meta().agent());
    if (before == null || !(json.get(PROMPT) instanceof JsonObject prompt)) {
      return null;
    }
    PromptDelta delta = change(before, prompt);
    if (delta == null) {
      return null;
    }
    JsonObject.Builder changed = JsonObject.builder();
    json.forEach((name, value) -> {
      if (name.equals(PROMPT)) {
        changed.add(Names.PROMPT_DELTA, delta.json());
      } else {
        changed.add(name, value);
      }
    });
    return new Changed(changed.build(), before.line());
  }

  private static @Nullable PromptDelta change(Last before, JsonObject prompt) {
    for (String name : MESSAGES) {
      if (before.prompt().get(name) instanceof JsonArray earlier
          && prompt.get(name) instanceof JsonArray messages) {
        int shared = shared(earlier, messages);
        return shared == 0 ? null : change(before, prompt, name, shared);
      }
    }
    return null;
  }

  /** The change of a prompt that has the given number of messages in the given member. */
  private static PromptDelta change(Last before, JsonObject prompt, String place, int shared) {
    PromptDelta.Builder delta = PromptDelta.from(before.id());
    for (String name : before.prompt().names()) {
      if (!prompt.has(name)) {
        delta.remove(pointer(name));
      }
    }
    PromptDelta.Parts messages = new PromptDelta.Parts();
    JsonArray all = prompt.at("/" + place).asArray();
    for (int i = 0; i < all.size(); i++) {
      if (i < shared) {
        messages.take(i);
      } else {
        messages.add(all.get(i));
      }
    }
    delta.slices(pointer(place), messages);
    prompt.forEach((name, value) -> {
      if (!name.equals(place) && !value.equals(before.prompt().get(name))) {
        delta.set(pointer(name), value);
      }
    });
    return delta.build();
  }

  private static JsonPointer pointer(String name) {
    return JsonPointer.parse("/" + JsonPointer.escape(name));
  }

  /** The number of first messages that both prompts have. */
  private static int shared(JsonArray before, JsonArray messages) {
    int shared = 0;
    while (shared < Math.min(before.size(), messages.size())
        && before.get(shared).equals(messages.get(shared))) {
      shared++;
    }
    return shared;
  }

  /**
   * Notes a call that is in the page, with its prompt as it was recorded; null if it is not known.
   */
  public void add(ModelCall call, long line, @Nullable JsonValue prompt) {
    String lane = call.meta().agent();
    last.remove(lane);
    if (prompt instanceof JsonObject object) {
      last.put(lane, new Last(call.id(), line, object));
      if (last.size() > MAX_LANES) {
        last.remove(last.keySet().iterator().next());
      }
    }
  }
}
