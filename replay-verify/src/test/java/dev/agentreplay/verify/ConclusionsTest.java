package dev.agentreplay.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.verify.VerificationReport.Counter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The claims that a report lists as proved: never more than was checked. */
class ConclusionsTest {

  private static final Session ALONE = new Session(Path.of("log"), null);
  private static final Session WITH_RECEIPT = new Session(Path.of("log"), Path.of("receipt"));

  @TempDir
  private Path directory;

  @Test
  void recorded_session_with_its_receipt() throws IOException {
    TestLog log = TestLog.small();
    JsonObject receipt =
        log.sessionReceipt().with("replay_hash", ContentHash.sha256(log.bytes()).toString());

    assertThat(texts(log.verify(directory, receipt)))
        .containsExactly(
            "+log: every line is as the receipt states: its digest of the log matches",
            "+calls: 2 of 2 calls match the receipt, and there are no other answered ones",
            "+params: 2 of 2 parameters match their hash",
            "+outputs: 2 of 2 outputs match their hash",
            "+payloads: 1 of 1 prompts, answers and payloads match their hash",
            "-signer: the author: nothing is signed,"
                + " so anyone who can edit both log and receipt can make them agree",
            "+end: the session was recorded to its end:"
                + " the receipt's digest of the log covers it");
  }

  @Test
  void receipt_that_lists_calls_alone_says_nothing_of_the_rest() throws IOException {
    TestLog log = TestLog.small();
    assertThat(texts(log.verify(directory, log.sessionReceipt())))
        .startsWith("-log: the log as a whole: the receipt has neither a digest of it"
            + " nor a tree root over its lines")
        .contains("+calls: 2 of 2 calls match the receipt, and there are no other answered ones");
  }

  @Test
  void trajectory_receipt_has_its_own_digest() throws IOException {
    TestLog log = TestLog.small();
    assertThat(texts(log.verify(directory, log.trajectoryReceipt())))
        .contains("+receipt: the receipt matches its own digest");
    JsonObject altered = log.trajectoryReceipt().with("canonical_json_sha256", "0".repeat(64));
    assertThat(texts(log.verify(directory, altered)))
        .contains("-receipt: the receipt: it does not match its own digest");
  }

  @Test
  void log_alone() throws IOException {
    TestLog log = TestLog.small()
        .remove(TestLog.END)
        .edit(TestLog.CALL_1, "\"path\":\"a\"", "\"path\":\"b\"")
        .replace(
            TestLog.RESULT_2,
            CanonicalJson.SERDE.text(TestLog.small().json(TestLog.RESULT_2).without("output")));
    assertThat(texts(log.verify(directory, null)))
        .containsExactly(
            "-log: the log as a whole: there is no receipt"
                + " or other statement to compare it with",
            "+params: 1 of 2 parameters match their hash",
            "-params: 1 of 2 parameters: the value does not match its hash",
            "+outputs: 1 of 2 outputs match their hash",
            "-outputs: 1 of 2 outputs: the value is missing or too large,"
                + " or the canonicalization is unknown",
            "+payloads: 1 of 1 prompts, answers and payloads match their hash",
            "-signer: the author: nothing is signed",
            "-end: that the session is complete: it has no end");
  }

  @Test
  void log_of_which_calls_were_dropped() throws IOException {
    TestLog log = TestLog.small().remove(TestLog.RESULT_2).remove(TestLog.CALL_2);
    assertThat(texts(log.verify(directory, TestLog.small().sessionReceipt())))
        .contains("-calls: the calls as the receipt lists them: 1 of 2 match");
  }

  @Test
  void damaged_log_and_log_of_another_version() throws IOException {
    TestLog log = TestLog.small();
    assertThat(texts(log.insert(3, "junk").verify(directory, log.sessionReceipt())))
        .startsWith("-log: the log as a whole: 1 line cannot be read")
        .contains("-calls: the calls as the receipt lists them: 1 line cannot be read")
        .contains("-end: that the session is complete: 1 line cannot be read")
        .noneMatch(text -> text.startsWith("+end:"));
    assertThat(texts(log.edit(1, "version\":1", "version\":2").verify(directory, null)))
        .containsExactly("-log: anything: the version of the log is not supported");
    assertThat(texts(report(
            WITH_RECEIPT,
            Map.of(Counter.EVENTS, 3L),
            FindingCode.RECEIPT_UNREADABLE,
            FindingCode.SESSION_END_MISSING)))
        .startsWith("-log: the log as a whole: the receipt cannot be read");
  }

