package dev.agentreplay.junit;

import static dev.agentreplay.junit.ReplayAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.testkit.engine.EngineTestKit;

/** Recordings of tests with an agent scope. The classes at the end are run by those above. */
class ScopeRecordingTest {

  /** The number of calls that were executed. */
  private static final AtomicInteger CALLS = new AtomicInteger();

  private static volatile String answer = "it is empty";

  private final TestRun run;
  private final Path place;

  ScopeRecordingTest(@TempDir Path root) {
    run = new TestRun(root);
    place = run.recordings().resolve("reviews");
  }

  @BeforeEach
  void clear() {
    CALLS.set(0);
    answer = "it is empty";
  }

  private List<Throwable> failures(Class<?> test, String update, String... settings) {
    EngineTestKit.Builder builder =
        run.builder(test).configurationParameter(ReplaySettings.UPDATE, update);
    for (int i = 0; i < settings.length; i += 2) {
      builder.configurationParameter(settings[i], settings[i + 1]);
    }
    return TestRun.failures(builder.execute());
  }

  private Throwable failure(Class<?> test, String update, String... settings) {
    List<Throwable> failures = failures(test, update, settings);
    assertThat(failures).hasSize(1);
    return failures.get(0);
  }

  private String command(Class<?> test, String update) {
    return "mvn test \"-Dtest=%s#test\"".formatted(test.getName().replace('$', '?'))
        + " \"-Dsurefire.failIfNoSpecifiedTests=false\""
        + " \"-Dreplay.recordings=%s\" \"-Dreplay.update=%s\"".formatted(run.recordings(), update);
  }

