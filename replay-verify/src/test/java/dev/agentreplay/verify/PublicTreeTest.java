package dev.agentreplay.verify;

import static dev.agentreplay.verify.SealedSessions.SIGNER;
import static dev.agentreplay.verify.SealedSessions.STRANGER;
import static dev.agentreplay.verify.SealedSessions.TRUSTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.commitment.Committer;
import dev.agentreplay.canonical.commitment.PublicForm;
import dev.agentreplay.canonical.commitment.PublicTree;
import dev.agentreplay.canonical.signature.PublicCheckpoint;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.ReceiptFile;
import dev.agentreplay.io.session.Receipts;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.Salt;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.receipt.Receipt;
import dev.agentreplay.verify.VerificationReport.Counter;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Public roots that the receipt and the public checkpoint of a session's own log state. */
class PublicTreeTest {

  private static final VerifyPolicy TRUSTING = VerifyPolicy.defaults().requiringSignature(TRUSTED);

  @TempDir
  private Path root;

  private Path directory;
  private Path checkpoint;
  private Path receipt;

  @BeforeEach
  void record() throws IOException {
    directory = root.resolve("s");
    checkpoint = directory.resolve(Session.PUBLIC_CHECKPOINT_NAME);
    receipt = directory.resolve(Session.RECEIPT_NAME);
    record(RecorderOptions.defaults());
  }

  private void record(RecorderOptions options) throws IOException {
    try (SessionRecorder recorder =
        SessionRecorder.start(directory, SessionStart.of("s"), options)) {
      recorder.call("read", JsonObject.of("n", 1)).result("x");
      recorder.end(Status.SUCCESS, 1.0);
    }
  }

  @ParameterizedTest
  @EnumSource(Receipt.Form.class)
  void session_that_is_signed_later_states_its_public_tree(Receipt.Form form) throws IOException {
    ReceiptFile.replace(receipt, Receipts.compute(session(), form));

    SessionSigner.sign(session(), SIGNER);

    TreeHead tree = tree(PublicForm.DEFAULT);
    assertThat(json(receipt).at("/public_root").asString())
        .isEqualTo(tree.root().toString());
    assertThat(json(receipt).at("/public_form").asString()).isEqualTo("replay.public/1");
    PublicCheckpoint stated = PublicCheckpoint.fromJson(json(checkpoint));
    assertThat(stated.tree()).isEqualTo(tree);
    VerificationReport report = verify(TRUSTING);
    assertThat(report.findings()).isEmpty();
    assertThat(stated.original())
        .isEqualTo(new Committer(PublicForm.DEFAULT)
            .original(salt(), new TreeHead(tree.size(), Objects.requireNonNull(report.root()))));
    assertThat(Files.readString(checkpoint)).doesNotContain(report.root().hex());
    assertThat(report.verdict()).isEqualTo(Verdict.VALID);
    assertThat(report.count(Counter.SIGNATURES_VERIFIED)).isEqualTo(3);
    assertThat(report.count(Counter.RECEIPT_DIGESTS_VERIFIED))
        .isEqualTo(form == Receipt.Form.OPENAGENTS_V1 ? 1 : 0);
    assertThat(report.publication()).isNull();
    assertThat(report.count(Counter.PUBLISHED_LINES)).isZero();
  }

  @Test
  void form_of_the_public_tree_can_be_chosen_and_replaces_an_earlier_one() throws IOException {
    SessionSigner.sign(session(), SIGNER);
    SessionSigner.sign(session(), SIGNER, new PublicForm(8));

    PublicCheckpoint stated = PublicCheckpoint.fromJson(json(checkpoint));
    assertThat(stated.form().padding()).isEqualTo(8);
    assertThat(stated.tree()).isEqualTo(tree(new PublicForm(8)));
    assertThat(json(receipt).at("/public_form").asString()).isEqualTo("replay.public/1+pad8");
    assertThat(verify(TRUSTING).verdict()).isEqualTo(Verdict.VALID);
  }

