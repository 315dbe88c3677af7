/**
 * Holds a log against itself, and against its receipt.
 *
 * <pre>{@code
 * VerificationReport report =
 *     ReceiptVerifier.of(VerifyPolicy.defaults()).verify(Session.open(directory));
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
 * <p>Logs are read once, line by line. Memory is that of the longest line, the receipt, the calls
 * that are open at one time (at most {@link dev.agentreplay.model.CallPairing#DEFAULT_MAX_OPEN})
 * and up to 32 bytes for each call id (at most 1,048,576 of them; later ids are not checked for
 * being used twice). Blobs are read as streams, each once as a rule. A receipt whose calls have no
 * ids takes 24 bytes more for each answered call. A verifier is immutable and safe for use by
 * several threads.
 */
@NullMarked
package dev.agentreplay.verify;

import org.jspecify.annotations.NullMarked;
