package dev.agentreplay.convert.trace.reading;

import dev.agentreplay.model.Content;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.PromptDelta;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The conversation of one lane, from which the prompts of its model calls are derived. A source
 * states each message once; the prompt of a call is what came before it. A prompt is written as a
 * change of that of the call before, so that memory and log grow with what is new only. Not safe
 * for use by several threads.
 */
public final class Conversation {

  private static final JsonPointer MESSAGES = JsonPointer.parse("/messages");
  private static final JsonPointer SYSTEM = JsonPointer.parse("/system");
  private static final JsonPointer CONTEXT = JsonPointer.parse("/context");

  /** A point of the conversation to which it can return: the number of its messages. */
  public record Mark(int messages) {}

  private final TraceSession session;

  /** The last call, whose prompt is the base of the next; null if there is none. */
  private @Nullable String base;

  /** The number of the call among the model calls of the session. */
  private long baseOrdinal;

  /** The number of messages of the base that are still a part of the conversation. */
  private int kept;

  private final List<JsonValue> added = new ArrayList<>();
  private @Nullable JsonValue system;
  private @Nullable JsonValue context;
  private boolean isSystemNew;
  private boolean isContextNew;

  /** The size of the messages that are kept, and of those that are added. */
  private long size;

  Conversation(TraceSession session) {
    this.session = session;
  }

  /** Adds a message, in the form of the provider, such as {@code role} and {@code content}. */
  public void add(JsonValue message) {
    added.add(message);
  }

  /** Adds a message. */
  public void add(String role, @Nullable JsonValue content) {
    add(JsonObject.of("role", role, "content", content));
  }

  /** Sets the system prompt. */
  public void system(JsonValue newSystem) {
    isSystemNew |= !newSystem.equals(system);
    system = newSystem;
  }

  /** Sets the context: what else the model is shown, such as the descriptions of tools. */
  public void context(JsonValue newContext) {
    isContextNew |= !newContext.equals(context);
    context = newContext;
  }

  /** The current end of the conversation. */
  public Mark mark() {
    return new Mark(kept + added.size());
  }

  /** Removes the messages after a mark. Does nothing if the conversation is shorter. */
  public void rewind(Mark mark) {
    if (mark.messages() <= kept) {
      kept = mark.messages();
      added.clear();
    } else if (mark.messages() - kept < added.size()) {
      added.subList(mark.messages() - kept, added.size()).clear();
    }
  }

  /** Removes all messages, as when a conversation is replaced by its summary. */
  public void clear() {
    kept = 0;
    added.clear();
  }

  /** Returns a call with the conversation so far as its prompt. The caller emits it. */
  public ModelCall call(
      String id, @Nullable String model, ModelCall.Parameters parameters, Meta meta) {
    boolean isChange =
        base != null && session.isRecent(base, baseOrdinal) && size <= PromptDelta.MAX_SIZE / 2;
    ModelCall call;
    if (isChange) {
      call = new ModelCall(id, model, Content.NONE, parameters, meta).asChange(delta(), null);
    } else {
      JsonObject.Builder prompt = JsonObject.builder();
      if (context != null) {
        prompt.put("context", context);
      }
      prompt.put("messages", JsonArray.copyOf(added));
      if (system != null) {
        prompt.put("system", system);
      }
      call = new ModelCall(id, model, Content.of(prompt.build()), parameters, meta);
      kept = 0;
      size = 0;
    }
    for (JsonValue message : added) {
      size += size(message);
    }
    kept += added.size();
    added.clear();
    base = id;
    baseOrdinal = session.addRecent(id);
    isSystemNew = false;
    isContextNew = false;
    return call;
  }

  /** A measure of the size of a value, as {@link PromptDelta#MAX_SIZE} has it. */
  private static long size(JsonValue value) {
    long size = 8;
    if (value instanceof JsonString text) {
      size += text.value().length();
    } else if (value instanceof JsonArray array) {
      for (JsonValue element : array) {
        size += size(element);
      }
    } else if (value instanceof JsonObject object) {
      for (int i = 0; i < object.size(); i++) {
        size += object.name(i).length() + size(object.value(i));
      }
    }
    return size;
  }

  private PromptDelta delta() {
    PromptDelta.Parts parts = new PromptDelta.Parts();
    parts.takeFirst(kept);
    added.forEach(parts::add);
    PromptDelta.Builder delta = PromptDelta.from(String.valueOf(base)).slices(MESSAGES, parts);
    if (isSystemNew && system != null) {
      delta.set(SYSTEM, system);
    }
    if (isContextNew && context != null) {
      delta.set(CONTEXT, context);
    }
    return delta.build();
  }
}
