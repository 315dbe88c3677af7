package dev.agentreplay.convert.trace.reading;

import dev.agentreplay.convert.trace.report.SourceFault;
import dev.agentreplay.model.PromptDelta;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The messages of all conversations of a session that are in memory, and the model calls that can
 * be the base of a prompt. The messages that a prompt has are released first, those of the lane
 * that is active before those of lanes that wait: only a lane whose last call is too long ago needs
 * them again. Not safe for use by several threads.
 */
final class MessageMemory {

  /** The maximum size of messages that prompts have. */
  private static final long MAX_HELD = 4L << 20;

  /** The maximum size of all messages. */
  private static final long MAX_WAITING = 12L << 20;

  /** A call: its number, and the size of its prompt as it is written. */
  private record Call(long ordinal, long size) {}

  private final Consumer<SourceFault> faults;

  /** The conversations that hold messages which a prompt has, the last one that called first. */
  private final Deque<Conversation> holders = new ArrayDeque<>();

  /** The last calls, by id, as {@link PromptDelta} defines which ones can be a base. */
  private final Map<String, Call> recent = new LinkedHashMap<>();

  private long recentSize;
  private long calls;
  private long held;

  MessageMemory(Consumer<SourceFault> faults) {
    this.faults = faults;
  }

  /** Accounts for a message of a conversation. */
  void hold(Conversation conversation, long size) {
    held += size;
    if (held > MAX_HELD) {
      conversation.release();
    }
    while (held > MAX_HELD && !holders.isEmpty()) {
      holders.pop().release();
    }
    if (held > MAX_WAITING) {
      conversation.releaseAll();
    }
  }

  void released(long size) {
    held -= size;
  }

  /** States that a conversation holds messages that a prompt has. */
  void written(Conversation conversation) {
    if (holders.peek() != conversation) {
      holders.push(conversation);
    }
  }

  /** Adds a call, and returns its number. */
  long called(String id, long size) {
    remove(id);
    recent.put(id, new Call(++calls, size));
    recentSize += size;
    while (recent.size() > PromptDelta.MAX_CALLS || recentSize > PromptDelta.MAX_SIZE) {
      remove(recent.keySet().iterator().next());
    }
    return calls;
  }

  private void remove(String id) {
    Call removed = recent.remove(id);
    recentSize -= removed == null ? 0 : removed.size();
  }

  /** Whether a call is the last with its id, and recent enough to be the base of a prompt. */
  boolean isRecent(String id, long ordinal) {
    @Nullable Call last = recent.get(id);
    return last != null && last.ordinal() == ordinal;
  }

  /** The number of calls. */
  long calls() {
    return calls;
  }

  void fault(SourceFault fault) {
    faults.accept(fault);
  }
}
