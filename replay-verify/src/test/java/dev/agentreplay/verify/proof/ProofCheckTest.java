package dev.agentreplay.verify.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.commitment.PublicForm;
import dev.agentreplay.canonical.signature.PublicCheckpoint;
import dev.agentreplay.canonical.tree.InclusionProof;
import dev.agentreplay.canonical.tree.MerkleProof;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.signature.Ed25519Signer;
import dev.agentreplay.model.signature.Ed25519Verifier;
import dev.agentreplay.model.signature.SignatureVerifier;
import dev.agentreplay.testkit.LogLines;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.report.ProofReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The worth of proofs, given what is trusted. */
class ProofCheckTest {

  private static final Ed25519Signer KEY = Ed25519Signer.generate();
  private static final SignatureVerifier KEYS = Ed25519Verifier.of(List.of(KEY.publicKey()));

  @TempDir
  private Path directory;

  private LogProver prover;
  private MerkleProof inclusion;
  private MerkleProof consistency;

  @BeforeEach
  void prove() throws IOException {
    prover = prover("log", 4);
    inclusion = prover.inclusion(2, 4);
    consistency = prover.consistency(3, 4);
  }

  @Test
  void proof_is_worth_nothing_while_nothing_is_trusted() {
    for (MerkleProof proof : List.of(inclusion, consistency)) {
      ProofCheck check = ProofCheck.of(proof, List.of());
      assertThat(check.verdict()).isEqualTo(Verdict.UNVERIFIED);
      ProofReport report = ProofReport.of(check);
      assertThat(report.proved()).hasSize(1);
      assertThat(report.notProved()).anyMatch(text -> text.endsWith("trust with a checkpoint"));
      assertThat(report.toJson().at("/holds").toString()).isEqualTo("true");
    }
  }

  @Test
  void proof_is_valid_when_a_trusted_head_states_its_root() throws IOException {
    TrustedHead head = trusted(prover, "now");

    assertThat(ProofCheck.of(inclusion, List.of(head)).verdict()).isEqualTo(Verdict.VALID);
    assertThat(ProofCheck.of(consistency, List.of(head)).verdict()).isEqualTo(Verdict.VALID);
    assertThat(ProofCheck.of(inclusion, List.of(head, head)).verdict()).isEqualTo(Verdict.VALID);
  }

  @Test
  void trusted_head_that_says_nothing_of_the_proof_leaves_it_unverified() throws IOException {
    TrustedHead shorter = trusted(prover("shorter", 2), "shorter");
    TrustedHead now = trusted(prover, "now");

    assertThat(ProofCheck.of(inclusion, List.of(shorter)).verdict()).isEqualTo(Verdict.UNVERIFIED);
    assertThat(ProofCheck.of(inclusion, List.of(shorter, now)).verdict())
        .isEqualTo(Verdict.UNVERIFIED);
  }

  @Test
  void trusted_head_with_a_different_root_makes_the_proof_invalid() throws IOException {
    Path other = Files.writeString(
        directory.resolve("other"),
        LogLines.HEADER + "\n" + (LogLines.STEP.replace("Success", "Failed") + "\n").repeat(3));
    TrustedHead contradicting = trusted(LogProver.open(new Session(other, null)), "contradicting");

    ProofCheck check = ProofCheck.of(inclusion, List.of(contradicting, trusted(prover, "now")));
    assertThat(check.verdict()).isEqualTo(Verdict.INVALID);
    assertThat(check.contradicting()).containsExactly(contradicting);
    assertThat(check.supporting()).hasSize(1);
    assertThat(ProofReport.of(check).notProved())
        .anyMatch(text -> text.contains("states a different one"));
  }

  @Test
  void proof_that_does_not_hold_is_invalid_whatever_is_trusted() throws IOException {
    InclusionProof genuine = (InclusionProof) inclusion;
    MerkleProof forged = new InclusionProof(genuine.line(), "{}", genuine.tree(), genuine.path());

    ProofCheck check = ProofCheck.of(forged, List.of(trusted(prover, "now")));
    assertThat(check.verdict()).isEqualTo(Verdict.INVALID);
    assertThat(ProofReport.of(check).toJson().at("/verdict").asString()).isEqualTo("invalid");
  }

  @Test
  void head_that_no_trusted_key_has_signed_is_refused() throws IOException {
    Path unsigned = directory.resolve("unsigned.json");
    prover.checkpoint().create(unsigned);
    Path signed = directory.resolve("signed.json");
    prover.checkpoint(KEY).create(signed);

    assertThat(TrustedHead.read(signed, KEYS).tree())
        .isEqualTo(prover.checkpoint().tree());
    assertThatThrownBy(() -> TrustedHead.read(unsigned, KEYS))
        .isInstanceOf(IOException.class)
        .hasMessage(unsigned + ": the checkpoint is not signed");
  }

  @Test
  void public_checkpoint_says_nothing_about_the_lines() throws IOException {
    PublicCheckpoint unsigned = PublicCheckpoint.of(
        PublicForm.DEFAULT, new TreeHead(4, ContentHash.sha256(new byte[0])), null);
    Path file = directory.resolve("public.json");
    Files.write(file, unsigned.sign(KEY).toBytes());

    TrustedHead head = TrustedHead.read(file, KEYS);
    ProofCheck check = ProofCheck.of(inclusion, List.of(head));

    assertThat(head.isPublic()).isTrue();
    assertThat(head.isVerified()).isTrue();
    assertThat(head.tree()).isEqualTo(unsigned.tree());
    assertThat(check.contradicting()).isEmpty();
    assertThat(check.verdict()).isEqualTo(Verdict.UNVERIFIED);
    assertThat(ProofReport.of(check).notProved())
        .anyMatch(text -> text.endsWith("states only the root of the public tree"));
    Files.write(file, unsigned.toBytes());
    assertThatThrownBy(() -> TrustedHead.read(file, KEYS))
        .hasMessage(file + ": the public checkpoint is not signed");
    Files.writeString(file, "{\"schema\":\"replay.public-checkpoint/1\"}");
    assertThatThrownBy(() -> TrustedHead.read(file, null))
        .hasMessageContaining("not a checkpoint or receipt: /form: must be a string");
  }

  private TrustedHead trusted(LogProver of, String name) throws IOException {
    Path file = directory.resolve(name + ".json");
    of.checkpoint().create(file);
    return TrustedHead.read(file, null);
  }

  private LogProver prover(String name, int lines) throws IOException {
    String text = LogLines.HEADER + "\n" + (LogLines.STEP + "\n").repeat(lines - 1);
    return LogProver.open(new Session(Files.writeString(directory.resolve(name), text), null));
  }
}
