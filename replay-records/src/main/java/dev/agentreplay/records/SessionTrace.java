package dev.agentreplay.records;

import dev.agentreplay.model.json.JsonObject;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The trace of a session: its rounds with their messages, and the interventions of operators.
 *
 * @param rounds the rounds
 * @param interventions the interventions
 * @param interventionSummary the summary of the interventions; null when the record does not have
 *     one
 * @param totalDurationMillis the duration of the session in milliseconds, not negative
 * @param startedAt the time at which the session started
 * @param endedAt the time at which it ended; null when it is not known
 * @param extra members without a component
 */
public record SessionTrace(
    List<Round> rounds,
    List<OperatorIntervention> interventions,
    @Nullable InterventionSummary interventionSummary,
    long totalDurationMillis,
    RecordTime startedAt,
    @Nullable RecordTime endedAt,
    JsonObject extra)
    implements RecordObject {

  /** Checks for null and copies. */
  public SessionTrace {
    rounds = List.copyOf(rounds);
    interventions = List.copyOf(interventions);
    Objects.requireNonNull(startedAt, "startedAt");
    Objects.requireNonNull(extra, "extra");
  }

  /** Creates the trace of a session that has just started. */
  public static SessionTrace of(RecordTime startedAt) {
    return new SessionTrace(List.of(), List.of(), null, 0, startedAt, null, JsonObject.EMPTY);
  }

  /** Returns a copy with the given rounds. */
  public SessionTrace withRounds(List<Round> newRounds) {
    return new SessionTrace(
        newRounds,
        interventions,
        interventionSummary,
        totalDurationMillis,
        startedAt,
        endedAt,
        extra);
  }

  /** Returns a copy with the given interventions; the summary is not updated. */
  public SessionTrace withInterventions(List<OperatorIntervention> newInterventions) {
    return new SessionTrace(
        rounds,
        newInterventions,
        interventionSummary,
        totalDurationMillis,
        startedAt,
        endedAt,
        extra);
  }

  /** Returns a copy with the given summary of the interventions. */
  public SessionTrace withInterventionSummary(@Nullable InterventionSummary newSummary) {
    return new SessionTrace(
        rounds, interventions, newSummary, totalDurationMillis, startedAt, endedAt, extra);
  }

  /** Returns a copy with the given duration in milliseconds. */
  public SessionTrace withTotalDurationMillis(long newMillis) {
    return new SessionTrace(
        rounds, interventions, interventionSummary, newMillis, startedAt, endedAt, extra);
  }

  /** Returns a copy with the given end time. */
  public SessionTrace withEndedAt(@Nullable RecordTime newEndedAt) {
    return new SessionTrace(
        rounds,
        interventions,
        interventionSummary,
        totalDurationMillis,
        startedAt,
        newEndedAt,
        extra);
  }

  /**
   * A round of a session.
   *
   * @param roundNumber the number of the round, from 0
   * @param startedAt the time at which the round started
   * @param endedAt the time at which it ended; null when it is not known
   * @param messages the messages of the round
   * @param compiledArtifactHash the hash of the artifact that was compiled after the round
   * @param durationMillis the duration of the round in milliseconds, not negative
   * @param extra members without a component
   */
  public record Round(
      long roundNumber,
      RecordTime startedAt,
      @Nullable RecordTime endedAt,
      List<TraceMessage> messages,
      @Nullable RecordHash compiledArtifactHash,
      @Nullable Long durationMillis,
      JsonObject extra)
      implements RecordObject {

    /** Checks for null and copies. */
    public Round {
      Objects.requireNonNull(startedAt, "startedAt");
      messages = List.copyOf(messages);
      Objects.requireNonNull(extra, "extra");
    }

    /** Creates a round without end time, artifact and duration. */
    public static Round of(long roundNumber, RecordTime startedAt, List<TraceMessage> messages) {
      return new Round(roundNumber, startedAt, null, messages, null, null, JsonObject.EMPTY);
    }

    /** Returns a copy with the given end time. */
    public Round withEndedAt(@Nullable RecordTime newEndedAt) {
      return new Round(
          roundNumber,
          startedAt,
          newEndedAt,
          messages,
          compiledArtifactHash,
          durationMillis,
          extra);
    }

    /** Returns a copy with the given hash of the compiled artifact. */
    public Round withCompiledArtifactHash(@Nullable RecordHash newHash) {
      return new Round(roundNumber, startedAt, endedAt, messages, newHash, durationMillis, extra);
    }

    /** Returns a copy with the given duration in milliseconds. */
    public Round withDurationMillis(@Nullable Long newMillis) {
      return new Round(
          roundNumber, startedAt, endedAt, messages, compiledArtifactHash, newMillis, extra);
    }
  }
}
