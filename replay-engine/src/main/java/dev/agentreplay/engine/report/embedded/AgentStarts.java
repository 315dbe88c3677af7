package dev.agentreplay.engine.report.embedded;

import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ReplayEvent;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the lines of the calls that started agents, in the order of a log. Remembers the calls and
 * the agents that were used most recently, so that memory use does not grow with the log.
 */
public final class AgentStarts {

  private static final int MAX_REMEMBERED = 10_000;

  /** An agent, and the id of the call that started it. */
  private record Start(@Nullable String agent, String call) {}

  private final Map<String, Long> calls = new Recent<>();
  private final Map<Start, Long> starts = new Recent<>();

  /** The line of the call that started the agent of the event; null if it is not known. */
  @Nullable
  public Long line(ReplayEvent event, long line) {
    Meta meta = event.meta();
    Long start = meta.parent() == null ? null : start(new Start(meta.agent(), meta.parent()));
    EventKind kind = event.kind();
    String id = event.callId();
    if (id != null && (kind == EventKind.TOOL_CALL || kind == EventKind.MODEL_CALL)) {
      calls.put(id, line);
    }
    return start;
  }

  /** The start as it was found first: the agent may use the id of the call for one of its own. */
  private @Nullable Long start(Start start) {
    Long known = starts.get(start);
    if (known == null) {
      known = calls.get(start.call());
      if (known != null) {
        starts.put(start, known);
      }
    }
    return known;
  }

  private static final class Recent<K> extends LinkedHashMap<K, Long> {

    private static final long serialVersionUID = 1L;

    Recent() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, Long> eldest) {
      return size() > MAX_REMEMBERED;
    }
  }
}
