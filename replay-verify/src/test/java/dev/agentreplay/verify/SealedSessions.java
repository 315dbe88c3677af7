package dev.agentreplay.verify;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.canonical.dialect.ReceiptCodec;
import dev.agentreplay.canonical.signature.SignedReceipt;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.recording.TamperEvidenceOptions;
import dev.agentreplay.io.recording.WriterOptions;
import dev.agentreplay.io.session.Receipts;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelCall.Prompt;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.PlanStart;
import dev.agentreplay.model.PolicyId;
import dev.agentreplay.model.RuntimeEvent;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.StepComplete;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.Verification;
import dev.agentreplay.model.Verification.CommandRun;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.receipt.Receipt;
import dev.agentreplay.model.signature.Ed25519Signer;
import dev.agentreplay.model.signature.Ed25519Verifier;
import dev.agentreplay.model.signature.KeyPem;
import dev.agentreplay.model.signature.Signer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;

/** Small sessions as the recorder makes them, always the same, to be attacked. */
final class SealedSessions {

  /** The keys of the first two examples in RFC 8032, section 7.1, which are public. */
  static final Ed25519Signer SIGNER =
      key("MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g");

  static final Ed25519Signer STRANGER =
      key("MC4CAQAwBQYDK2VwBCIEIEzNCJso/5banbbDRuwRTg9bijGfNaumJNqM9u1PuKb7");

  static final Ed25519Verifier TRUSTED = Ed25519Verifier.of(Set.of(SIGNER.publicKey()));

  private static final int BLOB_THRESHOLD = 100;

  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-01-13T10:00:00Z"), ZoneOffset.UTC);

  private SealedSessions() {}

  private static Ed25519Signer key(String base64) {
    try {
      return Ed25519Signer.of(KeyPem.parsePrivateKey(
          "-----BEGIN PRIVATE KEY-----\n%s\n-----END PRIVATE KEY-----\n".formatted(base64)));
    } catch (DocumentFormatException e) {
      throw new IllegalStateException(e);
    }
  }

  private static RecorderOptions options(TamperEvidenceOptions evidence, long blobThreshold) {
    return RecorderOptions.defaults()
        .withSalted(false)
        .withProducer("p@1")
        .withBlobThreshold(blobThreshold)
        .withWriter(WriterOptions.defaults().withClock(CLOCK).withEvidence(evidence));
  }

  /**
   * Records a session, with an event of each kind that a receipt or a hash is about. Two of another
   * id have as many lines and the same totals, and say something else in each.
   */
  private static SessionRecorder record(Path directory, String id, TamperEvidenceOptions evidence)
      throws IOException {
    SessionStart start = SessionStart.of(id).withIssueNumber(7L).withPolicy(PolicyId.version("v1"));
    SessionRecorder recorder =
        SessionRecorder.start(directory, start, options(evidence, BLOB_THRESHOLD));
    recorder.emit(PlanStart.of(CanonicalJson.SERDE.hash(JsonValue.of(id)), 1));
    recorder.emit(ModelCall.of("m-1", "model", Prompt.of("mend " + id)));
    recorder.emit(ModelResult.of("m-1", "I shall read " + id));
    call(recorder, "c-1", "read", JsonObject.of("path", id), "text of " + id);
    recorder.emit(RuntimeEvent.of(1, "tick", JsonObject.of("of", id)));
    call(recorder, "c-2", "write", JsonObject.of("path", id), (id + " ").repeat(BLOB_THRESHOLD));
    recorder.emit(StepComplete.of("step-1", Status.SUCCESS, 1));
    recorder.emit(Verification.of(CommandRun.of("make " + id, 0)).withDelta(1L));
    return recorder;
  }

  private static void call(
      SessionRecorder recorder, String id, String tool, JsonObject params, String output)
      throws IOException {
    recorder.call(ToolCall.of(id, tool, params));
    recorder.emit(ToolResult.of(id, output).withStepUtility(0.5).withLatencyMillis(10L));
  }

  /** A session that has ended. */
  static Exhibit ended(Path directory, String id, TamperEvidenceOptions evidence)
      throws IOException {
    try (SessionRecorder recorder = record(directory, id, evidence)) {
      recorder.end(Status.SUCCESS, 0.9);
    }
    return Exhibit.read(directory);
  }

  /** A session that is still being written, with the events up to now. */
  static Exhibit open(Path directory, String id, TamperEvidenceOptions evidence)
      throws IOException {
    try (SessionRecorder recorder = record(directory, id, evidence)) {
      recorder.sync();
    }
    return Exhibit.read(directory);
  }

  /** Two calls, one of whose outputs is a blob; with a checkpoint after the start if any. */
  static SessionRecorder small(Path directory, TamperEvidenceOptions evidence) throws IOException {
    SessionRecorder recorder =
        SessionRecorder.start(directory, SessionStart.of("s"), options(evidence, 12));
    call(recorder, "1", "read", JsonObject.of("path", "a"), "text");
    call(recorder, "2", "read", JsonObject.of("path", "b"), "a longer text");
    return recorder;
  }

  /** The log that a session is in each dialect, as a conversion makes it. */
  static Map<Dialect, Exhibit> inEachDialect(Exhibit exhibit, Path scratch) throws IOException {
    Map<Dialect, Exhibit> logs = new EnumMap<>(Dialect.class);
    for (Dialect dialect : Dialect.values()) {
      logs.put(dialect, ConversionOracle.convert(exhibit, dialect, scratch));
    }
    return logs;
  }

  /** With a receipt that is made of the log as it is, signed or not. */
  static Exhibit receipted(Exhibit exhibit, Signer signer, Path scratch) throws IOException {
    Session session = exhibit.withReceipt((byte[]) null).withEnvelope(null).write(scratch);
    JsonObject receipt = ReceiptCodec.encode(Receipts.compute(session, Receipt.Form.SESSION));
    if (signer == null) {
      return exhibit.withEnvelope(null).withReceipt(receipt);
    }
    VerificationReport report = SessionVerifier.of(VerifyPolicy.defaults()).verify(session);
    CanonicalJson canonical = CanonicalJson.of(report.canonicalization());
    SignedReceipt signed = SignedReceipt.of(receipt, session.replayHash(), canonical, signer);
    return exhibit.withReceipt(signed.receiptFile()).withEnvelope(signed.envelopeFile());
  }
}