  @Test
  void tree_over_every_line() {
    assertThat(log(10, 10, 1))
        .containsExactly("+log: every line is as stated: the tree root over 10 lines matches,"
            + " and so does the receipt's digest of the log");
    assertThat(log(10, 10, 0))
        .containsExactly("+log: every line is as stated: the tree root over 10 lines matches");
  }

  @Test
  void tree_over_the_first_lines_says_nothing_of_the_others() {
    assertThat(log(10, 9, 0))
        .containsExactly(
            "-log: the last 1 line: no stated tree root covers them",
            "+log: the first 9 lines are as stated: the tree root over them matches");
    assertThat(log(10, 4, 0, FindingCode.TREE_ROOT_MISMATCH))
        .containsExactly(
            "-log: the log as a whole: it differs from what was stated about it",
            "+log: the first 4 lines are as stated: the tree root over them matches");
    assertThat(log(0, 0, 0)).allMatch(text -> text.startsWith("-"));
  }

  @Test
  void signature_over_every_line_over_the_first_and_over_none() {
    assertThat(signer(10, 10)).containsExactly("+signer: a trusted key has signed every line");
    assertThat(signer(10, 4))
        .containsExactly(
            "+signer: a trusted key has signed the first 4 lines",
            "-signer: the author of the lines after them: they are not signed");
    assertThat(signer(10, 10, FindingCode.SIGNATURE_INVALID))
        .contains("-signer: the author: a signature is invalid");
    assertThat(signer(10, 0, FindingCode.SIGNATURE_UNVERIFIABLE))
        .containsExactly("-signer: the author: it is signed, but not with a trusted key");
    assertThat(texts(report(ALONE, Map.of(Counter.EVENTS, 1L, Counter.SIGNATURES_VERIFIED, 1L))))
        .contains(
            "-signer: the author:" + " what a trusted key has signed does not cover the lines");
  }

  @Test
  void gap_in_the_recording_is_not_all_of_the_session() {
    assertThat(texts(report(ALONE, Map.of(Counter.EVENTS, 3L), FindingCode.RECORDING_GAP)))
        .contains("-end: that the session is complete: some events were not recorded");
  }

  @Test
  void end_of_a_tampered_session_is_not_proved() throws IOException {
    TestLog log = TestLog.small();
    String digest = ContentHash.sha256(log.bytes()).toString();
    JsonObject receipt = log.sessionReceipt().with("replay_hash", digest);
    TestLog tampered = log.edit(TestLog.CALL_1, "\"path\":\"a\"", "\"path\":\"b\"");
    String whole = ContentHash.sha256(tampered.bytes()).toString();

    assertThat(texts(tampered.verify(directory, receipt)))
        .contains("-end: that the session is complete: its end is unreliable because of other"
            + " findings")
        .noneMatch(text -> text.startsWith("+end:") || text.startsWith("+log:"));
    assertThat(texts(tampered.verify(directory, receipt.with("replay_hash", whole))))
        .contains("+log: every line is as the receipt states: its digest of the log matches")
        .noneMatch(text -> text.startsWith("+end:"));
  }

  private static List<String> log(long events, long inTree, long digests, FindingCode... codes) {
    return texts(report(
            WITH_RECEIPT,
            Map.of(
                Counter.EVENTS, events,
                Counter.LINES_IN_TREE, inTree,
                Counter.LOG_DIGESTS_VERIFIED, digests,
                Counter.TREE_ROOTS_VERIFIED, 1L),
            codes))
        .stream()
        .filter(text -> text.substring(1).startsWith("log:"))
        .toList();
  }

  private static List<String> signer(long events, long signed, FindingCode... codes) {
    return texts(report(
            WITH_RECEIPT, Map.of(Counter.EVENTS, events, Counter.LINES_SIGNED, signed), codes))
        .stream()
        .filter(text -> text.substring(1).startsWith("signer:"))
        .toList();
  }

  private static VerificationReport report(
      Session session, Map<Counter, Long> counts, FindingCode... codes) {
    Map<FindingCode, Long> found = new EnumMap<>(FindingCode.class);
    for (FindingCode code : codes) {
      found.put(code, 1L);
    }
    return new VerificationReport(
        session,
        Verdict.VALID,
        Set.of(),
        null,
        null,
        null,
        null,
        counts,
        found,
        List.of(),
        Set.of(),
        null,
        null);
  }

  private static List<String> texts(VerificationReport report) {
    return report.conclusions().stream()
        .map(c -> (c.isProved() ? "+" : "-") + c.claim().id() + ": " + c.text())
        .toList();
  }
}
