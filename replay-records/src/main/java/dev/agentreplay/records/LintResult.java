package dev.agentreplay.records;

import dev.agentreplay.model.json.JsonObject;
import java.util.List;
import java.util.Objects;

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
