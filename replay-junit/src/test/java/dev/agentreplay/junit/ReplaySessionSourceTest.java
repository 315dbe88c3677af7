package dev.agentreplay.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.platform.testkit.engine.EngineExecutionResults;

/** The recordings that a parameterized test gets. */
class ReplaySessionSourceTest {

  private final TestRun run;

  ReplaySessionSourceTest(@TempDir Path root) {
    run = new TestRun(root);
  }

  /** The display names of the first arguments, with or without the name of the parameter. */
  private List<String> names(Class<?> test) {
    EngineExecutionResults results = run.of(test);
    assertThat(TestRun.failures(results)).isEmpty();
    return results
        .testEvents()
        .started()
        .map(event -> event.getTestDescriptor().getDisplayName().replaceAll(".*[]=] ?", ""))
        .toList();
  }

  @Test
  void each_session_that_matches_is_given_sorted_by_name() throws Exception {
    for (String name : List.of("sessions/b", "sessions/a", "sessions/a/deeper", "others/c", "d")) {
      run.record(name, "hello");
    }
    run.record("sessions/a.received", "not accepted");
    run.record("sessions/e.received/f", "not accepted");
    assertThat(names(OneGlob.class)).containsExactly("sessions/a", "sessions/b");
    assertThat(names(TwoGlobs.class))
        .containsExactly("d", "sessions/a", "sessions/a/deeper", "sessions/b");
  }

  @Test
  void pattern_that_matches_none_is_an_error() throws Exception {
    run.record("other", "hello");
    assertThat(TestRun.failures(run.of(OneGlob.class)))
        .singleElement()
        .satisfies(failure -> assertThat(failure)
            .hasMessageStartingWith("no recording matches \"sessions/*\" in " + run.recordings()));
  }

  @Test
  void one_of_two_patterns_that_matches_none_is_an_error() throws Exception {
    run.record("sessions/a", "hello");
    assertThat(TestRun.failures(run.of(TwoGlobs.class)))
        .singleElement()
        .satisfies(failure ->
            assertThat(failure).hasMessageStartingWith("no recording matches \"d/\" in "));
  }

  @Test
  void missing_folder_is_an_error() {
    assertThat(TestRun.failures(run.of(OneGlob.class)))
        .singleElement()
        .satisfies(failure ->
            assertThat(failure).hasMessageStartingWith("no recording matches \"sessions/*\" in "));
  }

  @Test
  void session_whose_log_is_gone_is_an_error() throws Exception {
    Files.delete(run.record("sessions/a", "hello").resolve(Session.LOG_NAME));
    assertThat(TestRun.failures(run.of(OneGlob.class)))
        .singleElement()
        .satisfies(
            failure -> assertThat(failure).hasMessageContaining("directory holds no REPLAY.jsonl"));
  }

  @Test
  void test_may_take_a_recorder_as_well_and_its_class_name_a_recording() throws Exception {
    run.record("sessions/a", "hello");
    assertThat(names(WithRecorder.class)).hasSize(1);
    assertThat(TestRun.files(run.output()))
        .containsExactly(WithRecorder.class.getName() + "/test/1/REPLAY.jsonl");
  }

  static class OneGlob {
    @ParameterizedTest
    @ReplaySessionSource("sessions/*")
    void test(Session session) throws IOException {
      assertThat(session.id()).isNotNull();
    }
  }

  static class TwoGlobs {
    @ParameterizedTest
    @ReplaySessionSource({"sessions/**", "d/"})
    void test(Session session) {}
  }

  @ReplaySession("other")
  static class WithRecorder {
    @ParameterizedTest
    @ReplaySessionSource("*/*")
    void test(Session session, SessionRecorder recorder) throws IOException {
      assertThat(session.id()).isEqualTo("a");
    }
  }
}
