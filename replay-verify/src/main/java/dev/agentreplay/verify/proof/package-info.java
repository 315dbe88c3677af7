/**
 * Checkpoints of logs, and Merkle proofs about logs (RFC 6962) for verifiers that do not have them.
 *
 * <p>A {@link dev.agentreplay.verify.proof.LogProver} makes a
 * {@link dev.agentreplay.verify.proof.LogCheckpoint}, which is kept where the log's writer cannot
 * change it, and inclusion and consistency proofs. A
 * {@link dev.agentreplay.verify.proof.ProofCheck} says what a proof is worth, given the
 * {@link dev.agentreplay.verify.proof.TrustedHead}s that are trusted. All are immutable.
 */
@NullMarked
package dev.agentreplay.verify.proof;

import org.jspecify.annotations.NullMarked;
