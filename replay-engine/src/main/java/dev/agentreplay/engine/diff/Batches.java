package dev.agentreplay.engine.diff;

import java.util.List;

/**
 * Which steps of a session ran at the same time: a batch is a run of calls that were all made
 * before one of them returned, so that their order says nothing.
 */
final class Batches {

  private final int[] first;
  private final int[] last;

  private Batches(int size) {
    first = new int[size];
    last = new int[size];
  }

  static Batches of(List<IndexedStep> steps) {
    Batches batches = new Batches(steps.size());
    for (int from = 0; from < steps.size(); ) {
      int to = from + 1;
      for (long end = end(steps.get(from)); to < steps.size(); to++) {
        IndexedStep next = steps.get(to);
        if (next.at().line() > end || next.result() == null) {
          break;
        }
        end = Math.min(end, end(next));
      }
      for (int i = from; i < to; i++) {
        batches.first[i] = from;
        batches.last[i] = to - 1;
      }
      from = to;
    }
    return batches;
  }

  /** The first step of the batch that a step is in. */
  int first(int step) {
    return first[step];
  }

  /** The last step of the batch that a step is in. */
  int last(int step) {
    return last[step];
  }

  /** Whether a step ran at the same time as others. */
  boolean isConcurrent(int step) {
    return first[step] < last[step];
  }

  /** When it was over; at once, if it is an event that takes no time or was never answered. */
  private static long end(IndexedStep step) {
    return step.result() == null ? step.at().line() : step.result().line();
  }
}
