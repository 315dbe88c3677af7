package dev.agentreplay.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.verify.VerificationReport.Counter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tree over the lines compared with the stated roots. */
class TreeVerifierTest {

  private static final TestLog LOG = TestLog.small();
  private static final TreeHead OTHER = new TreeHead(5, ContentHash.sha256(new byte[] {1}));

  @TempDir
  private Path directory;

  @Test
  void root_of_the_receipt_covers_every_line() throws IOException {
    VerificationReport report = verify(LOG, LOG.tree(10));
    assertThat(report.findings()).isEmpty();
    assertThat(report.count(Counter.TREE_ROOTS_VERIFIED)).isEqualTo(1);
    assertThat(report.count(Counter.LINES_IN_TREE)).isEqualTo(10);
  }

  @Test
  void receipt_of_fewer_lines_is_of_another_log_even_if_they_are_the_same() throws IOException {
    VerificationReport report = verify(LOG, LOG.tree(9));
    assertThat(mismatch(report).message())
        .isEqualTo("the log has more than the 9 lines that the receipt covers");
    assertThat(mismatch(report).expected()).isEqualTo("9 lines, " + LOG.tree(9).root());
    assertThat(mismatch(report).found()).isEqualTo("10 lines, " + LOG.tree(10).root());
    assertThat(report.count(Counter.LINES_IN_TREE)).isEqualTo(9);
  }

  @Test
  void receipt_of_more_lines_tells_that_some_were_cut_off() throws IOException {
    VerificationReport report = verify(LOG.remove(10), LOG.tree(10));
    assertThat(mismatch(report).message())
        .isEqualTo("the receipt covers 10 lines, but the log has 9: the log was truncated");
    assertThat(report.count(Counter.LINES_IN_TREE)).isZero();
  }

  @Test
  void receipt_of_more_lines_than_a_log_with_an_end_tells_that_some_are_missing()
      throws IOException {
    VerificationReport report = verify(LOG.remove(5), LOG.tree(10));
    assertThat(mismatch(report).message())
        .isEqualTo("the receipt covers 10 lines, but the log has 9: lines are missing");
    assertThat(report.count(Counter.LINES_IN_TREE)).isZero();
  }

  @Test
  void checkpoints_in_the_log_are_checked_at_their_place() throws IOException {
    TestLog log = LOG.checkpoint(4).checkpoint(8);
    VerificationReport report = log.verify(directory, null);
    assertThat(report.findings()).isEmpty();
    assertThat(report.count(Counter.CHECKPOINTS)).isEqualTo(2);
    assertThat(report.count(Counter.CHECKPOINTS_VERIFIED)).isEqualTo(2);
    assertThat(report.count(Counter.LINES_IN_TREE)).isEqualTo(7);
  }

  @Test
  void altered_line_is_located_between_two_checkpoints_and_reported_once() throws IOException {
    TestLog log = LOG.checkpoint(4).checkpoint(8).checkpoint(10);
    VerificationReport report = log.edit(9, "\"done\"", "\"gone\"").verify(directory, null);
    Finding found = mismatch(report);
    assertThat(found.position().line()).isEqualTo(10);
    assertThat(found.message())
        .isEqualTo("the checkpoint states a different tree root over the first 9 lines:"
            + " one of lines 8 to 9 was altered, inserted or removed");
    assertThat(report.count(Counter.CHECKPOINTS)).isEqualTo(3);
    assertThat(report.count(Counter.CHECKPOINTS_VERIFIED)).isEqualTo(2);
  }

