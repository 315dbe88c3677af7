package dev.agentreplay.junit;

import static dev.agentreplay.junit.ReplayAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.ReplayWriter;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Attempt;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.AssertionFailedError;

/** Assertions on one call: each one holds, or fails with a complete message. */
class ToolCallAssertTest {

  private static final ContentHash HASH = ContentHash.sha256(new byte[] {1});

  @TempDir
  private Path directory;

  private Session session;

  @BeforeEach
  void record() throws IOException {
    session = Recordings.agent(directory.resolve("agent"));
  }

  private AbstractThrowableAssert<?, ?> failure(ThrowingCallable assertion) {
    return assertThatThrownBy(assertion).isInstanceOf(AssertionError.class);
  }

  private String text(String golden) {
    return golden.strip().replace("LOG", session.log().toString()).replace("HASH", HASH.toString());
  }

  private ToolCallAssert call(String id) {
    return assertThat(session).toolCall(id);
  }

  @Test
  void what_holds_passes() {
    call("tc_1")
        .hasTool("read")
        .hasParam("/path", "a.txt")
        .hasParam("/path", Path.of("a.txt"))
        .hasParam("path", "a.txt")
        .hasParams(Map.of("path", "a.txt"))
        .hasOutput("fn login() {}\nfn out() {}")
        .hasOutputMatching("(?s).*fn login.*")
        .succeeded();
    call("tc_2")
        .hasParam("/args/jobs", 2)
        .hasParam("", Map.of("args", Map.of("jobs", 2)))
        .hasOutput(JsonObject.of("log", "no rule"))
        .hasOutputAt("/log", "no rule")
        .hasOutputMatching("\\{\"log\":\"no rule\"}")
        .hasExitCode(2)
        .failed();
    assertThat(session)
        .toolCall(2)
        .hasTool("write")
        .hasParams(Map.of("text", "x", "path", "a.txt"));
    assertThat(session).toolCall("tc_3", 0).hasOutput(true).satisfies(call -> {
      assertThat(call.index()).isEqualTo(2);
      assertThat(call.line()).isEqualTo(7);
      assertThat(call.resultLine()).isEqualTo(8);
    });
  }

  @Test
  void other_tool_fails() {
    failure(() -> call("tc_1").hasTool("write"))
        .hasMessage(
            text(
                """
            call "tc_1" of "read": different tool
            expected: "write"
            found:    "read"
            in LOG, line 3
            """));
  }

  @Test
  void other_param_fails_with_both_for_the_difference_of_an_ide() {
    failure(() -> call("tc_2").hasParam("/args", Map.of("jobs", 3)))
        .hasMessage(
            text(
                """
            call "tc_2" of "build": different param at "/args"
            expected: {"jobs":3}
            found:    {"jobs":2}
            in LOG, line 5
            """))
        .isInstanceOfSatisfying(AssertionFailedError.class, error -> {
          assertThat(error.getExpected().getValue()).isEqualTo("{\n  \"jobs\": 3\n}");
          assertThat(error.getActual().getValue()).isEqualTo("{\n  \"jobs\": 2\n}");
        });
  }

  @Test
  void pointer_that_finds_nothing_says_what_there_is() {
    failure(() -> call("tc_3").hasParam("/pth", 1))
        .hasMessage(
            text(
                """
            call "tc_3" of "write": no param at "/pth": it has "/path", "/text"
            in LOG, line 7"""));
    failure(() -> call("tc_2").hasParam("/args/job/x", 1))
        .hasMessage(
            text(
                """
            call "tc_2" of "build": no param at "/args/job/x": \
            "/args" has "/args/jobs"
            in LOG, line 5"""));
    failure(() -> call("tc_2").hasParam("/args/jobs/0", 1))
        .hasMessage(
            text(
                """
            call "tc_2" of "build": no param at "/args/jobs/0": \
            "/args/jobs" is a number
            in LOG, line 5"""));
    failure(() -> call("tc_1").hasOutputAt("/x", 1))
        .hasMessage(
            text(
                """
            call "tc_1" of "read": no output at "/x": it is a string, \
            which has no members: hasOutput and hasOutputMatching compare a text
            in LOG, line 3"""));
  }

