package dev.agentreplay.records.replay;

import java.io.IOException;
import java.util.List;
import java.util.Objects;

/** Thrown when a record is not replayed, before anything runs. */
public final class SessionReplayRefusedException extends IOException {

  private static final long serialVersionUID = 1L;

  /** The reason of a refusal. */
  public enum Reason {
    /** The record has no round, no agent, or no hash of a final artifact. */
    NOT_REPLAYABLE,
    /** The record has none of the rounds to replay. */
    ROUNDS,
    /** Inputs differ, and the caller wants the same. */
    INPUTS,
    /** Operators intervened, and the caller wants a session without. */
    INTERVENTIONS,
    /** The agents are to be given recorded texts that are not there, or were altered. */
    TEXTS,
    /** The budget limits money, and the cost of the agents is not known. */
    BUDGET
  }

  private final Reason reason;
  private final transient List<InputDifference> inputs;

  SessionReplayRefusedException(Reason reason, String message, List<InputDifference> inputs) {
    super(message);
    this.reason = Objects.requireNonNull(reason, "reason");
    this.inputs = List.copyOf(inputs);
  }

  /** The reason. */
  public Reason reason() {
    return reason;
  }

  /** The differences of the inputs that were found. */
  public List<InputDifference> inputs() {
    return inputs == null ? List.of() : inputs;
  }
}
