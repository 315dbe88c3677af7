package dev.agentreplay.junit;

import static dev.agentreplay.engine.diff.rule.Ignore.timestamps;
import static dev.agentreplay.junit.Recordings.call;
import static dev.agentreplay.junit.ReplayAssertions.assertThat;
import static dev.agentreplay.junit.ReplayAssertions.ignoring;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.engine.diff.rule.Normalizer;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A session against its recording: equal, or a report and a difference for the IDE. */
class SessionMatchTest {

  @TempDir
  private Path directory;

  private Session record(String name, String... tools) throws IOException {
    return Recordings.record(directory.resolve(name), recorder -> {
      for (int i = 0; i < tools.length; i++) {
        call(recorder, name + i, tools[i], JsonObject.of("n", tools[i]), tools[i] + "!");
      }
    });
  }

  private SessionMismatchError mismatch(Session actual, Session recording, DiffOptions options) {
    SessionMismatchError error = catchThrowableOfType(
        SessionMismatchError.class, () -> assertThat(actual).matches(recording, options));
    assertThat(error).isNotNull();
    assertThat(error.recording()).isEqualTo(recording);
    assertThat(error.actualSession()).isEqualTo(actual);
    assertThat(error.diff().isIdentical()).isFalse();
    return error;
  }

  private SessionMismatchError mismatch(Session actual, Session recording) {
    return mismatch(actual, recording, DiffOptions.defaults());
  }

  private static String expected(SessionMismatchError error) {
    return (String) error.getExpected().getValue();
  }

  private static String actual(SessionMismatchError error) {
    return (String) error.getActual().getValue();
  }

  @Test
  void same_conduct_matches_whatever_its_ids_and_times() throws IOException {
    Session recording = record("a", "read", "write");
    assertThat(record("b", "read", "write")).matches(recording).matches(recording, ignoring());
  }

  @Test
  void other_output_fails_with_the_report_and_the_texts_of_both() throws IOException {
    Session recording = record("a", "read", "write");
    Session actual = Recordings.record(directory.resolve("b"), recorder -> {
      call(recorder, "x", "read", JsonObject.of("n", "read"), "read!");
      call(recorder, "y", "write", JsonObject.of("n", "write"), "\u001b[2Jwritten");
    });
    SessionMismatchError error = mismatch(actual, recording);
    assertThat(error.getMessage().replaceAll("; \\d+ ms", ""))
        .startsWith(
            """
        session mismatch: diverged at call #1: write returned a different output (moderate) · 83.3% similar

          - recorded  2 calls: 1 matched, 1 changed
          + actual    2 calls: 1 matched, 1 changed

          1. OUTPUT  write  moderate, root
             - call #1, line 6   + call #1, line 6   rule: content
               SessionStart
               #0 read  {"n":"read"}
             at /output
             - write!
             + ␛[2Jwritten

          tool   left  right  matched  changed
          write     1      1        0        1

          (not compared: ids differ in 2 pairs, times differ in 3 pairs)
        recorded: RECORDED
        actual:   ACTUAL
        """
                .replace("ACTUAL", actual.log().toString())
                .replace("RECORDED", recording.log().toString()));
    String equal =
        """
        start SessionStart
        call read {"n":"read"}
        call write {"n":"write"}
        {
          "event": "ToolResult",
          "exit_code": null,
          %s"output": "%s",
          "step_utility": 0.0
        }
        """;
    assertThat(withoutLatency(expected(error))).isEqualTo(equal.formatted("", "write!"));
    assertThat(withoutLatency(actual(error))).isEqualTo(equal.formatted("", "\\u001b[2Jwritten"));
  }

  /** A latency that is the same by chance is shown. */
  private static String withoutLatency(String text) {
    return text.replaceAll("  \"latency_ms\": \\d+,\n", "");
  }

  @Test
  void missing_and_added_calls_are_whole_in_one_of_the_texts() throws IOException {
    Session recording = record("a", "read", "list", "write");
    SessionMismatchError missing = mismatch(record("b", "read", "write"), recording);
    assertThat(expected(missing))
        .startsWith(
            """
            start SessionStart
            call read {"n":"read"}
            call list
            {
              "event": "ToolCall",
              "id": "a1",
            """)
        .contains("\n  \"output\": \"list!\",\n")
        .endsWith("\n}\ncall write {\"n\":\"write\"}\n");
    assertThat(actual(missing))
        .isEqualTo(
            """
            start SessionStart
            call read {"n":"read"}
            call write {"n":"write"}
            """);
    SessionMismatchError added = mismatch(record("c", "read", "list", "write", "test"), recording);
    assertThat(expected(added)).endsWith("call write {\"n\":\"write\"}\n");
    assertThat(actual(added))
        .startsWith(expected(added) + "call test\n{\n  \"event\": \"ToolCall\",\n");
  }