  @Test
  void pointer_into_arrays_and_strange_names_says_what_there_is() throws IOException {
    session = Recordings.record(
        directory.resolve("b"),
        recorder -> Recordings.call(
            recorder, "a", "go", JsonObject.of("a/~", List.of(1), "e", JsonObject.EMPTY), 1));
    call("a").hasParam("/a~1~0/0", 1);
    failure(() -> call("a").hasParam("/a~1~0/1", 1))
        .hasMessageContaining("no param at \"/a~1~0/1\": \"/a~1~0\" is an array of 1 element\n");
    failure(() -> call("a").hasParam("/e/x", 1))
        .hasMessageContaining("no param at \"/e/x\": \"/e\" is an empty object\n");
    failure(() -> call("a").hasParam("/x", 1))
        .hasMessageContaining("no param at \"/x\": it has \"/a~1~0\", \"/e\"\n");
  }

  @Test
  void pointer_continues_into_json_in_a_text() throws IOException {
    String output = "{\"ok\":true,\"load\":0.93,\"log\":\"[{\\\"line\\\":1}]\"}";
    session = Recordings.record(
        directory.resolve("b"),
        recorder ->
            Recordings.call(recorder, "a", "go", JsonObject.of("q", "[1,2]", "c", "{x}"), output));

    call("a")
        .hasParam("/q/1", 2)
        .hasParam("q", "[1,2]")
        .hasOutputAt("ok", true)
        .hasOutputAt("/load", 0.93)
        .hasOutputAt("/log/0/line", 1)
        .hasOutput(output);
    failure(() -> call("a").hasOutputAt("/load", 0.95))
        .hasMessageContaining("different output at \"/load\"\nexpected: 0.95\nfound:    0.93\n");
    failure(() -> call("a").hasOutputAt("/laod", 1))
        .hasMessageContaining("no output at \"/laod\": it has \"/ok\", \"/load\", \"/log\"\nin ");
    failure(() -> call("a").hasOutputAt("/log/1", 1))
        .hasMessageContaining("no output at \"/log/1\": \"/log\" is an array of 1 element\n");
    failure(() -> call("a").hasOutputAt("/load/x", 1))
        .hasMessageContaining("no output at \"/load/x\": \"/load\" is a number\n");
    failure(() -> call("a").hasParam("/c/x", 1))
        .hasMessageContaining(
            "no param at \"/c/x\": \"/c\" is a string, which is not valid JSON\n");
  }

  @Test
  void mistakes_of_the_caller_are_not_failures() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> call("tc_1").hasParam("/path", new StringBuilder[] {null}.getClass()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> assertThat(session).toolCall(-1).succeeded())
        .withMessage("index must not be negative: -1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> assertThat(session).toolCall("tc_1", -1).succeeded())
        .withMessage("occurrence must not be negative: -1");
  }

  @Test
  void other_params_and_output_fail() {
    failure(() -> call("tc_1").hasParams(Map.of("path", "a.txt", "n", 1)))
        .message()
        .startsWith("call \"tc_1\" of \"read\": different params\n")
        .contains("\nfound:    {\"path\":\"a.txt\"}\n");
    failure(() -> call("tc_3").hasOutput("true"))
        .hasMessage(
            text(
                """
            call "tc_3" of "write": different output
            expected: "true"
            found:    true
            in LOG, line 7
            """));
    failure(() -> call("tc_2").hasOutputAt("/log", null))
        .hasMessage(
            text(
                """
            call "tc_2" of "build": different output at "/log"
            expected: null
            found:    "no rule"
            in LOG, line 5
            """));
    failure(() -> call("tc_1").hasOutputMatching("fn login.*"))
        .hasMessage(
            text(
                """
            call "tc_1" of "read": the output does not match
            expected: /fn login.*/
            found:    "fn login() {}\\nfn out() {}"
            in LOG, line 3
            """));
  }

