package dev.agentreplay.engine.diff;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.finding.Position;
import org.jspecify.annotations.Nullable;

/**
 * A step, and what it is aligned by.
 *
 * @param step the step
 * @param ordinal its number among the tool calls that are compared, from 0; -1 when it is none
 * @param request the hash of what it was called with
 * @param conduct the hash of that and of what came of it, without assessments
 * @param traits what it was called with, to tell which of several steps are alike
 * @param ids the hash of its ids
 * @param time the hash of its times and latency
 * @param at where its event is
 * @param result where the result is; null when there is none
 * @param bytes how long the lines of both are
 */
record IndexedStep(
    Step step,
    int ordinal,
    ContentHash request,
    ContentHash conduct,
    Traits traits,
    int ids,
    int time,
    Position at,
    @Nullable Position result,
    long bytes) {

  /** Whether everything that is compared is equal. */
  boolean equalTo(IndexedStep other) {
    return step.fingerprint().equals(other.step.fingerprint());
  }

  /** The same tool, the same model, the same file. */
  boolean isNamedAs(IndexedStep other) {
    return step.kind() == other.step.kind() && step.name().equals(other.step.name());
  }
}
