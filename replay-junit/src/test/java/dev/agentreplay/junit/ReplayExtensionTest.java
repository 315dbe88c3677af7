package dev.agentreplay.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.testkit.engine.EngineExecutionResults;

/** The sessions and recorders that tests get. The classes at the end are run by those above. */
class ReplayExtensionTest {

  /** The arguments of the tests below, by their names. */
  private static final Map<String, Object> GIVEN = new ConcurrentHashMap<>();

  private final TestRun run;

  ReplayExtensionTest(@TempDir Path root) {
    run = new TestRun(root);
  }

  @BeforeEach
  void clear() {
    GIVEN.clear();
  }

  private void passes(Class<?> test) {
    assertThat(TestRun.failures(run.of(test))).isEmpty();
  }

  private Throwable failure(Class<?> test) {
    List<Throwable> failures = TestRun.failures(run.of(test));
    assertThat(failures).hasSize(1);
    return failures.get(0);
  }

  private Path output(Class<?> test, String rest) {
    return run.output().resolve(test.getName()).resolve(rest);
  }

  @Test
  void property_with_a_value_that_it_cannot_have_fails_before_anything_else() {
    EngineExecutionResults results =
        run.builder(Both.class).configurationParameter("replay.update", "ALL").execute();
    assertThat(TestRun.failures(results)).singleElement().satisfies(failure -> assertThat(failure)
        .hasMessage("replay.update: expected one of none, missing, all, found \"ALL\""));
    assertThat(run.output()).doesNotExist();
  }

  @Test
  void recording_and_recorder_are_given_together() throws Exception {
    Path recording = run.record("fixes/greeting", "hello");
    passes(Both.class);
    assertThat(GIVEN).containsEntry("recording", Session.open(recording));
    Path directory = output(Both.class, "test");
    assertThat(GIVEN).containsEntry("directory", directory);
    assertThat(Session.open(directory).id()).isEqualTo("ReplayExtensionTest.Both.test");
  }

  @Test
  void what_an_earlier_run_recorded_is_replaced() throws Exception {
    run.record("fixes/greeting", "hello");
    Path directory = TestRun.record(output(Both.class, "test"), "earlier");
    Files.createDirectories(directory.resolve("12")); // of an invocation, when it had some
    Path blobs = Files.createDirectories(directory.resolve("blobs"));
    Files.writeString(blobs.resolve("sha256-%064d.json".formatted(0)), "0");
    Files.writeString(directory.resolve("REPLAY.jsonl.2"), "");
    passes(Both.class);
    assertThat(Session.open(directory).id()).isEqualTo("ReplayExtensionTest.Both.test");
    assertThat(TestRun.files(directory)).containsExactly("REPLAY.jsonl");
    assertThat(directory.resolve("12")).exists();
  }

