package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelCall.Prompt;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rules that a recorder enforces, and the files after a failure. */
class SessionRecorderRulesTest {

  @TempDir
  private Path directory;

  @Test
  void call_is_not_emitted() throws IOException {
    try (SessionRecorder session = SessionRecorder.start(directory, "s")) {
      assertThatThrownBy(() -> session.emit(ToolCall.of("c", "t", JsonObject.EMPTY)))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(events(ToolCall.class)).isEmpty();
  }

  @Test
  void second_start_is_not_emitted() throws IOException {
    try (SessionRecorder session = SessionRecorder.start(directory, "A")) {
      assertThatThrownBy(() -> session.emit(SessionStart.of("B")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("a SessionStart was recorded when the session was started");
    }
    try (SessionRecorder session = SessionRecorder.resume(directory, RecorderOptions.defaults())) {
      assertThatThrownBy(() -> session.emit(SessionStart.of("B")))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(events(SessionStart.class)).hasSize(1);
  }

  @Test
  void start_is_emitted_into_a_log_that_has_none() throws IOException {
    ReplayWriter.create(directory.resolve(Session.LOG_NAME), ReplayHeader.of("p"))
        .close();
    try (SessionRecorder session = SessionRecorder.resume(directory, RecorderOptions.defaults())) {
      session.emit(SessionStart.of("A"));
      assertThatThrownBy(() -> session.emit(SessionStart.of("B")))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(events(SessionStart.class)).hasSize(1);
  }

  @Test
  void results_that_no_call_waits_for_are_not_emitted() throws IOException {
    try (SessionRecorder session = SessionRecorder.start(directory, "s")) {
      PendingCall call = session.call("t", JsonObject.EMPTY);
      session.emit(ModelCall.of("m", "model", Prompt.of("?")));
      List<ReplayEvent> refused = List.of(
          ToolResult.of("nope", 1),
          ModelResult.of("nope", "!"),
          ToolResult.of("m", 1),
          ModelResult.of(call.id(), "!"));
      for (ReplayEvent orphan : refused) {
        assertThatThrownBy(() -> session.emit(orphan))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("waits for its result");
      }
      session.emit(ToolResult.of(call.id(), 1).withLatencyMillis(1L));
      session.emit(ModelResult.of("m", "!"));
      for (ReplayEvent second : List.of(ToolResult.of(call.id(), 1), ModelResult.of("m", "!"))) {
        assertThatThrownBy(() -> session.emit(second))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("waits for its result");
      }
      session.end(Status.SUCCESS, 1.0);
    }
    assertThat(events(ToolResult.class)).hasSize(1);
    assertThat(events(ModelResult.class)).hasSize(1);
  }

  @Test
  void result_that_was_refused_may_be_emitted_again() throws IOException {
    try (SessionRecorder session = SessionRecorder.start(directory, "s")) {
      PendingCall call = session.call("t", JsonObject.EMPTY);
      assertThatThrownBy(() -> session.emit(ToolResult.of(call.id(), 1)))
          .hasMessageContaining("needs latency_ms");
      session.emit(ToolResult.of(call.id(), 1).withLatencyMillis(1L));
    }
    assertThat(events(ToolResult.class)).hasSize(1);
  }

  @Test
  void nameless_sessions_calls_and_tools_are_refused() throws IOException {
    assertThatThrownBy(() -> SessionRecorder.start(directory, " "))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a session needs an id, found \" \"");
    assertThat(directory).isEmptyDirectory();
    try (SessionRecorder session = SessionRecorder.start(directory, "s")) {
      assertThatThrownBy(() -> session.call("", JsonObject.EMPTY))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("name of a tool");
      assertThatThrownBy(() -> session.run(" ", JsonObject.EMPTY, () -> 1))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> session.call(ToolCall.of("", "t", JsonObject.EMPTY)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("needs an id");
      session.call(ToolCall.of("c", "", JsonObject.EMPTY)).result("what a model has made");
    }
    assertThat(events(ToolCall.class)).hasSize(1);
  }

  @Test
  void directory_that_holds_a_session_is_named_with_what_to_do() throws IOException {
    SessionRecorder.start(directory, "s").close();
    assertThatThrownBy(() -> SessionRecorder.start(directory, "s"))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining(directory.toString())
        .hasMessageContaining("holds a session already (REPLAY.jsonl exists)")
        .hasMessageContaining("or resume() this session");
    try (SessionRecorder session = SessionRecorder.resume(directory, RecorderOptions.defaults())) {
      session.end(Status.SUCCESS, 1.0);
    }
    assertThatThrownBy(() -> SessionRecorder.start(directory, "s"))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageEndingWith(
            "(RECEIPT.json exists): record into another directory, such as a new one of startIn()");
  }

  @Test
  void writer_creates_the_directory_of_its_log() throws IOException {
    Path log = directory.resolve("a").resolve("b").resolve("log.jsonl");
    ReplayWriter.create(log, ReplayHeader.of("p")).close();
    assertThat(log).isNotEmptyFile();
  }

  @Test
  void start_that_is_refused_leaves_no_log() throws IOException {
    SessionStart withoutId = SessionStart.of("s").withMeta(Meta.NONE);
    SessionStart twice = SessionStart.of("s")
        .withMeta(new Meta(null, "s", JsonObject.of("policy_version", "x", "lane", "y")))
        .withLane("z");
    for (SessionStart start : List.of(withoutId, twice)) {
      assertThatThrownBy(() -> SessionRecorder.start(directory, start, RecorderOptions.defaults()))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(directory).isEmptyDirectory();
    }
    SessionRecorder.start(directory, "s").close();
  }

  @Test
  void end_with_a_status_that_no_session_has_is_refused_and_may_be_repeated() throws IOException {
    try (SessionRecorder session = SessionRecorder.start(directory, "s")) {
      for (Status status :
          List.of(Status.SKIPPED, Status.MAX_ITERATIONS_REACHED, Status.parse("Banana"))) {
        assertThatThrownBy(() -> session.end(status, 0.5))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessage(
                "SessionEnd status must be Success, Failed, Cancelled or Timeout, found \"%s\""
                    .formatted(status.spelling()));
      }
      session.end(Status.TIMEOUT, 0.5);
    }
    assertThat(events(SessionEnd.class))
        .singleElement()
        .extracting(SessionEnd::status)
        .isEqualTo(Status.TIMEOUT);
  }

  @Test
  void status_that_the_dialect_does_not_name_is_recorded() throws IOException {
    RecorderOptions typed =
        RecorderOptions.defaults().withWriter(WriterOptions.defaults().withDialect(Dialect.TYPE));
    try (SessionRecorder session = SessionRecorder.start(directory, SessionStart.of("s"), typed)) {
      session.end(Status.TIMEOUT, 0.5);
    }
    assertThat(Files.readString(Session.open(directory).log()))
        .contains("\"exact_status\":\"timeout\"", "\"status\":\"failure\"");
    assertThat(events(SessionEnd.class))
        .extracting(end -> end.status().kind())
        .containsExactly(Status.Kind.TIMEOUT);
  }

  @Test
  void interrupted_thread_ends_the_session_and_stays_interrupted() throws IOException {
    try (SessionRecorder session = SessionRecorder.start(directory, "s")) {
      Thread.currentThread().interrupt();
      try {
        session.call("t", JsonObject.EMPTY).result("x");
        session.end(Status.CANCELLED, 0.5);
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
      } finally {
        Thread.interrupted();
      }
    }
    assertThat(Session.open(directory).receipt()).isNotNull();
    try (var files = Files.list(directory)) {
      assertThat(files).hasSize(2);
    }
  }

  private <E> List<E> events(Class<E> type) throws IOException {
    List<E> events = new ArrayList<>();
    try (ReplayReader reader = Session.open(directory).reader()) {
      for (ReplayLine line : reader) {
        if (type.isInstance(line.event())) {
          events.add(type.cast(line.event()));
        }
      }
    }
    return events;
  }
}
