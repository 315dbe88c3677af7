/**
 * Checkpoints of logs, and Merkle proofs about logs (RFC 6962) for verifiers that do not have them.
 *
 * <p>A {@link dev.agentreplay.verify.proof.LogProver} creates inclusion proofs, consistency proofs
 * and a {@link dev.agentreplay.verify.proof.LogCheckpoint}, the equivalent of a tree head, to be
 * kept where the writer of the log cannot change it. A
 * {@link dev.agentreplay.verify.proof.ProofCheck} checks a proof with the
 * {@link dev.agentreplay.verify.proof.TrustedHead}s that the caller trusts. All are immutable.
 */
@NullMarked
package dev.agentreplay.verify.proof;

import org.jspecify.annotations.NullMarked;