  @Test
  void moved_call_is_in_both_texts_at_its_place() throws IOException {
    SessionMismatchError error = mismatch(
        record("a", "read", "list", "think", "write"),
        record("b", "read", "write", "list", "think"));
    assertThat(expected(error).lines().map(line -> line.split(" ")[1]))
        .containsExactly("SessionStart", "read", "write", "list", "think");
    assertThat(actual(error).lines().map(line -> line.split(" ")[1]))
        .containsExactly("SessionStart", "read", "list", "think", "write");
  }

  @Test
  void calls_that_were_moved_past_each_other_are_in_both_texts_at_their_places()
      throws IOException {
    SessionMismatchError error = mismatch(
        record("a", "a", "b", "c", "d", "y", "x"), record("b", "x", "y", "a", "b", "c", "d"));
    assertThat(expected(error).lines().map(line -> line.split(" ")[1]))
        .containsExactly("SessionStart", "x", "y", "a", "b", "c", "d");
    assertThat(actual(error).lines().map(line -> line.split(" ")[1]))
        .containsExactly("SessionStart", "a", "b", "c", "d", "y", "x");
  }

  @Test
  void what_is_ignored_is_equal_in_the_texts() throws IOException {
    Session recording = Recordings.record(directory.resolve("a"), recorder -> {
      call(recorder, "a", "read", JsonObject.of("at", "2026-01-01T00:00:00Z"), "/w/a/x");
      call(recorder, "b", "write", JsonObject.of("at", "2026-01-01T00:00:01Z"), 1);
    });
    Session actual = Recordings.record(directory.resolve("b"), recorder -> {
      call(recorder, "a", "read", JsonObject.of("at", "2027-01-01T00:00:00Z"), "/w/b/x");
      call(recorder, "b", "write", JsonObject.of("at", "2027-01-01T00:00:01Z"), 2);
    });
    DiffOptions options = ignoring(
        timestamps(),
        Normalizer.folder(Path.of("/w/a"), "w"),
        Normalizer.folder(Path.of("/w/b"), "w"));
    SessionMismatchError error = mismatch(actual, recording, options);
    assertThat(withoutLatency(actual(error)))
        .isEqualTo(withoutLatency(expected(error)).replace("\"output\": 1", "\"output\": 2"))
        .contains("call read {\"at\":\"2026-01-01T00:00:00Z\"}\n");
    mismatch(actual, recording);
    Session same = Recordings.record(directory.resolve("c"), recorder -> {
      call(recorder, "a", "read", JsonObject.of("at", "2027-01-01T00:00:00Z"), "/w/b/x");
      call(recorder, "b", "write", JsonObject.of("at", "2027-01-01T00:00:01Z"), 1);
    });
    assertThat(same).matches(recording, options);
  }

  @Test
  void outputs_in_blobs_differ_in_the_texts() throws IOException {
    RecorderOptions small = RecorderOptions.defaults().withBlobThreshold(10);
    Session recording = Recordings.record(
        directory.resolve("a"),
        small,
        recorder -> call(recorder, "a", "read", JsonObject.EMPTY, "x".repeat(20)));
    Session actual = Recordings.record(
        directory.resolve("b"),
        small,
        recorder -> call(recorder, "a", "read", JsonObject.EMPTY, "y".repeat(20)));
    SessionMismatchError error = mismatch(actual, recording);
    assertThat(expected(error)).contains("\"output_preview\": \"" + "x".repeat(20));
    assertThat(actual(error)).contains("\"output_preview\": \"" + "y".repeat(20));
  }

  @Test
  void recording_that_came_later_is_compared_with_its_blobs() throws IOException {
    Session planned = RecordingsFolder.planned(directory.resolve("a"));
    outputs_in_blobs_differ_in_the_texts();
    Session actual = Session.open(directory.resolve("b"));
    assertThatThrownBy(() -> assertThat(actual).matches(planned))
        .hasMessageContaining("- " + "x".repeat(20) + "\n")
        .hasMessageContaining("+ " + "y".repeat(20) + "\n");
  }

  @Test
  void sessions_of_an_unknown_dialect_do_not_match() throws IOException {
    Session recording = record("a", "read");
    Session actual = record("b", "read");
    for (Session session : List.of(recording, actual)) {
      Files.writeString(session.log(), "{\"kind\":\"call\"}\n", StandardOpenOption.APPEND);
    }
    assertThatThrownBy(() -> assertThat(actual).matches(recording))
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("the session cannot be read: " + actual.log() + ": line 5, byte ");
  }

  @Test
  void long_outputs_are_cut_and_still_differ() throws IOException {
    Session recording = Recordings.record(
        directory.resolve("a"),
        recorder -> call(recorder, "a", "read", JsonObject.EMPTY, "x".repeat(50_000) + "1"));
    Session actual = Recordings.record(
        directory.resolve("b"),
        recorder -> call(recorder, "a", "read", JsonObject.EMPTY, "x".repeat(50_000) + "2"));
    SessionMismatchError error = mismatch(actual, recording);
    assertThat(expected(error))
        .hasSizeLessThan(21_000)
        .containsPattern("\n… 30,\\d{3} more characters, sha256:[0-9a-f]{64}\n$");
    assertThat(actual(error)).isNotEqualTo(expected(error));
  }

