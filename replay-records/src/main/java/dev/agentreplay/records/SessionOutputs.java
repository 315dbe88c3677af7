package dev.agentreplay.records;

import dev.agentreplay.model.json.JsonObject;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a session produced.
 *
 * @param finalArtifactHash the hash of the final artifact; {@link RecordHash#NONE} when there is
 *     none
 * @param lintResult what a linter said of it
 * @param counts what it holds
 * @param scorecard how it was graded
 * @param extra members that no component holds
 */
public record SessionOutputs(
    RecordHash finalArtifactHash,
    LintResult lintResult,
    Counts counts,
    Scorecard scorecard,
    JsonObject extra)
    implements RecordObject {

  /**
   * What an artifact holds; none is negative.
   *
   * @param hypotheses the number of hypotheses
   * @param tests the number of tests
   * @param assumptions the number of assumptions
   * @param anomalies the number of anomalies
   * @param critiques the number of critiques
   */
  public record Counts(
      long hypotheses,
      long tests,
      @Nullable Long assumptions,
      @Nullable Long anomalies,
      @Nullable Long critiques) {

    /** So many hypotheses and tests, nothing said of the others. */
    public static Counts of(long hypotheses, long tests) {
      return new Counts(hypotheses, tests, null, null, null);
    }
  }

  /**
   * How an artifact was graded.
   *
   * @param grade the grade
   * @param points the points, of which the specification gives no range
   */
  public record Scorecard(@Nullable String grade, @Nullable Double points) {

    /** It was not graded. */
    public static final Scorecard NONE = new Scorecard(null, null);
  }

  /** Nothing was produced yet. */
  public static final SessionOutputs EMPTY = new SessionOutputs(
      RecordHash.NONE, LintResult.CLEAN, Counts.of(0, 0), Scorecard.NONE, JsonObject.EMPTY);

  /** Checks for null. */
  public SessionOutputs {
    Objects.requireNonNull(finalArtifactHash, "finalArtifactHash");
    Objects.requireNonNull(lintResult, "lintResult");
    Objects.requireNonNull(counts, "counts");
    Objects.requireNonNull(scorecard, "scorecard");
    Objects.requireNonNull(extra, "extra");
  }

  /** With another artifact. */
  public SessionOutputs withFinalArtifactHash(RecordHash newHash) {
    return new SessionOutputs(newHash, lintResult, counts, scorecard, extra);
  }

  /** With another result of the linter. */
  public SessionOutputs withLintResult(LintResult newLintResult) {
    return new SessionOutputs(finalArtifactHash, newLintResult, counts, scorecard, extra);
  }

  /** With other counts. */
  public SessionOutputs withCounts(Counts newCounts) {
    return new SessionOutputs(finalArtifactHash, lintResult, newCounts, scorecard, extra);
  }

  /** With another grade. */
  public SessionOutputs withScorecard(Scorecard newScorecard) {
    return new SessionOutputs(finalArtifactHash, lintResult, counts, newScorecard, extra);
  }

  /**
   * What a linter said of the final artifact.
   *
   * @param errors the number of errors, not negative
   * @param warnings the number of warnings, not negative
   * @param valid whether the artifact is valid
   * @param errorMessages the errors
   * @param warningMessages the warnings
   * @param extra members that no component holds
   */
  public record LintResult(
      long errors,
      long warnings,
      boolean valid,
      List<String> errorMessages,
      List<String> warningMessages,
      JsonObject extra)
      implements RecordObject {

    /** A valid artifact with nothing to say about it. */
    public static final LintResult CLEAN =
        new LintResult(0, 0, true, List.of(), List.of(), JsonObject.EMPTY);

    /** Checks for null and copies. */
    public LintResult {
      errorMessages = List.copyOf(errorMessages);
      warningMessages = List.copyOf(warningMessages);
      Objects.requireNonNull(extra, "extra");
    }

    /** The result with these messages: as many as there are, and valid when none is an error. */
    public static LintResult of(List<String> errors, List<String> warnings) {
      return new LintResult(
          errors.size(), warnings.size(), errors.isEmpty(), errors, warnings, JsonObject.EMPTY);
    }
  }
}