  @ParameterizedTest
  @ValueSource(strings = {"notes.txt", "blobs/notes.txt", "REPLAY.jsonl.bak", "other/REPLAY.jsonl"})
  void a_file_that_is_not_of_a_session_is_not_deleted(String name) throws Exception {
    run.record("fixes/greeting", "hello");
    Path directory = TestRun.record(output(Both.class, "test"), "earlier");
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "mine");
    List<String> before = TestRun.files(directory);
    assertThat(failure(Both.class))
        .isInstanceOf(ParameterResolutionException.class)
        .hasMessageContaining(directory.toString())
        .hasMessageContaining("not part of a session");
    assertThat(TestRun.files(directory)).isEqualTo(before);
  }

  @Test
  void missing_recording_says_where_it_was_looked_for_and_what_is_there() throws Exception {
    run.record("fixes/greting", "hello");
    assertThat(failure(OnlyRecording.class))
        .hasMessageContaining("no recording at " + run.recordings().resolve("fixes/greeting"))
        .hasMessageContaining(run.recordings().resolve("fixes") + " contains greting")
        .hasMessageContaining("replay.recordings");
  }

  @Test
  void missing_recording_without_a_folder_says_what_is_above() throws Exception {
    Files.writeString(run.root().resolve("README"), "");
    assertThat(failure(OnlyRecording.class)).hasMessageContaining(run.root() + " contains README");
  }

  @Test
  void missing_recording_of_a_test_that_records_is_where_it_will_be() {
    assertThat(failure(Both.class))
        .hasMessage(
            "the test compared nothing: call assertThat(recorder).matches(recording); "
                + "no recording at %s",
            run.recordings().resolve("fixes/greeting"));
    assertThat(GIVEN)
        .containsEntry(
            "recording",
            new Session(run.recordings().resolve("fixes/greeting/REPLAY.jsonl"), null));
  }

  @Test
  void missing_log_of_a_test_that_records_is_where_it_will_be() {
    assertThat(failure(OneFile.class)).hasMessageContaining("no recording at ");
    assertThat(GIVEN)
        .containsEntry("recording", new Session(run.recordings().resolve("one.jsonl"), null));
  }

  @Test
  void each_missing_recording_of_a_test_must_have_been_offered_a_session() {
    assertThat(failure(Two.class))
        .hasMessageEndingWith("no recording at " + run.recordings().resolve("first"));
  }

  @Test
  void each_invocation_may_have_a_recording() throws Exception {
    run.record("rows/1", "hello");
    run.record("rows/2", "hello");
    passes(Rows.class);
    assertThat(GIVEN).containsKeys("rows/1/REPLAY.jsonl", "rows/2/REPLAY.jsonl").hasSize(2);
  }

  @Test
  void damaged_recording_of_a_test_that_records_is_not_missing() throws Exception {
    Path recording = run.record("fixes/greeting", "hello");
    Files.writeString(recording.resolve(Session.COMPRESSED_LOG_NAME), "");
    assertThat(failure(Both.class)).hasMessageContaining("expected one log, found both");
  }

  @Test
  void recording_without_a_name_is_an_error() {
    assertThat(failure(Nameless.class))
        .isInstanceOf(ParameterResolutionException.class)
        .hasMessageContaining("expected @ReplaySession with the name of a recording");
  }

  @Test
  void recorder_outside_of_a_test_is_an_error() {
    assertThat(failure(InConstructor.class))
        .hasMessageContaining("a SessionRecorder is created for each test");
  }

  @Test
  void methods_around_a_test_get_its_recorder_and_it_is_closed_after_them() throws Exception {
    passes(Around.class);
    assertThat(GIVEN.get("before")).isSameAs(GIVEN.get("test")).isSameAs(GIVEN.get("after"));
    SessionRecorder recorder = (SessionRecorder) GIVEN.get("test");
    assertThatThrownBy(() -> recorder.call("read", JsonObject.of())).hasMessageContaining("closed");
    assertThat(Files.readString(recorder.directory().resolve("REPLAY.jsonl")))
        .contains("\"tool\":\"late\"")
        .doesNotContain("SessionEnd")
        .doesNotContain("\"salt\"");
  }

  @Test
  void recorder_that_cannot_be_closed_fails_the_test() {
    assertThat(failure(Unclosable.class)).isInstanceOf(IOException.class);
  }

  @Test
  void each_invocation_has_a_directory_and_an_id() throws Exception {
    passes(Invocations.class);
    Map<String, String> ids = new TreeMap<>();
    for (String log : TestRun.files(output(Invocations.class, ""))) {
      ids.put(log, Session.open(output(Invocations.class, log)).id());
    }
    assertThat(ids)
        .containsExactly(
            Map.entry("factory/REPLAY.jsonl", "ReplayExtensionTest.Invocations.factory"),
            Map.entry("parameterized/1/REPLAY.jsonl", id("parameterized#1")),
            Map.entry("parameterized/2/REPLAY.jsonl", id("parameterized#2")),
            Map.entry("repeated/1/REPLAY.jsonl", id("repeated#1")),
            Map.entry("repeated/2/REPLAY.jsonl", id("repeated#2")));
  }

  private static String id(String test) {
    return "ReplayExtensionTest.Invocations." + test;
  }

  @Test
  void methods_of_one_name_have_a_directory_each() throws Exception {
    passes(Overloaded.class);
    assertThat(TestRun.files(output(Overloaded.class, "")))
        .containsExactly(
            "test(%s)/REPLAY.jsonl".formatted(SessionRecorder.class.getName()),
            "test(%s,%s)/REPLAY.jsonl"
                .formatted(SessionRecorder.class.getName(), TestInfo.class.getName()));
  }

  @Test
  void nearest_annotation_names_the_recording() throws Exception {
    for (String name : List.of("outer", "inner", "method", "parameter")) {
      run.record(name, "hello");
    }
    passes(Outer.class);
    GIVEN.replaceAll((test, session) ->
        run.recordings().relativize(((Session) session).log().getParent()).toString());
    assertThat(GIVEN)
        .containsOnly(
            Map.entry("of_class", "outer"),
            Map.entry("of_class_around", "outer"),
            Map.entry("of_inner_class", "inner"),
            Map.entry("of_method", "method"),
            Map.entry("of_nearest_class_around", "inner"),
            Map.entry("ofParameter", "parameter"));
  }

  @Test
  void parallel_tests_record_apart() throws Exception {
    EngineExecutionResults results = run.builder(Parallel.class)
        .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
        .configurationParameter("junit.jupiter.execution.parallel.mode.default", "concurrent")
        .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
        .configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "8")
        .execute();
    assertThat(TestRun.failures(results)).isEmpty();
    for (int i = 1; i <= Parallel.TESTS; i++) {
      assertThat(Files.readString(output(Parallel.class, "test/" + i + "/REPLAY.jsonl")))
          .contains("\"n\":" + i + "}")
          .hasLineCount(4);
    }
  }

  @Test
  void folder_is_left_by_dots_and_absolute_paths() throws Exception {
    Path elsewhere = TestRun.record(run.root().resolve("elsewhere"), "hello");
    RecordingsFolder folder = new RecordingsFolder(run.recordings());
    assertThat(folder.place("../elsewhere/")).isEqualTo(elsewhere);
    assertThat(folder.place(elsewhere.toString())).isEqualTo(elsewhere);
  }

  static class Both {
    @Test
    @ReplaySession("fixes/greeting/")
    void test(Session recording, SessionRecorder recorder) {
      GIVEN.put("recording", recording);
      GIVEN.put("directory", recorder.directory());
    }
  }

  static class OnlyRecording {
    @Test
    @ReplaySession("fixes/greeting")
    void test(Session recording) {}
  }

  static class Two {
    @Test
    void test(
        SessionRecorder recorder,
        @ReplaySession("first") Session first,
        @ReplaySession("third") Session third)
        throws IOException {
      Files.createDirectories(third.log().getParent());
      Files.writeString(third.log(), "it got there");
    }
  }

  static class Rows {
    @RepeatedTest(2)
    @ReplaySession("rows/{index}")
    void test(Session recording) {
      String log = recording.log().toString().replace('\\', '/');
      GIVEN.put(log.substring(log.indexOf("rows/")), recording);
    }
  }

  static class OneFile {
    @Test
    void test(SessionRecorder recorder, @ReplaySession("one.jsonl") Session recording) {
      GIVEN.put("recording", recording);
    }
  }

  @ReplaySession
  static class Nameless {
    @Test
    void test(Session recording) {}
  }

  @ReplaySession
  static class InConstructor {
    InConstructor(SessionRecorder recorder) {}

    @Test
    void test() {}
  }

  @ReplaySession
  static class Around {
    @BeforeEach
    void before(SessionRecorder recorder) {
      GIVEN.put("before", recorder);
    }

    @Test
    void test(SessionRecorder recorder) {
      GIVEN.put("test", recorder);
    }

    @AfterEach
    void after(SessionRecorder recorder) throws IOException {
      GIVEN.put("after", recorder);
      recorder.call("late", JsonObject.of());
    }
  }

  @ReplaySession
  static class Unclosable {
    @Test
    void test(SessionRecorder recorder) throws IOException {
      for (String file : TestRun.files(recorder.directory())) {
        Files.delete(recorder.directory().resolve(file));
      }
      Files.delete(recorder.directory());
      Files.createSymbolicLink(recorder.directory(), recorder.directory());
    }
  }

  @ReplaySession
  static class Invocations {
    @RepeatedTest(2)
    void repeated(SessionRecorder recorder) {}

    @ParameterizedTest
    @ValueSource(strings = {"a", "b"})
    void parameterized(String value, SessionRecorder recorder) {}

    @TestFactory
    Stream<DynamicTest> factory(SessionRecorder recorder) {
      return Stream.of(DynamicTest.dynamicTest("a", () -> recorder.call("read", JsonObject.of())));
    }
  }

  @ReplaySession
  static class Overloaded {
    @Test
    void test(SessionRecorder recorder) {}

    @Test
    void test(SessionRecorder recorder, TestInfo info) {}
  }

  @ReplaySession("outer")
  static class Outer {
    @Test
    void of_class(Session recording) {
      GIVEN.put("of_class", recording);
    }

    @Test
    @ReplaySession("method")
    void of_method(Session recording, @ReplaySession("parameter") Session other) {
      GIVEN.put("of_method", recording);
      GIVEN.put("ofParameter", other);
    }

    @Nested
    class Inner {
      @Test
      @ReplaySession
      void of_class_around(Session recording) {
        GIVEN.put("of_class_around", recording);
      }
    }

    @Nested
    @ReplaySession("inner")
    class OtherInner {
      @Test
      void of_inner_class(Session recording) {
        GIVEN.put("of_inner_class", recording);
      }

      @Nested
      class Innermost {
        @Test
        void of_nearest_class_around(Session recording) {
          GIVEN.put("of_nearest_class_around", recording);
        }
      }
    }
  }

  @ReplaySession
  static class Parallel {
    static final int TESTS = 32;

    @RepeatedTest(TESTS)
    void test(SessionRecorder recorder, RepetitionInfo repetition) throws IOException {
      recorder
          .call("read", JsonObject.of("n", repetition.getCurrentRepetition()))
          .result(JsonObject.of());
    }
  }
}