  @Test
  void unsigned_checkpoints_in_the_log_do_not_override_trusted_ones() throws IOException {
    TestLog log = LOG.checkpoint(4).checkpoint(8);
    TestLog forged = LOG.edit(2, "\"issue_number\":7", "\"issue_number\":8")
        .checkpoint(4)
        .checkpoint(8); // computed again
    VerificationReport report = forged.verify(
        directory,
        null,
        VerifyPolicy.defaults().withCheckpoints(List.of(log.tree(3), log.tree(12))));
    assertThat(mismatch(report).message())
        .isEqualTo("an earlier checkpoint states a different tree root over the first 3 lines");
    assertThat(report.count(Counter.LINES_IN_TREE)).isZero();

    VerificationReport late = forged.verify(
        directory, null, VerifyPolicy.defaults().withCheckpoints(List.of(log.tree(12))));
    assertThat(mismatch(late).message())
        .isEqualTo("an earlier checkpoint states a different tree root over the first 12 lines;"
            + " the last matching checkpoint, which no trusted key signed, covers lines 1 to 7");
    assertThat(late.count(Counter.LINES_IN_TREE)).isZero();
  }

  @Test
  void checkpoint_of_another_size_tells_how_many_lines_it_is_of() throws IOException {
    VerificationReport report = LOG.checkpoint(4).remove(3).verify(directory, null);
    assertThat(mismatch(report).message())
        .isEqualTo("the checkpoint covers 3 lines, but 2 precede it");
    VerificationReport negative =
        LOG.insert(4, TestLog.checkpoint(new TreeHead(-1, OTHER.root()))).verify(directory, null);
    assertThat(negative.findings())
        .extracting(Finding::code)
        .contains(FindingCode.VALUE_OUT_OF_RANGE, FindingCode.TREE_ROOT_MISMATCH);
  }

  @Test
  void earlier_checkpoints_must_be_what_the_log_begins_with() throws IOException {
    VerificationReport grown = verify(List.of(LOG.tree(4), LOG.tree(0), LOG.tree(10)));
    assertThat(grown.findings()).isEmpty();
    assertThat(grown.count(Counter.TREE_ROOTS_VERIFIED)).isEqualTo(3);
    assertThat(grown.count(Counter.LINES_IN_TREE)).isEqualTo(10);

    assertThat(mismatch(verify(List.of(LOG.tree(4), OTHER))).message())
        .isEqualTo("an earlier checkpoint states a different tree root over the first 5 lines:"
            + " one of lines 5 to 5 was altered, inserted or removed");
    assertThat(mismatch(verify(List.of(LOG.append("{}").tree(11)))).message())
        .isEqualTo("an earlier checkpoint covers 11 lines, but the log has 10: lines are missing");
  }

  @Test
  void nothing_is_reported_about_lines_after_an_unreadable_one() throws IOException {
    TestLog log = LOG.checkpoint(4).checkpoint(8).replace(5, "{");
    VerificationReport report = log.verify(
        directory, null, VerifyPolicy.defaults().withCheckpoints(List.of(LOG.tree(3), OTHER)));
    assertThat(report.findings())
        .extracting(Finding::code)
        .doesNotContain(FindingCode.TREE_ROOT_MISMATCH);
    assertThat(report.count(Counter.CHECKPOINTS)).isEqualTo(2);
    assertThat(report.count(Counter.CHECKPOINTS_VERIFIED)).isEqualTo(1);
    assertThat(report.verdict()).isEqualTo(Verdict.UNREADABLE);
  }

  @Test
  void line_feed_at_the_end_is_none_of_the_tree() throws IOException {
    VerificationReport report = verify(LOG.cut(1), LOG.tree(10));
    assertThat(report.findings())
        .extracting(Finding::code)
        .containsExactly(FindingCode.NO_FINAL_NEWLINE);
    assertThat(report.count(Counter.LINES_IN_TREE)).isEqualTo(10);
  }

  private VerificationReport verify(List<TreeHead> earlier) throws IOException {
    return LOG.verify(directory, null, VerifyPolicy.defaults().withCheckpoints(earlier));
  }

  private VerificationReport verify(TestLog log, TreeHead tree) throws IOException {
    JsonObject receipt = LOG.sessionReceipt();
    return log.verify(
        directory,
        receipt.with("tree_size", tree.size()).with("tree_root", tree.root().toString()));
  }

  private static Finding mismatch(VerificationReport report) {
    List<Finding> found = report.findings().stream()
        .filter(finding -> finding.code() == FindingCode.TREE_ROOT_MISMATCH)
        .toList();
    assertThat(found).hasSize(1);
    return found.get(0);
  }
}
