/**
 * Signatures over receipts and checkpoints (signed tree heads), and DSSE envelopes with in-toto
 * statements about them.
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
 * <p>A receipt or a checkpoint carries its own signature in the member {@code signature};
 * {@link dev.agentreplay.canonical.signature.SignedJson} defines the signed bytes. For other tools,
 * a {@link dev.agentreplay.canonical.signature.Statement} makes the same claim as an in-toto
 * statement, in a {@link dev.agentreplay.canonical.signature.DsseEnvelope} of DSSE. Both kinds of
 * signature are over the pre-authentication encoding (PAE) of DSSE, which includes the type of the
 * object: a signature over one type is never valid for another. {@code docs/receipts.md}
 * ("Signatures") specifies the forms.
 *
 * <p>Values are immutable and safe for use by several threads. Verify the signatures of an envelope
 * before using its content: as long as the outcome is not {@code VALID}, the content is an
 * unauthenticated claim.
 */
@NullMarked
package dev.agentreplay.canonical.signature;

import org.jspecify.annotations.NullMarked;
