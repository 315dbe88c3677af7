package dev.agentreplay.verify.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.session.Session;
import dev.agentreplay.testkit.LogLines;
import dev.agentreplay.verify.proof.LogProver;
import dev.agentreplay.verify.proof.ProofCheck;
import dev.agentreplay.verify.proof.TrustedHead;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The JSON form without the proof in it, and the text, word for word. */
class ProofReportTest {

  @TempDir
  private Path directory;

  private LogProver prover;
  private TrustedHead head;

  @BeforeEach
  void prove() throws IOException {
    Path log = directory.resolve("log");
    Files.writeString(log, LogLines.HEADER + "\n" + LogLines.STEP + "\n");
    prover = LogProver.open(new Session(log, null));
    Path checkpoint = directory.resolve("checkpoint.json");
    prover.checkpoint().create(checkpoint);
    head = TrustedHead.read(checkpoint, null);
  }

  @Test
  void inclusion_proof_without_trust_is_rendered_in_both_forms() throws IOException {
    ProofReport report = ProofReport.of(
        ProofCheck.of(prover.inclusion(2, 2), List.of()), "--checkpoint", "--public-key");

    assertThat(report.toJson().without("proof").toString())
        .isEqualTo(
            """
            {"schema":"replay.check/1","verdict":"unverified","holds":true,\
            "proved":[{"id":"path","text":"this is line 2 of the 2 lines that have this root"}],\
            "not_proved":[{"id":"root","text":"the root over 2 lines: anyone can forge one; \
            name what you trust with --checkpoint"},{"id":"others","text":"the content of any other line"}]}""");
    assertThat(report.render("proof.json", VerificationText.PLAIN))
        .isEqualTo(
            """
        unverified  proof.json
          line        2 of 2
          text        {"event":"StepComplete","iterations":1,"status":"Success","step_id":"s","t":"2026-01-…
          root        sha256:349cea81857d61b0f70ea0962876a74c166761053203a38d952ea1dac5ebe7fc over 2 lines
          proved      this is line 2 of the 2 lines that have this root
          not proved  the root over 2 lines: anyone can forge one; name what you trust with --checkpoint
                      the content of any other line
        """);
  }

  @Test
  void consistency_proof_to_a_trusted_root_is_rendered_in_both_forms() throws IOException {
    ProofReport report = ProofReport.of(
        ProofCheck.of(prover.consistency(1, 2), List.of(head)), "--checkpoint", "--public-key");

    assertThat(report.toJson().without("proof").toString().replace(directory.toString(), ""))
        .isEqualTo(
            """
            {"schema":"replay.check/1","verdict":"valid","holds":true,\
            "proved":[{"id":"path","text":"the log of 2 lines begins with the 1 line of the older \
            one, and they are unchanged"},{"id":"newer","text":"/checkpoint.json, which is not \
            signed, states the root over 2 lines"}],\
            "not_proved":[{"id":"older","text":"the root over 1 line: /checkpoint.json covers 2 lines"}]}""");
    assertThat(report.render("proof.json", VerificationText.PLAIN))
        .startsWith(
            """
        valid  proof.json
          older       sha256:6fd695b08efef571d2942814ffd0f35955246876251849edf223952dacc003d5 over 1 line
          newer       sha256:349cea81857d61b0f70ea0962876a74c166761053203a38d952ea1dac5ebe7fc over 2 lines
          proved      the log of 2 lines begins with the 1 line of the older one, and they are unchanged
        """);
  }
}
