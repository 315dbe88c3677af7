/**
 * The parts that recorders of agent frameworks share: a session whose failures never reach the
 * agent, the lanes of nested agents, and texts without a UTF-8 form. A recorder of a framework maps
 * the framework's callbacks to events, and emits them here:
 *
 * <pre>{@code
 * RecordingFailures failures = new RecordingFailures("com.example.agents");
 * GuardedSession session = GuardedSession.start(
 *     "run-1", () -> SessionRecorder.start(Path.of("sessions", "run-1"), "run-1"), failures);
 * String id = session.call(() -> ToolCall.of("", "read_file", JsonObject.of("path", "a.txt")));
 * session.result("ToolResult", id, call -> ToolResult.of(call, "fn login() {}"));
 * session.end(() -> SessionEnd.of(Status.SUCCESS));
 * }</pre>
 *
 * <p>A program that has its own agent loop uses
 * {@link dev.agentreplay.io.recording.SessionRecorder} itself.
 */
@NullMarked
package dev.agentreplay.io.agent;

import org.jspecify.annotations.NullMarked;