  @Test
  void missing_recording_is_an_error_with_the_command() {
    assertThat(failure(Live.class, "none"))
        .isInstanceOf(ParameterResolutionException.class)
        .hasMessageStartingWith("no recording at %s\nto record it: %s\n"
            .formatted(place, command(Live.class, "missing")))
        .hasMessageContaining("the folder of recordings is " + run.recordings());
    assertThat(CALLS).hasValue(0);
    assertThat(run.recordings()).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"missing", "all"})
  void agent_that_brings_the_code_of_its_tools_is_recorded_without_executors(String update)
      throws Exception {
    assertThat(failure(Bodies.class, "none"))
        .hasMessageContaining("\nto record it: " + command(Bodies.class, "missing"));
    assertThat(failures(Bodies.class, update)).isEmpty();
    assertThat(CALLS).hasValue(1);
    assertThat(failures(Bodies.class, "none")).isEmpty();
    assertThat(CALLS).hasValue(1);
  }

  @ParameterizedTest
  @ValueSource(classes = {NoExecutors.class, CatchesNoExecutor.class})
  void request_that_nothing_executes_fails_and_names_the_method_for_executors(Class<?> test) {
    for (String update : List.of("missing", "all")) {
      assertThat(failure(test, update))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("the tool read_file cannot be recorded, because nothing executes it: pass its"
              + " code to scope.run, or add it to a method"
              + " \"@ReplayExecutors static Executors live()\" of the test class");
    }
    assertThat(run.recordings()).doesNotExist();
  }

  @Test
  void model_that_nothing_executes_fails() {
    assertThat(failure(NoModel.class, "missing"))
        .hasMessageStartingWith("the model gpt-5 cannot be recorded, because nothing executes it");
  }

  @ParameterizedTest
  @CsvSource({
    "missing, replay.update=missing is refused: nothing is recorded",
    "all, replay.update=all is refused: nothing is recorded",
    "none, nothing is recorded"
  })
  void nothing_is_recorded_on_a_build_server(String update, String message) {
    assertThat(failure(Live.class, update, ReviewAgent.Environment.CI, "true"))
        .hasMessageStartingWith("no recording at %s\n".formatted(place))
        .hasMessageContaining(
            "\n" + message + " where the environment variable CI is set\nto record it: mvn test");
    assertThat(CALLS).hasValue(0);
    assertThat(run.recordings()).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"missing", "all"})
  void missing_recording_is_recorded_and_replayed(String update) throws Exception {
    assertThat(failures(Live.class, update)).isEmpty();
    assertThat(CALLS).hasValue(3);
    assertThat(TestRun.files(run.recordings()))
        .containsExactly("reviews/RECEIPT.json", "reviews/REPLAY.jsonl");
    assertThat(Session.open(place))
        .isVerified()
        .hasToolCalls("read_file", "comment")
        .endsWith(Status.SUCCESS);

    assertThat(failures(Live.class, "none")).isEmpty();
    assertThat(failures(Live.class, "missing")).isEmpty();
    assertThat(failures(Live.class, "all", ReviewAgent.Environment.CI, "true")).isEmpty();
    assertThat(failures(NoExecutors.class, "missing")).isEmpty();
    assertThat(CALLS).hasValue(3);
  }

  @Test
  void recording_is_replaced_if_all_are_updated() throws Exception {
    ReviewAgent.record(place);
    answer = "it has no body";
    assertThat(failures(Live.class, "all")).isEmpty();
    assertThat(CALLS).hasValue(3);
    assertThat(Files.readString(place.resolve(Session.LOG_NAME))).contains("it has no body");
    assertThat(failures(Live.class, "none")).isEmpty();
  }

  @Test
  void recording_with_the_same_content_is_kept() throws Exception {
    ReviewAgent.record(place);
    String before = Files.readString(place.resolve(Session.LOG_NAME));
    assertThat(failures(Live.class, "all")).isEmpty();
    assertThat(CALLS).hasValue(3);
    assertThat(place.resolve(Session.LOG_NAME)).hasContent(before);
    assertThat(run.recordings().resolve("reviews.received")).doesNotExist();
  }

  @Test
  void invocations_with_one_recording_record_it_once() throws Exception {
    ReviewAgent.record(place);
    answer = "it has no body";
    assertThat(failures(Repeated.class, "all")).isEmpty();
    assertThat(CALLS).hasValue(3);
  }

  @Test
  void test_that_fails_records_nothing() throws Exception {
    assertThat(failure(Fails.class, "missing")).hasMessage("not as expected");
    assertThat(CALLS).hasValue(3);
    assertThat(run.recordings()).doesNotExist();
    assertThat(TestRun.files(run.published())).containsExactly("replay/session.html");
  }

  @Test
  void agent_that_requests_nothing_records_nothing() {
    assertThat(failure(Nothing.class, "missing"))
        .hasMessage("nothing was recorded: the test requested nothing from its AgentScope");
    assertThat(run.recordings()).doesNotExist();
  }

  @Test
  void end_that_the_test_states_is_recorded() throws Exception {
    assertThat(failures(Ends.class, "missing")).isEmpty();
    assertThat(Session.open(place)).isVerified().endsWith(Status.FAILED);
    assertThat(failures(Ends.class, "none")).isEmpty();
  }

  @Test
  void values_are_recorded_and_replayed() throws Exception {
    assertThat(failures(Values.class, "missing")).isEmpty();
    assertThat(failures(Values.class, "none")).isEmpty();
    assertThat(failure(OtherValues.class, "none"))
        .hasMessageStartingWith("replay mismatch: ")
        .cause()
        .hasMessage("2 is not 3");
  }

  @Test
  void failure_of_the_executors_is_that_of_the_test() {
    assertThat(failure(NoKey.class, "missing")).hasMessageContaining("MODEL_API_KEY is not set");
    assertThat(run.recordings()).doesNotExist();
  }

  @Test
  void two_methods_with_executors_are_an_error() {
    assertThat(failure(TwoMethods.class, "missing"))
        .hasMessageContaining("expected one method with @ReplayExecutors, found ");
  }

  @Test
  void future_recording_is_a_parameter_as_well() throws Exception {
    assertThat(failures(WithRecording.class, "missing")).isEmpty();
    assertThat(failures(WithRecording.class, "none")).isEmpty();
  }

  @ExtendWith(ReviewAgent.Environment.class)
  abstract static class Base {
    @ReplayExecutors
    static Executors live() {
      return ReviewAgent.executors(CALLS, answer);
    }
  }

  static class Live extends Base {
    @Test
    @ReplaySession(value = "reviews", mode = ReplayMode.MOCK)
    void test(AgentScope scope) throws Exception {
      ReviewAgent.review(scope);
    }
  }

  @ExtendWith(ReviewAgent.Environment.class)
  static class NoExecutors {
    @Test
    @ReplaySession(value = "reviews", mode = ReplayMode.MOCK)
    void test(AgentScope scope) throws Exception {
      ReviewAgent.review(scope);
    }
  }

  @ExtendWith(ReviewAgent.Environment.class)
  static class CatchesNoExecutor {
    @Test
    @ReplaySession(value = "reviews", mode = ReplayMode.MOCK)
    void test(AgentScope scope) throws Exception {
      assertThatThrownBy(() -> ReviewAgent.review(scope)).isNotNull();
      scope.run("comment", Map.of(), () -> "no file");
    }
  }

  @ExtendWith(ReviewAgent.Environment.class)
  static class NoModel {
    @Test
    @ReplaySession(value = "reviews", mode = ReplayMode.MOCK)
    void test(AgentScope scope) throws Exception {
      scope.ask(ReviewAgent.MODEL, "Review this.");
    }
  }

  @ExtendWith(ReviewAgent.Environment.class)
  static class Bodies {
    @Test
    @ReplaySession(value = "reviews", mode = ReplayMode.MOCK)
    void test(AgentScope scope) throws Exception {
      scope.run("read_file", Map.of("path", "a.txt"), CALLS::incrementAndGet);
    }
  }

  static class Repeated extends Base {
    @RepeatedTest(3)
    @ReplaySession(value = "reviews", mode = ReplayMode.MOCK)
    void test(AgentScope scope) throws Exception {
      ReviewAgent.review(scope);
    }
  }

  static class Fails extends Base {
    @Test
    @ReplaySession(value = "reviews", mode = ReplayMode.MOCK)
    void test(AgentScope scope) throws Exception {
      ReviewAgent.review(scope);
      throw new AssertionError("not as expected");
    }
  }

  static class Nothing extends Base {
    @Test
    @ReplaySession(value = "reviews", mode = ReplayMode.MOCK)
    void test(AgentScope scope) {}
  }

  static class Ends extends Base {
    @Test
    @ReplaySession(value = "reviews", mode = ReplayMode.MOCK)
    void test(AgentScope scope) throws Exception {
      ReviewAgent.review(scope);
      scope.end(SessionEnd.of(Status.FAILED));
    }
  }

  @ExtendWith(ReviewAgent.Environment.class)
  static class Values {
    @ReplayExecutors
    Executors live() {
      return Executors.none();
    }

    @Test
    @ReplaySession(value = "reviews", mode = ReplayMode.MOCK)
    void test(AgentScope scope) throws Exception {
      long time = scope.context().clock().millis();
      scope.run("write", Map.of("time", time), () -> "written");
    }
  }

  @ExtendWith(ReviewAgent.Environment.class)
  static class OtherValues {
    @Test
    @ReplaySession(value = "reviews", mode = ReplayMode.MOCK)
    void test(AgentScope scope) {
      try {
        scope.context().uuidV4();
      } catch (RuntimeException e) {
        throw new AssertionError("2 is not 3");
      }
      throw new AssertionError("the value was served");
    }
  }

  @ExtendWith(ReviewAgent.Environment.class)
  static class NoKey {
    @ReplayExecutors
    static Executors live() {
      throw new IllegalStateException("MODEL_API_KEY is not set");
    }

    @Test
    @ReplaySession(value = "reviews", mode = ReplayMode.MOCK)
    void test(AgentScope scope) {}
  }

  static class TwoMethods extends Base {
    @ReplayExecutors
    static Executors other() {
      return Executors.none();
    }

    @Test
    @ReplaySession(value = "reviews", mode = ReplayMode.MOCK)
    void test(AgentScope scope) {}
  }

  static class WithRecording extends Base {
    @Test
    @ReplaySession(value = "reviews", mode = ReplayMode.MOCK)
    void test(Session recording, AgentScope scope) throws Exception {
      scope.call("comment", JsonObject.of("text", recording.log().getFileName().toString()));
    }
  }
}
