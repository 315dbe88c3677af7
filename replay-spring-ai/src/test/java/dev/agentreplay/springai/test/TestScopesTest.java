package dev.agentreplay.springai.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.io.recording.SessionRecorder;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.test.context.ContextCustomizer;

class TestScopesTest {

  @TempDir
  Path directory;

  @Test
  void call_outside_of_a_test_is_refused() throws Exception {
    TestScopes scopes = new TestScopes();
    assertThatThrownBy(scopes::scope)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("outside of a replay");

    try (SessionRecorder recorder = SessionRecorder.start(directory.resolve("s"), "s")) {
      AgentScope scope = AgentScope.recording(recorder, Executors.none());
      scopes.run(scope);
      assertThat(scopes.scope()).isSameAs(scope);
      scopes.run(null);
    }

    assertThatThrownBy(scopes::scope).isInstanceOf(IllegalStateException.class);
  }

  @ReplayTest
  static class Annotated {}

  static class Inheriting extends Annotated {}

  static class Other {}

  @Test
  void contexts_of_replay_tests_are_shared_and_others_are_left_alone() {
    ReplayTestCustomizerFactory factory = new ReplayTestCustomizerFactory();
    ContextCustomizer customizer = factory.createContextCustomizer(Annotated.class, List.of());

    assertThat(customizer)
        .isNotNull()
        .isEqualTo(factory.createContextCustomizer(Inheriting.class, List.of()));
    assertThat(factory.createContextCustomizer(Other.class, List.of())).isNull();
  }
}
