package dev.agentreplay.canonical.signature;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.signature.Signature;
import dev.agentreplay.model.signature.SignatureVerifier;
import dev.agentreplay.model.signature.SignatureVerifier.Outcome;
import dev.agentreplay.model.signature.Signer;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Signs and verifies JSON objects that carry a signature over themselves: receipts and the lines of
 * checkpoints. The member {@code signature} is the text of a {@link Signature}. The signed message
 * is the {@linkplain DsseEnvelope#pae pre-authentication encoding} of the object's type and its
 * canonical JSON without that member. Safe for use by several threads.
 */
public final class SignedJson {

  /** The type of a receipt, regardless of its form. */
  public static final String RECEIPT = "application/vnd.agentreplay.receipt+json";

  /** The type of the line of a checkpoint. */
  public static final String CHECKPOINT = "application/vnd.agentreplay.checkpoint+json";

  private static final String SIGNATURE = "signature";

  private SignedJson() {}

  /**
   * Returns the message that is signed.
   *
   * @param object the object, with or without the member {@code signature}
   * @param type the type of the object: {@link #RECEIPT} or {@link #CHECKPOINT}
   * @param canonical the canonicalization of the log; {@link CanonicalJson#SERDE} is used instead
   *     if it would round an integer
   */
  public static byte[] message(JsonObject object, String type, CanonicalJson canonical) {
    return DsseEnvelope.pae(type, exact(object.without(SIGNATURE), canonical));
  }

  private static byte[] exact(JsonObject object, CanonicalJson canonical) {
    try {
      return canonical.bytes(object);
    } catch (IllegalArgumentException wouldBeRounded) {
      return CanonicalJson.SERDE.bytes(object);
    }
  }

  /**
   * Signs an object. The text of the signature belongs in the member {@code signature} of the
   * object. For the parameters see {@link #message}.
   *
   * @throws IOException if the key cannot be used now
   */
  public static Signature sign(
      JsonObject object, String type, CanonicalJson canonical, Signer signer) throws IOException {
    return signer.signature(message(object, type, canonical));
  }

  /**
   * The signature that an object carries; null if there is none or its form is unknown, in which
   * case it cannot be verified.
   */
  public static @Nullable Signature signature(JsonObject object) {
    return object.get(SIGNATURE) instanceof JsonString text
        ? Signature.tryParse(text.value())
        : null;
  }

  /**
   * Verifies the signature that an object carries. Returns {@link Outcome#UNKNOWN_KEY} if
   * {@link #signature} finds none. For the parameters see {@link #message}.
   */
  public static Outcome verify(
      JsonObject object, String type, CanonicalJson canonical, SignatureVerifier verifier) {
    Signature signature = signature(object);
    return signature == null
        ? Outcome.UNKNOWN_KEY
        : verifier.verify(signature, message(object, type, canonical));
  }
}
