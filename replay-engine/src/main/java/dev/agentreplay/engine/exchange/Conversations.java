package dev.agentreplay.engine.exchange;

import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.json.JsonArray;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds, while a lane is read, the model calls that each model call continues: the one whose
 * messages have the most in common with its own, from the first on, and the longest one all of
 * whose messages are the first of its own. Messages are compared by hashes, which are confirmed by
 * values when they decide. Not safe for use by several threads.
 */
final class Conversations {

  /** The most beginnings of conversations that are known at a time. */
  private static final int MAX_KNOWN = 1 << 16;

  /** The last model call whose messages begin with those of a hash. */
  private final Map<Long, RecordedExchange> known = new LinkedHashMap<>();

  /** The last model call with all messages of a hash. */
  private final Map<Long, RecordedExchange> whole = new LinkedHashMap<>();

  /** Adds the next model call. */
  void add(RecordedExchange exchange, ModelCall call) {
    long[] hashes = hashes(call);
    int messages = hashes.length - 1;
    RecordedExchange base = null;
    RecordedExchange beginning = null;
    int prefix = 0;
    for (int length = messages; length > 0 && beginning == null; length--) {
      RecordedExchange with = known.get(hashes[length]);
      if (base == null && with != null) {
        base = with;
        prefix = length;
      }
      beginning = whole.get(hashes[length]);
    }
    if (base != null) {
      exchange.follow(base, prefix, beginning);
    }
    exchange.messages = messages;
    exchange.messagesHash = hashes[messages];
    for (int length = Math.max(1, exchange.prefix); length <= messages; length++) {
      known.remove(hashes[length]);
      known.put(hashes[length], exchange);
    }
    whole.put(hashes[messages], exchange);
    for (Map<Long, RecordedExchange> bounded : List.of(known, whole)) {
      while (bounded.size() > MAX_KNOWN) {
        bounded.remove(bounded.keySet().iterator().next());
      }
    }
  }

  /** The hash of the first messages of a call, by their number. */
  static long[] hashes(ModelCall call) {
    JsonArray messages = PromptGrowth.messages(call);
    long[] hashes = new long[messages.size() + 1];
    for (int i = 0; i < messages.size(); i++) {
      long mixed = (hashes[i] ^ messages.get(i).hashCode()) * 0x9E3779B97F4A7C15L;
      hashes[i + 1] = mixed ^ mixed >>> 29;
    }
    return hashes;
  }

  /**
   * The number of messages with which a recorded call is known to begin as another call does.
   *
   * @param hashes the hashes of the other call
   */
  static int common(RecordedExchange exchange, long[] hashes) {
    int limit = exchange.messages;
    for (@Nullable RecordedExchange at = exchange; at != null; at = at.base) {
      if (at.messages <= limit
          && at.messages < hashes.length
          && hashes[at.messages] == at.messagesHash) {
        return at.messages;
      }
      limit = Math.min(limit, at.prefix);
    }
    return 0;
  }
}
