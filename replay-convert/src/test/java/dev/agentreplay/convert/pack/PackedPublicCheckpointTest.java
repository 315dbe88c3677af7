package dev.agentreplay.convert.pack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.recording.TamperEvidenceOptions;
import dev.agentreplay.io.recording.WriterOptions;
import dev.agentreplay.io.session.OpenSession;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.signature.Ed25519Signer;
import dev.agentreplay.model.signature.Ed25519Verifier;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerificationReport;
import dev.agentreplay.verify.VerificationReport.Counter;
import dev.agentreplay.verify.VerifyPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PackedPublicCheckpointTest {

  @TempDir
  private Path root;

  @Test
  void packed_session_is_verified_with_its_public_checkpoint() throws IOException {
    Ed25519Signer signer = Ed25519Signer.generate();
    Path directory = root.resolve("s");
    RecorderOptions options = RecorderOptions.defaults()
        .withWriter(WriterOptions.defaults()
            .withEvidence(TamperEvidenceOptions.defaults().withSigner(signer)));
    try (SessionRecorder recorder =
        SessionRecorder.start(directory, SessionStart.of("s"), options)) {
      recorder.end(Status.SUCCESS, 1.0);
    }
    Path file = root.resolve("s.tar.gz");

    PackedSession.pack(directory, file);

    VerifyPolicy policy =
        VerifyPolicy.defaults().requiringSignature(Ed25519Verifier.of(List.of(signer.publicKey())));
    try (OpenSession open = PackedSession.open(file)) {
      VerificationReport report = SessionVerifier.of(policy).verify(open.session());
      assertThat(report.verdict()).isEqualTo(Verdict.VALID);
      assertThat(report.count(Counter.SIGNATURES_VERIFIED)).isEqualTo(3);
      assertThat(open.session().publicCheckpoint())
          .hasSameBinaryContentAs(directory.resolve("PUBLIC_CHECKPOINT.json"));
    }
    Path target = root.resolve("unpacked");
    PackedSession.unpack(file, target);
    assertThat(Files.readAllBytes(target.resolve("PUBLIC_CHECKPOINT.json")))
        .isEqualTo(Files.readAllBytes(directory.resolve("PUBLIC_CHECKPOINT.json")));
  }
}
