/**
 * Signatures over receipts and checkpoints: signing, verification and keys.
 *
 * <pre>{@code
 * Ed25519Signer signer = Ed25519Signer.generate();
 * byte[] message = "text".getBytes(StandardCharsets.UTF_8);
 * SignatureVerifier verifier = Ed25519Verifier.of(List.of(signer.publicKey()));
 * SignatureVerifier.Outcome outcome = verifier.verify(signer.signature(message), message); // VALID
 * }</pre>
 *
 * <p>A {@link dev.agentreplay.model.signature.Signer} holds a private key, or calls a service that
 * does, and returns a {@link dev.agentreplay.model.signature.Signature}. A
 * {@link dev.agentreplay.model.signature.SignatureVerifier} holds the trusted public keys.
 *
 * <p>Keys in this process are Ed25519 keys (RFC 8032) of the Java platform:
 * {@link dev.agentreplay.model.signature.Ed25519Signer},
 * {@link dev.agentreplay.model.signature.Ed25519Verifier}, and
 * {@link dev.agentreplay.model.signature.KeyPem} for their PEM text. Implement the two interfaces
 * for keys in a device or service, and for other algorithms.
 *
 * <p>All types are safe for use by several threads. The signed bytes are described in
 * docs/receipts.md ("Signatures").
 */
@NullMarked
package dev.agentreplay.model.signature;

import org.jspecify.annotations.NullMarked;