  @Test
  void any_old_public_checkpoint_is_replaced() throws IOException {
    Files.writeString(checkpoint, "of a different session");

    SessionSigner.sign(session(), SIGNER);

    assertThat(verify(TRUSTING).verdict()).isEqualTo(Verdict.VALID);
  }

  @Test
  void session_without_a_salt_is_signed_without_a_public_tree() throws IOException {
    directory = root.resolve("unsalted");
    record(RecorderOptions.defaults().withSalted(false));
    Path kept = Files.writeString(directory.resolve(Session.PUBLIC_CHECKPOINT_NAME), "kept");

    SessionSigner.sign(session(), SIGNER);

    assertThat(kept).hasContent("kept");
    assertThat(json(directory.resolve(Session.RECEIPT_NAME)).has("public_root")).isFalse();
  }

  @Test
  void failure_to_write_the_public_checkpoint_can_be_repeated() throws IOException {
    Files.createDirectories(checkpoint.resolve("inside"));
    byte[] before = Files.readAllBytes(receipt);

    assertThatThrownBy(() -> SessionSigner.sign(session(), SIGNER))
        .isInstanceOf(DirectoryNotEmptyException.class);
    assertThat(receipt).hasBinaryContent(before);

    Files.delete(checkpoint.resolve("inside"));
    SessionSigner.sign(session(), SIGNER);
    assertThat(verify(TRUSTING).verdict()).isEqualTo(Verdict.VALID);
  }

  @Test
  void receipt_with_a_wrong_public_root_is_not_signed() throws IOException {
    rewrite(json(receipt)
        .with("public_root", "sha256:" + "0".repeat(64))
        .with("public_form", "replay.public/1"));

    assertThatThrownBy(() -> SessionSigner.sign(session(), SIGNER))
        .isInstanceOf(SessionInvalidException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "public_root,sha256:0000000000000000000000000000000000000000000000000000000000000000,"
        + "PUBLIC_ROOT_MISMATCH,the receipt states a different public root",
    "public_root,x,FIELD_INVALID,receipt: public_root must be a hash",
    "public_form,,FIELD_INVALID,receipt: public_form must be the id of a public form",
    "public_form,replay.public/1+pad2,PUBLIC_ROOT_MISMATCH,the receipt states a different",
    "public_form,replay.public/9,HASH_UNVERIFIABLE,its public form replay.public/9 is not known"
  })
  void receipt_with_another_public_root_or_form_is_reported(
      String member, String value, FindingCode code, String message) throws IOException {
    SessionSigner.sign(session(), SIGNER);
    Files.delete(checkpoint);
    rewrite(json(receipt).without("signature").with(member, value));

    VerificationReport report =
        SessionVerifier.of(VerifyPolicy.defaults()).verify(session().withEnvelope(null));

    assertThat(report.findings()).singleElement().satisfies(finding -> {
      assertThat(finding.code()).isEqualTo(code);
      assertThat(finding.message()).contains(message);
    });
  }

  @Test
  void public_checkpoint_of_a_different_session_does_not_match() throws IOException {
    SessionSigner.sign(session(), SIGNER);
    byte[] foreign = Files.readAllBytes(checkpoint);
    directory = root.resolve("other");
    record(RecorderOptions.defaults());
    Files.write(directory.resolve(Session.PUBLIC_CHECKPOINT_NAME), foreign);

    VerificationReport report = verify(VerifyPolicy.defaults().withKeys(TRUSTED));

    assertThat(report.findings())
        .extracting(Finding::code)
        .containsExactly(FindingCode.PUBLIC_ROOT_MISMATCH);
    assertThat(report.verdict()).isEqualTo(Verdict.INVALID);
  }

  @Test
  void commitment_to_the_tree_over_the_lines_is_checked() throws IOException {
    TreeHead tree = tree(PublicForm.DEFAULT);
    ContentHash lines = Objects.requireNonNull(verify(VerifyPolicy.defaults()).root());
    Committer committer = new Committer(PublicForm.DEFAULT);

    for (ContentHash stated : List.of(lines, hash())) {
      PublicCheckpoint original = PublicCheckpoint.of(
          PublicForm.DEFAULT, tree, committer.original(salt(), new TreeHead(tree.size(), stated)));
      List<FindingCode> codes = codes(original);
      if (stated.equals(lines)) {
        assertThat(codes).isEmpty();
      } else {
        assertThat(codes).containsExactly(FindingCode.PUBLIC_ROOT_MISMATCH);
      }
    }
    assertThat(codes(PublicCheckpoint.of(PublicForm.DEFAULT, tree, null))).isEmpty();
  }

