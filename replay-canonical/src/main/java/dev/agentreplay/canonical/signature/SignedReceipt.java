package dev.agentreplay.canonical.signature;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.commitment.PublicForm;
import dev.agentreplay.canonical.dialect.ReceiptCodec;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.signature.Signer;
import java.io.IOException;
import java.util.Objects;

/**
 * A receipt with a signature in its member {@code signature}, and a DSSE envelope with an in-toto
 * statement that identifies the bytes of the log and of the receipt by their SHA-256 hashes.
 *
 * @param receipt the signed receipt
 * @param envelope the signed envelope
 */
public record SignedReceipt(JsonObject receipt, DsseEnvelope envelope) {

  /** Checks for null. */
  public SignedReceipt {
    Objects.requireNonNull(receipt, "receipt");
    Objects.requireNonNull(envelope, "envelope");
  }

  /**
   * Signs a receipt and replaces the signature that it may have. Does not check the receipt against
   * the log.
   *
   * @param receipt the receipt
   * @param log the hash of the bytes of the log
   * @param canonical the canonicalization of the log
   * @param signer the key, which signs the receipt and the envelope
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

  /**
   * Returns a receipt that also states the public tree of its log: the members {@code public_root}
   * and {@code public_form}, in place of existing ones. If the receipt has a digest of itself, it
   * is computed again.
   *
   * @param canonical the canonicalization of the log; {@link CanonicalJson#SERDE} is used instead
   *     if it would round an integer
   */
  public static JsonObject stating(
      JsonObject receipt, PublicForm form, TreeHead tree, CanonicalJson canonical) {
    JsonObject stated = receipt
        .with(Names.PUBLIC_FORM, form.id())
        .with(Names.PUBLIC_ROOT, tree.root().toString());
    if (!(receipt.get(Names.CANONICAL_JSON_SHA256) instanceof JsonString)) {
      return stated;
    }
    ContentHash digest = canonical.tryHash(ReceiptCodec.digested(stated));
    return stated.with(
        Names.CANONICAL_JSON_SHA256, (digest == null ? ReceiptCodec.digest(stated) : digest).hex());
  }

  /** The content of the receipt file. */
  public byte[] receiptFile() {
    return receiptFile(receipt);
  }

  /** The content of the envelope file. */
  public byte[] envelopeFile() {
    return (envelope.toJson() + "\n").getBytes(UTF_8);
  }

  private static byte[] receiptFile(JsonObject receipt) {
    return (JsonText.pretty(receipt) + "\n").getBytes(UTF_8);
  }
}
