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
 */
@Documented
@Target({ElementType.ANNOTATION_TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface BeforeReplay {}
