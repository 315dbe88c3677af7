package dev.agentreplay.springai.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.agent.RecordingFailure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FailureHistoryTest {

  private final List<String> warnings = new ArrayList<>();
  private final FailureHistory history =
      new FailureHistory((message, cause) -> warnings.add(message));

  private void fail(String session) {
    history.add(new RecordingFailure(session, "ModelCall", new IOException("disk full")));
  }

  @Test
  void first_failure_of_each_session_is_a_warning_also_if_sessions_alternate() {
    for (int i = 0; i < 20; i++) {
      fail("a");
      fail("b");
    }

    assertThat(warnings)
        .containsExactly(
            "a: ModelCall was not recorded; the agent continues",
            "b: ModelCall was not recorded; the agent continues");
    assertThat(history.last()).hasSize(10);
  }
}