  @Test
  void other_outcome_fails_with_what_was_returned() {
    failure(() -> call("tc_2").succeeded())
        .hasMessage(
            text(
                """
            call "tc_2" of "build": it failed
              params: {"args":{"jobs":2}}
              exit code: 2
              output: {"log":"no rule"}
            in LOG, line 5
            """));
    failure(() -> call("tc_3").failed())
        .hasMessage(
            text(
                """
            call "tc_3" of "write": it succeeded
              params: {"path":"a.txt","text":"x"}
              output: true
            in LOG, line 7
            """));
    failure(() -> call("tc_2").hasExitCode(0))
        .hasMessage(
            text(
                """
            call "tc_2" of "build": different exit code
            expected: 0
            found:    2
              params: {"args":{"jobs":2}}
              exit code: 2
              output: {"log":"no rule"}
            in LOG, line 5
            """));
    failure(() -> call("tc_3").hasExitCode(0)).hasMessageContaining("\nfound:    none\n");
  }

  @Test
  void call_without_result_neither_succeeded_nor_failed() throws IOException {
    session = Recordings.record(
        directory.resolve("b"),
        recorder -> recorder.call(ToolCall.of("a", "wait", JsonObject.of("n", 1))));
    String message = text(
        """
        call "a" of "wait": it has no result
          params: {"n":1}
        in LOG, line 3""");
    failure(() -> call("a").succeeded()).hasMessage(message);
    failure(() -> call("a").failed()).hasMessage(message);
    failure(() -> call("a").hasExitCode(0)).hasMessage(message);
    failure(() -> call("a").hasOutput(null)).hasMessage(message);
    failure(() -> call("a").hasOutputMatching(".*")).hasMessage(message);
  }

  @Test
  void values_that_are_not_in_the_log_say_so() throws IOException {
    session = Recordings.record(directory.resolve("b"), recorder -> {
      recorder.call(new ToolCall("a", "go", Content.ofHash(HASH), null, Attempt.NONE, Meta.NONE));
      recorder.emit(ToolResult.of("a", 1).withOutput(Content.ofHash(HASH)).withLatencyMillis(1L));
    });
    failure(() -> call("a").hasParam("/x", 1))
        .hasMessage(
            text(
                """
            call "a" of "go": its params are not in the log, only the hash HASH
            in LOG, line 3"""));
    failure(() -> call("a").hasOutput(1))
        .hasMessage(
            text(
                """
            call "a" of "go": its output is not in the log, only the hash HASH
            in LOG, line 3"""));
    call("a").succeeded();
  }

  @Test
  void params_in_blobs_are_resolved_and_missed_when_they_are_gone() throws IOException {
    JsonObject params = JsonObject.of("text", "x".repeat(500));
    session = Recordings.record(
        directory.resolve("b"),
        RecorderOptions.defaults().withBlobThreshold(10),
        recorder -> Recordings.call(recorder, "a", "go", params, "out"));
    call("a").hasParams(params).hasParam("text", "x".repeat(500));
    Path blob;
    try (Stream<Path> blobs = Files.list(session.blobs())) {
      blob = blobs.findFirst().orElseThrow();
    }
    Files.writeString(blob, "{}");
    failure(() -> call("a").hasParams(params))
        .hasMessageStartingWith("call \"a\" of \"go\": its params cannot be read: ")
        .hasCauseInstanceOf(IOException.class);
    Files.delete(blob);
    failure(() -> call("a").hasParams(params))
        .hasMessageContaining(": its params are not in the log, and its blob sha256:");
  }

