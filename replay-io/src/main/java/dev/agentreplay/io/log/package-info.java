/**
 * Reads an append-only log, follows it while it is written, and recovers it after a crash.
 *
 * <pre>{@code
 * try (ReplayReader reader = ReplayReader.open(directory.resolve("REPLAY.jsonl"))) {
 *   for (ReplayLine line : reader) {
 *     System.out.println(line.event());
 *   }
 * }
 * }</pre>
 *
 * <p>A {@link dev.agentreplay.io.log.ReplayReader} reads one line at a time, in strict UTF-8, and
 * never skips one: a line that is not an event is reported as a
 * {@link dev.agentreplay.io.log.ReplayFormatException} with its line and byte. A
 * {@link dev.agentreplay.io.log.RawLineReader} reads the bytes of the lines only, and a
 * {@link dev.agentreplay.io.log.LogFollower} reads a log while it is written.
 * {@link dev.agentreplay.io.log.LogSegments} finds the segments of a rotated log; all readers read
 * them as one log. Memory is bounded by the longest line.
 *
 * <p><b>Crash recovery.</b> A process that crashes during a write may leave a torn write: bytes
 * after the last line feed that are not a complete event.
 * {@link dev.agentreplay.io.log.LogRecovery} diagnoses and repairs such a log, and keeps the bytes
 * that it truncates:
 *
 * <pre>{@code
 * LogRecovery recovery = LogRecovery.of(directory.resolve("REPLAY.jsonl"));
 * if (recovery.inspect() instanceof Recovery.TornTail) {
 *   recovery.repair();
 * }
 * }</pre>
 *
 * <p>A log that is corrupt in other places can be truncated before the first fault, and
 * {@link dev.agentreplay.io.log.LogRecovery#salvage()} reads all events that are left.
 *
 * <p>Readers are not safe for use by several threads; a {@code ReplayLine}, options and states of
 * logs are immutable. The format of a log is described in docs/format.md.
 */
@NullMarked
package dev.agentreplay.io.log;

import org.jspecify.annotations.NullMarked;
