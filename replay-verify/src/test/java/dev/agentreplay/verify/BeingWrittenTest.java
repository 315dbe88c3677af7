package dev.agentreplay.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.verify.VerificationReport.Claim;
import dev.agentreplay.verify.VerificationReport.Conclusion;
import dev.agentreplay.verify.VerificationReport.Counter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log is verified concurrently with its writer, up to the last line that was committed. */
class BeingWrittenTest {

  @TempDir
  Path directory;

  @Test
  void every_beginning_of_the_last_line_is_not_read_while_the_log_is_being_written()
      throws IOException {
    Path log = directory.resolve("REPLAY.jsonl");
    try (SessionRecorder recorder = SessionRecorder.start(directory, "s")) {
      recorder.call("read", JsonObject.of("path", "a")).result("text");
      recorder.sync();
      byte[] whole = Files.readAllBytes(log);
      String text = new String(whole, StandardCharsets.UTF_8);
      long lines = text.lines().count();
      String last = text.substring(text.lastIndexOf('\n', text.length() - 2) + 1);
      for (int length = 0; length < last.length(); length += length < 8 ? 1 : 7) {
        assertBeingWritten(log, text, last.substring(0, length), lines);
      }
      assertBeingWritten(log, text, last.substring(0, last.length() - 1), lines);
      Files.write(log, whole);
    }
    VerificationReport closed = verify();
    assertThat(closed.verdict()).isEqualTo(Verdict.VALID);
    assertThat(closed.count(FindingCode.BEING_WRITTEN)).isZero();

    Files.writeString(log, Files.readString(log) + "{\"event\":");
    VerificationReport torn = verify();
    assertThat(torn.verdict()).isEqualTo(Verdict.UNREADABLE);
    assertThat(torn.count(FindingCode.TORN_TAIL)).isOne();
  }

  @Test
  void log_whose_writer_ends_meanwhile_and_that_is_read_whole_is_not_being_written()
      throws IOException {
    SessionRecorder recorder = SessionRecorder.start(directory, "s");
    VerificationReport report = SessionVerifier.of(VerifyPolicy.defaults())
        .verify(Session.open(directory), () -> {
          close(recorder);
          return false;
        });
    assertThat(report.count(FindingCode.BEING_WRITTEN)).isZero();
  }

  @Test
  void log_that_has_grown_and_ended_since_it_was_read_is_verified_as_far_as_it_was_read()
      throws IOException {
    SessionRecorder recorder = SessionRecorder.start(directory, "s");
    byte[] read = Files.readAllBytes(directory.resolve("REPLAY.jsonl"));
    SessionVerification verification =
        new SessionVerification(VerifyPolicy.defaults(), Session.open(directory));
    recorder.end(Status.SUCCESS, 1);
    recorder.close();
    VerificationReport report = verification.run(
        ReplayReader.of(new ByteArrayInputStream(read), "what was read"), () -> false);
    assertThat(report.findings())
        .filteredOn(finding -> finding.code() == FindingCode.BEING_WRITTEN)
        .singleElement()
        .extracting(Finding::message)
        .isEqualTo("a writer closed the log during the verification: it is verified up to here,"
            + " and later lines are not read");
  }

  private static void close(SessionRecorder recorder) {
    try {
      recorder.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void assertBeingWritten(Path log, String text, String torn, long lines)
      throws IOException {
    Files.writeString(log, text + torn);
    VerificationReport report = verify();
    assertThat(report.verdict()).as(torn).isEqualTo(Verdict.VALID);
    assertThat(report.count(Counter.EVENTS)).as(torn).isEqualTo(lines);
    assertThat(report.findings())
        .filteredOn(finding -> finding.code() != FindingCode.SESSION_END_MISSING)
        .as(torn)
        .extracting(Finding::code)
        .containsExactly(FindingCode.BEING_WRITTEN);
    Finding finding = report.findings().stream()
        .filter(each -> each.code() == FindingCode.BEING_WRITTEN)
        .findFirst()
        .orElseThrow();
    assertThat(finding.position().line()).isEqualTo(lines + 1);
    assertThat(finding.position().offset()).isEqualTo(text.length());
    assertThat(report.conclusions())
        .filteredOn(conclusion -> conclusion.claim() == Claim.END)
        .extracting(Conclusion::text)
        .containsExactly("that the session is complete: it is still being written");
  }

  private VerificationReport verify() throws IOException {
    return SessionVerifier.of(VerifyPolicy.defaults()).verify(Session.open(directory));
  }
}
