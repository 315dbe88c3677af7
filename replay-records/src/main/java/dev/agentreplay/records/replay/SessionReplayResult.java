package dev.agentreplay.records.replay;

import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.records.RecordReplayReport;
import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.store.RecordTexts;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The result of a replay of a session record. Immutable. */
public final class SessionReplayResult {

  private final SessionReplayVerdict verdict;
  private final RecordReplayReport report;
  private final SessionRecord original;
  private final RecordTexts originalTexts;
  private final @Nullable SessionRecord replayed;
  private final RecordTexts replayedTexts;
  private final List<MessagePair> alignment;
  private final List<InputDifference> inputs;
  private final Map<MessageMeasure, Long> measures;
  private final @Nullable String failure;
  private final boolean aborted;

  SessionReplayResult(
      SessionReplayVerdict verdict,
      RecordReplayReport report,
      SessionRecord original,
      RecordTexts originalTexts,
      @Nullable SessionRecord replayed,
      RecordTexts replayedTexts,
      List<MessagePair> alignment,
      List<InputDifference> inputs,
      Map<MessageMeasure, Long> measures,
      @Nullable String failure,
      boolean aborted) {
    this.verdict = verdict;
    this.report = report;
    this.original = original;
    this.originalTexts = originalTexts;
    this.replayed = replayed;
    this.replayedTexts = replayedTexts;
    this.alignment = List.copyOf(alignment);
    this.inputs = List.copyOf(inputs);
    this.measures = Map.copyOf(measures);
    this.failure = failure;
    this.aborted = aborted;
  }

  /** The verdict. */
  public SessionReplayVerdict verdict() {
    return verdict;
  }

  /**
   * The report of specification 004, with these members in addition: {@code schema},
   * {@code verdict}, {@code thresholds}, {@code undecided}, {@code inputs}, {@code interventions},
   * {@code measures} and, if the artifacts could not be compared, {@code artifact_compared}; and in
   * a divergence {@code kind}, {@code measure}, {@code similarity} and {@code side}.
   */
  public RecordReplayReport report() {
    return report;
  }

  /** The record that was replayed. */
  public SessionRecord original() {
    return original;
  }

  /** The texts of the record that was replayed. */
  public RecordTexts originalTexts() {
    return originalTexts;
  }

  /** The record of the replay; null for a trace, where nothing runs. */
  public @Nullable SessionRecord replayed() {
    return replayed;
  }

  /** The texts of the replay. */
  public RecordTexts replayedTexts() {
    return replayedTexts;
  }

  /**
   * The messages of both sessions in pairs, in the order of the recorded session; added ones follow
   * those before them. For a trace, the recorded messages.
   */
  public List<MessagePair> alignment() {
    return alignment;
  }

  /** The divergences, in the order of the alignment. */
  public List<MessageDivergence> divergences() {
    return alignment.stream()
        .map(MessagePair::divergence)
        .filter(divergence -> divergence != null)
        .toList();
  }

  /** The differences of the inputs, and what cannot be repeated. */
  public List<InputDifference> inputs() {
    return inputs;
  }

  /** The number of compared pairs that each measure decided. */
  public Map<MessageMeasure, Long> measures() {
    return measures;
  }

  /**
   * Whether the final artifacts were compared. Otherwise their similarity is reported as 0, because
   * their hashes differ and a text is missing; or, in a trace, nothing was compared.
   */
  public boolean isArtifactCompared() {
    return JsonValue.of(true).equals(report.extra().get("artifact_compared"));
  }

  /** The reason why the replay is incomplete; null if it is complete. */
  public @Nullable String failure() {
    return failure;
  }

  /** Whether the replay was {@linkplain SessionReplay#abort aborted}. */
  public boolean isAborted() {
    return aborted;
  }
}
