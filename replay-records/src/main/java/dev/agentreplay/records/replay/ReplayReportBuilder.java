package dev.agentreplay.records.replay;

import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.records.InterventionSummary;
import dev.agentreplay.records.RecordReplayReport;
import dev.agentreplay.records.RecordReplayReport.Mode;
import dev.agentreplay.records.RecordReplayReport.Progress;
import dev.agentreplay.records.RecordReplayReport.Severity;
import dev.agentreplay.records.RecordReplayReport.Similarity;
import dev.agentreplay.records.RecordTime;
import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.SessionTrace;
import dev.agentreplay.records.internal.ReplayedSession;
import dev.agentreplay.records.replay.MessageComparison.Compared;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Builds the result of a verification or a comparison from its compared pairs. */
final class ReplayReportBuilder {

  /** The highest percentage that is reported if there is a divergence. */
  private static final double BELOW_ALL = 99.99;

  private final SessionReplay replay;
  private final ReplayedSession replayed;
  private final List<InputDifference> inputs;
  private final List<Compared> pairs;
  private final ArtifactComparison artifact;
  private final List<MessageDivergence> divergences;
  private final Map<MessageMeasure, Long> measures;
  private final long expectedRounds;

  ReplayReportBuilder(
      SessionReplay replay,
      ReplayedSession replayed,
      List<InputDifference> inputs,
      List<Compared> pairs,
      ArtifactComparison artifact) {
    this.replay = replay;
    this.replayed = replayed;
    this.inputs = inputs;
    this.pairs = pairs;
    this.artifact = artifact;
    this.divergences = pairs.stream()
        .map(compared -> compared.pair().divergence())
        .filter(Objects::nonNull)
        .toList();
    this.measures = countMeasures();
    this.expectedRounds = rounds(replay.record, replay);
  }

  /** The number of rounds of a record that are replayed. */
  static long rounds(SessionRecord record, SessionReplay replay) {
    return record.trace().rounds().stream()
        .mapToLong(SessionTrace.Round::roundNumber)
        .filter(number -> number >= replay.firstRound && number <= replay.lastRound)
        .distinct()
        .count();
  }

  SessionReplayResult build() {
    SessionReplayVerdict verdict = verdict();
    Similarity similarity =
        new Similarity(percentage(0, divergences.size()), artifact.similarity());
    RecordReplayReport report = new RecordReplayReport(
        replay.record.sessionId(),
        mode(),
        RecordTime.of(replay.clock.instant().truncatedTo(ChronoUnit.MILLIS)),
        replayed.record().inputs().agentRoster(),
        verdict == SessionReplayVerdict.MATCHED,
        similarity,
        new Progress(
            Math.min(replayed.completedRounds(), expectedRounds),
            expectedRounds,
            pairs.stream().filter(Compared::isMatched).count(),
            pairs.stream()
                .filter(pair -> pair.pair().original() != null)
                .filter(this::counts)
                .count()),
        divergences.stream().map(MessageDivergence::reported).toList(),
        new Conclusion(replay, replayed, divergences, measures, expectedRounds).of(verdict),
        extra(verdict));
    return new SessionReplayResult(
        verdict,
        report,
        replay.record,
        replay.texts,
        replayed.record(),
        replayed.texts(),
        pairs.stream().map(Compared::pair).toList(),
        inputs,
        measures,
        replayed.failure(),
        replayed.aborted());
  }

  private Mode mode() {
    return replay.roster == null ? Mode.VERIFICATION : Mode.COMPARISON;
  }

  private boolean counts(Compared pair) {
    return !pair.pair().isInput();
  }

