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
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The conversation of one lane, from which the prompts of its model calls are derived. A source
 * states each message once; the prompt of a call is what came before it. A prompt is written as a
 * change of that of the call before, so that the log grows with what is new only.
 *
 * <p>A conversation is a tree: it may be continued at an earlier point. Messages that a prompt has
 * are released from memory when there are too many ({@link MessageMemory}); a prompt that cannot be
 * stated without them is left out, and reported. Not safe for use by several threads.
 */
public final class Conversation {

  private static final JsonPointer MESSAGES = JsonPointer.parse("/messages");
  private static final JsonPointer SYSTEM = JsonPointer.parse("/system");
  private static final JsonPointer CONTEXT = JsonPointer.parse("/context");

  /** A point of a conversation: after a message, or at the beginning. */
  public static final class Mark {
    private final @Nullable Mark before;
    private final int depth;
    private final long promptSize;
    private @Nullable JsonValue message;

    private Mark(@Nullable Mark before, @Nullable JsonValue message) {
      this.before = before;
      this.message = message;
      this.depth = before == null ? 0 : before.depth + 1;
      this.promptSize = (before == null ? 0 : before.promptSize)
          + (message == null ? 0 : PromptDelta.size(message));
    }

    /** The number of messages before this point. */
    public int messages() {
      return depth;
    }
  }

  /** A call whose prompt can be the base of the next. */
  private record Base(String id, long ordinal, Mark end) {}

  private final MessageMemory memory;
  private final Mark start = new Mark(null, null);
  private Mark end = start;

  /** The last call with a prompt; null if there is none. */
  private @Nullable Base base;

  /** The messages in memory that a prompt has. */
  private final Deque<Mark> written = new ArrayDeque<>();

  private @Nullable JsonValue system;
  private @Nullable JsonValue context;
  private boolean isSystemNew;
  private boolean isContextNew;

  Conversation(MessageMemory memory) {
    this.memory = memory;
  }

  /** Adds a message, in the form of the provider, such as {@code role} and {@code content}. */
  public void add(JsonValue message) {
    Mark before = end;
    end = new Mark(before, message);
    memory.hold(this, end.promptSize - before.promptSize);
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
    return end;
  }

  /** Continues at a point of this conversation, on any of its branches. */
  public void rewind(Mark mark) {
    end = mark;
  }

  /** Removes all messages but the first ones, as many as given. */
  public void keepFirst(int messages) {
    while (end.depth > messages) {
      end = before(end);
    }
  }

  /** Continues without messages, as when a conversation is replaced by its summary. */
  public void clear() {
    end = start;
  }

  /**
   * Whether the prompt of the next call cannot be stated, because messages were released. A caller
   * that still has them clears the conversation and adds them again.
   */
  public boolean isCut() {
    Mark from = from();
    return after(from == null ? start : from).stream().anyMatch(mark -> mark.message == null);
  }

  /** The point up to which the next prompt is that of the last call; null if none can be used. */
  private @Nullable Mark from() {
    return base != null && memory.isRecent(base.id(), base.ordinal()) ? common(base.end()) : null;
  }

  /** Releases the messages that a prompt has. */
  void release() {
    for (Mark mark = written.poll(); mark != null; mark = written.poll()) {
      release(mark);
    }
  }

  /** Releases all messages before the end, so that the next prompt cannot be stated. */
  void releaseAll() {
    release();
    for (Mark mark = end; mark.before != null && mark.message != null; mark = mark.before) {
      release(mark);
    }
  }

  private void release(Mark mark) {
    if (mark.message != null) {
      memory.released(PromptDelta.size(mark.message));
      mark.message = null;
    }
  }

  /**
   * Returns a call with the conversation so far as its prompt. The caller emits it before it
   * creates the next.
   */
  public ModelCall call(
      String id, @Nullable String model, ModelCall.Parameters parameters, Meta meta) {
    ModelCall call = new ModelCall(id, model, Content.NONE, parameters, meta);
    Mark from = from();
    boolean isTooLong = end.promptSize > PromptDelta.MAX_SIZE / 2;
    List<Mark> added = isTooLong ? List.of() : after(from == null ? start : from);
    if (isTooLong || added.stream().anyMatch(mark -> mark.message == null)) {
      memory.fault(new SourceFault(
          SourceFault.Kind.NOT_REPRESENTABLE,
          SourcePlace.DOCUMENT,
          "the prompt of model call %d is not stated: %s"
              .formatted(
                  memory.calls() + 1,
                  isTooLong
                      ? "it is longer than a prompt can be in a log"
                      : "its messages are too long to be kept in memory")));
      base = null;
      memory.called(id, 0);
      return call;
    }
    long size;
    if (from == null) {
      JsonObject prompt = prompt(added);
      size = PromptDelta.size(prompt);
      call = call.withPrompt(Content.of(prompt));
    } else {
      PromptDelta delta = delta(from, added);
      size = delta.writtenSize();
      call = call.asChange(delta, null);
    }
    base = new Base(id, memory.called(id, size), end);
    written.addAll(added);
    memory.written(this);
    isSystemNew = false;
    isContextNew = false;
    return call;
  }

  /** The last point that the conversation has in common with a different point. */
  private Mark common(Mark other) {
    Mark left = end;
    Mark right = other;
    while (left != right) {
      if (left.depth >= right.depth) {
        left = before(left);
      } else {
        right = before(right);
      }
    }
    return left;
  }

  private Mark before(Mark mark) {
    return mark.before == null ? start : mark.before;
  }

  /** The messages after a point of the conversation, in order. */
  private List<Mark> after(Mark from) {
    List<Mark> added = new ArrayList<>();
    for (Mark mark = end; mark != from; mark = before(mark)) {
      added.add(mark);
    }
    Collections.reverse(added);
    return added;
  }

  private JsonObject prompt(List<Mark> added) {
    JsonObject.Builder prompt = JsonObject.builder();
    if (context != null) {
      prompt.put("context", context);
    }
    prompt.put("messages", JsonArray.copyOf(messages(added)));
    return system == null ? prompt.build() : prompt.put("system", system).build();
  }

  private static List<JsonValue> messages(List<Mark> marks) {
    List<JsonValue> messages = new ArrayList<>(marks.size());
    for (Mark mark : marks) {
      if (mark.message != null) {
        messages.add(mark.message);
      }
    }
    return messages;
  }

  private PromptDelta delta(Mark from, List<Mark> added) {
    PromptDelta.Parts parts = new PromptDelta.Parts();
    parts.takeFirst(from.depth);
    messages(added).forEach(parts::add);
    PromptDelta.Builder delta =
        PromptDelta.from(base == null ? "" : base.id()).slices(MESSAGES, parts);
    if (isSystemNew && system != null) {
      delta.set(SYSTEM, system);
    }
    if (isContextNew && context != null) {
      delta.set(CONTEXT, context);
    }
    return delta.build();
  }
}
