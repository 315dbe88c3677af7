/**
 * Receipts: summaries of a session (RECEIPT.json) that a verifier checks against its log.
 *
 * <p>A {@link dev.agentreplay.model.receipt.Receipt} has one of the three forms of the
 * specifications. It lists the answered calls in the order of their results. Members that this
 * version does not know are kept, because the digest of a receipt covers them.
 *
 * <p>{@link dev.agentreplay.model.receipt.SessionFacts} and
 * {@link dev.agentreplay.model.receipt.RunTotals} collect the contents of a receipt from the events
 * of a log:
 *
 * <pre>{@code
 * RunTotals totals = new RunTotals();
 * totals.add(ToolCall.of("call-1", "file_read", JsonObject.of("path", "src/auth.rs")));
 * ToolResult result = ToolResult.of("call-1", "fn main() {}").withLatencyMillis(12L);
 * totals.add(result);
 * totals.addAnswer(result);
 * long latencyMillis = totals.totalLatencyMillis(); // 12
 * }</pre>
 *
 * <p>Receipts are immutable and safe to share between threads; the two collectors are not. The
 * forms are described in docs/receipts.md.
 */
@NullMarked
package dev.agentreplay.model.receipt;

import org.jspecify.annotations.NullMarked;
