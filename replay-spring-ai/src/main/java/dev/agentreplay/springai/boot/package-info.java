/**
 * Auto-configuration of Spring Boot for recording and replaying Spring AI. An application that has
 * this library on its class path is recorded without a change of its code:
 *
 * <pre>
 * replay.record.dir=recordings
 * </pre>
 *
 * <p>Each call of a {@link org.springframework.ai.chat.client.ChatClient} is then a session in a
 * directory of its own below {@code recordings}. Every
 * {@link org.springframework.ai.chat.model.ChatModel} and
 * {@link org.springframework.ai.model.tool.ToolCallingManager} bean is wrapped, not replaced, so
 * that user-defined, primary, lazy and scoped beans stay what they are, and every
 * {@code ChatClient} bean and builder bean gets the advisor that makes each of its calls a session.
 * Without one of the properties {@code replay.mode} and {@code replay.record.dir}, nothing is
 * changed, and nothing but these properties is read.
 *
 * <p>The properties are documented in the metadata for editors,
 * {@code META-INF/spring-configuration-metadata.json}, and in docs/how-to/use-spring-boot.md. With
 * {@code replay.mode=mock} and {@code replay.session=DIRECTORY} the application runs on a recorded
 * session. The log has the result, and {@code SpringApplication.exit} returns the exit code of the
 * replay; the JVM has it only if the application passes it on, by {@code System.exit} of that of
 * {@code SpringApplication.exit}.
 *
 * <p>An application decides on the destination of each call by itself with a bean of type
 * {@link dev.agentreplay.springai.SpringAiCalls}, and the scope with a bean of type
 * {@link dev.agentreplay.springai.boot.ScopeSource}, as the test slice
 * {@code dev.agentreplay.springai.test.ReplayTest} does, and the property
 * {@code replay.enabled=true}.
 */
@NullMarked
package dev.agentreplay.springai.boot;

import org.jspecify.annotations.NullMarked;