  @Test
  void long_runs_of_equal_steps_are_counted() throws IOException {
    String[] tools = new String[300];
    Arrays.setAll(tools, i -> "t" + i);
    Session recording = record("a", tools);
    tools[299] = "other";
    SessionMismatchError error = mismatch(record("b", tools), recording);
    assertThat(expected(error))
        .contains("\ncall t48 {\"n\":\"t48\"}\n… 200 matched steps\ncall t249 {\"n\":\"t249\"}\n");
    assertThat(actual(error)).contains("\n… 200 matched steps\n").contains("\"tool\": \"other\"");
  }

  @Test
  void many_differences_are_cut_at_a_length_and_listed_ones_only() throws IOException {
    String[] tools = new String[300];
    Arrays.setAll(tools, i -> "t".repeat(2_000) + i);
    Session recording = record("a", tools);
    Arrays.setAll(tools, i -> "u".repeat(2_000) + i);
    SessionMismatchError error = mismatch(record("b", tools), recording);
    assertThat(expected(error))
        .hasSizeLessThan(300_000)
        .containsPattern("\n… \\d+ more lines of steps\n$");
    SessionMismatchError unlisted = mismatch(
        record("c", "read"), record("d", "write"), DiffOptions.defaults().withMaxDivergences(0));
    assertThat(expected(unlisted)).containsPattern("\n… differs, sha256:[0-9a-f]{64}\n$");
    assertThat(actual(unlisted)).isNotEqualTo(expected(unlisted));
  }

  @Test
  void missing_recording_is_named() throws IOException {
    Session actual = record("a", "read");
    Path none = directory.resolve("none");
    assertThatThrownBy(() -> assertThat(actual).matches(RecordingsFolder.planned(none)))
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("no recording at %s\n", none)
        // the second where the environment variable CI is set
        .hasMessageFindingMatch("\n(the received session|the session of this run) is in ");
  }

  @Test
  void unreadable_session_is_not_offered_as_the_recording() throws IOException {
    Session actual = record("a", "read");
    Files.writeString(actual.log(), "{", StandardOpenOption.APPEND);
    Path none = directory.resolve("none").resolve(Session.LOG_NAME);
    assertThatThrownBy(() -> assertThat(actual).matches(new Session(none, null)))
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("the session cannot be read: " + actual.log() + ": line 5, byte ");
    Session recording = record("b", "read");
    assertThatThrownBy(() -> assertThat(recording).matches(actual))
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("the recording does not verify: unreadable  " + actual.log()
            + "\n  unreadable  TORN_TAIL  line 5, ")
        .hasMessageContaining("\nrecorded: " + actual.log() + "\n");
  }

  @Test
  void changed_recording_does_not_match_even_an_equal_session() throws IOException {
    Session recording = record("a", "read");
    String log = Files.readString(recording.log());
    Files.writeString(recording.log(), log.replace("read!", "road!"));
    assertThatThrownBy(() -> assertThat(record("b", "read")).matches(recording))
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("the recording does not verify: invalid  ")
        .hasMessageContaining("OUTPUT_HASH_MISMATCH");
  }

  @Test
  void session_without_end_is_offered_and_that_is_reported() throws IOException {
    Path none = directory.resolve("none");
    Session open = record("a", "read");
    Session ended = Recordings.record(directory.resolve("b"), recorder -> {
      call(recorder, "x", "read", JsonObject.EMPTY, "read!");
      recorder.end(Status.SUCCESS, 1.0);
    });
    assertThatThrownBy(() -> assertThat(open).matches(RecordingsFolder.planned(none)))
        .hasMessageEndingWith("\nthis session has no end, and no receipt");
    assertThatThrownBy(() -> assertThat(ended).matches(RecordingsFolder.planned(none)))
        .message()
        .doesNotContain("has no end");
  }

  @Test
  void session_compared_with_itself_is_a_mistake() throws IOException {
    Session session = record("a", "read");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> assertThat(session).matches(Session.open(directory.resolve("a"))))
        .withMessage("a session cannot be compared with itself: " + session.log());
  }

  @Test
  void description_and_another_message_are_those_of_assert_j() throws IOException {
    Session recording = record("a", "read");
    Session actual = record("b", "write");
    assertThatThrownBy(() -> assertThat(actual).as("mine").matches(recording))
        .isInstanceOf(SessionMismatchError.class)
        .hasMessageStartingWith("[mine] session mismatch: diverged at call #0: ");
    assertThatThrownBy(
            () -> assertThat(actual).as("mine").withFailMessage("other").matches(recording))
        .isInstanceOf(SessionMismatchError.class)
        .hasMessage("[mine] other");
  }
}