  private SessionReplayVerdict verdict() {
    if (replayed.failure() != null || replayed.completedRounds() < expectedRounds) {
      return SessionReplayVerdict.INCOMPLETE;
    }
    long undecided = undecided();
    Double leastArtifact = replay.thresholds.artifact();
    boolean isArtifactDecided = leastArtifact == null || artifact.isCompared();
    boolean isArtifactSimilar = leastArtifact == null || artifact.similarity() >= leastArtifact;
    // what is undecided counts as matched here: if that is not enough, nothing is left to decide
    boolean mayMatch = percentageIfMatched(undecided) >= replay.thresholds.similarity()
        && major() <= replay.thresholds.maxMajor()
        && (isArtifactSimilar || !isArtifactDecided);
    if (!mayMatch) {
      return SessionReplayVerdict.DIVERGED;
    }
    return undecided > 0 || !isArtifactDecided || measures.isEmpty()
        ? SessionReplayVerdict.UNDECIDED
        : SessionReplayVerdict.MATCHED;
  }

  private long major() {
    return divergences.stream()
        .filter(divergence -> divergence.reported().severity() == Severity.MAJOR)
        .count();
  }

  private long undecided() {
    return divergences.stream()
        .filter(divergence -> divergence.kind() == MessageDivergence.Kind.UNDECIDED)
        .count();
  }

  /**
   * The similarity in percent: twice the sum of the similarities of the pairs, by the number of
   * messages of both sessions; rounded down to two decimals, and 100 only without a divergence.
   *
   * @param more a number that is added to the sum
   * @param diverged the number of divergences
   */
  private double percentage(long more, long diverged) {
    double sum = more;
    long messages = 0;
    for (Compared compared : pairs) {
      if (counts(compared)) {
        sum += compared.similarity();
        messages += compared.pair().original() == null ? 0 : 1;
        messages += compared.pair().replayed() == null ? 0 : 1;
      }
    }
    double percentage = messages == 0 ? 100 : 100 * 2 * sum / messages;
    double rounded = Math.floor(percentage * 100 + 1e-6) / 100;
    return diverged == 0 ? rounded : Math.min(rounded, BELOW_ALL);
  }

  /** The similarity if everything that is undecided were the same. */
  private double percentageIfMatched(long undecided) {
    return percentage(undecided, divergences.size() - undecided);
  }

  private Map<MessageMeasure, Long> countMeasures() {
    Map<MessageMeasure, Long> counted = new EnumMap<>(MessageMeasure.class);
    pairs.stream()
        .filter(this::counts)
        .forEach(compared -> counted.merge(compared.measure(), 1L, Long::sum));
    return counted;
  }

  private JsonObject extra(SessionReplayVerdict verdict) {
    ReplayThresholds thresholds = replay.thresholds;
    JsonObject bounds = JsonObject.of(
        "similarity",
        thresholds.similarity(),
        "max_major",
        thresholds.maxMajor(),
        "minor",
        replay.rules.minor(),
        "moderate",
        replay.rules.moderate());
    Double leastArtifact = thresholds.artifact();
    InterventionSummary interventions =
        InterventionSummary.of(replay.record.trace().interventions());
    JsonObject.Builder counts = JsonObject.builder();
    measures.forEach((measure, count) -> counts.add(measure.id(), JsonValue.of(count)));
    JsonObject extra = JsonObject.of(
        "schema",
        mode() == Mode.COMPARISON ? "replay.session-comparison/1" : "replay.session-replay/1",
        "verdict",
        verdict.id(),
        "thresholds",
        leastArtifact == null ? bounds : bounds.with("artifact", JsonValue.of(leastArtifact)),
        "undecided",
        undecided(),
        "inputs",
        InputDifference.json(inputs),
        "interventions",
        JsonObject.of(
            "total",
            interventions.totalCount(),
            "major",
            interventions.bySeverity().major() + interventions.bySeverity().critical(),
            "behavior",
            replay.onInterventions.id()),
        "measures",
        counts.build(),
        "artifact_compared",
        artifact.isCompared());
    return replayed.failure() == null
        ? extra
        : extra.with("failure", JsonValue.of(replayed.failure()));
  }
}
