package dev.agentreplay.junit;

import static dev.agentreplay.junit.BddReplayAssertions.then;
import static dev.agentreplay.junit.Recordings.call;
import static dev.agentreplay.junit.ReplayAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentreplay.io.recording.Durability;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.recording.WriterOptions;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.RecordingGap;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.verify.VerifyPolicy;
import dev.agentreplay.verify.VerifyPolicy.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.assertj.core.api.AbstractStringAssert;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.opentest4j.AssertionFailedError;

/** Assertions on a whole session: each one holds, or fails with a complete message. */
class SessionAssertTest {

  @TempDir
  private Path directory;

  private Session agent;

  @BeforeEach
  void record() throws IOException {
    agent = Recordings.agent(directory.resolve("agent"));
  }

  private AbstractThrowableAssert<?, ?> failure(ThrowingCallable assertion) {
    return assertThatThrownBy(assertion).isInstanceOf(AssertionError.class);
  }

  /** Fails with a message; where the bytes are depends on how long the times are. */
  private AbstractStringAssert<?> message(ThrowingCallable assertion) {
    String message = catchThrowableOfType(AssertionError.class, assertion).getMessage();
    return assertThat(message.replaceAll("byte \\d+", "byte N"));
  }

  private String text(String golden) {
    return golden.strip().replace("LOG", agent.log().toString());
  }

  @Test
  void what_holds_passes() {
    assertThat(agent)
        .isVerified()
        .isVerified(VerifyPolicy.strict())
        .hasToolCalls("read", "build", "write")
        .hasToolCallsInAnyOrder("write", "read", "build")
        .endsWith(Status.SUCCESS)
        .endsWith(Status.parse("success"));
    then(agent).isVerified();
  }

  @Test
  void altered_session_is_not_verified() throws IOException {
    String log = Files.readString(agent.log());
    Files.writeString(agent.log(), log.replace("no rule", "no tool"));
    message(() -> assertThat(agent).isVerified())
        .startsWith(text("invalid  LOG\n  error  OUTPUT_HASH_MISMATCH  line 6, byte N"))
        .endsWith(text("\nin LOG"));
  }

  @Test
  void session_of_which_nothing_can_be_checked_is_not_verified() throws IOException {
    Files.delete(agent.receipt());
    Files.writeString(agent.log(), firstLines(2));
    agent = Session.open(agent.log().getParent());
    failure(() -> assertThat(agent).isVerified())
        .message()
        .startsWith(text("unverified  LOG\n  not proved"))
        .contains("\n  warning  SESSION_END_MISSING")
        .endsWith(text("\nin LOG"));
  }

  private String firstLines(int lines) throws IOException {
    return String.join("\n", Files.readAllLines(agent.log()).subList(0, lines)) + "\n";
  }

  @Test
  void unmet_requirement_is_named() {
    failure(() ->
            assertThat(agent).isVerified(VerifyPolicy.defaults().requiring(Requirement.SIGNATURE)))
        .hasMessageStartingWith(text("unverified  LOG\n  not proved"))
        .hasMessageContaining("\n  required    a trusted key's signature over every line");
  }

  @Test
  void other_tools_are_shown_in_order() {
    failure(() -> assertThat(agent).hasToolCalls("read", "write"))
        .hasMessage(
            text(
                """
            the tool calls differ from call 1 on
            expected: "read", "write"
            found:    "read", "build", "write"
              call 0, line 3: call "tc_1" of "read" {"path":"a.txt"}
            > call 1, line 5: call "tc_2" of "build" {"args":{"jobs":2}}
              call 2, line 7: call "tc_3" of "write" {"path":"a.txt","text":"x"}
            in LOG
            """))
        .isInstanceOfSatisfying(AssertionFailedError.class, error -> {
          assertThat(error.getExpected().getValue()).isEqualTo("read\nwrite");
          assertThat(error.getActual().getValue()).isEqualTo("read\nbuild\nwrite");
        });
  }

  @Test
  void fewer_and_more_tools_fail() {
    failure(() -> assertThat(agent).hasToolCalls("read", "build"))
        .hasMessageContaining("from call 2 on\n");
    failure(() -> assertThat(agent).hasToolCalls("read", "build", "write", "test"))
        .hasMessageContaining("from call 3 on\n");
    failure(() -> assertThat(agent).hasToolCalls()).hasMessageContaining("\nexpected: none\n");
  }

