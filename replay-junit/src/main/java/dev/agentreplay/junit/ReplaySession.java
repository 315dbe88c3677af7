package dev.agentreplay.junit;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.policy.OnUnmatched;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Makes a test a replay test or a snapshot test. A replay test runs an agent on its recording,
 * without a model, a key or a network: an {@link AgentScope} serves what the agent requests. A
 * snapshot test runs an agent live, and compares its session with the recording (the golden file):
 * it has the recording, a recorder for the session of this run, or both, as parameters of type
 * {@link dev.agentreplay.io.session.Session} and
 * {@link dev.agentreplay.io.recording.SessionRecorder}.
 *
 * <p><b>Replay.</b> With a {@link #mode()}, the test or a method before it has an
 * {@link AgentScope} as a parameter, from which the agent takes its models, tools and values:
 *
 * <pre>{@code
 * @Test
 * @ReplaySession(value = "reviews-a-file", mode = ReplayMode.MOCK)
 * void reviews_a_file(AgentScope scope) throws Exception {
 *   JsonValue file = scope.call("read_file", Map.of("path", "a.txt"));
 *   scope.ask("gpt-5", "Review this: " + file.asString());
 * }
 * }</pre>
 *
 * <p>The replay ends with the test method. The test fails unless the replay is
 * {@linkplain dev.agentreplay.engine.replay.ReplayVerdict#IDENTICAL identical}, also if the agent
 * caught the exception of a request that has no match. The message has the first divergence with
 * the recorded and the actual value, and the command that records the session again; the exception
 * of the agent is its cause, or else that of the first request without an answer. If the agent
 * stated no end, the session ended with success. The session of the replay and its ledger are
 * written to the directory that a recorder would write to.
 *
 * <p>The session is recorded, with the model and the tools of the {@link ReplayExecutors} method of
 * the test class, if it has one, and those that the agent brings, if {@code replay.update} says so:
 * with {@code missing} if there is no recording, with {@code all} also if there is one, once in a
 * test run. The test then runs live, and its session becomes the recording if the test passes,
 * unless the recording has the same content. Otherwise a missing recording fails the test, with the
 * command that records it. A {@link BeforeReplay} method configures replays.
 *
 * <p><b>Recordings</b> are in {@code src/test/resources} of the module, or in the folder that the
 * property {@code replay.recordings} specifies. The recording of a parameter is specified by the
 * annotation on the parameter, or else on the method, the class or an enclosing class; so are the
 * other members of the annotation. If the recording of a snapshot test does not exist, the test
 * fails, unless the test also has a recorder: then the session parameter is the future recording,
 * and the test fails if it completes without offering a session with
 * {@link SessionAssert#matches(dev.agentreplay.io.session.Session)}.
 *
 * <p><b>The recorder</b> writes to {@code target/replay/<class>/<method>}, in a Gradle build to
 * {@code build/replay/<class>/<method>}, or below the directory that the property
 * {@code replay.output} specifies; repeated and parameterized tests write to its subdirectories
 * {@code 1}, {@code 2} and so on. The session of an earlier run is replaced. Methods that run
 * before and after each test get the same recorder. It is closed after them; if the test did not
 * end the session, the session has no end.
 *
 * <p><b>Updates.</b> The system property {@code replay.update} determines the recordings that are
 * written. Of the session of a snapshot test that does not match its recording, {@code none}, the
 * default, writes a copy next to the recording, as {@code <recording>.received}; {@code missing}
 * makes it the recording if there is none; {@code all} makes it the recording in any case. No file
 * of a recording is deleted: a file without a counterpart in the new session is renamed to
 * {@code <name>.replaced}. A received session is kept until it is accepted, replaced by the next
 * one, or deleted by hand. Neither a recording nor a received session is written if the environment
 * variable {@code CI} is set to anything but an empty string or {@code false}. Gradle passes a
 * system property to tests only if the build says so: {@code systemProperty("replay.update",
 * System.getProperty("replay.update") ?: "none")}.
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

  /**
   * The mode of the replay that an {@link AgentScope} takes part in: {@code MOCK},
   * {@code TOOLS_LIVE}, {@code MODEL_LIVE} or {@code FULL}. By default nothing is replayed, and
   * {@link SessionAssert#matches(dev.agentreplay.io.session.Session)} compares the session of this
   * run with the recording.
   */
  ReplayMode mode() default ReplayMode.VALIDATION;

  /** The behavior of the replay when the recording has no answer to a request. */
  OnUnmatched onUnmatched() default OnUnmatched.STOP;
}
