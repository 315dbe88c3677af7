/**
 * What a recorded session is: a stream of events.
 *
 * <pre>{@code
 * ReplayEvent call = ToolCall.of("call-1", "file_read", JsonObject.of("path", "src/auth.rs"));
 * ReplayEvent result = ToolResult.of("call-1", "fn main() {}").withLatencyMillis(12L);
 * }</pre>
 *
 * <p>{@link dev.agentreplay.model.ReplayEvent} is a sealed union of records. What an event has in
 * common with the others, and what a reader did not know, is in its
 * {@link dev.agentreplay.model.Meta}. Hashes and times may be left out: whoever writes the event
 * fills them in. Constructors check for null and copy, nothing else;
 * {@link dev.agentreplay.model.check.EventRules} knows the ranges.
 *
 * <p>What is wrong with a log is data: a {@link dev.agentreplay.model.finding.Finding} with a
 * stable {@link dev.agentreplay.model.finding.FindingCode} and a
 * {@link dev.agentreplay.model.finding.Position}. {@link dev.agentreplay.model.check.CallPairing}
 * is the one rule by which results belong to calls.
 *
 * <p>All types but {@code CallPairing} are immutable and safe to share between threads. The format
 * is described in docs/format.md.
 */
@NullMarked
package dev.agentreplay.model;

import org.jspecify.annotations.NullMarked;
