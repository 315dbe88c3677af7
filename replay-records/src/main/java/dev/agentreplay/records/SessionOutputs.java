package dev.agentreplay.records;

import dev.agentreplay.model.json.JsonObject;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The outputs of a session.
 *
 * @param finalArtifactHash the hash of the final artifact; {@link RecordHash#NONE} when there is
 *     none
 * @param lintResult the result of linting the artifact
 * @param counts the numbers of items in the artifact
 * @param scorecard the grade of the artifact
 * @param extra members without a component
 */
public record SessionOutputs(
    RecordHash finalArtifactHash,
    LintResult lintResult,
    Counts counts,
    Scorecard scorecard,
    JsonObject extra)
    implements RecordObject {

  /**
   * The numbers of items in an artifact, not negative.
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

    /** Creates counts of hypotheses and tests only. */
    public static Counts of(long hypotheses, long tests) {
      return new Counts(hypotheses, tests, null, null, null);
    }
  }

  /**
   * The grade of an artifact.
   *
   * @param grade the grade
   * @param points the points, for which the specification does not define a range
   */
  public record Scorecard(@Nullable String grade, @Nullable Double points) {

    /** Neither grade nor points. */
    public static final Scorecard NONE = new Scorecard(null, null);
  }

  /** The outputs of a session that has not produced anything yet. */
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

  /** Returns a copy with the given hash of the final artifact. */
  public SessionOutputs withFinalArtifactHash(RecordHash newHash) {
    return new SessionOutputs(newHash, lintResult, counts, scorecard, extra);
  }

  /** Returns a copy with the given result of the linter. */
  public SessionOutputs withLintResult(LintResult newLintResult) {
    return new SessionOutputs(finalArtifactHash, newLintResult, counts, scorecard, extra);
  }

  /** Returns a copy with the given counts. */
  public SessionOutputs withCounts(Counts newCounts) {
    return new SessionOutputs(finalArtifactHash, lintResult, newCounts, scorecard, extra);
  }

  /** Returns a copy with the given grade. */
  public SessionOutputs withScorecard(Scorecard newScorecard) {
    return new SessionOutputs(finalArtifactHash, lintResult, counts, newScorecard, extra);
  }

  /**
   * The result of linting the final artifact.
   *
   * @param errors the number of errors, not negative
   * @param warnings the number of warnings, not negative
   * @param valid whether the artifact is valid
   * @param errorMessages the messages of the errors
   * @param warningMessages the messages of the warnings
   * @param extra members without a component
   */
  public record LintResult(
      long errors,
      long warnings,
      boolean valid,
      List<String> errorMessages,
      List<String> warningMessages,
      JsonObject extra)
      implements RecordObject {

    /** The result for a valid artifact without errors and warnings. */
    public static final LintResult CLEAN =
        new LintResult(0, 0, true, List.of(), List.of(), JsonObject.EMPTY);

    /** Checks for null and copies. */
    public LintResult {
      errorMessages = List.copyOf(errorMessages);
      warningMessages = List.copyOf(warningMessages);
      Objects.requireNonNull(extra, "extra");
    }

    /**
     * Creates a result with the given messages and their numbers, which is valid when there are no
     * errors.
     */
    public static LintResult of(List<String> errors, List<String> warnings) {
      return new LintResult(
          errors.size(), warnings.size(), errors.isEmpty(), errors, warnings, JsonObject.EMPTY);
    }
  }
}
