package dev.agentreplay.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.verify.VerificationReport.Claim;
import dev.agentreplay.verify.VerificationReport.Conclusion;
import dev.agentreplay.verify.VerificationReport.Counter;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A session that is genuine, and not the one that is expected. */
class ExpectationTest {

  private static final TestLog LOG = TestLog.small();

  @TempDir
  private Path directory;

  private VerificationReport verify(TestLog log, Expectation... expectations) throws IOException {
    return log.verify(directory, null, VerifyPolicy.defaults().expecting(expectations));
  }

  private static ContentHash root(TestLog log) {
    return log.tree(log.size()).root();
  }

  @Test
  void session_that_is_expected_is_valid_and_its_root_covers_every_line() throws IOException {
    VerificationReport report =
        verify(LOG, Expectation.sessionId("s-1"), Expectation.root(root(LOG)));
    assertThat(report.findings()).isEmpty();
    assertThat(report.verdict()).isEqualTo(Verdict.VALID);
    assertThat(report.count(Counter.LINES_IN_TREE)).isEqualTo(LOG.size());
    assertThat(report.conclusions())
        .extracting(Conclusion::text)
        .contains("the session was recorded to its end: a verified tree root covers it");
  }

  @Test
  void different_session_id_is_an_error_at_its_place() throws IOException {
    VerificationReport report = verify(LOG, Expectation.sessionId("s-2"));
    assertThat(report.verdict()).isEqualTo(Verdict.INVALID);
    assertThat(report.findings()).hasSize(1);
    Finding finding = report.findings().get(0);
    assertThat(finding.code()).isEqualTo(FindingCode.EXPECTATION_UNMET);
    assertThat(finding.position().line()).isEqualTo(2);
    assertThat(finding.expected()).isEqualTo("s-2");
    assertThat(finding.found()).isEqualTo("s-1");
  }

  @Test
  void log_that_names_no_session_is_not_the_expected_one() throws IOException {
    VerificationReport report =
        verify(LOG.edit(2, "\"session_id\":\"s-1\",", ""), Expectation.sessionId("s-1"));
    assertThat(report.findings())
        .extracting(Finding::message)
        .contains("no event has a session_id, but \"s-1\" is expected");
  }

  @Test
  void other_root_is_an_error_and_leaves_the_log_unproved() throws IOException {
    TestLog other = LOG.edit(TestLog.CALL_1, "step-1", "step-2");
    VerificationReport report = verify(LOG, Expectation.root(root(other)));
    assertThat(report.verdict()).isEqualTo(Verdict.INVALID);
    assertThat(report.findings())
        .extracting(Finding::message)
        .containsExactly("the tree over the 10 lines has the root %s, but %s is expected"
            .formatted(root(LOG), root(other)));
    assertThat(report.conclusions())
        .filteredOn(conclusion -> conclusion.claim() == Claim.LOG)
        .noneMatch(Conclusion::isProved);
  }
}
