package dev.agentreplay.records.store;

import dev.agentreplay.records.RecordHash;
import dev.agentreplay.records.SessionOutputs.LintResult;
import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.SessionTrace;
import java.util.Objects;

/** Checks the hash of the final artifact, and the result of the linter. */
final class OutputCheck {

  private static final String LINT = "outputs.lint_result.";

  private OutputCheck() {}

  static void check(SessionRecord record, CheckFindings findings) {
    RecordHash compiled = record.trace().rounds().stream()
        .map(SessionTrace.Round::compiledArtifactHash)
        .filter(Objects::nonNull)
        .reduce((first, second) -> second)
        .orElse(null);
    RecordHash found = record.outputs().finalArtifactHash();
    if (compiled != null && !compiled.equals(found)) {
      findings.problem(
          "outputs.final_artifact_hash",
          "expected the last compiled_artifact_hash, %s, found %s"
              .formatted(compiled, found.isEmpty() ? "empty text" : found));
    }
    lint(record.outputs().lintResult(), findings);
  }

  private static void lint(LintResult lint, CheckFindings findings) {
    boolean expected = lint.errors() == 0;
    if (lint.valid() != expected) {
      findings.problem(
          LINT + "valid",
          "expected %s with %d errors, found %s".formatted(expected, lint.errors(), lint.valid()));
    }
    count("errors", lint.errors(), "error_messages", lint.errorMessages().size(), findings);
    count(
        "warnings", lint.warnings(), "warning_messages", lint.warningMessages().size(), findings);
  }

  private static void count(
      String member, long count, String list, int listed, CheckFindings findings) {
    if (count < listed) {
      findings.problem(
          LINT + member,
          "expected at least %d, the number of %s, found %d".formatted(listed, list, count));
    }
  }
}
