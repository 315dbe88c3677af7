package dev.agentreplay.engine.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.agentreplay.io.log.ReplayFormatException;
import dev.agentreplay.io.recording.AgentRecorder;
import dev.agentreplay.io.recording.PendingCall;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.ModelCall.Prompt;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.testkit.TestSessions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads sessions that were recorded, and damaged ones. */
class SessionViewTest {

  @TempDir
  Path temp;

  @Test
  void calls_have_their_results_and_values() throws Exception {
    String large = "x".repeat(2 << 20);
    Path directory = record(session -> {
      session.call("read", Map.of("path", "a.txt")).result("content of a");
      session.call("read", Map.of("path", "b.txt")).failed(Failure.of("NoSuchFile", "b.txt"));
      session.call("read", Map.of("path", "large")).result(large);
      session.call("wait", Map.of()); // never answered
      session.end(Status.SUCCESS, 1.0);
    });

    SessionView view = SessionView.read(Session.open(directory));

    assertThat(view.calls())
        .extracting(call -> call.call().tool(), RecordedToolCall::succeeded)
        .containsExactly(
            tuple("read", true), tuple("read", false), tuple("read", true), tuple("wait", false));
    RecordedToolCall first = view.calls().get(0);
    assertThat(first.index()).isZero();
    assertThat(first.line()).isEqualTo(3);
    assertThat(first.resultLine()).isEqualTo(4);
    assertThat(first.params()).isEqualTo(JsonObject.of("path", "a.txt"));
    assertThat(first.output()).isEqualTo(JsonValue.of("content of a"));
    assertThat(view.calls().get(2).output()).isEqualTo(JsonValue.of(large)); // from its blob
    assertThat(view.calls().get(3).result()).isNull();
    assertThat(view.calls().get(3).output()).isNull();
    assertThat(Objects.requireNonNull(view.end()).event().status()).isEqualTo(Status.SUCCESS);
    assertThat(view.totals().failedToolResults()).isEqualTo(1);
    assertThat(view.isBlank()).isFalse();
    assertThatThrownBy(() -> view.calls().clear())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void model_calls_have_their_prompts_in_full() throws Exception {
    List<JsonObject> messages = List.of(
        message("user", "Fix the login. " + "a long text ".repeat(100)),
        message("assistant", "I read it."),
        message("user", "And now?"));
    Path directory = record(session -> {
      session
          .modelCall("gpt", Prompt.of(JsonValue.of(messages.subList(0, 1)).asArray()))
          .answer("I read it.");
      session.modelCall("gpt", Prompt.of(JsonValue.of(messages).asArray())).answer("Done.");
    });

    SessionView view = SessionView.read(Session.open(directory));

    assertThat(Files.readString(directory.resolve("REPLAY.jsonl"))).contains("prompt_delta");
    RecordedModelCall second = view.modelCalls().get(1);
    assertThat(second.prompt())
        .isEqualTo(Prompt.of(JsonValue.of(messages).asArray()).json());
    assertThat(second.answer()).isEqualTo(JsonValue.of("Done."));
    assertThat(second.succeeded()).isTrue();
    assertThat(view.end()).isNull();
  }

  @Test
  void a_turn_is_a_model_call_that_did_not_fail_with_the_tool_calls_after_it() throws Exception {
    Path directory = record(session -> {
      session.run("before", Map.of(), () -> 0);
      session.modelCall("gpt", "one").failed(Failure.of("Overloaded", "later"));
      session.modelCall("gpt", "one").answer("I call two tools.");
      session.run("a", Map.of(), () -> 1);
      session.run("b", Map.of(), () -> 2);
      session.modelCall("gpt", "two").answer("Done.");
    });

    SessionView view = SessionView.read(Session.open(directory));

    assertThat(view.turns())
        .extracting(
            turn -> turn.calls().stream().map(call -> call.call().tool()).toList())
        .containsExactly(List.of("a", "b"), List.of());
    assertThat(view.totals().turns()).isEqualTo(view.turns().size());
    assertThat(view.modelCalls()).hasSize(3);
    assertThat(view.lanes()).hasSize(1);
    assertThat(view.lanes().get(0).calls()).isEqualTo(view.calls());
  }

  @Test
  void lanes_know_the_call_that_started_their_agent() throws Exception {
    Path directory = record(session -> {
      session.modelCall("gpt", "plan").answer("ask two");
      PendingCall delegate = session.call("delegate", Map.of());
      AgentRecorder one = session.agent("one", delegate.id());
      AgentRecorder two = session.agent("two", delegate.id());
      one.modelCall("mini", "p").answer("a");
      two.modelCall("mini", "p").answer("a");
      one.run("read", Map.of(), () -> 1);
      two.run("write", Map.of(), () -> 1);
      delegate.result("both done");
    });

    SessionView view = SessionView.read(Session.open(directory));

    assertThat(view.lanes()).extracting(Lane::agent).containsExactly(null, "one", "two");
    Lane two = view.lanes().get(2);
    assertThat(Objects.requireNonNull(two.parent()).call().tool()).isEqualTo("delegate");
    assertThat(two.turns()).hasSize(1);
    assertThat(two.turns().get(0).calls())
        .extracting(call -> call.call().tool())
        .containsExactly("write");
    assertThat(view.lanes().get(0).parent()).isNull();
    assertThat(view.turns())
        .extracting(turn -> turn.modelCall().call().model())
        .containsExactly("gpt", "mini", "mini");
  }

  @Test
  void the_parent_of_a_lane_is_the_last_call_with_its_id_before_it() throws Exception {
    Path log = temp.resolve("reused.jsonl");
    Files.writeString(
        log,
        """
        {"event":"ReplayHeader","replay_version":1}
        {"event":"ToolCall","id":"c","tool":"read","params":{}}
        {"event":"ToolResult","id":"c","output":"text"}
        {"event":"ToolCall","id":"c","tool":"delegate","params":{}}
        {"event":"ToolCall","id":"c","tool":"inner","params":{},"agent":"a","parent":"c"}
        {"event":"ToolCall","id":"c","tool":"later","params":{}}
        {"event":"ModelCall","id":"m","model":"gpt","agent":"b","parent":"model-1"}
        """);

    List<Lane> lanes = SessionView.read(Session.open(log)).lanes();

    assertThat(Objects.requireNonNull(lanes.get(1).parent()).call().tool()).isEqualTo("delegate");
    assertThat(lanes.get(2).parentId()).isEqualTo("model-1");
    assertThat(lanes.get(2).parent()).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"event\":\"ReplayHeader\",\"replay_version\":99}",
        "{\"event\":\"Nonsense\"}",
      })
  void a_file_that_may_not_be_a_log_is_doubted_and_unreadable_in_a_folder(String line)
      throws Exception {
    Path log = temp.resolve("doubtful").resolve("REPLAY.jsonl");
    Files.createDirectories(log.getParent());
    Files.writeString(log, line + "\n");

    assertThat(SessionSummary.read(Session.open(log)).doubt()).isNotNull();
    try (Stream<FolderEntry<SessionSummary>> entries = SessionFolder.at(temp).summaries()) {
      assertThat(entries).singleElement().isInstanceOf(FolderEntry.Failed.class);
    }
    try (Stream<FolderEntry<SessionSummary>> entries =
        SessionFolder.at(temp).read(SessionSummary::read)) {
      assertThat(entries).singleElement().isInstanceOf(FolderEntry.Loaded.class);
    }
  }

