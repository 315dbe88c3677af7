package dev.agentreplay.records;

import dev.agentreplay.model.json.JsonObject;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What happened in a session.
 *
 * @param rounds its rounds
 * @param interventions what operators did to it
 * @param interventionSummary the interventions, summed up
 * @param totalDurationMillis how long it took, in milliseconds, not negative
 * @param startedAt when it began
 * @param endedAt when it ended
 * @param extra members that no component holds
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

  /** A session in which nothing has happened yet. */
  public static SessionTrace of(RecordTime startedAt) {
    return new SessionTrace(List.of(), List.of(), null, 0, startedAt, null, JsonObject.EMPTY);
  }

  /** With other rounds. */
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

  /** With other interventions; the summary stays as it is. */
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

  /** With another summary of the interventions. */
  public SessionTrace withInterventionSummary(@Nullable InterventionSummary newSummary) {
    return new SessionTrace(
        rounds, interventions, newSummary, totalDurationMillis, startedAt, endedAt, extra);
  }

  /** With another duration, in milliseconds. */
  public SessionTrace withTotalDurationMillis(long newMillis) {
    return new SessionTrace(
        rounds, interventions, interventionSummary, newMillis, startedAt, endedAt, extra);
  }

  /** With another end. */
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
   * @param roundNumber its number, from 0
   * @param startedAt when it began
   * @param endedAt when it ended
   * @param messages its messages
   * @param compiledArtifactHash the hash of the artifact that was compiled after it
   * @param durationMillis how long it took, in milliseconds, not negative
   * @param extra members that no component holds
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

    /** A round that is not known to have ended. */
    public static Round of(long roundNumber, RecordTime startedAt, List<TraceMessage> messages) {
      return new Round(roundNumber, startedAt, null, messages, null, null, JsonObject.EMPTY);
    }

    /** With another end. */
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

    /** With another artifact. */
    public Round withCompiledArtifactHash(@Nullable RecordHash newHash) {
      return new Round(roundNumber, startedAt, endedAt, messages, newHash, durationMillis, extra);
    }

    /** With another duration, in milliseconds. */
    public Round withDurationMillis(@Nullable Long newMillis) {
      return new Round(
          roundNumber, startedAt, endedAt, messages, compiledArtifactHash, newMillis, extra);
    }
  }
}
