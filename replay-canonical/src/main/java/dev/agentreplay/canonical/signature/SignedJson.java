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
 * Objects that carry a signature over themselves: a receipt, and the line of a checkpoint. The
 * member {@code signature} is the text of a {@link Signature}; what is signed is the
 * {@linkplain DsseEnvelope#pae pre-authentication encoding} of the object's type and its canonical
 * JSON without that member.
 */
public final class SignedJson {

  /** The type of a receipt, whatever its form. */
  public static final String RECEIPT = "application/vnd.agentreplay.receipt+json";

  /** The type of a checkpoint's line. */
  public static final String CHECKPOINT = "application/vnd.agentreplay.checkpoint+json";

  private static final String SIGNATURE = "signature";

  private SignedJson() {}

  /**
   * The message that is signed.
   *
   * @param object the object, with the member {@code signature} or without
   * @param type what it is: {@link #RECEIPT} or {@link #CHECKPOINT}
   * @param canonical that of the log; where it would round an integer, {@link CanonicalJson#SERDE}
   *     takes its place
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
   * The signature of an object, which its member {@code signature} is to have as a text. For the
   * parameters see {@link #message}.
   *
   * @throws IOException if the key cannot be used now
   */
  public static Signature sign(
      JsonObject object, String type, CanonicalJson canonical, Signer signer) throws IOException {
    return signer.signature(message(object, type, canonical));
  }

  /**
   * The signature that an object carries; null when it carries none, or of another form: then it
   * cannot be verified.
   */
  public static @Nullable Signature signature(JsonObject object) {
    return object.get(SIGNATURE) instanceof JsonString text
        ? Signature.tryParse(text.value())
        : null;
  }

  /**
   * What the signature that an object carries is worth; {@link Outcome#UNKNOWN_KEY} where
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