  @Test
  void other_tools_in_any_order_are_those_missing_and_unexpected() throws IOException {
    failure(() -> assertThat(agent).hasToolCallsInAnyOrder("write", "read", "read"))
        .hasMessage(
            text(
                """
            the tool calls differ
            missing:    "read"
            unexpected: "build"
              call 0, line 3: call "tc_1" of "read" {"path":"a.txt"}
              call 1, line 5: call "tc_2" of "build" {"args":{"jobs":2}}
              call 2, line 7: call "tc_3" of "write" {"path":"a.txt","text":"x"}
            in LOG
            """));
  }

  @Test
  void more_tools_than_expected_fail_in_any_order_too() {
    failure(() -> assertThat(agent).hasToolCallsInAnyOrder("write", "read"))
        .hasMessageContaining("\nmissing:    none\nunexpected: \"build\"\n");
    failure(() -> assertThat(agent).hasToolCallsInAnyOrder("write", "read", "build", "read"))
        .hasMessageContaining("\nmissing:    \"read\"\nunexpected: none\n");
  }

  @Test
  void many_calls_are_shown_around_the_first_that_differs() throws IOException {
    Session long100 = Recordings.record(directory.resolve("long"), recorder -> {
      for (int i = 0; i < 100; i++) {
        call(recorder, "c" + i, i == 50 ? "b" : "a", JsonObject.EMPTY, i);
      }
    });
    String[] expected = Collections.nCopies(100, "a").toArray(String[]::new);
    failure(() -> assertThat(long100).hasToolCalls(expected))
        .message()
        .contains("from call 50 on\n")
        .contains("\n  … 45 calls\n  call 45, line 93: call \"c45\" of \"a\" {}\n")
        .contains("\n> call 50, line 103: call \"c50\" of \"b\" {}\n")
        .contains("\n  call 84, line 171: call \"c84\" of \"a\" {}\n  … 15 more calls\nin ");
  }

  @Test
  void failed_results_are_listed_with_what_was_called() {
    failure(() -> assertThat(agent).hasNoFailedToolResults())
        .hasMessage(
            text(
                """
            1 tool call failed
            line 5: call "tc_2" of "build" failed
              params: {"args":{"jobs":2}}
              exit code: 2
              output: {"log":"no rule"}
            in LOG
            """));
  }

  @Test
  void failure_of_a_tool_and_of_no_call_are_listed() throws IOException {
    agent = Recordings.record(directory.resolve("b"), recorder -> {
      recorder.call("go", JsonObject.EMPTY).failed(new IOException("no \u001b[31mfile"));
      recorder
          .call(ToolCall.of("stray", "t", JsonObject.EMPTY))
          .result(1, Outcome.failed("E", "m"));
      recorder.call("wait", JsonObject.EMPTY);
    });
    List<String> lines = new ArrayList<>(Files.readAllLines(agent.log()));
    lines.removeIf(line -> line.contains("\"event\":\"ToolCall\",\"id\":\"stray\""));
    Files.write(agent.log(), lines); // the recorder refuses a result of no call
    failure(() -> assertThat(agent).hasNoFailedToolResults())
        .hasMessage(
            text(
                """
            3 tool calls failed
            line 3: call "call-1" of "go" failed
              params: {}
              error: {"message":"no \\u001b[31mfile","name":"java.io.IOException"}
              output: "no \\u001b[31mfile"
            line 6: call "call-2" of "wait" has no result
              params: {}
            line 5: result "stray" without a call failed
            in LOG
            """));
  }

  @Test
  void what_says_all_of_a_log_fails_where_events_are_missing() throws IOException {
    agent = Recordings.record(directory.resolve("b"), recorder -> {
      call(recorder, "a", "read", JsonObject.EMPTY, 1);
      recorder.emit(RecordingGap.of(2).withReason("no space"));
    });
    String message = text("2 events not recorded before line 5: \"no space\"\nin LOG\n");
    failure(() -> assertThat(agent).hasToolCalls("read")).hasMessage(message);
    failure(() -> assertThat(agent).hasToolCallsInAnyOrder("read")).hasMessage(message);
    failure(() -> assertThat(agent).hasNoFailedToolResults()).hasMessage(message);
    failure(() -> assertThat(agent).hasToolCallsStartingWith("read")).hasMessage(message);
    failure(() -> assertThat(agent).neverCalls("write")).hasMessage(message);
    assertThat(agent).toolCall("a").hasTool("read");
    assertThat(agent).hasToolCallsContaining("read");
  }

