/**
 * What of a log is signed, and how the signature is kept.
 *
 * <pre>{@code
 * Signer signer = Ed25519Signer.generate();
 * JsonObject receipt = JsonObject.of("session_id", "sess_abc123", "tool_calls", List.of());
 * Signature signature =
 *     SignedJson.sign(receipt, SignedJson.RECEIPT, CanonicalJson.SERDE, signer);
 * JsonObject signed = receipt.with("signature", signature.toString());
 *
 * ContentHash file = CanonicalJson.SERDE.hash(signed); // if those are the bytes of the file
 * DsseEnvelope envelope = Statement.ofReceipt(stated, file, signed).sign(signer);
 * }</pre>
 *
 * <p>A receipt and a checkpoint carry a signature themselves, in their member {@code signature}:
 * {@link dev.agentreplay.canonical.signature.SignedJson} says over which bytes. For other tools a
 * {@link dev.agentreplay.canonical.signature.Statement} says the same in the form of in-toto, and
 * travels in a {@link dev.agentreplay.canonical.signature.DsseEnvelope}. Both sign the
 * pre-authentication encoding of DSSE, so that a signature over one type of object is none over
 * another.
 *
 * <p>Values are immutable. Whoever reads an envelope or a statement checks the signature first:
 * what stands in one that is not {@code VALID} is what somebody claims.
 */
@NullMarked
package dev.agentreplay.canonical.signature;

import org.jspecify.annotations.NullMarked;
