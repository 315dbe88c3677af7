package dev.agentreplay.canonical.prompt;

import dev.agentreplay.model.PromptDelta;
import dev.agentreplay.model.PromptDelta.Parts;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonValue;
import java.util.BitSet;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A prompt as a change of an earlier one. */
final class PromptMatch {

  static final String MESSAGES = "messages";
  private static final JsonPointer AT_MESSAGES = JsonPointer.ROOT.append(MESSAGES);

  private final PastPrompt base;
  private final PromptDelta.Builder delta;

  /** The size of what is new beyond which the match is given up. */
  private final long limit;

  private long added;
  private boolean takes;

  private PromptMatch(PastPrompt base, long limit) {
    this.base = base;
    this.limit = limit;
    this.delta = PromptDelta.from(base.id());
  }

  /** Returns a prompt as a change of an earlier one; null if more than the limit is new. */
  static @Nullable PromptMatch of(PastPrompt base, JsonObject prompt, long limit) {
    PromptMatch match = new PromptMatch(base, limit);
    match.object(JsonPointer.ROOT, base.known(), prompt);
    return match.added < limit && match.takes ? match : null;
  }

  /** The messages of a prompt; empty if it has none. */
  static JsonArray messages(JsonObject prompt) {
    return prompt.get(MESSAGES) instanceof JsonArray messages ? messages : JsonArray.EMPTY;
  }

  PastPrompt base() {
    return base;
  }

  PromptDelta delta() {
    return delta.build();
  }

  /** The size of the values that the base does not have, see {@link PromptDelta#size}. */
  long added() {
    return added;
  }

  private void object(JsonPointer pointer, JsonObject from, JsonObject to) {
    for (int i = 0; i < from.size(); i++) {
      if (!to.has(from.name(i))) {
        delta.remove(pointer.append(from.name(i)));
      }
    }
    for (int i = 0; i < to.size() && added < limit; i++) {
      String name = to.name(i);
      member(pointer.append(name), from.get(name), to.value(i));
    }
  }

  private void member(JsonPointer pointer, @Nullable JsonValue from, JsonValue to) {
    if (from instanceof JsonArray one && to instanceof JsonArray other) {
      array(pointer, one, other);
    } else if (to.equals(from)) {
      takes = true;
    } else if (from instanceof JsonObject one && to instanceof JsonObject other) {
      object(pointer, one, other);
    } else {
      added += PromptDelta.size(to);
      delta.set(pointer, to);
    }
  }

  private void array(JsonPointer pointer, JsonArray from, JsonArray to) {
    Parts parts = new Parts();
    BitSet used = new BitSet();
    Map<JsonValue, Integer> index = null;
    int next = 0;
    for (JsonValue element : to) {
      int at = next;
      if (next >= from.size() || used.get(next) || !from.get(next).equals(element)) {
        if (index == null) {
          index = pointer.equals(AT_MESSAGES) ? base.messages() : PastPrompt.index(from);
        }
        at = index.getOrDefault(element, -1);
      }
      if (at < 0 || used.get(at)) {
        parts.add(element);
        added += PromptDelta.size(element);
        if (added >= limit) {
          return;
        }
        continue;
      }
      parts.take(at);
      used.set(at);
      takes = true;
      next = at + 1;
    }
    if (!parts.isWhole(from.size())) {
      delta.slices(pointer, parts);
    }
  }
}
