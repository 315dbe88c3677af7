/**
 * Replays a recorded session: runs an agent again with models, tools and nondeterministic values
 * that are served from the recording, executed, or both and compared.
 *
 * <pre>{@code
 * ReplayReport report = Replay.of(Session.open(directory))
 *     .mode(ReplayMode.MOCK)
 *     .run(scope -> scope.call("read_file", Map.of("path", "src/auth.rs")));
 * System.out.println(report.headline());
 * }</pre>
 *
 * <p>A replay has these parts:
 *
 * <ol>
 *   <li>The recording is verified, and its circumstances are compared with the present ones. It is
 *       read once, as a list of {@linkplain dev.agentreplay.engine.exchange exchanges} in lanes;
 *       about 650 bytes are kept for each, not their values.
 *   <li>The agent takes everything from an {@link dev.agentreplay.engine.replay.AgentScope}. Each
 *       request is matched with a recorded exchange of its lane, and the
 *       {@link dev.agentreplay.engine.replay.policy.ReplayPolicy} decides how it is answered.
 *   <li>Each request has an entry in the ledger, which is written while the replay runs. What the
 *       agent does is recorded as a session, with the provenance of each event.
 *   <li>At the end the two sessions are compared. The
 *       {@link dev.agentreplay.engine.replay.ReplayReport} joins the divergences with the ledger.
 * </ol>
 *
 * <p>Nothing is served outside of a replay, and nothing runs in one unless its policy says so.
 */
@NullMarked
package dev.agentreplay.engine.replay;

import org.jspecify.annotations.NullMarked;
