/**
 * The data model of a recorded agent session: the events of its log and the values in them.
 *
 * <pre>{@code
 * ReplayEvent call = ToolCall.of("call-1", "file_read", JsonObject.of("path", "src/auth.rs"));
 * ReplayEvent result = ToolResult.of("call-1", "fn main() {}").withLatencyMillis(12L);
 * }</pre>
 *
 * <p>{@link dev.agentreplay.model.ReplayEvent} is a sealed interface whose implementations are
 * records, one for each kind of event. The data common to all events, and members that this version
 * does not know, are in {@link dev.agentreplay.model.Meta}. Hashes and times may be left out: the
 * writer fills them in. Constructors check for null and copy, nothing else;
 * {@link dev.agentreplay.model.check.EventRules} checks the ranges of numbers.
 *
 * <p>Faults of a log are reported as data: a {@link dev.agentreplay.model.finding.Finding} with a
 * stable {@link dev.agentreplay.model.finding.FindingCode} and a
 * {@link dev.agentreplay.model.finding.Position}. {@link dev.agentreplay.model.check.CallPairing}
 * matches results with their calls.
 *
 * <p>All types of this package are immutable and safe to share between threads. The format is
 * described in docs/format.md.
 */
@NullMarked
package dev.agentreplay.model;

import org.jspecify.annotations.NullMarked;
