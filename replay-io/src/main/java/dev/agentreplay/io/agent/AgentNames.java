package dev.agentreplay.io.agent;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The ids of the agents that run at the same time in a session, whichever recorder records them or
 * replayer replays them: the simple name of the agent's interface, with a number if there are
 * several, after the id of the agent that invoked it. Calls of one tool in one answer are numbered
 * in the order of the answer; agents of one name that different tools start at the same time, in
 * the order in which they begin. Safe for use by several threads.
 */
public final class AgentNames {

  private static final Map<Object, Set<String>> TAKEN = new WeakHashMap<>();

  private AgentNames() {}

  /**
   * Takes an id for an agent that starts.
   *
   * @param session the recorder of the session, or the scope of its replay
   * @param invoker the id of the agent that starts it; null if that is not an agent
   * @param interfaceName the name of the agent; a package before it, and enclosing classes, are
   *     left out
   * @param number the number of the agent, from 1; if it is taken, the next free one
   */
  public static String take(
      Object session, @Nullable String invoker, String interfaceName, int number) {
    String name = (invoker == null ? "" : invoker + "/") + simple(interfaceName);
    synchronized (TAKEN) {
      Set<String> taken = TAKEN.computeIfAbsent(session, key -> new HashSet<>());
      int next = number;
      while (!taken.add(numbered(name, next))) {
        next++;
      }
      return numbered(name, next);
    }
  }

  private static String numbered(String name, int number) {
    return number == 1 ? name : name + "-" + number;
  }

  /** Releases the id of an agent that has ended. */
  public static void release(Object session, String id) {
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
