/**
 * Verifies many sessions in parallel.
 *
 * <pre>{@code
 * try (Stream<BatchResult> results =
 *     BatchVerifier.of(VerifyPolicy.defaults()).verify(Sessions.find(directory))) {
 *   BatchTotals totals = results.reduce(BatchTotals.NONE, BatchTotals::plus, BatchTotals::plus);
 * }
 * }</pre>
 *
 * <p>Results have the order of the sessions. An unreadable session is a
 * {@link dev.agentreplay.verify.batch.BatchResult} as well, and a session that repeats an earlier
 * one has a finding. {@link dev.agentreplay.verify.batch.BatchTotals} sums the results.
 */
@NullMarked
package dev.agentreplay.verify.batch;

import org.jspecify.annotations.NullMarked;
