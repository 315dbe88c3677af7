/**
 * Reads a log, and repairs one whose writer was interrupted.
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
 * never skips one: what is not an event is a {@link dev.agentreplay.io.log.ReplayFormatException}
 * with line and byte. A {@link dev.agentreplay.io.log.RawLineReader} does the same with bytes
 * alone, a {@link dev.agentreplay.io.log.LogFollower} with a log that is being written.
 * {@link dev.agentreplay.io.log.LogSegments} names the files that a rotated log is in; all of these
 * read them as one.
 *
 * <p>What a writer leaves that is broken off, {@link dev.agentreplay.io.log.LogRecovery} says and
 * repairs:
 *
 * <pre>{@code
 * LogRecovery recovery = LogRecovery.of(directory.resolve("REPLAY.jsonl"));
 * if (recovery.inspect() instanceof Recovery.TornTail) {
 *   recovery.repair();
 * }
 * }</pre>
 *
 * <p>A reader is not safe for use by several threads.
 */
@NullMarked
package dev.agentreplay.io.log;

import org.jspecify.annotations.NullMarked;