  @Test
  void calls_contain_others_in_order_with_gaps() {
    assertThat(agent)
        .hasToolCallsContaining("read", "write")
        .hasToolCallsContaining("build")
        .hasToolCallsContaining("read", "build", "write");
    failure(() -> assertThat(agent).hasToolCallsContaining("write", "read"))
        .hasMessageStartingWith(
            """
            the tool calls do not contain "read" after "write", in this order
            expected: "write", "read"
            found:    "read", "build", "write"
              call 0, line 3: call "tc_1" of "read\"""");
    failure(() -> assertThat(agent).hasToolCallsContaining("read", "read"));
    failure(() -> assertThat(agent).hasToolCallsContaining("delete"))
        .hasMessageStartingWith("the tool calls do not contain \"delete\", in this order\n");
  }

  @Test
  void calls_start_with_others() {
    assertThat(agent)
        .hasToolCallsStartingWith("read")
        .hasToolCallsStartingWith("read", "build", "write");
    failure(() -> assertThat(agent).hasToolCallsStartingWith("read", "write"))
        .hasMessageStartingWith(
            """
            the tool calls differ from call 1 on
            expected: "read", "write"
            found:    "read", "build"
            """);
    failure(() -> assertThat(agent).hasToolCallsStartingWith("build"));
    failure(() -> assertThat(agent).hasToolCallsStartingWith("read", "build", "write", "read"));
  }

  @Test
  void tools_that_are_never_called_pass_and_calls_of_them_are_listed() {
    assertThat(agent).neverCalls("delete").neverCalls("delete", "rea", "READ");
    failure(() -> assertThat(agent).neverCalls("delete", "write"))
        .hasMessage(
            text(
                """
            expected no call of "delete", "write", found 1
              call 2, line 7: call "tc_3" of "write" {"path":"a.txt","text":"x"}
            in LOG"""));
  }

  @Test
  void no_tool_is_nothing_to_verify() {
    for (ThrowingCallable assertion : List.<ThrowingCallable>of(
        () -> assertThat(agent).neverCalls(),
        () -> assertThat(agent).hasToolCallsContaining(),
        () -> assertThat(agent).hasToolCallsStartingWith())) {
      assertThatThrownBy(assertion)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("expected at least one tool");
    }
  }

  @Test
  void duration_is_that_between_the_first_and_the_last_event() throws IOException {
    Session timed = Recordings.record(
        directory.resolve("t"),
        RecorderOptions.defaults()
            .withWriter(WriterOptions.defaults().withClock(new TickingClock())),
        recorder -> {
          call(recorder, "a", "read", JsonObject.EMPTY, 1);
          recorder.end(Status.SUCCESS, 1);
        });

    assertThat(timed).lastsAtMost(Duration.ofSeconds(4)).lastsAtMost(Duration.ofDays(1));
    failure(() -> assertThat(timed).lastsAtMost(Duration.ofMillis(3999)))
        .hasMessage("the session lasts longer\nexpected: at most 3.999 s\nfound:    4 s\nin "
            + timed.log());
  }

  @Test
  void duration_of_a_session_without_an_end_or_times_is_not_known() throws IOException {
    Session open = Recordings.record(
        directory.resolve("o"), recorder -> call(recorder, "a", "read", JsonObject.EMPTY, 1));
    failure(() -> assertThat(open).lastsAtMost(Duration.ofDays(1)))
        .hasMessageStartingWith("the session has no end: how long it lasts is not known\n");
    List<String> lines = Files.readAllLines(agent.log());
    int end = lines.size() - 1;
    assertThat(lines.get(end)).contains("SessionEnd");
    List<String> without = lines.stream()
        .map(line -> line.replaceAll("\"(t|created_at)\":\"[^\"]*\",?", "").replace(",}", "}"))
        .toList();
    List<String> onlyEnd = new ArrayList<>(without);
    onlyEnd.set(end, lines.get(end));
    List<String> allButEnd = new ArrayList<>(lines);
    allButEnd.set(end, without.get(end));
    for (List<String> each : List.of(without, onlyEnd, allButEnd)) {
      Files.write(agent.log(), each);
      failure(() -> assertThat(agent).lastsAtMost(Duration.ofDays(1)))
          .hasMessageStartingWith("how long the session lasts is not known: "
              + (each == onlyEnd ? "only its end states a time" : "its end states no time"));
    }
  }

