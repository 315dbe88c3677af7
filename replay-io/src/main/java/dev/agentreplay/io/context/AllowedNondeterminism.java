package dev.agentreplay.io.context;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * States that a method may use nondeterministic values without its {@link DeterministicContext},
 * because they do not influence what the agent does, so that {@code replay lint} does not report
 * its calls, nor those that are reached only through it. On a class it is for all of its methods.
 *
 * <pre>{@code
 * @AllowedNondeterminism(reason = "the time is only logged", of = "clock")
 * void trace(String message) {
 *   System.err.println(System.currentTimeMillis() + " " + message);
 * }
 * }</pre>
 *
 * <p>{@code replay lint} lists what is suppressed, and the annotations that suppress nothing. The
 * annotation has no effect at run time.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.CONSTRUCTOR})
public @interface AllowedNondeterminism {

  /** The reason, which must not be blank. */
  String reason();

  /**
   * The categories, such as {@code clock}, and patterns of methods, such as
   * {@code java.util.UUID.randomUUID}, of the calls that are allowed; by default all.
   * docs/lint-patterns.md lists them.
   */
  String[] of() default {};
}
