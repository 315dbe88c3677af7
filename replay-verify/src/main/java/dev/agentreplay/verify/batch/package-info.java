/**
 * Verifies many sessions, several at a time.
 *
 * <pre>{@code
 * try (Stream<BatchResult> results =
 *     BatchVerifier.of(VerifyPolicy.defaults()).verify(Sessions.find(directory))) {
 *   BatchTotals totals = results.reduce(BatchTotals.NONE, BatchTotals::plus, BatchTotals::plus);
 * }
 * }</pre>
 *
 * <p>Results have the order of the sessions. A session that cannot be read is a
 * {@link dev.agentreplay.verify.batch.BatchResult} as well, and one that was presented before has a
 * finding. {@link dev.agentreplay.verify.batch.BatchTotals} add up.
 */
@NullMarked
package dev.agentreplay.verify.batch;

import org.jspecify.annotations.NullMarked;
