package dev.agentreplay.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.testkit.TestSessions;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The example of specification 000, unchanged. */
class SpecificationExampleTest {

  @Test
  void example_has_the_findings_that_its_text_implies() throws IOException {
    Session example = new Session(TestSessions.bundled("specification-000.jsonl"), null);

    VerificationReport report = SessionVerifier.of(VerifyPolicy.defaults()).verify(example);

    assertThat(report.findings())
        .extracting(SpecificationExampleTest::describe)
        .containsExactlyInAnyOrder(
            "1 NOT_CANONICAL the line is not in canonical form",
            notAHash(3, "plan_hash", "sha256:abc123..."),
            notAHash(4, "params_hash", "sha256:def456..."),
            notAHash(5, "output_hash", "sha256:ghi789..."),
            "7 NOT_CANONICAL the line is not in canonical form",
            "8 NOT_CANONICAL the line is not in canonical form",
            "8 TOTALS_MISMATCH total_tool_calls is 5, but the events add up to 1",
            "8 TOTALS_MISMATCH total_latency_ms is 5320, but the events add up to 45");
    assertThat(report.verdict()).isEqualTo(Verdict.INVALID);
  }

  private static String describe(Finding finding) {
    return finding.position().line() + " " + finding.code() + " " + finding.message();
  }

  private static String notAHash(int line, String member, String text) {
    return line + " FIELD_INVALID " + member
        + " must be \"sha256:\" and 64 lower-case hexadecimal digits, found string \"" + text + '"';
  }
}
