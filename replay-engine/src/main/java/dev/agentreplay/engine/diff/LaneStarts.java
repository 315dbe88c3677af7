package dev.agentreplay.engine.diff;

import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ToolCall;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the calls of a session that started its lanes, as the {@code parent} of events states. */
final class LaneStarts {

  /** The maximum length of the id of a call that is remembered. */
  private static final int MAX_ID = 64;

  private record Started(@Nullable String agent, String parent) {}

  /** The index of the last step that is a call with an id. */
  private final Map<String, Integer> calls = new HashMap<>();

  private final Set<Started> known = new HashSet<>();
  private final Map<Integer, Integer> starts = new HashMap<>();

  /** Adds the next step. */
  void add(ReplayEvent event, int index) {
    String parent = event.meta().parent();
    if (parent != null
        && parent.length() <= MAX_ID
        && known.add(new Started(event.meta().agent(), parent))
        && calls.containsKey(parent)) {
      starts.put(index, calls.get(parent));
    }
    String id = event instanceof ToolCall || event instanceof ModelCall ? event.callId() : null;
    if (id != null && id.length() <= MAX_ID) {
      calls.put(id, index);
    }
  }

  /** By the index of the first step of each lane that a call started: the index of that call. */
  Map<Integer, Integer> toMap() {
    return starts;
  }
}
