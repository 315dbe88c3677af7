/**
 * Verifies logs and receipts: hashes, structure, Merkle tree roots and signatures.
 *
 * <pre>{@code
 * VerificationReport report =
 *     SessionVerifier.of(VerifyPolicy.defaults()).verify(Session.open(directory));
 * if (report.verdict() != Verdict.VALID) {
 *   report.findings().forEach(System.err::println);
 * }
 * }</pre>
 *
 * <p>Errors in a session are data: findings with a code, a position and a message. A report counts
 * the checks as well as the findings, and its counters add up: every call is verified, mismatched,
 * unverifiable or without a hash. A log in which nothing could be checked is
 * {@link dev.agentreplay.verify.Verdict#UNVERIFIED}, not valid.
 *
 * <p>The {@link dev.agentreplay.verify.VerifyPolicy} decides which checks are required, which
 * findings make a session invalid, and whose signatures are trusted. The
 * {@link dev.agentreplay.verify.VerificationReport#conclusions conclusions} of a report state what
 * is proved, by what, and what is not; docs/guarantees.md lists the attacks that remain possible. A
 * caller that trusts a key requires its signature over every line:
 *
 * <pre>{@code
 * VerifyPolicy policy = VerifyPolicy.defaults()
 *     .requiringSignature(Ed25519Verifier.of(List.of(KeyPem.parsePublicKey(text))));
 * }</pre>
 *
 * <p>A {@link dev.agentreplay.verify.batch.BatchVerifier} verifies many sessions in parallel; a
 * {@link dev.agentreplay.verify.SessionSigner} signs a session after verifying it.
 *
 * <p>Logs are read once, line by line. Memory is bounded by the longest line, the receipt, the
 * calls that are open at one time (at most
 * {@link dev.agentreplay.model.check.CallPairing#DEFAULT_MAX_OPEN}) and up to 32 bytes for each
 * call id (at most 1,048,576 of them; later ids are not checked for duplicates). Blobs are read as
 * streams, usually once each. A receipt whose calls have no ids takes 24 bytes more for each
 * answered call; the parameters of the last 16 calls are kept, at most 64 KiB of text each, to
 * explain hash mismatches. A verifier is immutable and safe for use by several threads.
 */
@NullMarked
package dev.agentreplay.verify;

import org.jspecify.annotations.NullMarked;
