package dev.agentreplay.engine.diff;

import java.util.List;
import java.util.PriorityQueue;

/** The lines of a log between which each step of a session ran. */
final class Intervals {

  private final List<IndexedStep> steps;

  /** The last cut up to each index: all steps before it ended before any from it on began. */
  private final int[] lastCut;

  Intervals(List<IndexedStep> steps) {
    this.steps = steps;
    this.lastCut = new int[steps.size() + 1];
    long ended = 0;
    for (int i = 0; i <= steps.size(); i++) {
      boolean isCut = i == steps.size() || ended < start(i);
      lastCut[i] = isCut ? i : lastCut[i - 1];
      ended = i == steps.size() ? ended : Math.max(ended, end(i));
    }
  }

  int size() {
    return steps.size();
  }

  /** The line at which a step began. */
  long start(int step) {
    return steps.get(step).at().line();
  }

  /** The line at which a step ended: that of its result, or its own if it does not have one. */
  long end(int step) {
    IndexedStep ended = steps.get(step);
    return ended.result() == null ? ended.at().line() : ended.result().line();
  }

  /** Whether all steps before one ended before it, and any after it, began. */
  boolean isCut(int step) {
    return lastCut[step] == step;
  }

  /** The last cut up to an index. */
  int lastCut(int index) {
    return lastCut[index];
  }

  /** Raises the number of each section to that of the calls in it that ran at the same time. */
  void countTogether(int[] sections, int[] counts) {
    PriorityQueue<Long> ends = new PriorityQueue<>();
    for (int i = 0; i < steps.size(); i++) {
      while (!ends.isEmpty() && ends.element() < start(i)) {
        ends.remove();
      }
      if (steps.get(i).result() != null) {
        ends.add(end(i));
      }
      counts[sections[i]] = Math.max(counts[sections[i]], ends.size());
    }
  }
}
