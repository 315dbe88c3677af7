package dev.agentreplay.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.ReceiptFile;
import dev.agentreplay.io.session.Receipts;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.receipt.Receipt;
import dev.agentreplay.model.signature.Ed25519Signer;
import dev.agentreplay.model.signature.Ed25519Verifier;
import dev.agentreplay.model.signature.Signer;
import dev.agentreplay.verify.VerificationReport.Counter;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.assertj.core.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions that are signed after they were recorded, if they verify. */
class SessionSignerTest {

  private static final Ed25519Signer SIGNER = Ed25519Signer.generate();

  @TempDir
  private Path root;

  private Path directory;
  private Path receipt;
  private Path envelope;

  @BeforeEach
  void record() throws IOException {
    directory = root.resolve("s");
    receipt = directory.resolve(Session.RECEIPT_NAME);
    envelope = directory.resolve(Session.ENVELOPE_NAME);
    try (SessionRecorder recorder = SessionRecorder.start(directory, "s")) {
      recorder.call("read", JsonObject.of("n", 1)).result("x");
      recorder.end(Status.SUCCESS, 1.0);
    }
  }

  @Test
  void session_that_verifies_is_signed() throws IOException {
    VerificationReport before = SessionSigner.sign(Session.open(directory), SIGNER);

    VerifyPolicy trusting =
        VerifyPolicy.defaults().requiringSignature(Ed25519Verifier.of(List.of(SIGNER.publicKey())));
    VerificationReport report = SessionVerifier.of(trusting).verify(Session.open(directory));
    assertThat(before.verdict()).isEqualTo(Verdict.VALID);
    assertThat(report.verdict()).isEqualTo(Verdict.VALID);
    assertThat(report.count(Counter.SIGNATURES_VERIFIED)).isEqualTo(3); // and public checkpoint
    assertThat(report.count(Counter.LINES_SIGNED)).isEqualTo(report.count(Counter.EVENTS));
  }

  @Test
  void receipt_is_signed_as_it_is() throws IOException {
    JsonObject unsigned = json().without("signature").with("note", "kept");
    Files.writeString(receipt, unsigned.toString());

    SessionSigner.sign(Session.open(directory), SIGNER);

    assertThat(json().without("signature", "public_root", "public_form")).isEqualTo(unsigned);
    assertThat(json().has("signature")).isTrue();
    byte[] first = Files.readAllBytes(envelope);
    SessionSigner.sign(Session.open(directory), SIGNER);
    assertThat(envelope).hasBinaryContent(first);
  }

  @Test
  void signer_that_fails_changes_no_file() throws IOException {
    SessionSigner.sign(Session.open(directory), SIGNER);
    Map<String, String> before = files();
    Signer failing = new Signer() {
      @Override
      public String algorithm() {
        return SIGNER.algorithm();
      }

      @Override
      public String keyId() {
        return SIGNER.keyId();
      }

      @Override
      public byte[] sign(byte[] message) throws IOException {
        throw new IOException("no key");
      }
    };

    assertThatThrownBy(() -> SessionSigner.sign(Session.open(directory), failing))
        .hasMessage("no key");

    assertThat(files()).isEqualTo(before);
  }

  @Test
  void failure_to_write_leaves_a_receipt_that_can_be_signed_again() throws IOException {
    Files.createDirectories(envelope.resolve("inside"));
    byte[] before = Files.readAllBytes(receipt);

    assertThatThrownBy(() -> SessionSigner.sign(new Session(log(), receipt), SIGNER))
        .isInstanceOf(DirectoryNotEmptyException.class);
    assertThat(receipt).hasBinaryContent(before);

    Files.delete(envelope.resolve("inside"));
    SessionSigner.sign(new Session(log(), receipt), SIGNER);
    assertThat(json().has("signature")).isTrue();
    assertThat(envelope).isRegularFile();
  }

  @Test
  void session_that_was_tampered_with_is_not_signed() throws IOException {
    Path log = directory.resolve(Session.LOG_NAME);
    Files.writeString(log, Files.readString(log).replace("\"output\":\"x\"", "\"output\":\"y\""));
    byte[] before = Files.readAllBytes(receipt);

    assertThatThrownBy(() -> SessionSigner.sign(Session.open(directory), SIGNER))
        .isInstanceOf(SessionInvalidException.class)
        .hasMessageStartingWith(log
            + ": expected a complete session that verifies, found the verdict invalid and the"
            + " findings [")
        .satisfies(e -> assertThat(((SessionInvalidException) e).report().findingCounts())
            .containsKeys(FindingCode.OUTPUT_HASH_MISMATCH, FindingCode.REPLAY_HASH_MISMATCH));
    assertThat(receipt).hasBinaryContent(before);
    assertThat(envelope).doesNotExist();
  }

  @Test
  void session_that_is_being_written_is_not_signed() throws IOException {
    Path open = root.resolve("open");
    try (SessionRecorder recorder = SessionRecorder.start(open, "open")) {
      recorder.call("read", JsonObject.of("n", 1)).result("x");
      Session session = Session.open(open);
      Path made = root.resolve("made.json");
      ReceiptFile.create(made, Receipts.compute(session, Receipt.Form.SESSION));
      assertThatThrownBy(() -> SessionSigner.sign(session.withReceipt(made), SIGNER))
          .isInstanceOf(SessionInvalidException.class)
          .satisfies(e -> assertThat(((SessionInvalidException) e).report().findingCounts())
              .containsOnlyKeys(FindingCode.BEING_WRITTEN, FindingCode.SESSION_END_MISSING));
    }
  }

  @Test
  void receipt_that_cannot_be_read_is_left_as_it_is() throws IOException {
    Session session = Session.open(directory);
    for (String text : new String[] {"[]", "{"}) {
      Files.writeString(receipt, text);
      assertThatThrownBy(() -> SessionSigner.sign(session, SIGNER))
          .isInstanceOf(SessionInvalidException.class)
          .hasMessageContaining("RECEIPT_UNREADABLE");
      assertThat(receipt).hasContent(text);
    }
    assertThatThrownBy(() -> SessionSigner.sign(session.withReceipt(null), SIGNER))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("there is no receipt to sign");
  }

  @Test
  void receipt_that_is_signed_stays_as_shared_as_its_owner_made_it() throws IOException {
    Assumptions.assumeThat(Files.getFileStore(root).supportsFileAttributeView("posix"))
        .isTrue();
    Files.setPosixFilePermissions(receipt, PosixFilePermissions.fromString("rw-r--r--"));

    SessionSigner.sign(Session.open(directory), SIGNER);

    assertThat(permission(receipt)).isEqualTo("rw-r--r--");
    assertThat(permission(envelope)).isEqualTo("rw-------");
  }

  private JsonObject json() throws IOException {
    return JsonText.parse(Files.readAllBytes(receipt)).asObject();
  }

  private static String permission(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  private Path log() {
    return directory.resolve(Session.LOG_NAME);
  }

  private Map<String, String> files() throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> paths = Files.list(directory)) {
      for (Path path : paths.filter(Files::isRegularFile).toList()) {
        files.put(path.getFileName().toString(), Files.readString(path));
      }
    }
    return files;
  }
}
