package dev.agentreplay.cli.input;

import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.engine.diff.rule.FuzzyText;
import dev.agentreplay.engine.diff.rule.SemanticComparator;
import dev.agentreplay.records.agents.Feed;
import dev.agentreplay.records.agents.OnInterventions;
import dev.agentreplay.records.replay.MessageRules;
import dev.agentreplay.records.replay.OnInputs;
import dev.agentreplay.records.replay.ReplayThresholds;
import dev.agentreplay.records.replay.SessionReplay;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The rules and thresholds by which the replay of a session record is judged. */
public final class RecordRules {

  private static final Pattern ROUNDS = Pattern.compile("([0-9]{1,9})(?:\\.\\.([0-9]{1,9})?)?");

  @Option(
      names = "--threshold",
      paramLabel = "N",
      defaultValue = "80",
      description = "Minimum similarity of the messages in percent (default: ${DEFAULT-VALUE}).")
  private double threshold = ReplayThresholds.defaults().similarity();

  @Option(
      names = "--max-major",
      paramLabel = "N",
      defaultValue = "0",
      description = "Maximum number of major divergences (default: ${DEFAULT-VALUE}).")
  private long maxMajor;

  @Option(
      names = "--artifact-threshold",
      paramLabel = "N",
      description = "Minimum similarity of the final artifact in percent (default: none).")
  private @Nullable Double artifact;

  @Option(
      names = "--fuzzy",
      paramLabel = "N",
      description = "Similarity from which texts that differ are minor, above 0 and up to 1, or a"
          + " percentage (default: 0.9). From 0.6 they are moderate, below it major.")
  private @Nullable String fuzzy;

  @Mixin
  private NormalizeOption normalize = new NormalizeOption();

  @Option(
      names = "--rounds",
      paramLabel = "A..B",
      description = "Rounds to replay, numbered from 0: A..B, A.. or A (default: all).")
  private @Nullable String rounds;

  @Option(
      names = "--inputs",
      paramLabel = "ACTION",
      defaultValue = "warn",
      completionCandidates = Candidates.InputActions.class,
      description = "Behavior when inputs differ from the recorded ones: ${COMPLETION-CANDIDATES}"
          + " (default: ${DEFAULT-VALUE}).")
  private OnInputs onInputs = OnInputs.WARN;

  @Option(
      names = "--interventions",
      paramLabel = "ACTION",
      defaultValue = "reapply",
      completionCandidates = Candidates.InterventionActions.class,
      description = "Behavior when operators intervened in the recorded session:"
          + " ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private OnInterventions onInterventions = OnInterventions.REAPPLY;

  @Option(
      names = "--feed",
      paramLabel = "MESSAGES",
      defaultValue = "recorded",
      completionCandidates = Candidates.Feeds.class,
      description = "Messages that agents are given: ${COMPLETION-CANDIDATES} (default:"
          + " ${DEFAULT-VALUE}).")
  private Feed feed = Feed.RECORDED;

  @Option(
      names = "--force",
      description = "Replay a record without rounds, agents or final artifact, or give agents"
          + " messages whose texts are missing.")
  private boolean force;

  /**
   * Sets the rules of a replay.
   *
   * @param judge judges texts that differ; null for none
   */
  public void applyTo(SessionReplay replay, @Nullable SemanticComparator judge) {
    replay
        .thresholds(thresholds())
        .comparedBy(rules(judge))
        .onInputs(onInputs)
        .onInterventions(onInterventions)
        .feed(feed)
        .force(force);
    selectRounds(replay);
  }

  /** Selects the rounds of a replay. */
  public void selectRounds(SessionReplay replay) {
    if (rounds == null) {
      return;
    }
    Matcher range = ROUNDS.matcher(rounds);
    if (!range.matches()) {
      throw new UsageException("--rounds: expected A..B, A.. or A, found \"%s\"".formatted(rounds));
    }
    long first = Long.parseLong(range.group(1));
    long last = range.group(2) != null
        ? Long.parseLong(range.group(2))
        : rounds.endsWith("..") ? Long.MAX_VALUE : first;
    if (last < first) {
      throw new UsageException("--rounds: the last is before the first: " + rounds);
    }
    try {
      replay.rounds(first, last);
    } catch (IllegalArgumentException e) {
      throw new UsageException("--rounds: " + e.getMessage());
    }
  }

  private ReplayThresholds thresholds() {
    ReplayThresholds thresholds = ReplayThresholds.defaults();
    thresholds = checked("--threshold", thresholds, set -> set.withSimilarity(threshold));
    thresholds = checked("--max-major", thresholds, set -> set.withMaxMajor(maxMajor));
    return checked("--artifact-threshold", thresholds, set -> set.withArtifact(artifact));
  }

  private ReplayThresholds checked(
      String option, ReplayThresholds thresholds, UnaryOperator<ReplayThresholds> change) {
    try {
      return change.apply(thresholds);
    } catch (IllegalArgumentException e) {
      throw new UsageException(option + ": " + e.getMessage());
    }
  }

  private MessageRules rules(@Nullable SemanticComparator judge) {
    MessageRules rules =
        MessageRules.defaults().withNormalizers(normalize.normalizers()).withJudge(judge);
    if (fuzzy == null) {
      return rules;
    }
    try {
      FuzzyText rule = FuzzyText.parse(fuzzy);
      if (rule.place() != null) {
        throw new IllegalArgumentException("expected a similarity without a place: " + fuzzy);
      }
      double minor = rule.similarity();
      return rules.withBounds(minor, Math.min(rules.moderate(), minor));
    } catch (IllegalArgumentException e) {
      throw new UsageException("--fuzzy: " + e.getMessage());
    }
  }
}
