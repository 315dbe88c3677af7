/**
 * Records and replays LangChain4j agents (AI services): each invocation as a session, with its
 * model calls, tool calls and retrievals.
 *
 * <pre>{@code
 * try (AiServiceRecorder recording = AiServiceRecorder.into(Path.of("sessions"))) {
 *   Assistant assistant = recording
 *       .record(AiServices.builder(Assistant.class).chatModel(model).tools(tools))
 *       .build();
 *   assistant.chat("Which files mention the old name?");
 * }
 * for (SessionLocation place : Sessions.find(Path.of("sessions"))) {
 *   System.out.println(place.open().session().id());
 * }
 * }</pre>
 *
 * <p>All invocations are recorded into one session, for example in a test, if the caller starts it:
 *
 * <pre>{@code
 * try (SessionRecorder session = SessionRecorder.start(directory, "fix-auth")) {
 *   Assistant assistant = AiServiceRecorder.into(session)
 *       .record(AiServices.builder(Assistant.class).chatModel(model).tools(tools))
 *       .build();
 *   assistant.chat("Fix the login");
 *   session.end(Status.SUCCESS, 0.9);
 * }
 * }</pre>
 *
 * <p>A recorded session is replayed with the same builder, here without its model:
 *
 * <pre>{@code
 * ReplayReport report = Replay.of(session)
 *     .mode(ReplayMode.MOCK)
 *     .run(scope -> AiServiceReplayer.of(scope)
 *         .replay(AiServices.builder(Assistant.class)
 *             .chatModel(RecordedModel.of(session))
 *             .tools(tools))
 *         .build()
 *         .chat("Which files mention the old name?"));
 * }</pre>
 *
 * <p>{@link dev.agentreplay.langchain4j.AiServiceRecorder} specifies the recorded data, and the
 * handling of failures, which never affect the agent;
 * {@link dev.agentreplay.langchain4j.AiServiceReplayer} the answers of a replay. With
 * {@link dev.agentreplay.langchain4j.AiServiceCalls}, both work for services that a framework
 * implements itself, as Quarkus does.
 *
 * <p>LangChain4j 1.14 to 1.19 are supported: the public interface is used, a protected field of the
 * builder of services, and private fields of its tool service. An earlier version reports less to
 * listeners:
 *
 * <ul>
 *   <li>Before 1.16, the parameters and the provider of a model are not recorded, only those that a
 *       request states, unless the calls go through {@code AiServiceCalls}.
 *   <li>Before 1.19, the attributes of the results of tools are not recorded. A service with a tool
 *       search strategy, which needs them, and one with compensating actions cannot be replayed.
 * </ul>
 */
@NullMarked
package dev.agentreplay.langchain4j;

import org.jspecify.annotations.NullMarked;
