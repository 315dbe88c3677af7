package dev.agentreplay.verify;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.signature.DsseEnvelope;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.recording.TamperEvidenceOptions;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.signature.Signature;
import dev.agentreplay.model.signature.SignatureVerifier;
import dev.agentreplay.model.signature.SignatureVerifier.Attribution;
import dev.agentreplay.model.signature.SignatureVerifier.Outcome;
import dev.agentreplay.verify.VerificationReport.Counter;
import dev.agentreplay.verify.VerifyPolicy.Requirement;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A signed session, altered in each byte and each line: with the public key it is not valid. */
@Tag("slow")
class EveryByteTest {

  private static final TamperEvidenceOptions SIGNED = TamperEvidenceOptions.defaults()
      .withCheckpointInterval(100)
      .withSigner(SealedSessions.SIGNER);

  private static final JsonMapper JACKSON = JsonMapper.builder()
      .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
      .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
      .build();

  private static final VerifyPolicy POLICY =
      VerifyPolicy.defaults().requiringSignature(remembering(SealedSessions.TRUSTED));

  @TempDir
  private Path directory;

  private Exhibit sealed;
  private Session session;

  @BeforeEach
  void record() throws IOException {
    Path recorded = directory.resolve("recorded");
    try (SessionRecorder recorder = SealedSessions.small(recorded, SIGNED)) {
      recorder.end(Status.SUCCESS, 0.9);
    }
    sealed = Exhibit.read(recorded);
    session = sealed.write(Files.createDirectory(directory.resolve("altered")));
    assertThat(sealed.blobs()).hasSize(1);
    assertThat(sealed.numbers("Checkpoint")).hasSize(1);
    assertThat(verify(session).verdict()).isEqualTo(Verdict.VALID);
  }

  @Test
  void log_with_any_byte_altered_is_not_valid() throws IOException {
    assertThat(survivors(session.log(), session)).isEmpty();
  }

  @Test
  void blob_with_any_byte_altered_is_not_valid() throws IOException {
    String name = sealed.blobs().keySet().iterator().next();
    Path blob = Objects.requireNonNull(session.blobs()).resolve(name);
    assertThat(survivors(blob, session)).isEmpty();
  }

  @Test
  void receipt_with_any_byte_altered_is_not_valid() throws IOException {
    assertThat(survivors(session.receipt(), session)).isEmpty();
  }

  @Test
  void envelope_with_any_byte_altered_is_not_valid_or_signs_the_same_and_that_is_reported()
      throws IOException {
    byte[] original = sealed.envelope();
    DsseEnvelope signed = DsseEnvelope.fromJson(JsonText.parse(original).asObject());
    List<String> unsaid = new ArrayList<>();
    List<String> said = new ArrayList<>();
    Alterations.ofBytes(original, altered -> {
      overwrite(session.envelope(), altered.bytes());
      VerificationReport report = verify(session);
      if (report.verdict() == Verdict.VALID) {
        DsseEnvelope read =
            DsseEnvelope.fromJson(JsonText.parse(altered.bytes()).asObject());
        assertThat(read.payload()).as(altered.what()).isEqualTo(signed.payload());
        assertThat(read.payloadType()).as(altered.what()).isEqualTo(signed.payloadType());
        assertThat(read.signatures().get(0).sig())
            .as(altered.what())
            .isEqualTo(signed.signatures().get(0).sig());
        boolean isSaid = report.findingCounts().containsKey(FindingCode.ENVELOPE_NOT_CANONICAL);
        (isSaid ? said : unsaid).add(altered.what());
      }
    });
    assertThat(unsaid).containsExactly("without byte " + (original.length - 1)); // the line feed
    List<String> spaced = spaced(original);
    spaced.removeAll(unsaid);
    assertThat(said)
        .containsAll(spaced)
        .hasSizeGreaterThan(spaced.size()); // and the hint to the key
  }

  @Test
  void receipt_without_envelope_is_not_valid_unless_its_value_is_the_same() throws IOException {
    assertThat(survivors(session.receipt(), session.withEnvelope(null)))
        .containsExactlyElementsOf(spaced(sealed.receipt()));
  }

  @Test
  void receipt_without_envelope_may_be_spelled_otherwise() throws IOException {
    JsonObject receipt = sealed.receiptJson();
    String spelled = JsonObject.of("tree_root", receipt.get("tree_root")) // the order is another
        + receipt
            .without("tree_root")
            .toString()
            .replace("0.9", "9e-1")
            .replace("read", "\\u0072ead");
    Files.writeString(session.receipt(), spelled.replace("}{", ","));

    assertThat(verify(session.withEnvelope(null)).verdict()).isEqualTo(Verdict.VALID);
    assertThat(verify(session).verdict()).isEqualTo(Verdict.INVALID);
  }

  @Test
  void log_with_lines_removed_duplicated_or_swapped_is_not_valid() throws IOException {
    for (Exhibit altered : Alterations.ofLines(sealed)) {
      VerificationReport report = verify(altered.write(directory.resolve("altered")));
      assertThat(report.verdict()).as("%s", altered.lines()).isEqualTo(Verdict.INVALID);
    }
  }

  @Test
  void log_that_ends_in_a_checkpoint_is_signed_whole_and_any_altered_byte_shows()
      throws IOException {
    Path recorded = directory.resolve("going");
    try (SessionRecorder recorder = SealedSessions.small(recorded, SIGNED)) {
      recorder.sync();
    }
    Exhibit going = Exhibit.read(recorded);
    assertThat(going.kind(going.size())).isEqualTo("Checkpoint");
    Session log = going.write(directory.resolve("altered"));
    VerificationReport untouched = verify(log);
    assertThat(untouched.verdict()).isEqualTo(Verdict.VALID);
    assertThat(untouched.count(Counter.LINES_SIGNED)).isEqualTo(going.size());

    assertThat(survivors(log.log(), log)).isEmpty();
    assertNothingAlteredIsSigned(going);
  }

