package dev.agentreplay.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.provider.ArgumentsSource;

/**
 * Gives a parameterized test each of several recordings as its first argument, sorted by their
 * paths:
 *
 * <pre>{@code
 * @ParameterizedTest
 * @ReplaySessionSource("sessions/*")
 * void is_verified(Session session) {
 *   assertThat(session).isVerified();
 * }
 * }</pre>
 *
 * <p>Recordings are where {@link ReplaySession} looks for them. The test may take a
 * {@link dev.agentreplay.io.recording.SessionRecorder} as well, after its arguments.
 */
@Documented
@Inherited
@Target({ElementType.ANNOTATION_TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ArgumentsSource(ReplaySessionProvider.class)
@ExtendWith(ReplayExtension.class)
@SuppressWarnings("exports") // of the provider only JUnit takes notice
public @interface ReplaySessionSource {

  /**
   * Patterns of paths from the folder of recordings to the directories of sessions, as in
   * {@link java.nio.file.FileSystem#getPathMatcher}: {@code *} for any name, {@code **} for any
   * path. A pattern that matches none is an error; {@code *.received} is never matched.
   */
  String[] value();
}
