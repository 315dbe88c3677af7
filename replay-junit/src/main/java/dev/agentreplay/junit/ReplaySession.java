package dev.agentreplay.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Makes a test a snapshot test: provides it with its recording (the golden file), with a recorder
 * for the session of this run, or both, as parameters of type
 * {@link dev.agentreplay.io.session.Session} and
 * {@link dev.agentreplay.io.recording.SessionRecorder}.
 *
 * <p>Recordings are in {@code src/test/resources} of the module, or in the folder that the property
 * {@code replay.recordings} specifies. The recording of a parameter is specified by the annotation
 * on the parameter, or else on the method, the class or an enclosing class. If it does not exist,
 * the test fails, unless the test also has a recorder: then the session parameter is the future
 * recording, and the test fails if it completes without offering a session with
 * {@link SessionAssert#matches(dev.agentreplay.io.session.Session)}.
 *
 * <p>The recorder writes to {@code target/replay/<class>/<method>}, in a Gradle build to
 * {@code build/replay/<class>/<method>}, or below the directory that the property
 * {@code replay.output} specifies; repeated and parameterized tests write to its subdirectories
 * {@code 1}, {@code 2} and so on. The session of an earlier run is replaced. Methods that run
 * before and after each test get the same recorder. It is closed after them; if the test did not
 * end the session, the session has no end.
 *
 * <p>The system property {@code replay.update} determines what happens to a session that does not
 * match its recording. {@code none}, the default, writes it next to the recording, as
 * {@code <recording>.received}; {@code missing} makes it the recording if there is none;
 * {@code all} makes it the recording in any case. No file of a recording is deleted: a file without
 * a counterpart in the new session is renamed to {@code <name>.replaced}. A received session is
 * kept until it is accepted, replaced by the next one, or deleted by hand. Neither a recording nor
 * a received session is written if the environment variable {@code CI} is set to anything but an
 * empty string or {@code false}. Gradle passes a system property to tests only if the build says
 * so: {@code systemProperty("replay.update", System.getProperty("replay.update") ?: "none")}.
 *
 * <p>The other properties can be system properties or configuration parameters of JUnit, as in
 * {@code junit-platform.properties}. Relative paths are resolved against the directory of the
 * module: that of {@code pom.xml}, or else the working directory. The property
 * {@code replay.unused} detects recordings that no test used: {@code report} lists them at the end
 * of the test run, {@code fail} fails the run. It reports nothing if only some of the tests ran,
 * and needs all tests in one process.
 */
@Documented
@Inherited
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.PARAMETER})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(ReplayExtension.class)
public @interface ReplaySession {

  /**
   * The path of the recording, relative to the folder of recordings or absolute: a session
   * directory, or a log whose name ends with {@code .jsonl}. In a repeated or parameterized test,
   * {@code {index}} is replaced by the number of the invocation, from 1; otherwise all invocations
   * have the same recording. Empty if there is no recording.
   */
  String value() default "";
}
