package dev.agentreplay.langchain4j;

import dev.agentreplay.io.recording.SessionRecorder;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * The ids of the agents that run at the same time in a session, whichever recorder records them:
 * the simple name of the service's interface, with a number if it is taken. Safe for use by several
 * threads.
 */
final class AgentNames {

  private static final Map<SessionRecorder, Set<String>> TAKEN = new WeakHashMap<>();

  private AgentNames() {}

  /** Takes an id for an agent of a service. */
  static String take(SessionRecorder session, String interfaceName) {
    String name = simple(interfaceName);
    synchronized (TAKEN) {
      Set<String> taken = TAKEN.computeIfAbsent(session, key -> new HashSet<>());
      String free = name;
      for (int number = 2; !taken.add(free); number++) {
        free = name + "-" + number;
      }
      return free;
    }
  }

  /** Releases the id of an agent that has ended. */
  static void release(SessionRecorder session, String id) {
    synchronized (TAKEN) {
      Set<String> taken = TAKEN.get(session);
      if (taken != null) {
        taken.remove(id);
      }
    }
  }

  private static String simple(String interfaceName) {
    int from = Math.max(interfaceName.lastIndexOf('.'), interfaceName.lastIndexOf('$')) + 1;
    String simple = interfaceName.substring(from);
    return simple.isBlank() ? "agent" : simple;
  }
}
