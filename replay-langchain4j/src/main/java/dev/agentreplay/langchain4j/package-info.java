/**
 * Records the services of LangChain4j: each invocation as a session, with its model calls and tool
 * calls.
 *
 * <pre>{@code
 * try (AiServiceRecorder recording = AiServiceRecorder.into(Path.of("sessions"))) {
 *   Assistant assistant = recording
 *       .record(AiServices.builder(Assistant.class).chatModel(model).tools(tools))
 *       .build();
 *   assistant.chat("Which files mention the old name?");
 * }
 * for (SessionLocation place : Sessions.find(Path.of("sessions"))) {
 *   System.out.println(place.open().id());
 * }
 * }</pre>
 *
 * <p>All that happens in a test is one session, if the caller starts it:
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
 * <p>{@link dev.agentreplay.langchain4j.AiServiceRecorder} says what is recorded, and what happens
 * when that fails: never anything to the agent. It is made for LangChain4j 1.19, of which it uses
 * the public interface, and what a builder of services shows to its subclasses.
 */
@NullMarked
package dev.agentreplay.langchain4j;

import org.jspecify.annotations.NullMarked;
