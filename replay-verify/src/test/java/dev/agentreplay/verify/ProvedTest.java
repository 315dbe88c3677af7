package dev.agentreplay.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.recording.TamperEvidenceOptions;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.testkit.TestSessions;
import dev.agentreplay.verify.VerificationReport.Conclusion;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The proved claims of sessions that are attacked where no receipt, end or blob protects them. */
class ProvedTest {

  private static final String OTHERS = "and there are no others";

  @TempDir
  private Path directory;

  @TestFactory
  Stream<DynamicTest> call_without_a_result_is_not_among_those_that_match_the_receipt()
      throws IOException {
    List<Path> sessions = TestSessions.directories(TestSessions.corpus().resolve("tau-bench"));
    assertThat(sessions).isNotEmpty();
    return sessions.stream()
        .map(session -> DynamicTest.dynamicTest(session.getFileName().toString(), () -> {
          Exhibit recorded = Exhibit.read(session);
          assertThat(unanswered(verify(recorded))).isEmpty();
          Exhibit listed = UncoveredAttacks.undigested(recorded);
          Exhibit hidden = attacked(UncoveredAttacks.HIDE_CALL, listed).get(0);
          VerificationReport report = verify(hidden);
          assertThat(report.verdict()).as("%s", report.findings()).isEqualTo(Verdict.VALID);
          assertThat(unanswered(report))
              .containsExactly(
                  "1 unanswered call is not in the receipt, which lists answered ones");
          assertThat(texts(report, true)).noneMatch(text -> text.endsWith(OTHERS));
        }));
  }

  private static List<String> unanswered(VerificationReport report) {
    return texts(report, false).stream()
        .filter(text -> text.contains("unanswered"))
        .toList();
  }

  @Test
  void header_is_not_covered_by_the_hash_of_the_trajectory() throws IOException {
    TestLog small = TestLog.small();
    Exhibit log = small.exhibit(small.trajectoryReceipt());
    List<Exhibit> edited = attacked(UncoveredAttacks.EDIT_HEADER, log);
    assertThat(edited).isNotEmpty();
    for (Exhibit each : edited) {
      assertHeaderIsNotProved(verify(each));
    }
    Exhibit removed = attacked(UncoveredAttacks.REMOVE_HEADER, log).get(0);
    assertHeaderIsNotProved(verify(removed, VerifyPolicy.lenient()));
  }

  private static void assertHeaderIsNotProved(VerificationReport report) {
    assertThat(report.verdict()).as("%s", report.findings()).isEqualTo(Verdict.VALID);
    assertThat(texts(report, true))
        .contains("every event except the header is as the receipt states:"
            + " its trajectory_hash matches")
        .noneMatch(text -> text.startsWith("every event is") || text.startsWith("every line"));
    assertThat(texts(report, false)).contains("the header: no hash in the receipt covers it");
  }

  @Test
  void end_that_nothing_covers_is_not_proved() throws IOException {
    TestLog forged = TestLog.small();
    assertThat(texts(forged.verify(directory, null), true))
        .noneMatch(text -> text.contains("recorded to its end"));
    VerificationReport listed = forged.verify(directory, forged.sessionReceipt());
    assertThat(listed.verdict()).isEqualTo(Verdict.VALID);
    assertThat(texts(listed, true)).noneMatch(text -> text.contains("recorded to its end"));
    assertThat(texts(listed, false))
        .contains("that the session is complete: only the log says that it ended");
  }

  @Test
  void end_is_not_proved_of_a_session_that_was_cut_off_and_ended() throws IOException {
    TestLog whole = TestLog.small();
    JsonObject receipt = whole
        .sessionReceipt()
        .with("tree_size", whole.size())
        .with("tree_root", whole.tree(whole.size()).root().toString());
    assertThat(texts(whole.verify(directory, receipt), true))
        .contains("the session was recorded to its end: a verified tree root covers it");
    VerificationReport cut = whole.remove(TestLog.RUNTIME).verify(directory, receipt);
    assertThat(cut.verdict()).isEqualTo(Verdict.INVALID);
    assertThat(texts(cut, true)).noneMatch(text -> text.contains("recorded to its end"));
  }

  @Test
  void preview_that_does_not_follow_from_the_value_is_found() throws IOException {
    Exhibit blobs = UncoveredAttacks.undigested(withBlob());
    VerificationReport sound = verify(blobs);
    assertThat(sound.verdict()).as("%s", sound.findings()).isEqualTo(Verdict.VALID);
    VerificationReport forged =
        verify(attacked(UncoveredAttacks.EDIT_PREVIEW, blobs).get(0));
    assertThat(forged.verdict()).isEqualTo(Verdict.INVALID);
    assertThat(forged.findingCounts().toString()).contains("PREVIEW_MISMATCH");
  }

  @Test
  void session_whose_blobs_were_deleted_is_not_valid_when_strict() throws IOException {
    Exhibit whole = withBlob();
    assertThat(verify(whole, VerifyPolicy.strict()).verdict()).isEqualTo(Verdict.VALID);
    Exhibit without = attacked(UncoveredAttacks.DELETE_BLOBS, whole).get(0);
    VerificationReport report = verify(without, VerifyPolicy.strict());
    assertThat(report.verdict()).isEqualTo(Verdict.UNVERIFIED);
    assertThat(report.unmet().toString()).isEqualTo("[VALUES]");
    assertThat(texts(report, false))
        .contains("1 of 1 previews: there is no full value to compare with: it is not in the"
            + " log, its blob is missing or altered, or the canonicalization is unknown");
  }

  @Test
  void envelope_is_not_named_where_there_is_none() throws IOException {
    TamperEvidenceOptions often = TamperEvidenceOptions.defaults()
        .withSigner(SealedSessions.SIGNER)
        .withCheckpointInterval(4);
    Exhibit open = SealedSessions.open(directory.resolve("open"), "this", often);
    VerificationReport report =
        verify(open, VerifyPolicy.defaults().requiringSignature(SealedSessions.TRUSTED));
    assertThat(report.verdict()).isEqualTo(Verdict.VALID);
    assertThat(texts(report, true))
        .contains("every line is as a trusted key has signed it")
        .noneMatch(text -> text.contains("envelope"));
  }

  private Exhibit withBlob() throws IOException {
    Path recorded = directory.resolve("recorded");
    RecorderOptions options = RecorderOptions.defaults().withBlobThreshold(20);
    try (SessionRecorder session = SessionRecorder.start(recorded, SessionStart.of("s"), options)) {
      session.call("test", JsonObject.EMPTY).result("3 tests failed, 12 passed");
      session.end(Status.SUCCESS, 1);
    }
    Exhibit exhibit = Exhibit.read(recorded);
    assertThat(exhibit.blobs()).hasSize(1);
    return exhibit;
  }

  /** The results of an attack in each place. */
  private static List<Exhibit> attacked(Attack attack, Exhibit exhibit) throws IOException {
    return attack.act().on(exhibit).stream().map(Attack.Target::exhibit).toList();
  }

  private VerificationReport verify(Exhibit exhibit) throws IOException {
    return verify(exhibit, VerifyPolicy.defaults());
  }

  private VerificationReport verify(Exhibit exhibit, VerifyPolicy policy) throws IOException {
    return SessionVerifier.of(policy).verify(exhibit.write(directory));
  }

  private static List<String> texts(VerificationReport report, boolean areProved) {
    return report.conclusions().stream()
        .filter(conclusion -> conclusion.isProved() == areProved)
        .map(Conclusion::text)
        .toList();
  }
}
