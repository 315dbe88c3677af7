package dev.agentreplay.io.recording;

import dev.agentreplay.model.EventKind;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one kind in a session that wait for their results: those in the log, and those that
 * could not be written, whose results must not be written either. Calls and results are paired as
 * {@link dev.agentreplay.model.check.CallPairing} does. Also generates ids for new calls. Safe for
 * use by several threads; no method blocks.
 */
final class OpenCalls {

  /** The calls of one lane that have the same id. The lanes with calls of that id are a list. */
  static final class Waiting {
    private final @Nullable String agent;

    /**
     * The number of results that may still be written; zero while the only one is being written.
     */
    private int results;

    /** Whether the call was lost, so that its result is, too. */
    private boolean isLost;

    private @Nullable Waiting next;

    private Waiting(@Nullable String agent) {
      this.agent = agent;
    }

    private boolean takesResult() {
      return results > 0 || isLost;
    }
  }

  private final GeneratedIds ids;
  private final EventKind resultKind;
  private final boolean isExclusive;

  /** The first lane with calls of each id. */
  private final Map<String, Waiting> waiting = new HashMap<>();

  private OpenCalls(String prefix, EventKind resultKind, boolean isExclusive) {
    this.ids = new GeneratedIds(prefix);
    this.resultKind = resultKind;
    this.isExclusive = isExclusive;
  }

  /** Creates the calls of tools, which have unique ids while they wait, also across lanes. */
  static OpenCalls ofTools() {
    return new OpenCalls("call-", EventKind.TOOL_RESULT, true);
  }

  /** Creates the calls of models. */
  static OpenCalls ofModels() {
    return new OpenCalls("model-", EventKind.MODEL_RESULT, false);
  }

  /** Generates an id that no call has or had. */
  synchronized String newId() {
    String id;
    do {
      id = ids.next();
    } while (waiting.containsKey(id));
    return id;
  }

  /** Opens a call with a generated id. Returns the id. */
  synchronized String openNew(@Nullable String agent) {
    String id = newId();
    add(id, agent);
    return id;
  }

  /**
   * Opens a call, which waits for its result.
   *
   * @throws IllegalArgumentException if another call with this id waits, and ids are unique
   */
  synchronized void open(String id, @Nullable String agent) {
    if (isExclusive && isWaiting(id)) {
      throw new IllegalArgumentException(
          "another call with the id \"" + id + "\" waits for its result");
    }
    add(id, agent);
  }

  private boolean isWaiting(String id) {
    for (Waiting lane = waiting.get(id); lane != null; lane = lane.next) {
      if (!lane.isLost || lane.results > 0) {
        return true;
      }
    }
    return false;
  }

  /** Adds a call of a log that is resumed, which may have several with the same id. */
  synchronized void found(String id, @Nullable String agent) {
    add(id, agent);
    ids.taken(id);
  }

  private void add(String id, @Nullable String agent) {
    Waiting lane = lane(id, agent);
    if (lane == null) {
      lane = new Waiting(agent);
      Waiting first = waiting.putIfAbsent(id, lane);
      if (first != null) {
        last(first).next = lane;
      }
    }
    lane.results++;
    lane.isLost = false; // the next result belongs to this call
  }

  private static Waiting last(Waiting first) {
    Waiting last = first;
    for (Waiting lane = first; lane != null; lane = lane.next) {
      last = lane;
    }
    return last;
  }

  private @Nullable Waiting lane(String id, @Nullable String agent) {
    Waiting lane = waiting.get(id);
    while (lane != null && !Objects.equals(lane.agent, agent)) {
      lane = lane.next;
    }
    return lane;
  }

  /** Removes a lane in which no result may follow. */
  private void remove(String id, Waiting lane) {
    Waiting first = waiting.get(id);
    if (first == lane) {
      if (lane.next == null) {
        waiting.remove(id);
      } else {
        waiting.put(id, lane.next);
      }
      return;
    }
    for (Waiting before = first; before != null; before = before.next) {
      if (before.next == lane) {
        before.next = lane.next;
      }
    }
  }

  /** Marks a call that was opened as written: {@link #newId} does not generate its id. */
  synchronized void recorded(String id) {
    ids.taken(id);
  }

  /** Marks a call that was opened as lost: {@link #newId} does not generate its id. */
  synchronized void lost(String id, @Nullable String agent) {
    ids.taken(id);
    Waiting lane = lane(id, agent);
    if (lane != null) {
      lane.results = Math.max(0, lane.results - 1);
      lane.isLost = true;
    }
  }

  /** Closes a call that was rejected, or whose result will not come. */
  synchronized void close(String id, @Nullable String agent) {
    Waiting lane = lane(id, agent);
    if (lane != null) {
      close(id, lane);
    }
  }

  private void close(String id, Waiting lane) {
    lane.results = Math.max(0, lane.results - 1);
    if (!lane.takesResult()) {
      remove(id, lane);
    }
  }

  /** Adds a result of a log that is resumed; one without a call is ignored. */
  synchronized void foundResult(String id, @Nullable String agent) {
    Waiting lane = answered(id, agent);
    if (lane != null) {
      close(id, lane);
    }
  }

  /**
   * Claims a call for a result that is about to be written.
   *
   * @return the calls of which it answers one; null if that was lost, and the result is, too
   * @throws IllegalArgumentException if no call waits for it, or it does not state its agent and
   *     calls of several agents do
   */
  synchronized @Nullable Waiting claim(String id, @Nullable String agent) {
    Waiting lane = answered(id, agent);
    if (lane == null) {
      throw new IllegalArgumentException("%s: no call with the id \"%s\"%s waits for its result"
          .formatted(resultKind.id(), id, agent == null ? "" : " of agent \"" + agent + "\""));
    }
    if (agent == null && lane.agent != null && hasOther(lane)) {
      throw new IllegalArgumentException(
          "%s: calls of several agents with the id \"%s\" wait for their results: state the agent"
              .formatted(resultKind.id(), id));
    }
    if (lane.isLost) {
      lane.isLost = false;
      if (lane.results == 0) {
        remove(id, lane);
      }
      return null;
    }
    lane.results--;
    return lane;
  }

  private static boolean hasOther(Waiting first) {
    for (Waiting lane = first.next; lane != null; lane = lane.next) {
      if (lane.takesResult()) {
        return true;
      }
    }
    return false;
  }

  /** The lane of the call that a result answers; null if no call waits for it. */
  private @Nullable Waiting answered(String id, @Nullable String agent) {
    Waiting found = null;
    for (Waiting lane = waiting.get(id); lane != null; lane = lane.next) {
      if (lane.takesResult()) {
        if (Objects.equals(lane.agent, agent)) {
          return lane;
        }
        boolean mayBe = agent == null || lane.agent == null;
        found = found == null && mayBe ? lane : found;
      }
    }
    return found;
  }

  /** Releases the claim of a result that could not be written, and may be written later. */
  synchronized void unclaim(String id, Waiting claimed) {
    Waiting lane = lane(id, claimed.agent);
    if (lane == null) {
      add(id, claimed.agent);
    } else {
      lane.results++;
    }
  }

  /** Closes the claim of a result that is written, or will never be. */
  synchronized void answered(String id, Waiting claimed) {
    Waiting lane = lane(id, claimed.agent);
    if (lane != null && !lane.takesResult()) {
      remove(id, lane);
    }
  }
}
