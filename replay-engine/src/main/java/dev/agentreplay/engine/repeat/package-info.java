/**
 * Repeated replays of one recording: whether an agent behaves in the same way every time, and the
 * steps in which it does not.
 *
 * <pre>{@code
 * RepeatedReport report = RepeatedReplay.of(Session.open(directory), 10)
 *     .directory(Path.of("runs"))
 *     .run(run -> Replay.of(Session.open(directory))
 *         .mode(ReplayMode.MODEL_LIVE)
 *         .directory(run)
 *         .run(agent));
 * }</pre>
 */
@NullMarked
package dev.agentreplay.engine.repeat;

import org.jspecify.annotations.NullMarked;
