package dev.agentreplay.io.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RunningCallTest {

  private static final Object SESSION = new Object();

  /** A place without a lane. */
  private static final RunningCall.Place PLACE = new RunningCall.Place() {
    @Override
    public Object session() {
      return SESSION;
    }

    @Override
    public @Nullable String agent() {
      return null;
    }
  };

  @Test
  void different_thread_runs_a_callback_on_behalf_of_a_call() {
    RunningCall call = RunningCall.begin(PLACE, "c1", 1);
    try {
      CompletableFuture.runAsync(() -> {
            assertThat(RunningCall.in(SESSION)).isNull();
            RunningCall.runIn(call, () -> assertThat(RunningCall.in(SESSION)).isSameAs(call));
            assertThat(RunningCall.in(SESSION)).isNull();
          })
          .join();
    } finally {
      call.end();
    }
  }

  @Test
  void call_that_has_ended_is_not_restored() {
    RunningCall call = RunningCall.begin(PLACE, "c1", 1);
    call.end();

    RunningCall.runIn(call, () -> assertThat(RunningCall.in(SESSION)).isNull());
  }

  @Test
  void call_of_the_thread_is_restored_also_after_an_exception() {
    RunningCall call = RunningCall.begin(PLACE, "c1", 1);
    try {
      RunningCall.runIn(null, () -> assertThat(RunningCall.in(SESSION)).isNull());
      assertThatThrownBy(() -> RunningCall.runIn(null, () -> {
            throw new IllegalStateException("callback");
          }))
          .hasMessage("callback");

      assertThat(RunningCall.in(SESSION)).isSameAs(call);
    } finally {
      call.end();
    }
    assertThat(RunningCall.innermost()).isNull();
  }
}
