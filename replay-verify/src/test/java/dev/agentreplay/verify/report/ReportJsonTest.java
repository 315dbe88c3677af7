package dev.agentreplay.verify.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.finding.Position;
import dev.agentreplay.verify.TestLog;
import dev.agentreplay.verify.TestReport;
import dev.agentreplay.verify.VerificationReport;
import dev.agentreplay.verify.VerificationReport.Counter;
import dev.agentreplay.verify.VerifyPolicy.Requirement;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Golden: reports as JSON. */
class ReportJsonTest {

  @TempDir
  private Path directory;

  @Test
  void report_with_findings() {
    VerificationReport report = TestReport.invalid(
        new Session(Path.of("REPLAY.jsonl"), Path.of("RECEIPT.json")),
        EnumSet.of(Requirement.SESSION_END, Requirement.HASHES),
        Map.of(Counter.EVENTS, 3L, Counter.TOOL_CALLS, 2L, Counter.PARAMS_HASHES_MISMATCHED, 2L),
        Map.of(FindingCode.PARAMS_HASH_MISMATCH, 2L, FindingCode.SESSION_END_MISSING, 1L),
        List.of(
            new Finding(FindingCode.PARAMS_HASH_MISMATCH, new Position(2, 118), "a \"b\"")
                .withId("c-1")
                .withValues("sha256:1", "sha256:2")
                .withHint("it fits"),
            Finding.of(FindingCode.SESSION_END_MISSING, "no end")));

    assertThat(JsonText.pretty(ReportJson.render(report)))
        .isEqualTo(
            """
            {
              "schema": "replay.verify/1",
              "log": "REPLAY.jsonl",
              "receipt": "RECEIPT.json",
              "verdict": "invalid",
              "unmet": [
                "hashes",
                "session_end"
              ],
              "dialect": "type",
              "canonicalization": "serde",
              "signers": [],
              "proved": [],
              "not_proved": [
                {
                  "id": "log",
                  "text": "the log as a whole: the receipt has neither a digest of it nor a tree \
            root over its lines"
                },
                {
                  "id": "params",
                  "text": "2 of 2 parameters: the value does not match its hash"
                },
                {
                  "id": "signer",
                  "text": "the author: nothing is signed, so anyone who can edit both log and \
            receipt can make them agree"
                },
                {
                  "id": "end",
                  "text": "that the session is complete: it has no end"
                }
              ],
              "counts": {
                "events": 3,
                "tool_calls": 2,
                "params_hashes_mismatched": 2
              },
              "finding_counts": {
                "PARAMS_HASH_MISMATCH": 2,
                "SESSION_END_MISSING": 1
              },
              "findings_truncated": true,
              "findings": [
                {
                  "code": "PARAMS_HASH_MISMATCH",
                  "severity": "error",
                  "line": 2,
                  "offset": 118,
                  "line_offset": 118,
                  "message": "a \\"b\\"",
                  "id": "c-1",
                  "expected": "sha256:1",
                  "found": "sha256:2",
                  "hint": "it fits"
                },
                {
                  "code": "SESSION_END_MISSING",
                  "severity": "warning",
                  "line": null,
                  "offset": null,
                  "line_offset": null,
                  "message": "no end",
                  "id": null,
                  "expected": null,
                  "found": null,
                  "hint": null
                }
              ],
              "publication": null,
              "imported_from": null
            }""");
  }

  @Test
  void report_of_nothing() {
    VerificationReport report = TestReport.empty(new Session(Path.of("log"), null));
    assertThat(ReportJson.render(report).toString())
        .isEqualTo(
            "{\"schema\":\"replay.verify/1\",\"log\":\"log\",\"receipt\":null,"
                + "\"verdict\":\"unverified\",\"unmet\":[],\"dialect\":null,"
                + "\"canonicalization\":null,"
                + "\"signers\":[],"
                + "\"proved\":[],"
                + "\"not_proved\":[{\"id\":\"log\",\"text\":\"the log as a whole: there is no receipt"
                + " or other statement to compare it with\"},"
                + "{\"id\":\"signer\",\"text\":\"the author: nothing is signed\"}],"
                + "\"counts\":{},\"finding_counts\":{},"
                + "\"findings_truncated\":false,\"findings\":[],\"publication\":null,\"imported_from\":null}");
  }

  @Test
  void real_report_has_every_counter_in_order() throws IOException {
    VerificationReport report = TestLog.small().verify(directory, null);
    assertThat(ReportJson.render(report).at("/counts").asObject().names())
        .containsExactly(
            "events",
            "known_events",
            "unknown_events",
            "unreadable_lines",
            "tool_calls",
            "tool_results",
            "answered_calls",
            "unanswered_calls",
            "model_calls",
            "model_results",
            "answered_model_calls",
            "unanswered_model_calls",
            "params_hashes_verified",
            "params_hashes_mismatched",
            "params_hashes_unverifiable",
            "params_hashes_missing",
            "output_hashes_verified",
            "output_hashes_mismatched",
            "output_hashes_unverifiable",
            "output_hashes_missing",
            "payload_hashes_verified",
            "payload_hashes_mismatched",
            "payload_hashes_unverifiable",
            "previews_verified",
            "previews_mismatched",
            "previews_unverifiable",
            "snapshot_files",
            "snapshot_files_verified",
            "snapshot_files_mismatched",
            "snapshot_files_unverifiable",
            "receipt_calls",
            "receipt_calls_matched",
            "receipt_calls_mismatched",
            "receipt_calls_missing",
            "receipt_calls_unexpected",
            "log_digests_verified",
            "event_digests_verified",
            "run_digests_verified",
            "receipt_digests_verified",
            "tree_roots_verified",
            "earlier_trees_verified",
            "lines_in_tree",
            "checkpoints",
            "checkpoints_verified",
            "signatures_verified",
            "signatures_unverifiable",
            "lines_signed",
            "published_lines",
            "published_lines_verified",
            "values_shown",
            "values_withheld",
            "values_redacted",
            "parent_lines_verified",
            "forked_events_verified");
    assertThat(ReportJson.render(report).at("/verdict").asString()).isEqualTo("valid");
  }
}
