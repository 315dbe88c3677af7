package dev.agentreplay.canonical.signature;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.signature.Signer;
import java.io.IOException;
import java.util.Objects;

/**
 * A receipt with a signature in its member {@code signature}, and the envelope around it: an
 * in-toto statement in a DSSE envelope that names the bytes of log and receipt by their SHA-256.
 *
 * @param receipt the receipt, signed
 * @param envelope the envelope
 */
public record SignedReceipt(JsonObject receipt, DsseEnvelope envelope) {

  /** Checks for null. */
  public SignedReceipt {
    Objects.requireNonNull(receipt, "receipt");
    Objects.requireNonNull(envelope, "envelope");
  }

  /**
   * Signs a receipt, in place of the signature that it may have. Whether it is true of the log is
   * not looked at.
   *
   * @param receipt the receipt
   * @param log the hash of the log's bytes
   * @param canonical that of the log
   * @throws IOException if the key cannot be used now
   */
  public static SignedReceipt of(
      JsonObject receipt, ContentHash log, CanonicalJson canonical, Signer signer)
      throws IOException {
    JsonObject signed = receipt.with(
        "signature",
        SignedJson.sign(receipt, SignedJson.RECEIPT, canonical, signer).toString());
    ContentHash file = ContentHash.sha256(receiptFile(signed));
    return new SignedReceipt(signed, Statement.ofReceipt(log, file, signed).sign(signer));
  }

  /** The bytes of the receipt's file. */
  public byte[] receiptFile() {
    return receiptFile(receipt);
  }

  /** The bytes of the envelope's file. */
  public byte[] envelopeFile() {
    return (envelope.toJson() + "\n").getBytes(UTF_8);
  }

  private static byte[] receiptFile(JsonObject receipt) {
    return (JsonText.pretty(receipt) + "\n").getBytes(UTF_8);
  }
}
