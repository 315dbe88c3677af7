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
 * Provides a parameterized test with recordings: each is the first argument of one invocation. They
 * are sorted by path.
 *
 * <pre>{@code
 * @ParameterizedTest
 * @ReplaySessionSource("sessions/*")
 * void is_verified(Session session) {
 *   assertThat(session).isVerified();
 * }
 * }</pre>
 *
 * <p>{@link ReplaySession} specifies the folder of recordings. The test may have a
 * {@link dev.agentreplay.io.recording.SessionRecorder} as an additional parameter after its
 * arguments.
 */
@Documented
@Inherited
@Target({ElementType.ANNOTATION_TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ArgumentsSource(ReplaySessionProvider.class)
@ExtendWith(ReplayExtension.class)
@SuppressWarnings("exports") // only JUnit uses the provider
public @interface ReplaySessionSource {

  /**
   * The glob patterns of the session directories, relative to the folder of recordings, in the
   * syntax of {@link java.nio.file.FileSystem#getPathMatcher}: {@code *} matches any name,
   * {@code **} any path. A pattern without a match is an error; {@code *.received} never matches.
   */
  String[] value();
}
