/**
 * Records and replays Spring AI agents (chat clients): each call as a session, with its model calls
 * and tool calls.
 *
 * <pre>{@code
 * try (SpringAiRecorder recording = SpringAiRecorder.into(Path.of("sessions"))) {
 *   SpringAiCalls calls = SpringAiCalls.to(recording);
 *   ChatClient client = ChatClient.builder(calls.wrap(model))
 *       .defaultAdvisors(
 *           calls.advisor(),
 *           ToolCallingAdvisor.builder()
 *               .toolCallingManager(calls.wrap(ToolCallingManager.builder().build()))
 *               .build())
 *       .defaultTools(tools)
 *       .build();
 *   client.prompt("Which files mention the old name?").call().content();
 * }
 * for (SessionLocation place : Sessions.find(Path.of("sessions"))) {
 *   System.out.println(place.open().session().id());
 * }
 * }</pre>
 *
 * <p>A recorded session is replayed by the same client, here without its model:
 *
 * <pre>{@code
 * ReplayReport report = Replay.of(session)
 *     .mode(ReplayMode.MOCK)
 *     .run(scope -> {
 *       SpringAiCalls calls = SpringAiCalls.to(SpringAiReplayer.of(scope));
 *       ChatClient.builder(calls.wrap(RecordedChatModel.of(session)))
 *           .defaultAdvisors(
 *               calls.advisor(),
 *               ToolCallingAdvisor.builder()
 *                   .toolCallingManager(calls.wrap(ToolCallingManager.builder().build()))
 *                   .build())
 *           .defaultTools(tools)
 *           .build()
 *           .prompt("Which files mention the old name?")
 *           .call()
 *           .content();
 *     });
 * }</pre>
 *
 * <p>{@link dev.agentreplay.springai.SpringAiRecorder} specifies the recorded data, and the
 * handling of failures, which never affect the agent;
 * {@link dev.agentreplay.springai.SpringAiReplayer} the answers of a replay. They support Spring AI
 * 2.0, and use its public interface and {@code ToolCallReactiveContextHolder}, with which its
 * streams pass the context of Reactor to tools.
 */
@NullMarked
package dev.agentreplay.springai;

import org.jspecify.annotations.NullMarked;
