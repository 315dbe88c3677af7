package dev.agentreplay.junit;

import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import org.assertj.core.annotation.CheckReturnValue;
import org.assertj.core.api.SoftAssertionsProvider;
import org.jspecify.annotations.Nullable;

/**
 * Assertions on recorded sessions that are collected, for soft assertions of one's own; otherwise
 * {@link ReplaySoftAssertions} will do.
 */
@CheckReturnValue
public interface ReplaySoftAssertionsProvider extends SoftAssertionsProvider {

  /** As {@link ReplayAssertions#assertThat(Session)}, collecting what fails. */
  default SessionAssert assertThat(@Nullable Session actual) {
    SessionAssert proxy = proxy(SessionAssert.class, Session.class, actual);
    proxy.soft = this;
    return proxy;
  }

  /** As {@link ReplayAssertions#assertThat(SessionRecorder)}, collecting what fails. */
  default SessionAssert assertThat(@Nullable SessionRecorder actual) {
    Session session;
    try {
      session = ReplayAssertions.session(actual);
    } catch (AssertionError unreadable) {
      collectAssertionError(unreadable);
      return new ReplaySoftAssertions()
          .assertThat((Session) null); // whose failures nobody asks for
    }
    return assertThat(session);
  }

  /** As {@link #assertThat(Session)}. */
  default SessionAssert then(@Nullable Session actual) {
    return assertThat(actual);
  }

  /** As {@link #assertThat(SessionRecorder)}. */
  default SessionAssert then(@Nullable SessionRecorder actual) {
    return assertThat(actual);
  }
}
