package dev.agentreplay.engine.diff;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ToolCall;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the calls of a session that started its lanes, as the {@code parent} of events states. The
 * calls of a lane may have the ids of calls of the others, so that a lane keeps the call that its
 * first step names.
 */
final class LaneStarts {

  /** The maximum length of an id that is kept; the hash of a longer one is kept instead. */
  private static final int MAX_ID = 64;

  private static final int NO_CALL = -1;

  private record Started(@Nullable String agent, String parent) {}

  /** The index of the last step that is a call with an id. */
  private final Map<String, Integer> calls = new HashMap<>();

  private final Map<Started, Integer> lanes = new HashMap<>();
  private final Map<Integer, Integer> callOfStep = new HashMap<>();

  /** Adds the next step. */
  void add(ReplayEvent event, int index) {
    String parent = event.meta().parent();
    if (parent != null) {
      String agent = event.meta().agent();
      Started lane = new Started(agent == null ? null : key(agent), key(parent));
      int call = lanes.computeIfAbsent(lane, key -> calls.getOrDefault(key.parent(), NO_CALL));
      if (call != NO_CALL) {
        callOfStep.put(index, call);
      }
    }
    String id = event instanceof ToolCall || event instanceof ModelCall ? event.callId() : null;
    if (id != null) {
      calls.put(key(id), index);
    }
  }

  /** An id, or the hash of a long one. */
  private static String key(String id) {
    return id.length() <= MAX_ID
        ? id
        : ContentHash.sha256(id.getBytes(StandardCharsets.UTF_8)).toString();
  }

  /** By the index of each step of a lane that a call started: the index of that call. */
  Map<Integer, Integer> toMap() {
    return callOfStep;
  }
}
