package dev.agentreplay.canonical.signature;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.agentreplay.canonical.JsonLimits;
import dev.agentreplay.canonical.StrictObject;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.signature.Signature;
import dev.agentreplay.model.signature.SignatureVerifier;
import dev.agentreplay.model.signature.SignatureVerifier.Attribution;
import dev.agentreplay.model.signature.SignatureVerifier.Outcome;
import dev.agentreplay.model.signature.Signer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A payload with its signatures: an envelope of DSSE 1.0 (Dead Simple Signing Envelope,
 * {@code github.com/secure-systems-lab/dsse}), which in-toto and Sigstore tools read.
 *
 * <p>The signatures are over the {@linkplain #pae type and payload}, not over the JSON around them.
 * A signature in an envelope does not name its algorithm; it is treated as Ed25519. The key id is
 * not signed: DSSE lets a verifier use it to choose among the trusted keys, and for nothing else.
 *
 * <p>Immutable, and safe for use by several threads.
 */
public final class DsseEnvelope {

  private static final String PAYLOAD = "payload";
  private static final String PAYLOAD_TYPE = "payloadType";
  private static final String SIGNATURES = "signatures";
  private static final String KEYID = "keyid";
  private static final String SIG = "sig";
  private static final Set<String> MEMBERS = Set.of(PAYLOAD, PAYLOAD_TYPE, SIGNATURES);
  private static final Set<String> SIGNATURE_MEMBERS = Set.of(KEYID, SIG);

  /**
   * One signature of an envelope.
   *
   * @param keyid the id of the key, which is not signed; empty if the envelope does not state it
   * @param sig the signature in Base64
   */
  public record DsseSignature(String keyid, String sig) {

    /**
     * Converts the URL-safe alphabet to the standard one.
     *
     * @throws IllegalArgumentException if {@code sig} is not Base64 with padding, in one of the two
     *     alphabets
     */
    public DsseSignature {
      Objects.requireNonNull(keyid, KEYID);
      sig = DsseBase64.encode(DsseBase64.decode(sig));
    }

    private JsonObject toJson() {
      return keyid.isEmpty() ? JsonObject.of(SIG, sig) : JsonObject.of(KEYID, keyid, SIG, sig);
    }
  }

  private final String payloadType;
  private final byte[] payload;
  private final List<DsseSignature> signatures;

  /**
   * Creates an envelope.
   *
   * @param payloadType the type of the payload: a media type or a URI
   * @param payload the payload, which is copied
   * @param signatures the signatures; may be empty
   */
  public DsseEnvelope(String payloadType, byte[] payload, List<DsseSignature> signatures) {
    this.payloadType = Objects.requireNonNull(payloadType, PAYLOAD_TYPE);
    this.payload = payload.clone();
    this.signatures = List.copyOf(signatures);
  }

  /**
   * Returns the pre-authentication encoding (PAE) of DSSE, which is the message to be signed:
   * {@code "DSSEv1" SP length(type) SP type SP length(body) SP body}, with lengths in bytes.
   */
  public static byte[] pae(String type, byte[] body) {
    byte[] utf8 = type.getBytes(UTF_8);
    ByteArrayOutputStream out = new ByteArrayOutputStream(utf8.length + body.length + 32);
    out.writeBytes(("DSSEv1 " + utf8.length + " ").getBytes(UTF_8));
    out.writeBytes(utf8);
    out.writeBytes((" " + body.length + " ").getBytes(UTF_8));
    out.writeBytes(body);
    return out.toByteArray();
  }

  /**
   * Returns a copy of this envelope with an additional signature.
   *
   * @throws IOException if the key cannot be used now
   */
  public DsseEnvelope sign(Signer signer) throws IOException {
    List<DsseSignature> more = new ArrayList<>(signatures);
    more.add(new DsseSignature(
        signer.keyId(), DsseBase64.encode(signer.sign(pae(payloadType, payload)))));
    return new DsseEnvelope(payloadType, payload, more);
  }

  /**
   * Verifies all signatures. Returns {@link Outcome#VALID} if at least one is valid, else
   * {@link Outcome#INVALID} if at least one is invalid, else {@link Outcome#UNKNOWN_KEY}.
   */
  public Outcome verify(SignatureVerifier verifier) {
    List<Outcome> outcomes =
        attribute(verifier).stream().map(Attribution::outcome).toList();
    if (outcomes.contains(Outcome.VALID)) {
      return Outcome.VALID;
    }
    return outcomes.contains(Outcome.INVALID) ? Outcome.INVALID : Outcome.UNKNOWN_KEY;
  }

  /**
   * Finds the trusted key that created each signature, in the order of {@link #signatures}. The key
   * id only selects the key that is tried first:
   * {@link dev.agentreplay.model.signature.Ed25519Verifier} then tries all other trusted keys, as
   * DSSE allows; see {@link SignatureVerifier#attribute}.
   */
  public List<Attribution> attribute(SignatureVerifier verifier) {
    byte[] message = pae(payloadType, payload);
    return signatures.stream()
        .map(signature -> verifier.attribute(
            Signature.ED25519, signature.keyid, DsseBase64.decode(signature.sig), message))
        .toList();
  }

  /** The type of the payload: a media type or a URI. */
  public String payloadType() {
    return payloadType;
  }

  /** A copy of the payload. */
  public byte[] payload() {
    return payload.clone();
  }

  /** The signatures. */
  public List<DsseSignature> signatures() {
    return signatures;
  }

  /** The JSON form, with the members in canonical order and without empty {@code keyid} members. */
  public JsonObject toJson() {
    List<JsonObject> entries = signatures.stream().map(DsseSignature::toJson).toList();
    return JsonObject.of(
        PAYLOAD,
        DsseBase64.encode(payload),
        PAYLOAD_TYPE,
        payloadType,
        SIGNATURES,
        JsonArray.copyOf(entries));
  }

  /**
   * Reads the JSON form with at most {@link Limits#maxSignatures} signatures of
   * {@link Limits#defaults}; fails like {@link #fromJson(JsonObject, Limits)}.
   */
  public static DsseEnvelope fromJson(JsonObject json) throws DocumentFormatException {
    return fromJson(json, Limits.defaults());
  }

  /**
   * Reads the JSON form. As DSSE requires, unknown members are ignored; a missing {@code keyid} is
   * read as empty. Does not verify the signatures.
   *
   * @throws DocumentFormatException if a known member is missing or invalid, or there are more
   *     signatures than the limits allow
   */
  public static DsseEnvelope fromJson(JsonObject json, Limits limits)
      throws DocumentFormatException {
    StrictObject members = StrictObject.of(json);
    if (json.get(SIGNATURES) instanceof JsonArray found && found.size() > limits.maxSignatures()) {
      throw new DocumentFormatException(
          "/%s: must have at most %d signatures (maxSignatures), found %d"
              .formatted(SIGNATURES, limits.maxSignatures(), found.size()));
    }
    String payloadType = members.string(PAYLOAD_TYPE);
    byte[] payload = base64(members, PAYLOAD);
    List<DsseSignature> signatures = new ArrayList<>();
    for (StrictObject signature : members.objects(SIGNATURES)) {
      signatures.add(signature(signature));
    }
    return new DsseEnvelope(payloadType, payload, signatures);
  }

  /**
   * The JSON Pointers (RFC 6901) of the members of a JSON form that DSSE does not define. These are
   * not signed.
   */
  public static List<String> unknownMembers(JsonObject json) {
    List<String> unknown = new ArrayList<>();
    addUnknown(json, "", MEMBERS, unknown);
    if (json.get(SIGNATURES) instanceof JsonArray entries) {
      for (int i = 0; i < entries.size(); i++) {
        if (entries.get(i) instanceof JsonObject entry) {
          addUnknown(entry, "/" + SIGNATURES + "/" + i, SIGNATURE_MEMBERS, unknown);
        }
      }
    }
    return unknown;
  }

  private static void addUnknown(
      JsonObject json, String path, Set<String> known, List<String> unknown) {
    for (String name : json.names()) {
      if (!known.contains(name)) {
        unknown.add(path + "/" + JsonPointer.escape(name));
      }
    }
  }

  private static DsseSignature signature(StrictObject members) throws DocumentFormatException {
    String keyid = members.json().has(KEYID) ? members.string(KEYID) : "";
    return new DsseSignature(keyid, DsseBase64.encode(base64(members, SIG)));
  }

  private static byte[] base64(StrictObject members, String name) throws DocumentFormatException {
    byte[] bytes = DsseBase64.tryDecode(members.string(name));
    if (bytes == null) {
      throw members.mustBe("Base64 with padding", name, members.json().get(name));
    }
    return bytes;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof DsseEnvelope that
        && payloadType.equals(that.payloadType)
        && Arrays.equals(payload, that.payload)
        && signatures.equals(that.signatures);
  }

  @Override
  public int hashCode() {
    return Objects.hash(payloadType, Arrays.hashCode(payload), signatures);
  }

  /** The JSON form as text. */
  @Override
  public String toString() {
    return toJson().toString();
  }

  /**
   * Limits on envelopes from untrusted sources. Each signature is checked at most once with each
   * trusted key, and each check reads the whole payload. Immutable.
   *
   * @param maxBytes the maximum length of the text of an envelope in bytes; 64 MiB by default, as
   *     for any JSON text; checked by the caller that reads the text, not by {@code fromJson}
   * @param maxSignatures the maximum number of signatures in an envelope; 16 by default
   */
  public record Limits(int maxBytes, int maxSignatures) {

    private static final Limits DEFAULTS = new Limits(JsonLimits.defaults().maxBytes(), 16);

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a limit is not positive
     */
    public Limits {
      if (maxBytes <= 0) {
        throw new IllegalArgumentException("maxBytes must be positive: " + maxBytes);
      }
      if (maxSignatures <= 0) {
        throw new IllegalArgumentException("maxSignatures must be positive: " + maxSignatures);
      }
    }

    /** The default limits. */
    public static Limits defaults() {
      return DEFAULTS;
    }

    /** A copy with a different {@code maxBytes}. */
    public Limits withMaxBytes(int newMaxBytes) {
      return new Limits(newMaxBytes, maxSignatures);
    }

    /** A copy with a different {@code maxSignatures}. */
    public Limits withMaxSignatures(int newMaxSignatures) {
      return new Limits(maxBytes, newMaxSignatures);
    }
  }
}