  @Test
  void findings_of_lines_are_kept_and_a_malformed_line_is_refused() throws Exception {
    Path log = record(session -> session.run("a", Map.of(), () -> 1)).resolve("REPLAY.jsonl");
    Files.writeString(log, "{\"event\":\"ToolCall\",\"tool\":\"t\"}\n", StandardOpenOption.APPEND);
    assertThat(SessionView.read(Session.open(log)).findings()).hasSize(1);

    Files.write(log, "{\"event\":\n".getBytes(StandardCharsets.UTF_8), StandardOpenOption.APPEND);
    assertThatThrownBy(() -> SessionView.read(Session.open(log)))
        .isInstanceOf(ReplayFormatException.class)
        .hasMessageContaining("line 6");
    assertThatThrownBy(() -> SessionSummary.read(Session.open(log)))
        .isInstanceOf(ReplayFormatException.class)
        .hasMessageContaining("line 6");
  }

  @Test
  void a_summary_states_what_a_session_is_and_how_it_ended() throws Exception {
    SessionSummary summary =
        SessionSummary.read(Session.open(TestSessions.bundled("sessions/task-18_trial-3")));

    assertThat(summary.sessionId()).isNotBlank();
    assertThat(summary.status()).isNotNull();
    assertThat(summary.totals().events()).isEqualTo(7);
    assertThat(summary.startTime()).isEqualTo(summary.totals().firstTime());
  }

  private static JsonObject message(String role, String content) {
    return JsonObject.of("role", role, "content", content);
  }

  /** The work of an agent. */
  private interface Work {
    void on(SessionRecorder session) throws Exception;
  }

  private Path record(Work work) throws Exception {
    Path directory = temp.resolve("session");
    try (SessionRecorder session = SessionRecorder.start(directory, "s")) {
      work.on(session);
    }
    return directory;
  }
}
