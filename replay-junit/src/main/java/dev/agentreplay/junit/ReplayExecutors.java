package dev.agentreplay.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the method that creates the real model and tools for the tests of a class that replay, as
 * {@link ReplaySession} specifies:
 *
 * <pre>{@code
 * @ReplayExecutors
 * static Executors live() {
 *   return Executors.none()
 *       .withModel((call, pieces) -> ModelResult.of(call.id(), askModel(call)))
 *       .withTool("read_file", ToolExecutor.of(params -> Files.readString(Path.of("a.txt"))));
 * }
 * }</pre>
 *
 * <p>The method has no parameters, returns
 * {@link dev.agentreplay.engine.replay.execution.Executors}, and may be static or not. It is called
 * for each test that runs the model or a tool: when its session is recorded, and in a replay with a
 * mode other than {@code MOCK}. A replay in the mode {@code MOCK} does not call it, and therefore
 * needs neither a key nor a network. An agent whose tools and models are parts of its own code, as
 * with {@link dev.agentreplay.engine.replay.AgentScope#run(String, Object,
 * java.util.concurrent.Callable)}, needs no such method. A request that nothing executes fails the
 * test that records it, also if the agent catches the exception.
 *
 * <p>The method of the test class or a superclass or interface of it is called, or else that of the
 * nearest enclosing class.
 */
@Documented
@Target({ElementType.ANNOTATION_TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface ReplayExecutors {}