  @Test
  void outputs_in_blobs_are_resolved_and_missed_when_they_are_gone() throws IOException {
    session = Recordings.record(
        directory.resolve("b"),
        RecorderOptions.defaults().withBlobThreshold(10),
        recorder -> Recordings.call(recorder, "a", "go", JsonObject.EMPTY, "x".repeat(5_000)));
    call("a").hasOutputMatching("x{5000}").hasOutput("x".repeat(5_000));
    failure(() -> call("a").hasOutput("x"))
        .hasMessageEndingWith(
            text("expected: \"x\"\nfound:    \"" + "x".repeat(998) + "…\nin LOG, line 3"));
    Path blob;
    try (Stream<Path> blobs = Files.list(session.blobs())) {
      blob = blobs.findFirst().orElseThrow();
    }
    Files.writeString(blob, "\"y\"");
    failure(() -> call("a").hasOutput("y"))
        .hasMessageStartingWith("call \"a\" of \"go\": its output cannot be read: ")
        .hasCauseInstanceOf(IOException.class);
    Files.delete(blob);
    failure(() -> call("a").hasOutput("y"))
        .message()
        .matches(
            text(".*: its output is not in the log, and its blob sha256:[0-9a-f]{64} is missing\n"
                + "in LOG, line 3"));
  }

  @Test
  void numbers_are_equal_as_in_the_logs_canonical_form() throws IOException {
    JsonObject params = JsonObject.of("a", JsonNumber.of("1.0"), "b", JsonNumber.of("1e1"));
    session = Recordings.record(
        directory.resolve("b"), recorder -> Recordings.call(recorder, "a", "go", params, 1));
    call("a").hasParam("/a", 1.0).hasParam("/b", 10.0);
    failure(() -> call("a").hasParam("/a", 1)).hasMessageContaining("expected: 1\nfound:    1.0");
    session = Recordings.record(
        directory.resolve("c"),
        RecorderOptions.defaults().withCanonicalization(Canonicalization.JCS),
        recorder -> Recordings.call(recorder, "a", "go", params, 1));
    call("a").hasParam("/a", 1).hasParam("/b", 10);
    failure(() -> call("a").hasParam("/a", Long.MAX_VALUE)).hasMessageContaining("found:    1");
  }

