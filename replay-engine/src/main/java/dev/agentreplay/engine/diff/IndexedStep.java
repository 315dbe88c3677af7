package dev.agentreplay.engine.diff;

import dev.agentreplay.engine.diff.value.Traits;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.finding.Position;
import org.jspecify.annotations.Nullable;

/**
 * A step with the hashes by which it is aligned and the positions of its events.
 *
 * @param step the step
 * @param ordinal the number of the call among the tool calls that are compared, from 0; -1 for a
 *     step that is not a tool call
 * @param answer the line of the answer of a model that requested the call; 0 if none did
 * @param request the hash of the request, or of the event if it is a step by itself, without
 *     assessments
 * @param conduct the hash of request and result, without assessments
 * @param traits the words of the request, for the similarity of steps
 * @param ids the hash of its ids
 * @param time the hash of its times and latency
 * @param at the position of its event
 * @param result the position of its result; null when there is none
 * @param bytes the length of the lines of both
 */
record IndexedStep(
    Step step,
    int ordinal,
    long answer,
    ContentHash request,
    ContentHash conduct,
    Traits traits,
    int ids,
    int time,
    Position at,
    @Nullable Position result,
    long bytes) {

  /** Whether the steps are equal in everything that is compared. */
  boolean equalTo(IndexedStep other) {
    return step.fingerprint().equals(other.step.fingerprint());
  }

  /** Whether the steps have the same kind and name: the same tool, model or file. */
  boolean isNamedAs(IndexedStep other) {
    return step.kind() == other.step.kind() && step.name().equals(other.step.name());
  }
}
