package dev.agentreplay.records.replay;

import dev.agentreplay.engine.diff.rule.RunawayPatternException;
import dev.agentreplay.engine.diff.rule.SemanticComparator;
import dev.agentreplay.engine.diff.rule.SemanticComparator.Judgment;
import dev.agentreplay.engine.diff.rule.SemanticComparator.Texts;
import dev.agentreplay.engine.diff.text.TextComparison;
import dev.agentreplay.model.text.Excerpt;
import dev.agentreplay.records.RecordReplayReport.Severity;
import dev.agentreplay.records.internal.RoundThread;
import dev.agentreplay.records.internal.RoundThread.Limit;
import dev.agentreplay.records.internal.RoundThread.StoppedException;
import java.text.Normalizer;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Measures how similar two texts are, by the first measure that decides. */
final class MeasuredTexts {

  /** The similarity from which texts that a judge calls equivalent do not diverge. */
  private static final double EQUIVALENT = 0.98;

  /** The judge has a time-out of its own. */
  private static final Limit NO_LIMIT = new Limit(RoundThread.LONGEST, "the judge did not answer");

  private static final Pattern WHITE_SPACE = Pattern.compile("(?U)\\s+");

  private final MessageRules rules;
  private final TextComparison comparison;
  private final RoundThread thread;
  private boolean hasJudgeFailed;

  /**
   * Creates a measure.
   *
   * @param thread runs the judge, which an abort of the replay interrupts
   */
  MeasuredTexts(MessageRules rules, RoundThread thread) {
    this.rules = rules;
    this.thread = thread;
    this.comparison = TextComparison.of(rules.normalizers());
  }

  /**
   * The similarity of two texts.
   *
   * @param measure the measure that decided
   * @param similarity the similarity, from 0.0 to 1.0
   * @param severity the severity of the difference
   * @param hasSameMeaning whether the texts are known to have the same meaning
   * @param explanation the measure in a sentence; null if there is no difference
   */
  record Measured(
      MessageMeasure measure,
      double similarity,
      Severity severity,
      boolean hasSameMeaning,
      @Nullable String explanation) {}

  /** Two texts with equal hashes. */
  static Measured equal() {
    return new Measured(MessageMeasure.HASH, 1, Severity.NONE, true, null);
  }

  /** Texts that cannot be compared. */
  static Measured undecided(String reason) {
    return new Measured(MessageMeasure.NONE, 0, Severity.MODERATE, false, "undecided: " + reason);
  }

  /**
   * Measures two texts that have different hashes.
   *
   * @param step the agent and the type of the message, for the judge
   * @throws InterruptedException if this thread is interrupted; the judge is then, too
   */
  Measured measure(String step, String original, String replayed) throws InterruptedException {
    String left;
    String right;
    try {
      left = normalized(original);
      right = normalized(replayed);
    } catch (RunawayPatternException e) {
      return undecided(String.valueOf(e.getMessage()));
    }
    if (left.equals(right)) {
      return new Measured(MessageMeasure.NORMALIZED, 1, Severity.NONE, true, null);
    }
    SemanticComparator judge = rules.judge();
    return judge == null
        ? byText(left, right)
        : byJudge(judge, new Texts(step, "", original, replayed), left, right);
  }

  /**
   * A text as it is compared.
   *
   * @throws RunawayPatternException if a normalizer takes too long for it
   */
  String normalized(String text) throws RunawayPatternException {
    String composed = Normalizer.normalize(comparison.normalized(text), Normalizer.Form.NFC);
    return WHITE_SPACE.matcher(composed).replaceAll(" ").strip();
  }

  private Measured byText(String left, String right) {
    double similarity = TextComparison.similarity(left, right);
    Severity severity = similarity >= rules.minor()
        ? Severity.MINOR
        : similarity >= rules.moderate() ? Severity.MODERATE : Severity.MAJOR;
    String bound = severity == Severity.MINOR
        ? "at least " + number(rules.minor())
        : severity == Severity.MODERATE
            ? "at least %s and below %s".formatted(number(rules.moderate()), number(rules.minor()))
            : "below " + number(rules.moderate());
    return new Measured(
        MessageMeasure.TEXT,
        similarity,
        severity,
        false,
        "text: similarity %s, %s".formatted(number(similarity), bound));
  }

  private Measured byJudge(SemanticComparator judge, Texts texts, String left, String right)
      throws InterruptedException {
    if (hasJudgeFailed) {
      return undecided("not judged, because the judge failed before");
    }
    Judgment judgment;
    try {
      judgment = thread.run(
          "replay-judge",
          () -> Objects.requireNonNull(judge.compare(texts), "the judge returned null"),
          NO_LIMIT);
    } catch (StoppedException e) {
      hasJudgeFailed = true;
      return undecided("the judge failed: " + e.getMessage());
    }
    String reason =
        judgment.reason() == null ? "" : ": " + Excerpt.beginning(judgment.reason(), 500);
    Double similarity = judgment.similarity();
    if (judgment.equivalent()) {
      double known = similarity == null ? 1 : similarity;
      return known >= EQUIVALENT
          ? new Measured(MessageMeasure.JUDGE, known, Severity.NONE, true, null)
          : new Measured(
              MessageMeasure.JUDGE,
              known,
              Severity.MINOR,
              true,
              "judge: equivalent, similarity %s%s".formatted(number(known), reason));
    }
    double known = similarity == null ? TextComparison.similarity(left, right) : similarity;
    return new Measured(
        MessageMeasure.JUDGE,
        known,
        known >= rules.moderate() ? Severity.MODERATE : Severity.MAJOR,
        false,
        "judge: not equivalent, similarity %s%s".formatted(number(known), reason));
  }

  /** A similarity with two digits, rounded down, so that it never seems to reach a bound. */
  static String number(double similarity) {
    return String.format(Locale.ROOT, "%.2f", Math.floor(similarity * 100 + 1e-9) / 100);
  }
}
