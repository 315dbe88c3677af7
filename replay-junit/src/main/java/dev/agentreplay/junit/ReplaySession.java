package dev.agentreplay.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives a test the session that was recorded for it, a recorder for the one it makes, or both: as
 * parameters of type {@link dev.agentreplay.io.session.Session} and
 * {@link dev.agentreplay.io.recording.SessionRecorder}.
 *
 * <p>Recordings are in {@code src/test/resources} of the module, or in the folder that the property
 * {@code replay.recordings} names. The recording of a parameter is that of the annotation on the
 * parameter itself, or else on the method, on the class, on the one around it. One that is not
 * there is a failure of the test, unless this takes a recorder as well: then the session says where
 * the recording will be, and the test fails if it passes without having offered a session by
 * {@link SessionAssert#matches(dev.agentreplay.io.session.Session)}.
 *
 * <p>The recorder writes to {@code target/replay/<class>/<method>}, in a Gradle build to
 * {@code build/replay/<class>/<method>}, or below the directory that the property
 * {@code replay.output} names; repeated and parameterized tests to a directory {@code 1}, {@code 2}
 * and so on in it. What an earlier run left there is replaced. The methods before and after a test
 * get the same recorder; it is closed after them, without an end of the session if the test has not
 * ended it.
 *
 * <p>What becomes of a session that is not as it was recorded is said by the system property
 * {@code replay.update}: {@code none}, the default, puts it beside the recording, as
 * {@code <recording>.received}; {@code missing} makes it the recording if there is none;
 * {@code all} makes it the recording in any case. No file of a recording is deleted: one that the
 * new session has not is renamed to {@code <name>.replaced}. What was received stays until it is
 * accepted, replaced by what is received next, or deleted by hand. Nothing is written where the
 * environment variable {@code CI} is set, other than to nothing or {@code false}. Gradle hands a
 * system property on to tests only if it is told to: {@code systemProperty("replay.update",
 * System.getProperty("replay.update") ?: "none")}.
 *
 * <p>The other properties may be system properties, or configuration parameters of JUnit, as in
 * {@code junit-platform.properties}. A relative path is one from the directory of the module: that
 * of {@code pom.xml}, or else the working directory. A property {@code replay.unused} lists the
 * recordings that no test asked for when the tests have run: {@code report} names them,
 * {@code fail} fails the run. It is of use only where all tests run, and in one process.
 */
@Documented
@Inherited
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.PARAMETER})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(ReplayExtension.class)
public @interface ReplaySession {

  /**
   * Where the recording is, below the folder of recordings: the directory of a session, or a log,
   * whose name ends with {@code .jsonl}. An absolute path is taken as it is. {@code {index}} in it
   * is the number of the invocation, from 1, of a repeated or parameterized test, all invocations
   * of which have the same recording otherwise. Empty when there is none.
   */
  String value() default "";
}
