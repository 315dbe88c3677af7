/**
 * Holds a log against itself, and against its receipt.
 *
 * <pre>{@code
 * VerificationReport report =
 *     SessionVerifier.of(VerifyPolicy.defaults()).verify(Session.open(directory));
 * if (report.verdict() != Verdict.VALID) {
 *   report.findings().forEach(System.err::println);
 * }
 * }</pre>
 *
 * <p>What is wrong is data: findings with a code, a place and a message. A report counts what was
 * checked as well as what was found, and its counters close: every call is verified, mismatched,
 * unverifiable or without a hash. A log in which nothing could be checked is
 * {@link dev.agentreplay.verify.Verdict#UNVERIFIED}, not valid.
 *
 * <p>What must have been checked, which findings fail, and whose signatures count, is a matter of
 * the {@link dev.agentreplay.verify.VerifyPolicy}. A report says in its
 * {@link dev.agentreplay.verify.VerificationReport#conclusions conclusions} what is proved, by
 * what, and what is not; which attacks that leaves open, docs/guarantees.md does. Who trusts a key
 * insists that it signed every line:
 *
 * <pre>{@code
 * VerifyPolicy policy = VerifyPolicy.defaults()
 *     .requiringSignature(Ed25519Verifier.of(List.of(KeyPem.parsePublicKey(text))));
 * }</pre>
 *
 * <p>A {@link dev.agentreplay.verify.batch.BatchVerifier} verifies many sessions at a time; a
 * {@link dev.agentreplay.verify.SessionSigner} signs one that verifies.
 *
 * <p>Logs are read once, line by line. Memory is that of the longest line, the receipt, the calls
 * that are open at one time (at most
 * {@link dev.agentreplay.model.check.CallPairing#DEFAULT_MAX_OPEN}) and up to 32 bytes for each
 * call id (at most 1,048,576 of them; later ids are not checked for being used twice). Blobs are
 * read as streams, each once as a rule. A receipt whose calls have no ids takes 24 bytes more for
 * each answered call; the parameters of the last 16 calls are kept, at most 64 KiB of text each, to
 * explain hashes. A verifier is immutable and safe for use by several threads.
 */
@NullMarked
package dev.agentreplay.verify;

import org.jspecify.annotations.NullMarked;
