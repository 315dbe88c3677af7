package dev.agentreplay.adk;

import dev.agentreplay.model.Meta;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The lanes of the agents of a session. The agent that a run begins with has none; each other agent
 * has one with its name, with a number if agents of this name run at the same time. Safe for use by
 * several threads.
 */
final class AgentLanes {

  /**
   * The lane of an agent.
   *
   * @param agent its id; null for the agent that a run begins with
   * @param parent the id of the call that started it; null if no call did
   * @param isTransfer whether that call transferred to it, and did not run it
   */
  record Lane(@Nullable String agent, @Nullable String parent, boolean isTransfer) {

    static final Lane MAIN = new Lane(null, null, false);

    /** The data of an event in this lane. */
    Meta in(Meta meta) {
      return meta.withAgent(agent).withParent(parent);
    }
  }

  /**
   * A run.
   *
   * @param lanes its lanes by the names of the agents
   * @param transfers the ids of the calls that transferred to agents, by their names
   * @param isNested whether a tool started it
   * @param parent the id of the call of that tool; null if it was not recorded, or none did
   */
  private record Run(
      Map<String, Lane> lanes,
      Map<String, String> transfers,
      boolean isNested,
      @Nullable String parent) {

    Run(String agent, Lane lane, boolean isNested, @Nullable String parent) {
      this(new HashMap<>(Map.of(agent, lane)), new HashMap<>(), isNested, parent);
    }
  }

  private final Map<String, Run> runs = new HashMap<>();
  private final Set<String> taken = new HashSet<>();

  /** Whether an agent other than the first one of a run is recorded without a lane, too. */
  private final Predicate<String> isMain;

  AgentLanes(Predicate<String> isMain) {
    this.isMain = isMain;
  }

  /** Begins a run of the session. */
  synchronized void begin(String invocation, String agent) {
    runs.put(invocation, new Run(agent, Lane.MAIN, false, null));
  }

  /**
   * Begins a run that a tool started.
   *
   * @param parent the id of the call of the tool; null if it was not recorded
   */
  synchronized void beginNested(String invocation, String agent, @Nullable String parent) {
    runs.put(invocation, new Run(agent, new Lane(take(agent), parent, false), true, parent));
  }

  /** The lane of an agent in a run. */
  synchronized Lane of(String invocation, String agent) {
    Run run = runs.get(invocation);
    if (run == null) {
      return new Lane(agent, null, false);
    }
    Lane known = run.lanes().get(agent);
    if (known != null) {
      return known;
    }
    Lane lane = isMain.test(agent)
        ? Lane.MAIN
        : new Lane(
            take(agent),
            run.transfers().getOrDefault(agent, run.parent()),
            run.transfers().containsKey(agent) && run.parent() == null);
    run.lanes().put(agent, lane);
    return lane;
  }

  /** Notes that a call of a run transferred to an agent. */
  synchronized void transferred(String invocation, String agent, String call) {
    Run run = runs.get(invocation);
    if (run != null) {
      run.transfers().put(agent, call);
    }
  }

  /** Whether a run was started by a tool. */
  synchronized boolean isNested(String invocation) {
    Run run = runs.get(invocation);
    return run != null && run.isNested();
  }

  /** Ends a run. */
  synchronized void end(String invocation) {
    Run run = runs.remove(invocation);
    if (run != null) {
      run.lanes().values().forEach(lane -> taken.remove(lane.agent()));
    }
  }

  private String take(String agent) {
    String id = agent;
    for (int number = 2; !taken.add(id); number++) {
      id = agent + "-" + number;
    }
    return id;
  }
}
