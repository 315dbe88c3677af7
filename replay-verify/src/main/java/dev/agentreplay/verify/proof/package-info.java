/**
 * Checkpoints of logs, and Merkle proofs about logs (RFC 6962) for verifiers that do not have them.
 *
 * <p>A {@link dev.agentreplay.verify.proof.LogProver} creates inclusion proofs, consistency proofs
 * and a {@link dev.agentreplay.verify.proof.LogCheckpoint}, the equivalent of a tree head, to be
 * kept where the writer of the log cannot change it. A
 * {@link dev.agentreplay.verify.proof.ProofCheck} checks a proof with the
 * {@link dev.agentreplay.verify.proof.TrustedHead}s that the caller trusts. All are immutable.
 *
 * <pre>{@code
 * LogProver prover = LogProver.open(Session.open(directory));
 * prover.checkpoint().create(Path.of("trusted.json")); // kept by the verifier
 * InclusionProof proof = prover.inclusion(5, prover.size());
 *
 * TrustedHead head = TrustedHead.read(Path.of("trusted.json"), null);
 * Verdict verdict = ProofCheck.of(proof, List.of(head)).verdict(); // VALID: line 5 is in the log
 * }</pre>
 */
@NullMarked
package dev.agentreplay.verify.proof;

import org.jspecify.annotations.NullMarked;
