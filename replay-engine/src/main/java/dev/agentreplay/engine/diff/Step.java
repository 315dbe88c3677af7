package dev.agentreplay.engine.diff;

import dev.agentreplay.model.ContentHash;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is compared as one: an event, or a call together with its result.
 *
 * @param kind what it is
 * @param index its number among the steps of its session that are compared, from 0
 * @param call its number among the tool calls of its log, from 0; null when it is none
 * @param name the tool of a call, the model of a turn, the path of a file; else what events of its
 *     kind are called
 * @param line the line of its event, from 1
 * @param resultLine the line of the result; null when there is none
 * @param latencyMillis how long it took, in milliseconds; null when that is not said
 * @param succeeded whether it succeeded; true when nothing is said
 * @param summary the beginning of what it was called with, on one line; for people, untrusted
 * @param fingerprint the hash of what is compared of it, after the rules
 */
public record Step(
    StepKind kind,
    int index,
    @Nullable Integer call,
    String name,
    long line,
    @Nullable Long resultLine,
    @Nullable Long latencyMillis,
    boolean succeeded,
    String summary,
    ContentHash fingerprint) {

  /** Checks for null. */
  public Step {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(summary, "summary");
    Objects.requireNonNull(fingerprint, "fingerprint");
  }
}
