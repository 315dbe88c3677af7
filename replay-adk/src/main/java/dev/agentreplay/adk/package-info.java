/**
 * Records and replays agents of the Agent Development Kit (ADK) for Java: each run as a session,
 * with its model calls and tool calls, and those of its sub-agents.
 *
 * <pre>{@code
 * try (AdkRecorder recorder = AdkRecorder.into(Path.of("sessions"))) {
 *   InMemoryRunner runner = new InMemoryRunner(agent, "app", List.of(recorder.plugin()));
 *   Session conversation = runner.sessionService().createSession("app", "alice").blockingGet();
 *   runner
 *       .runAsync("alice", conversation.id(), Content.fromParts(Part.fromText("Which files?")))
 *       .blockingSubscribe();
 * }
 * }</pre>
 *
 * <p>A recorded session is replayed with the same agent; recorded calls run neither its model nor
 * its tools:
 *
 * <pre>{@code
 * ReplayReport report = Replay.of(session)
 *     .mode(ReplayMode.MOCK)
 *     .run(scope -> {
 *       AdkReplayer replayer = AdkReplayer.of(scope);
 *       InMemoryRunner runner = new InMemoryRunner(agent, "app", List.of(replayer.plugin()));
 *       Session conversation = runner.sessionService().createSession("app", "alice").blockingGet();
 *       runner
 *           .runAsync("alice", conversation.id(), Content.fromParts(Part.fromText("Which files?")))
 *           .blockingSubscribe();
 *     });
 * }</pre>
 *
 * <p>{@link dev.agentreplay.adk.AdkRecorder} specifies the recorded data, and the handling of
 * failures, which never affect the agent; {@link dev.agentreplay.adk.AdkReplayer} the answers of a
 * replay. They support ADK 1.8, and use its public interface.
 */
@NullMarked
package dev.agentreplay.adk;

import org.jspecify.annotations.NullMarked;
