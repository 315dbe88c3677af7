package dev.agentreplay.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method that configures each replay of the tests of a class before it starts: comparison
 * rules, effects of tools, time-outs, a budget.
 *
 * <pre>{@code
 * @BeforeReplay
 * static void configure(Replay replay) {
 *   replay.comparison(ignoring(timestamps()));
 * }
 * }</pre>
 *
 * <p>The method has one parameter, the {@link dev.agentreplay.engine.replay.Replay}, which already
 * has what {@link ReplaySession} specifies, and the executors if the mode needs them. It returns
 * nothing, and may be static or not. Several methods are called as those with {@code @BeforeEach}
 * are: first those of enclosing classes and superclasses. None is called when a session is
 * recorded.
 *
 * <p>With a second parameter of type {@code dev.agentreplay.sandbox.replay.ReplaySandbox}, of
 * {@code replay-sandbox}, the programs of the replay run in the sandbox of this machine, on the
 * recorded workspace:
 *
 * <pre>{@code
 * @BeforeReplay
 * static void configure(Replay replay, ReplaySandbox sandbox) throws Exception {
 *   JsonObject tools = JsonText.parse(Files.readString(Path.of("tools.json"))).asObject();
 *   ProcessTools.parse(tools, sandbox::isolate, null).addTo(replay);
 * }
 * }</pre>
 *
 * <p>The sandbox is open until the test has ended; test methods can have it as a parameter, too.
 * Its session is not recorded by the test, whatever {@code replay.update} says, because a test
 * records no snapshot of a workspace. A machine without a sandbox fails the test.
 */
@Documented
@Target({ElementType.ANNOTATION_TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface BeforeReplay {}
