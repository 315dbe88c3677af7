package dev.agentreplay.engine.diff;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Assigns pairs of calls to workers, each of which makes one call after the other, in the same
 * order in both sessions.
 *
 * <p>In the order of the left session, a call goes to the worker that is free in both sessions, and
 * was so last in the right one. This finds an assignment whenever there is one: of two workers that
 * are free in the left session, the one that was free earlier in the right one fits more later
 * calls.
 */
final class Workers {

  /**
   * A call of both sessions, with the lines between which it ran.
   *
   * @param index its index in the left session
   * @param mayMove whether it may be left out
   */
  record Call(int index, long start, long end, long otherStart, long otherEnd, boolean mayMove) {

    /** Whether this one ran first in the left session, and the other one in the right session. */
    boolean isSwappedWith(Call later) {
      return end < later.start && later.otherEnd < otherStart;
    }
  }

  /** A worker, with its calls so far. */
  private static final class Worker {

    private final Deque<Call> calls = new ArrayDeque<>();

    Call last() {
      return calls.getLast();
    }
  }

  /** The most workers that are searched for a call to be left out. */
  private static final int MAX_SEARCHED = 64;

  private int unused;

  /** The workers that are free on the left, by the end of the last call on the right. */
  private final TreeMap<Long, Worker> free = new TreeMap<>();

  private final PriorityQueue<Worker> busy = new PriorityQueue<>(
      (one, other) -> Long.compare(one.last().end(), other.last().end()));

  /** The workers whose last call may be left out. */
  private final Set<Worker> removable = new LinkedHashSet<>();

  private final List<Integer> moved = new ArrayList<>();

  Workers(int count) {
    this.unused = count;
  }

  /**
   * Assigns the calls of a section. There are as many workers as needed for calls that may not be
   * left out.
   *
   * @param calls the calls, in the order of the left session
   * @return the indices of those that are left out
   */
  List<Integer> assign(List<Call> calls) {
    for (Call call : calls) {
      while (!busy.isEmpty() && busy.element().last().end() < call.start()) {
        Worker ready = busy.remove();
        free.put(ready.last().otherEnd(), ready);
      }
      Worker worker = workerFor(call);
      if (worker == null) {
        moved.add(call.index());
      } else {
        worker.calls.addLast(call);
        busy.add(worker);
        if (call.mayMove()) {
          removable.add(worker);
        } else {
          removable.remove(worker);
        }
      }
    }
    return moved;
  }

  /** Takes a worker for a call out of the others; null if the call is left out. */
  private @Nullable Worker workerFor(Call call) {
    while (true) {
      var fitting = free.lowerEntry(call.otherStart());
      if (fitting != null) {
        return Objects.requireNonNull(free.remove(fitting.getKey()));
      } else if (unused > 0) {
        unused--;
        return new Worker();
      } else if (call.mayMove()) {
        return null;
      }
      if (removable.isEmpty()) {
        return new Worker();
      }
      leaveOut(candidate(call));
    }
  }

  /** The worker whose last call is left out for another call, preferably one in opposite orders. */
  private Worker candidate(Call call) {
    return removable.stream()
        .limit(MAX_SEARCHED)
        .filter(worker -> worker.last().isSwappedWith(call))
        .findFirst()
        .orElseGet(() -> removable.iterator().next());
  }

  private void leaveOut(Worker worker) {
    Call last = worker.last();
    if (!busy.remove(worker)) {
      free.remove(last.otherEnd());
    }
    moved.add(last.index());
    worker.calls.removeLast();
    if (worker.calls.isEmpty()) {
      removable.remove(worker);
      unused++;
      return;
    }
    free.put(worker.last().otherEnd(), worker);
    if (!worker.last().mayMove()) {
      removable.remove(worker);
    }
  }
}
