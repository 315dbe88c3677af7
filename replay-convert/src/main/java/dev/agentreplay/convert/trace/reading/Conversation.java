package dev.agentreplay.convert.trace.reading;

import dev.agentreplay.convert.trace.report.SourceFault;
import dev.agentreplay.convert.trace.report.SourcePlace;
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
 * change of that of the call before, so that the log grows with what is new only. Not safe for use
 * by several threads.
 */
public final class Conversation {

  private static final JsonPointer MESSAGES = JsonPointer.parse("/messages");
  private static final JsonPointer SYSTEM = JsonPointer.parse("/system");
  private static final JsonPointer CONTEXT = JsonPointer.parse("/context");

  /**
   * A point of the conversation to which it can return.
   *
   * @param messages the number of messages before it
   */
  public record Mark(int messages) {}

  private final TraceSession session;

  /** The messages from the number {@link #held} on. */
  private final List<JsonValue> messages = new ArrayList<>();

  /** The number of the first message in memory, from 0. */
  private int held;

  /** The last call, whose prompt is the base of the next; null if there is none. */
  private @Nullable String base;

  /** The number of the call among the model calls of the session. */
  private long baseOrdinal;

  /** The number of the first message of the base: not 0 only if the first ones were released. */
  private int baseFrom;

  /** The number of the first message that is not in the base, or is no longer the same. */
  private int baseTo;

  private @Nullable JsonValue system;
  private @Nullable JsonValue context;
  private boolean isSystemNew;
  private boolean isContextNew;

  /** The size of the messages in memory. */
  private long size;

  Conversation(TraceSession session) {
    this.session = session;
  }

  /** Adds a message, in the form of the provider, such as {@code role} and {@code content}. */
  public void add(JsonValue message) {
    messages.add(message);
    long added = size(message);
    size += added;
    session.hold(added);
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
    return new Mark(held + messages.size());
  }

  /** Removes the messages after a mark. Does nothing if the conversation is shorter. */
  public void rewind(Mark mark) {
    if (mark.messages() < held + messages.size()) {
      cut(Math.max(0, mark.messages() - held));
      held = Math.min(held, mark.messages());
      baseTo = Math.min(baseTo, mark.messages());
    }
  }

  /** Removes all messages, as when a conversation is replaced by its summary. */
  public void clear() {
    rewind(new Mark(0));
    baseFrom = 0;
  }

  private void cut(int count) {
    List<JsonValue> removed = messages.subList(count, messages.size());
    removed.forEach(this::subtract);
    removed.clear();
  }

  private void subtract(JsonValue message) {
    long removed = size(message);
    size -= removed;
    session.hold(-removed);
  }

  /** Releases the messages of the base, which the next prompt refers to and does not repeat. */
  void release() {
    List<JsonValue> released = messages.subList(0, Math.max(0, baseTo - held));
    held += released.size();
    released.forEach(this::subtract);
    released.clear();
  }

  /** Returns a call with the conversation so far as its prompt. The caller emits it. */
  public ModelCall call(
      String id, @Nullable String model, ModelCall.Parameters parameters, Meta meta) {
    boolean isChange =
        base != null && session.isRecent(base, baseOrdinal) && size <= PromptDelta.MAX_SIZE / 2;
    ModelCall call = isChange
        ? new ModelCall(id, model, Content.NONE, parameters, meta).asChange(delta(), null)
        : new ModelCall(id, model, Content.of(prompt(id)), parameters, meta);
    baseTo = held + messages.size();
    base = id;
    baseOrdinal = session.addRecent(id);
    isSystemNew = false;
    isContextNew = false;
    return call;
  }

  /** The whole prompt; without its first messages if they were released, which is reported. */
  private JsonObject prompt(String id) {
    if (held > 0) {
      session.fault(new SourceFault(
          SourceFault.Kind.NOT_REPRESENTABLE,
          SourcePlace.DOCUMENT,
          ("the prompt of the model call %s is without its first %d messages, because the last"
                  + " call of its lane is too long ago")
              .formatted(id, held)));
    }
    baseFrom = held;
    JsonObject.Builder prompt = JsonObject.builder();
    if (context != null) {
      prompt.put("context", context);
    }
    prompt.put("messages", JsonArray.copyOf(messages));
    return system == null ? prompt.build() : prompt.put("system", system).build();
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
    parts.takeFirst(Math.max(0, baseTo - baseFrom));
    messages.subList(Math.max(0, baseTo - held), messages.size()).forEach(parts::add);
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
