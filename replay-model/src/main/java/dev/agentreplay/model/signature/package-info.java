/**
 * Signatures: who vouches for a receipt or a checkpoint.
 *
 * <p>A {@link dev.agentreplay.model.signature.Signer} holds a private key, or asks a service that
 * does; a {@link dev.agentreplay.model.signature.SignatureVerifier} knows the public keys that are
 * trusted. A {@link dev.agentreplay.model.signature.Signature} is what goes from one to the other.
 *
 * <p>Keys in this process are Ed25519 (RFC 8032), which the platform has:
 * {@link dev.agentreplay.model.signature.Ed25519Signer},
 * {@link dev.agentreplay.model.signature.Ed25519Verifier}, and
 * {@link dev.agentreplay.model.signature.KeyPem} for their text. Implement the two interfaces for
 * keys that live elsewhere, and for other algorithms.
 */
@NullMarked
package dev.agentreplay.model.signature;

import org.jspecify.annotations.NullMarked;