  /** A clock that ticks a second each time it is read. */
  private static final class TickingClock extends Clock {
    private Instant now = Instant.parse("2026-01-02T03:04:05Z");

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      now = now.plusSeconds(1);
      return now;
    }
  }

  @Test
  void session_without_failures_has_no_failed_tool_results() throws IOException {
    Session session = Recordings.record(
        directory.resolve("c"), recorder -> call(recorder, "a", "read", JsonObject.EMPTY, 1));
    assertThat(session).hasNoFailedToolResults();
  }

  @Test
  void other_end_is_shown_with_its_line() throws IOException {
    agent = Recordings.record(
        directory.resolve("c"),
        recorder -> recorder.end(
            SessionEnd.of(Status.parse("failure")).withErrorMessage("out of\ntokens")));
    assertThat(agent).endsWith(Status.FAILED);
    failure(() -> assertThat(agent).endsWith(Status.SUCCESS))
        .hasMessage(
            text(
                """
            the session ended with a different status
            expected: "Success"
            found:    "Failed" in line 3
            error:    "out of\\ntokens"
            in LOG
            """));
  }

  @Test
  void unknown_statuses_are_equal_by_spelling() throws IOException {
    agent =
        Recordings.record(directory.resolve("c"), recorder -> recorder.end(Status.SUCCESS, 0.5));
    Files.writeString(
        agent.log(), Files.readString(agent.log()).replace("\"Success\"", "\"paused\""));
    assertThat(agent).endsWith(Status.parse("paused"));
    failure(() -> assertThat(agent).endsWith(Status.parse("parked")))
        .hasMessageContaining("expected: \"parked\"\nfound:    \"paused\"");
  }

  @Test
  void session_without_end_does_not_end() throws IOException {
    agent = Recordings.record(directory.resolve("c"), recorder -> {});
    failure(() -> assertThat(agent).endsWith(Status.SUCCESS))
        .hasMessage(
            text(
                """
            the session has no end: expected "Success" after 2 lines
            in LOG"""));
  }

  @Test
  void torn_log_fails_every_assertion() throws IOException {
    Files.writeString(agent.log(), "{\"eve", StandardOpenOption.APPEND);
    String message = text(
        """
        the session cannot be read: LOG: line 10, byte N (the line begins at byte N): \
        the last line is cut short after 5 \
        bytes: expected '"' at the end of a string, found the end""");
    message(() -> assertThat(agent).hasToolCalls("read", "build", "write")).isEqualTo(message);
    message(() -> assertThat(agent).hasNoFailedToolResults()).isEqualTo(message);
    message(() -> assertThat(agent).endsWith(Status.SUCCESS)).isEqualTo(message);
    message(() -> assertThat(agent).toolCall(0)).isEqualTo(message);
    failure(() -> assertThat(agent).isVerified()).hasMessageContaining("TORN_TAIL");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
      ``                                  | expected a ReplayHeader, found none in 0 lines
      {"event":"Tool_Call","name":"read"} | expected a ReplayHeader, found none in 1 line
      {"event":"ReplayHeader","replay_version":99} \
                                          | expected a log of version 1, found version "99"
      """)
  void log_that_is_none_fails_every_assertion(String line, String fault) throws IOException {
    Files.writeString(agent.log(), line.isEmpty() ? "" : line + "\n");
    Session other = Recordings.agent(directory.resolve("other"));
    List<ThrowingCallable> assertions = List.of(
        () -> assertThat(agent).isVerified(),
        () -> assertThat(agent).hasToolCalls(),
        () -> assertThat(agent).hasToolCallsInAnyOrder(),
        () -> assertThat(agent).hasNoFailedToolResults(),
        () -> assertThat(agent).endsWith(Status.SUCCESS),
        () -> assertThat(agent).toolCall(0).succeeded(),
        () -> assertThat(agent).matches(other));
    assertThat(assertions).allSatisfy(this::failure);
    assertThat(assertions.subList(1, 7)).allSatisfy(assertion -> failure(assertion)
        .message()
        .startsWith(text("the session cannot be read: LOG: "))
        .endsWith(fault));
  }

  @Test
  void session_of_which_only_the_start_is_recorded_neither_lacks_failures_nor_matches()
      throws IOException {
    agent = Recordings.record(directory.resolve("b"), recorder -> {});
    Session same = Recordings.record(directory.resolve("c"), recorder -> {});
    String message =
        text("nothing was recorded: the log ends after the start of the session\nin LOG");
    failure(() -> assertThat(agent).hasNoFailedToolResults()).hasMessage(message);
    failure(() -> assertThat(agent).neverCalls("read")).hasMessage(message);
    failure(() -> assertThat(agent).matches(same)).hasMessage(message);
    failure(() -> assertThat(agent).matches(RecordingsFolder.planned(directory.resolve("d"))))
        .hasMessage(message);
    assertThat(agent).hasToolCalls();
    agent = Recordings.record(directory.resolve("e"), recorder -> recorder.end(Status.SUCCESS, 1));
    assertThat(agent).hasNoFailedToolResults();
  }

  @Test
  void missing_log_says_so() throws IOException {
    Files.delete(agent.log());
    String message = text("the session cannot be read: LOG: no such file");
    failure(() -> assertThat(agent).hasToolCalls())
        .hasMessage(message)
        .hasCauseInstanceOf(IOException.class);
    failure(() -> assertThat(agent).isVerified()).hasMessage(message);
  }

  @Test
  void line_that_is_not_the_event_it_is_meant_to_be_is_not_passed_over() throws IOException {
    Files.writeString(
        agent.log(),
        Files.readString(agent.log()).replace("\"exit_code\":2", "\"exit_code\":\"2\""));
    failure(() -> assertThat(agent).hasNoFailedToolResults())
        .message()
        .startsWith(text("the session cannot be read: LOG: line 6, byte "))
        .contains("exit_code");
  }

  @Test
  void description_precedes_the_message_and_another_message_replaces_it() {
    failure(() -> assertThat(agent).as("agent %d", 7).endsWith(Status.FAILED))
        .hasMessageStartingWith("[agent 7] the session ended with a different status\n");
    failure(() -> assertThat(agent).overridingErrorMessage("mine").endsWith(Status.FAILED))
        .hasMessage("mine");
    failure(() -> assertThat(agent).as("d").withFailMessage("mine").toolCall("tc_9"))
        .hasMessage("[d] mine");
  }

  @Test
  void null_session_is_not_null_fails() {
    failure(() -> assertThat((Session) null).isVerified())
        .hasMessageContaining("Expecting actual not to be null");
    failure(() -> assertThat((SessionRecorder) null).hasToolCalls())
        .hasMessageContaining("Expecting actual not to be null");
    assertThat((Session) null).isNull();
  }

  @Test
  void recorder_is_the_session_as_recorded_so_far_also_when_it_is_buffered() throws IOException {
    RecorderOptions buffered = RecorderOptions.defaults()
        .withWriter(WriterOptions.defaults().withDurability(Durability.BUFFERED));
    try (SessionRecorder recorder =
        SessionRecorder.start(directory.resolve("d"), SessionStart.of("s"), buffered)) {
      assertThat(recorder).hasToolCalls();
      call(recorder, "a", "read", JsonObject.EMPTY, 1);
      assertThat(recorder).isVerified().hasToolCalls("read");
      then(recorder).hasToolCalls("read");
      recorder.call(ToolCall.of("b", "write", JsonObject.EMPTY));
      assertThat(recorder).hasToolCalls("read", "write");
      recorder.end(Status.SUCCESS, 1);
      assertThat(recorder).endsWith(Status.SUCCESS);
    }
  }

  @Test
  void recorder_whose_session_is_gone_fails() throws IOException {
    Path gone = directory.resolve("d");
    try (SessionRecorder recorder = SessionRecorder.start(gone, "s")) {
      Files.delete(gone.resolve(Session.LOG_NAME));
      failure(() -> assertThat(recorder))
          .hasMessage("the session cannot be read: " + gone + ": directory holds no REPLAY.jsonl;"
              + " expected a session directory or a log");
    }
  }
}