  @Test
  void call_of_a_tool_is_found_by_its_name() throws IOException {
    assertThat(session).toolCallTo("read").hasParam("path", "a.txt").succeeded();
    assertThat(session).toolCallTo("build", 0).failed();
    failure(() -> assertThat(session).toolCallTo("delete").succeeded())
        .hasMessageStartingWith("no call of \"delete\"\n  call 0, line 3: call \"tc_1\"");
    failure(() -> assertThat(session).toolCallTo("read", 1).succeeded())
        .hasMessageStartingWith("no call of \"read\" with the occurrence 1\n");
    assertThatThrownBy(() -> assertThat(session).toolCallTo("read", -1).succeeded())
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void call_of_a_tool_that_was_called_again_needs_its_occurrence() throws IOException {
    Session twice = Recordings.record(directory.resolve("twice"), recorder -> {
      Recordings.call(recorder, "a", "read", JsonObject.of("path", "a.txt"), 1);
      Recordings.call(recorder, "b", "read", JsonObject.of("path", "b.txt"), 1);
    });

    failure(() -> assertThat(twice).toolCallTo("read").succeeded())
        .hasMessage(
            """
            2 calls of "read": use toolCallTo(tool, occurrence)
              call 0, line 3: call "a" of "read" {"path":"a.txt"}
              call 1, line 5: call "b" of "read" {"path":"b.txt"}
            in %s"""
                .formatted(twice.log()));
    assertThat(twice).toolCallTo("read", 1).hasParam("path", "b.txt");
  }

  @Test
  void latency_is_limited_and_one_that_is_not_stated_fails() throws IOException {
    Path log = directory.resolve("timed.jsonl");
    try (ReplayWriter writer = ReplayWriter.create(log, ReplayHeader.of("test"))) {
      writer.emit(ToolCall.of("a", "read", JsonObject.EMPTY));
      writer.emit(ToolResult.of("a", 1).withLatencyMillis(1500L));
      writer.emit(ToolCall.of("b", "read", JsonObject.EMPTY));
      writer.emit(ToolCall.of("c", "read", JsonObject.EMPTY));
      writer.emit(ToolResult.of("c", 1).withLatencyMillis(77777L));
    }
    Files.writeString(log, Files.readString(log).replace(":77777", ":-5"));
    Session timed = Session.open(log);

    assertThat(timed).toolCall("a").lastsAtMost(Duration.ofMillis(1500));
    failure(() -> assertThat(timed).toolCall("a").lastsAtMost(Duration.ofMillis(1499)))
        .hasMessage("call \"a\" of \"read\": it lasts longer\nexpected: at most 1.499 s\n"
            + "found:    1.5 s\nin " + timed.log() + ", line 2");
    failure(() -> assertThat(timed).toolCall("b").lastsAtMost(Duration.ofDays(1)))
        .hasMessageStartingWith("call \"b\" of \"read\": it has no result");
    failure(() -> assertThat(timed).toolCall("c").lastsAtMost(Duration.ofDays(1)))
        .hasMessageContaining("its result states a negative latency: -5 ms");
  }

  @Test
  void missing_call_fails_with_the_existing_ones() {
    String calls =
        """
        no call %s
          call 0, line 3: call "tc_1" of "read" {"path":"a.txt"}
          call 1, line 5: call "tc_2" of "build" {"args":{"jobs":2}}
          call 2, line 7: call "tc_3" of "write" {"path":"a.txt","text":"x"}
        in LOG""";
    failure(() -> call("tc_9").succeeded())
        .hasMessage(text(calls.formatted("has the id \"tc_9\"")));
    failure(() -> call("read").succeeded())
        .hasMessageStartingWith(
            "no call has the id \"read\": it is the name of a tool: use" + " toolCallTo(tool); ");
    failure(() -> assertThat(session).toolCall(3).succeeded())
        .hasMessage(text(calls.formatted("3")));
    failure(() -> assertThat(session).toolCall("tc_1", 1).succeeded())
        .hasMessage(text(calls.formatted("\"tc_1\" with the occurrence 1")));
  }

  @Test
  void id_of_several_calls_needs_the_occurrence() throws IOException {
    session = Recordings.record(directory.resolve("b"), recorder -> {
      Recordings.call(recorder, "a", "read", JsonObject.EMPTY, "first");
      Recordings.call(recorder, "a", "write", JsonObject.EMPTY, "second");
    });
    assertThat(session).toolCall("a", 0).hasTool("read").hasOutput("first");
    assertThat(session).toolCall("a", 1).hasTool("write").hasOutput("second");
    failure(() -> call("a").succeeded())
        .hasMessage(
            text(
                """
            2 calls have the id "a": use toolCall(id, occurrence)
              call 0, line 3: call "a" of "read" {}
              call 1, line 5: call "a" of "write" {}
            in LOG
            """));
  }

  @Test
  void description_is_handed_on() {
    failure(() -> assertThat(session).as("mine").toolCall("tc_1").hasTool("x"))
        .hasMessageStartingWith("[mine] call \"tc_1\"");
    failure(() -> call("tc_1").as("of call").failed())
        .hasMessageStartingWith("[of call] call \"tc_1\"");
  }

  @Test
  void hostile_text_is_shown_without_its_controls() throws IOException {
    session = Recordings.record(
        directory.resolve("b"),
        recorder -> Recordings.call(
            recorder, "i\u202e\n", "t\u001b[2J", JsonObject.of("p\u0085", 1), "o\u009b31m%n%s"));
    failure(() -> assertThat(session).toolCall(0).hasOutput("x"))
        .hasMessage(
            text(
                """
            call "i\ufffd\\n" of "t\\u001b[2J": different output
            expected: "x"
            found:    "o\ufffd31m%n%s"
            in LOG, line 3
            """));
    failure(() -> assertThat(session).toolCall(0).hasParam("/q", "x"))
        .hasMessageContaining("no param at \"/q\": it has \"/p\ufffd\"\n");
  }
}
