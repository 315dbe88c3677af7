package dev.agentreplay.verify.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.finding.Severity;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerificationReport;
import dev.agentreplay.verify.VerifyPolicy;
import dev.agentreplay.verify.VerifyPolicy.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VerificationTextTest {

  @TempDir
  Path directory;

  private Session session;

  @BeforeEach
  void record() throws IOException {
    try (SessionRecorder recorder = SessionRecorder.start(directory.resolve("s"), "s")) {
      recorder.call("read", JsonObject.of("path", "a")).result("text");
      recorder.end(Status.SUCCESS, 1.0);
    }
    session = Session.open(directory.resolve("s"));
  }

  private VerificationReport verify(VerifyPolicy policy) throws IOException {
    return SessionVerifier.of(policy).verify(session);
  }

  private void tamper() throws IOException {
    String log = Files.readString(session.log());
    Files.writeString(session.log(), log.replace("\"text\"", "\"TEXT\""));
  }

  @Test
  void valid_session_has_what_is_proved_and_fits_the_columns() throws IOException {
    String text = VerificationText.render(
        verify(VerifyPolicy.defaults()), "a\u001bb", VerificationText.PLAIN);

    assertThat(text)
        .startsWith("valid  a\u241bb\n  log         5 events, 1 tool call, dialect event\n")
        .contains("\n  proved      ", "\n  not proved  ");
    assertThat(text.lines()).allMatch(line -> line.length() <= 100);
  }

  @Test
  void failure_has_the_verdict_and_the_worst_findings_alone() throws IOException {
    tamper();

    assertThat(VerificationText.renderFailure(verify(VerifyPolicy.defaults())))
        .startsWith("invalid  " + session.log() + "\n  error  OUTPUT_HASH_MISMATCH  line 4, byte ")
        .doesNotContain("proved")
        .doesNotEndWith("\n");
  }

  @Test
  void failure_names_the_requirement_that_is_not_met() throws IOException {
    VerifyPolicy policy = VerifyPolicy.defaults().requiring(Requirement.SIGNATURE);

    assertThat(VerificationText.renderFailure(verify(policy)))
        .contains("\n  required    a trusted key's signature over every line, and there is none");
  }

  @Test
  void style_is_asked_for_verdict_name_and_severity() throws IOException {
    tamper();
    VerificationText.Style style = new VerificationText.Style() {
      @Override
      public String verdict(Verdict verdict, String text) {
        return "<" + text + ">";
      }

      @Override
      public String severity(Severity severity, String text) {
        return "[" + text + "]";
      }

      @Override
      public String bold(String text) {
        return "*" + text + "*";
      }
    };

    assertThat(VerificationText.render(verify(VerifyPolicy.defaults()), "name", style))
        .startsWith("<invalid>  *name*\n")
        .contains("  [error  OUTPUT_HASH_MISMATCH]  line 4, ");
  }

  @Test
  void hashes_are_cut_and_other_digits_are_not() {
    String hex = "0123456789abcdef".repeat(4);

    assertThat(
            VerificationText.shortHashes("is sha256:" + hex + ", not " + hex + " but " + hex + "0"))
        .isEqualTo("is sha256:0123456789ab…, not 0123456789ab… but " + hex + "0");
    String both = hex.substring(0, 20);
    String other = both + "f".repeat(44);
    assertThat(VerificationText.shortHashes("is " + other + ", not sha256:" + hex))
        .isEqualTo("is %sf…, not sha256:%s…".formatted(both, hex.substring(0, 21)));
    String last = hex.substring(0, 63) + (hex.endsWith("0") ? "1" : "0");
    assertThat(VerificationText.shortHashes(hex + " " + last)).isEqualTo(hex + " " + last);
  }
}
