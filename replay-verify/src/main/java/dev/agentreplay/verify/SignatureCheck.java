package dev.agentreplay.verify;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.LogCanonicalization;
import dev.agentreplay.canonical.signature.DsseEnvelope;
import dev.agentreplay.canonical.signature.SignedJson;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Checkpoint;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.finding.Position;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.signature.Signature;
import dev.agentreplay.model.signature.SignatureVerifier;
import dev.agentreplay.model.signature.SignatureVerifier.Outcome;
import dev.agentreplay.model.text.Excerpt;
import dev.agentreplay.verify.VerificationReport.Counter;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Checks the signatures of a session with the trusted keys. */
final class SignatureCheck {

  private static final String SCHNORR = "secp256k1_schnorr";

  private final Tally tally;
  private final SignatureVerifier keys;
  private final LogCanonicalization canonicalization;

  SignatureCheck(Tally tally, SignatureVerifier keys, LogCanonicalization canonicalization) {
    this.tally = tally;
    this.keys = keys;
    this.canonicalization = canonicalization;
  }

  /** Whether any key is trusted. */
  boolean trustsAnybody() {
    return keys != SignatureVerifier.NONE;
  }

  /** Returns the trusted key that signed a checkpoint; null when no trusted key did. */
  @Nullable
  String signer(Checkpoint checkpoint, ReplayLine line) {
    return checkpoint.signature() == null
        ? null
        : signer("the checkpoint", line.json(), SignedJson.CHECKPOINT, line.position());
  }

  /** Returns the trusted key whose signature is in the receipt; null when there is none. */
  @Nullable
  String signer(PresentedReceipt receipt) {
    return receipt.isSigned()
        ? signer("the receipt", receipt.source(), SignedJson.RECEIPT, null)
        : null;
  }

  private @Nullable String signer(
      String what, JsonObject object, String type, @Nullable Position at) {
    Signature signature = SignedJson.signature(object);
    CanonicalJson canonical = canonicalization.get();
    if (signature == null || canonical == null) {
      unverifiable(what, otherForm(object.get("signature")), at);
      return null;
    }
    if (signature.algorithm().equals(SCHNORR)) {
      unverifiable(what, "signed with " + SCHNORR + ", which is not verified here", at);
      return null;
    }
    byte[] message = SignedJson.message(object, type, canonical);
    String by = signature.algorithm() + " and the key " + signature.keyId();
    return isValid(keys.verify(signature, message), what, by, at) ? signature.keyId() : null;
  }

  /**
   * Returns the trusted key that signed this receipt for this log; null when no trusted key did.
   *
   * @param log the hash of the bytes of the log
   * @param receipt the receipt; null when none could be read
   */
  @Nullable
  String signer(Path envelope, ContentHash log, @Nullable PresentedReceipt receipt)
      throws IOException {
    return new EnvelopeCheck(tally, keys, DsseEnvelope.Limits.defaults())
        .signer(envelope, log, receipt);
  }

  /** Reads a public checkpoint, and checks its signatures; null if it is malformed. */
  EnvelopeCheck.@Nullable SignedCheckpoint publicCheckpoint(Path file) throws IOException {
    return new EnvelopeCheck(
            tally, keys, DsseEnvelope.Limits.defaults(), Session.PUBLIC_CHECKPOINT_NAME)
        .publicCheckpoint(file);
  }

  private boolean isValid(Outcome outcome, String what, String by, @Nullable Position at) {
    switch (outcome) {
      case VALID -> tally.count(Counter.SIGNATURES_VERIFIED);
      case INVALID -> invalid("%s is not what was signed with %s".formatted(what, by), at);
      case UNKNOWN_KEY -> unverifiable(what, "signed with " + by + ", which is not trusted", at);
    }
    return outcome == Outcome.VALID;
  }

  private void invalid(String message, @Nullable Position at) {
    tally.report(new Finding(FindingCode.SIGNATURE_INVALID, at, message));
  }

  private void unverifiable(String what, String why, @Nullable Position at) {
    tally.count(Counter.SIGNATURES_UNVERIFIABLE);
    tally.report(
        new Finding(FindingCode.SIGNATURE_UNVERIFIABLE, at, "%s is %s".formatted(what, why)));
  }

  private static String otherForm(@Nullable JsonValue signature) {
    String text = String.valueOf(signature);
    return text.contains(SCHNORR)
        ? "signed with " + SCHNORR + ", which is not verified here"
        : "signed in an unknown form: " + Excerpt.of(text);
  }
}
