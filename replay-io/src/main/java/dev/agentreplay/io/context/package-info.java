/**
 * Gives an agent its nondeterministic values, and records them: times, random numbers, ids, sorted
 * directory listings, environment variables, versions.
 *
 * <pre>{@code
 * RecorderOptions options =
 *     RecorderOptions.defaults().withContext(ContextOptions.deterministic());
 * try (SessionRecorder session =
 *     SessionRecorder.start(directory, SessionStart.of("fix-auth"), options)) {
 *   DeterministicContext context = session.context();
 *   String branch = "fix-" + context.ulid();
 *   Instant deadline = context.clock().instant().plusSeconds(60);
 *   List<String> sources = context.glob(directory, "src/**.java");
 *   session.end(Status.SUCCESS, 0.9);
 * }
 * }</pre>
 *
 * <p>An agent that gets time and randomness only from its
 * {@link dev.agentreplay.io.context.DeterministicContext} can be run again with the same values.
 * {@link dev.agentreplay.io.context.ContextOptions} selects the clock, the seed and whether the
 * values are recorded; by default they are live, and nothing is recorded.
 *
 * <p>Guarantees:
 *
 * <ul>
 *   <li>With {@link dev.agentreplay.io.context.ContextOptions#deterministic}, an agent of one
 *       thread whose models and tools return the same values makes the same recording in each run,
 *       byte for byte: log and receipt. The times of events are then those of a stepped clock of
 *       the recorder, and latencies are 0.
 *   <li>The values of a lane, and of a source within it, depend on nothing but the options and the
 *       calls of that lane and source. They are the same on each JDK.
 *   <li>In the log, the ordinals of a source in a lane ascend from 0; a gap is a value that could
 *       not be recorded.
 *   <li>A resumed session continues after the values that its log has.
 * </ul>
 *
 * <p>A context is safe for use by several threads, each with its own
 * {@linkplain dev.agentreplay.io.context.DeterministicContext#lane lane} if their values are to be
 * reproducible. No value of a context is for secrets.
 *
 * <p>Every value passes through {@link dev.agentreplay.io.context.ContextValues}, which a recorder
 * implements to record values, and a replay to return recorded ones. The event is described in
 * docs/format.md, RecordedValue.
 */
@NullMarked
package dev.agentreplay.io.context;

import org.jspecify.annotations.NullMarked;
