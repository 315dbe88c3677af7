package dev.agentreplay.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.recording.TamperEvidenceOptions;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.finding.Position;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions that git has checked out with {@code core.autocrlf}. */
class LineEndingsTest {

  @TempDir
  private Path directory;

  @Test
  void log_and_receipt_with_cr_lf_are_explained_by_one_finding() throws IOException {
    record();
    convert(Session.LOG_NAME);
    convert(Session.RECEIPT_NAME);
    VerificationReport report = verify(VerifyPolicy.defaults());

    assertThat(report.verdict()).isEqualTo(Verdict.INVALID);
    assertThat(report.findingCounts()).containsOnlyKeys(FindingCode.LINE_ENDINGS_CONVERTED);
    Finding finding = report.findings().get(0);
    assertThat(finding.position()).isEqualTo(new Position(1, 0));
    assertThat(finding.message())
        .isEqualTo("every line of log and receipt ends with CR LF: git has converted the recording;"
            + " put \"*.jsonl -text\" and \"RECEIPT*.json -text\" into .gitattributes and check it"
            + " out again");
  }

  @Test
  void log_that_was_converted_and_changed_says_both() throws IOException {
    record();
    Path log = directory.resolve(Session.LOG_NAME);
    Files.writeString(log, Files.readString(log).replace("\"file a\"", "\"file b\""));
    convert(Session.LOG_NAME);
    VerificationReport report = verify(VerifyPolicy.defaults());

    assertThat(report.verdict()).isEqualTo(Verdict.INVALID);
    assertThat(report.findingCounts())
        .containsKeys(FindingCode.OUTPUT_HASH_MISMATCH, FindingCode.TREE_ROOT_MISMATCH)
        .doesNotContainKey(FindingCode.LINE_ENDINGS_CONVERTED);
    assertThat(report.findings().get(0).message())
        .startsWith("every line of the log ends with CR LF");
  }

  @Test
  void policy_that_does_not_know_the_code_fails_what_follows_from_it() throws IOException {
    record();
    convert(Session.LOG_NAME);
    VerificationReport report = verify(VerifyPolicy.defaults()
        .withFailing(Set.of(FindingCode.REPLAY_HASH_MISMATCH, FindingCode.TREE_ROOT_MISMATCH)));

    assertThat(report.verdict()).isEqualTo(Verdict.INVALID);
    assertThat(report.findingCounts())
        .containsKeys(FindingCode.REPLAY_HASH_MISMATCH, FindingCode.LINE_ENDINGS_CONVERTED);
  }

  @Test
  void log_without_a_receipt_stays_valid_and_says_so_once() throws IOException {
    record();
    Files.delete(directory.resolve(Session.RECEIPT_NAME));
    convert(Session.LOG_NAME);
    VerificationReport report = verify(VerifyPolicy.defaults());

    assertThat(report.verdict()).isEqualTo(Verdict.VALID);
    assertThat(report.findings()).hasSize(1);
    assertThat(report.findings().get(0).code()).isEqualTo(FindingCode.NOT_CANONICAL);
    assertThat(report.findings().get(0).message()).contains("ends with CR LF");
  }

  @Test
  void receipt_alone_that_was_converted_is_named_where_its_bytes_are_signed() throws IOException {
    SessionStart start = SessionStart.of("s");
    RecorderOptions options = RecorderOptions.defaults();
    TamperEvidenceOptions signed = options.writer().evidence().withSigner(SealedSessions.SIGNER);
    record(start, options.withWriter(options.writer().withEvidence(signed)));
    VerifyPolicy policy = VerifyPolicy.defaults().requiringSignature(SealedSessions.TRUSTED);
    assertThat(verify(policy).verdict()).isEqualTo(Verdict.VALID);

    convert(Session.RECEIPT_NAME);
    VerificationReport report = verify(policy);
    assertThat(report.findings().get(0).code()).isEqualTo(FindingCode.LINE_ENDINGS_CONVERTED);
    assertThat(report.findings().get(0).message()).startsWith("every line of RECEIPT.json ends");
    assertThat(report.findingCounts()).doesNotContainKey(FindingCode.SIGNATURE_INVALID);
  }

  @Test
  void log_that_was_cut_into_files_keeps_its_own_fault_next_to_a_converted_receipt()
      throws IOException {
    RecorderOptions options = RecorderOptions.defaults();
    TamperEvidenceOptions signed = options.writer().evidence().withSigner(SealedSessions.SIGNER);
    record(SessionStart.of("s"), options.withWriter(options.writer().withEvidence(signed)));
    convert(Session.RECEIPT_NAME);
    Path log = directory.resolve(Session.LOG_NAME);
    String text = Files.readString(log);
    int cut = text.indexOf('\n') + 1;
    Files.writeString(log, text.substring(0, cut));
    Files.writeString(directory.resolve(Session.LOG_NAME + ".2"), text.substring(cut));

    VerificationReport report = verify(VerifyPolicy.defaults());
    assertThat(report.findingCounts())
        .containsKeys(FindingCode.REPLAY_HASH_MISMATCH, FindingCode.LINE_ENDINGS_CONVERTED);
  }

  @Test
  void single_line_with_cr_lf_is_not_a_conversion() throws IOException {
    record();
    Path log = directory.resolve(Session.LOG_NAME);
    Files.writeString(log, Files.readString(log).replaceFirst("\n", "\r\n"));
    VerificationReport report = verify(VerifyPolicy.defaults());

    assertThat(report.findingCounts())
        .containsKeys(FindingCode.NOT_CANONICAL, FindingCode.REPLAY_HASH_MISMATCH)
        .doesNotContainKey(FindingCode.LINE_ENDINGS_CONVERTED);
  }

  private void record() throws IOException {
    record(SessionStart.of("s"), RecorderOptions.defaults());
  }

  private void record(SessionStart start, RecorderOptions options) throws IOException {
    try (SessionRecorder session = SessionRecorder.start(directory, start, options)) {
      session.call("read", JsonObject.of("path", "a")).result("file a");
      session.end(Status.SUCCESS, 1.0);
    }
  }

  private void convert(String name) throws IOException {
    Path file = directory.resolve(name);
    String text = Files.readString(file).replace("\n", "\r\n");
    Files.write(file, text.getBytes(StandardCharsets.UTF_8));
  }

  private VerificationReport verify(VerifyPolicy policy) throws IOException {
    return SessionVerifier.of(policy).verify(Session.open(directory));
  }
}
