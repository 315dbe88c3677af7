/**
 * Forks of a recording: from a point on, an agent runs with another model, another tool, an edited
 * prompt or a changed result, while everything before the point is served from the recording.
 *
 * <pre>{@code
 * ForkPoints points = ForkPoints.of(Session.open(directory));
 * Fork fork = Fork.at(14).set("/output/status", JsonString.of("failed"));
 * ReplayReport report = Replay.of(Session.open(directory))
 *     .mode(ReplayMode.MOCK)
 *     .fork(fork)
 *     .run(agent);
 * }</pre>
 *
 * <p>All types are immutable and safe for use by several threads.
 */
@NullMarked
package dev.agentreplay.engine.fork;

import org.jspecify.annotations.NullMarked;
