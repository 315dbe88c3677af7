package dev.agentreplay.records.replay;

import dev.agentreplay.records.RecordReplayReport;
import java.util.Locale;
import java.util.Objects;

/**
 * A divergence of a message, with the measure that decided.
 *
 * @param kind the kind of the divergence
 * @param measure the measure that decided
 * @param similarity the similarity of the messages, from 0.0 to 1.0
 * @param reported the divergence as the report states it
 */
public record MessageDivergence(
    Kind kind, MessageMeasure measure, double similarity, RecordReplayReport.Divergence reported) {

  /** Checks for null. */
  public MessageDivergence {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(measure, "measure");
    Objects.requireNonNull(reported, "reported");
  }

  /** The kind of a divergence. */
  public enum Kind {
    /** The texts differ. */
    TEXT,
    /** The messages have different types. */
    TYPE,
    /** Another agent sent the message. */
    SENDER,
    /** The agent sent its messages in a different order. */
    ORDER,
    /** The message was sent in a different round. */
    ROUND,
    /** The replay does not have the message. */
    MISSING,
    /** The replay does not have the round of the message. */
    NOT_REPLAYED,
    /** Only the replay has the message. */
    ADDED,
    /** The texts cannot be compared. */
    UNDECIDED;

    /** The name of the constant in reports. */
    public String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
