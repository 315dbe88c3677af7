package dev.agentreplay.engine.replay.files;

import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.model.FileState;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.check.CallPairing;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The changes of files that a recording states, by the tool calls that made them. A change belongs
 * to the call whose result is the next one in its lane, if that call was made before the change; a
 * change without an agent belongs to the next result in any lane. Other changes were made outside
 * of tools. Collected while the recording is read.
 */
public final class RecordedFiles implements Consumer<ReplayLine> {

  /** A recorded change, with its line. */
  public record Change(long line, FileState state) {}

  /** A call without a result yet. */
  private record OpenCall(long line, @Nullable String agent) {}

  private final CallPairing<OpenCall> calls = new CallPairing<>();

  /** The number of open calls in each lane. */
  private final Map<@Nullable String, Integer> open = new HashMap<>();

  private int allOpen;

  /** The changes in each lane while a call is open that may have made them, the last one first. */
  private final Map<@Nullable String, Deque<Change>> pending = new HashMap<>();

  private final Map<Long, List<Change>> byCall = new HashMap<>();
  private final Map<Long, List<Change>> before = new HashMap<>();

  /** The changes outside of tools since the last call. */
  private List<Change> outside = new ArrayList<>();

  @Override
  public void accept(ReplayLine line) {
    ReplayEvent event = line.event();
    if (event instanceof FileState state) {
      add(new Change(line.position().line(), state));
    } else if (event instanceof ToolCall call) {
      add(call, line.position().line());
    } else if (event instanceof ToolResult result) {
      OpenCall call = calls.result(result.id(), result.meta().agent());
      if (call != null) {
        close(call);
      }
    }
  }

  private void add(Change change) {
    String agent = change.state().meta().agent();
    int running = agent == null ? allOpen : open.getOrDefault(agent, 0);
    if (running == 0) {
      outside.add(change);
    } else {
      pending.computeIfAbsent(agent, lane -> new ArrayDeque<>()).push(change);
    }
  }

  private void add(ToolCall call, long line) {
    if (!outside.isEmpty()) {
      before.put(line, outside);
      outside = new ArrayList<>();
    }
    OpenCall dropped = calls.call(
        call.id(), call.meta().agent(), new OpenCall(line, call.meta().agent()));
    if (dropped != null) {
      count(dropped, -1);
    }
    count(new OpenCall(line, call.meta().agent()), 1);
  }

  private void count(OpenCall call, int more) {
    open.merge(call.agent(), more, Integer::sum);
    allOpen += more;
  }

  private void close(OpenCall call) {
    count(call, -1);
    Deque<Change> made = new ArrayDeque<>();
    take(call, pending.get(call.agent()), made);
    if (call.agent() != null) {
      take(call, pending.get(null), made);
    }
    if (!made.isEmpty()) {
      byCall.put(call.line(), List.copyOf(made));
    }
  }

  /** Takes the changes of a lane that were made after a call. */
  private static void take(OpenCall call, @Nullable Deque<Change> lane, Deque<Change> made) {
    while (lane != null && !lane.isEmpty() && lane.element().line() > call.line()) {
      made.push(lane.pop());
    }
  }

  /** The changes that the tool of a call made; none if the call has no result. */
  public List<Change> ofCall(long line) {
    return byCall.getOrDefault(line, List.of());
  }

  /** The changes that were made outside of tools, between an earlier call and this one. */
  public List<Change> beforeCall(long line) {
    return before.getOrDefault(line, List.of());
  }

  /** The changes that were made outside of tools after the last call. */
  public List<Change> afterLast() {
    return outside;
  }

  /** All changes that were made outside of tools. */
  public List<Change> outsideOfTools() {
    List<Change> changes = new ArrayList<>();
    before.values().forEach(changes::addAll);
    changes.addAll(outside);
    return changes;
  }
}