  @Test
  void public_root_of_a_log_without_a_salt_cannot_be_checked() throws IOException {
    directory = root.resolve("unsalted");
    record(RecorderOptions.defaults().withSalted(false));
    checkpoint = directory.resolve(Session.PUBLIC_CHECKPOINT_NAME);

    VerificationReport report =
        report(PublicCheckpoint.of(PublicForm.DEFAULT, new TreeHead(5, hash()), null));

    assertThat(report.findings())
        .extracting(finding -> finding.code() + ": " + finding.message())
        .containsExactly("HASH_UNVERIFIABLE: the public root in PUBLIC_CHECKPOINT.json cannot be"
            + " checked: the header has no salt");
    assertThat(report.verdict()).isEqualTo(Verdict.VALID);
    VerifyPolicy trusting =
        VerifyPolicy.defaults().withPublicCheckpoints(List.of(new TreeHead(5, hash())));
    assertThat(verify(trusting).findingCounts()).containsKey(FindingCode.PUBLIC_ROOT_MISMATCH);
  }

  @Test
  void trusted_public_checkpoint_is_compared_with_the_log_itself() throws IOException {
    TreeHead tree = tree(PublicForm.DEFAULT);

    assertThat(
            verify(VerifyPolicy.defaults().withPublicCheckpoints(List.of(tree))).findings())
        .isEmpty();
    assertThat(verify(VerifyPolicy.defaults()
                .withPublicCheckpoints(List.of(new TreeHead(tree.size(), hash()))))
            .findingCounts())
        .containsOnlyKeys(FindingCode.PUBLIC_ROOT_MISMATCH);
  }

  @Test
  void public_checkpoint_signed_by_a_stranger_is_reported() throws IOException {
    SessionSigner.sign(session(), SIGNER);
    PublicCheckpoint own = PublicCheckpoint.fromJson(json(checkpoint));
    Files.write(checkpoint, own.sign(STRANGER).toBytes());

    VerificationReport report = verify(TRUSTING);

    assertThat(report.findings())
        .extracting(Finding::message)
        .containsExactly("PUBLIC_CHECKPOINT.json is signed with the key " + STRANGER.keyId()
            + ", which is not trusted");
    assertThat(report.verdict()).isEqualTo(Verdict.VALID); // the envelope is signed
  }

  private static ContentHash hash() {
    return ContentHash.sha256(new byte[] {7});
  }

  private List<FindingCode> codes(PublicCheckpoint stated) throws IOException {
    return report(stated).findings().stream().map(Finding::code).toList();
  }

  private VerificationReport report(PublicCheckpoint stated) throws IOException {
    Files.write(checkpoint, stated.toBytes());
    return verify(VerifyPolicy.defaults());
  }

  private Session session() throws IOException {
    return Session.open(directory);
  }

  private VerificationReport verify(VerifyPolicy policy) throws IOException {
    return SessionVerifier.of(policy).verify(session());
  }

  private void rewrite(JsonValue changed) throws IOException {
    Files.writeString(receipt, JsonText.pretty(changed) + "\n");
  }

  private static JsonObject json(Path file) throws IOException {
    return JsonText.parse(Files.readAllBytes(file)).asObject();
  }

  private Salt salt() throws IOException {
    try (ReplayReader reader = session().reader()) {
      return Objects.requireNonNull(((ReplayHeader) reader.read().event()).salt());
    }
  }

  private TreeHead tree(PublicForm form) throws IOException {
    PublicTree tree = new PublicTree(form, salt());
    try (ReplayReader reader = session().reader()) {
      for (var line = reader.read(); line != null; line = reader.read()) {
        tree.add(line.bytes(), line.json(), CanonicalJson.SERDE);
      }
    }
    return tree.head();
  }
}
