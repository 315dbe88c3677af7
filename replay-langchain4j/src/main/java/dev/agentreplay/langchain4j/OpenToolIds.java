package dev.agentreplay.langchain4j;

import dev.agentreplay.engine.replay.AgentScope;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * The ids of the open tool calls of replays, whichever replayer issued them: a model may give an id
 * several times. Safe for use by several threads.
 */
final class OpenToolIds {

  private static final Map<AgentScope, Set<String>> OPEN = new WeakHashMap<>();

  private OpenToolIds() {}

  /** Takes the id of a call. Returns false if a call with this id is open. */
  static boolean take(AgentScope session, String id) {
    synchronized (OPEN) {
      return OPEN.computeIfAbsent(session, key -> new HashSet<>()).add(id);
    }
  }

  /** Releases the id of a call that has a result. */
  static void release(AgentScope session, String id) {
    synchronized (OPEN) {
      Set<String> open = OPEN.get(session);
      if (open != null) {
        open.remove(id);
      }
    }
  }
}