  @Test
  void log_with_lines_after_its_last_checkpoint_is_signed_up_to_there() throws IOException {
    Exhibit ended = sealed.withReceipt((byte[]) null).withEnvelope(null);
    Session log = ended.write(directory.resolve("altered"));
    VerificationReport untouched = verify(log);
    int last = sealed.numbers("Checkpoint").get(0);
    assertThat(untouched.verdict()).isEqualTo(Verdict.UNVERIFIED);
    assertThat(untouched.unmet()).containsExactly(Requirement.SIGNATURE);
    assertThat(untouched.count(Counter.LINES_SIGNED)).isEqualTo(last).isLessThan(ended.size());
    assertNothingAlteredIsSigned(ended);
  }

  @Test
  void missing_blob_is_reported_and_leaves_the_rest_unchanged() throws IOException {
    Session without =
        new Session(session.log(), session.receipt()).withEnvelope(session.envelope());
    VerificationReport report = verify(without);
    assertThat(report.verdict()).isEqualTo(Verdict.VALID);
    assertThat(report.findings())
        .extracting(Finding::code)
        .containsExactly(FindingCode.HASH_UNVERIFIABLE);
    assertThat(report.count(Counter.OUTPUT_HASHES_UNVERIFIABLE)).isOne();
  }

  @Test
  void session_without_its_envelope_is_still_signed() throws IOException {
    VerificationReport report = verify(session.withEnvelope(null));
    assertThat(report.verdict()).isEqualTo(Verdict.VALID);
    assertThat(report.count(Counter.SIGNATURES_VERIFIED)).isEqualTo(2); // and the checkpoint's
  }

  /** The alterations of a file after which the session is still valid. */
  private static List<String> survivors(Path file, Session session) throws IOException {
    byte[] original = Files.readAllBytes(file);
    List<String> survivors = new ArrayList<>();
    Alterations.ofBytes(original, altered -> {
      overwrite(file, altered.bytes());
      VerificationReport report = verify(session);
      if (report.verdict() == Verdict.VALID) {
        survivors.add(altered.what());
      }
      if (session.receipt() == null) { // what is signed does not reach to the altered byte
        assertThat(report.count(Counter.LINES_SIGNED))
            .as(altered.what())
            .isLessThanOrEqualTo(linesBefore(Arrays.mismatch(original, altered.bytes()), original));
      }
    });
    Files.write(file, original);
    return survivors;
  }

  /** Some file systems take long to empty a file first. */
  private static void overwrite(Path file, byte[] bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(bytes));
      channel.truncate(bytes.length);
    }
  }

  /** In a log without a receipt, what is signed does not reach to lines that were altered. */
  private void assertNothingAlteredIsSigned(Exhibit original) throws IOException {
    for (Exhibit altered : Alterations.ofLines(original)) {
      VerificationReport report = verify(altered.write(directory.resolve("altered")));
      assertThat(report.verdict()).as("%s", altered.lines()).isNotEqualTo(Verdict.VALID);
      assertThat(report.count(Counter.LINES_SIGNED))
          .isLessThanOrEqualTo(
              linesBefore(Arrays.mismatch(original.log(), altered.log()), original.log()));
    }
  }

  private static long linesBefore(int index, byte[] log) {
    return IntStream.range(0, index).filter(i -> log[i] == '\n').count();
  }

  /**
   * Alterations of which an independent reader says that the value is the same: in all of them
   * nothing but white space is another.
   */
  private static List<String> spaced(byte[] original) throws IOException {
    JsonNode value = JACKSON.readTree(original);
    List<String> same = new ArrayList<>();
    Alterations.ofBytes(original, altered -> {
      if (value.equals(readTree(altered.bytes()))) {
        assertThat(withoutSpace(altered.bytes()))
            .as(altered.what())
            .isEqualTo(withoutSpace(original));
        same.add(altered.what());
      }
    });
    return same;
  }

  private static JsonNode readTree(byte[] json) throws IOException {
    try {
      return JACKSON.readTree(json);
    } catch (JsonProcessingException notJson) {
      return null;
    }
  }

  private static String withoutSpace(byte[] json) {
    return new String(json, StandardCharsets.ISO_8859_1).replaceAll("[ \n]", "");
  }

  private static VerificationReport verify(Session session) throws IOException {
    return SessionVerifier.of(POLICY).verify(session);
  }

  /** Ed25519 takes its time: what was asked before is not computed again. */
  private static SignatureVerifier remembering(SignatureVerifier keys) {
    Map<List<Object>, Outcome> known = new HashMap<>();
    Map<List<Object>, Attribution> attributed = new HashMap<>();
    return new SignatureVerifier() {
      @Override
      public Outcome verify(Signature signature, byte[] message) {
        return known.computeIfAbsent(
            List.of(signature, ByteBuffer.wrap(message)), asked -> keys.verify(signature, message));
      }

      @Override
      public Attribution attribute(String algorithm, String hint, byte[] value, byte[] message) {
        return attributed.computeIfAbsent(
            List.of(algorithm, hint, ByteBuffer.wrap(value), ByteBuffer.wrap(message)),
            asked -> keys.attribute(algorithm, hint, value, message));
      }
    };
  }
}
