package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.canonical.dialect.ReceiptCodec;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.PolicyId;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.SideEffect;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.Verification;
import dev.agentreplay.model.Verification.CommandRun;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.receipt.Receipt;
import dev.agentreplay.model.receipt.SessionReceipt;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The events that a recorder writes for calls, results and ends. */
class SessionRecorderTest {

  private enum Color {
    RED
  }

  @TempDir
  private Path directory;

  @Test
  void session_so_far_has_what_is_buffered_and_is_there_when_recording_has_ended()
      throws IOException {
    RecorderOptions buffered = RecorderOptions.defaults()
        .withWriter(WriterOptions.defaults().withDurability(Durability.BUFFERED));
    SessionRecorder recorder = SessionRecorder.start(directory, SessionStart.of("s"), buffered);
    recorder.call("tool", JsonObject.EMPTY);
    assertThat(events(ToolCall.class)).isEmpty();
    assertThat(recorder.session()).isEqualTo(Session.open(directory));
    assertThat(events(ToolCall.class)).hasSize(1);
    recorder.end(Status.SUCCESS, 1);
    recorder.close();
    assertThat(recorder.session().receipt()).isNotNull();
    Files.delete(directory.resolve(Session.LOG_NAME));
    assertThatThrownBy(recorder::session).isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void result_of_any_plain_value_is_its_json_form() throws IOException {
    List<Object> outputs = Arrays.asList(
        null,
        "text",
        7,
        0.5,
        true,
        Color.RED,
        List.of(1, "a"),
        new int[] {1, 2},
        Map.of("k", 1),
        JsonObject.of("a", JsonNull.NULL));
    try (SessionRecorder session = SessionRecorder.start(directory, "s")) {
      for (Object output : outputs) {
        session.call("tool", JsonObject.EMPTY).result(output);
      }
    }
    List<JsonValue> values = new ArrayList<>();
    for (ToolResult result : events(ToolResult.class)) {
      assertThat(result.output().hash())
          .isEqualTo(CanonicalJson.SERDE.hash(result.output().value()));
      values.add(result.output().value());
    }
    assertThat(values)
        .isEqualTo(List.of(
            JsonNull.NULL,
            JsonValue.of("text"),
            JsonValue.of(7),
            JsonValue.of(0.5),
            JsonValue.of(true),
            JsonValue.of("RED"),
            JsonArray.of(1, "a"),
            JsonArray.of(1, 2),
            JsonObject.of("k", 1),
            JsonObject.of("a", null)));
  }

  @Test
  void result_has_outcome_utility_effects_and_a_latency() throws IOException {
    try (SessionRecorder session = SessionRecorder.start(directory, "s")) {
      session
          .call("shell", JsonObject.EMPTY)
          .result("out", Outcome.exit(3), 0.25, List.of(SideEffect.of("process_spawn")));
      session.call("shell", JsonObject.EMPTY).failed(new IllegalStateException("broken"));
      session.call("shell", JsonObject.EMPTY).failed(new IllegalStateException());
    }
    List<ToolResult> results = events(ToolResult.class);
    assertThat(results.get(0).outcome()).isEqualTo(Outcome.of(false, 3, null));
    assertThat(results.get(0).stepUtility()).isEqualTo(0.25);
    assertThat(results.get(0).sideEffects()).containsExactly(SideEffect.of("process_spawn"));
    assertThat(results).allSatisfy(result -> assertThat(result.latencyMillis()).isNotNegative());
    assertThat(results.get(1).output().value()).isEqualTo(JsonValue.of("broken"));
    assertThat(results.get(1).outcome())
        .isEqualTo(Outcome.failed("java.lang.IllegalStateException", "broken"));
    assertThat(results.get(2).output().value())
        .isEqualTo(JsonValue.of("java.lang.IllegalStateException"));
  }

  @Test
  void ids_are_generated_in_order_unless_the_caller_has_some() throws IOException {
    try (SessionRecorder session = SessionRecorder.start(directory, "s")) {
      assertThat(session.call("a", JsonObject.EMPTY).id()).isEqualTo("call-1");
      ToolCall own = ToolCall.of("mine", "b", JsonObject.EMPTY).withStepId("step-9");
      assertThat(session.call(own).id()).isEqualTo("mine");
      assertThat(session.call("c", JsonArray.of(1)).id()).isEqualTo("call-2");
      assertThat(session.directory()).isEqualTo(directory);
    }
    assertThat(events(ToolCall.class))
        .extracting(ToolCall::id, ToolCall::tool, ToolCall::stepId)
        .containsExactly(
            tuple("call-1", "a", "call-1"),
            tuple("mine", "b", "step-9"),
            tuple("call-2", "c", "call-2"));
  }

  @Test
  void second_result_is_refused_and_not_written() throws IOException {
    try (SessionRecorder session = SessionRecorder.start(directory, "s")) {
      PendingCall call = session.call("tool", JsonObject.EMPTY);
      call.result("first");
      assertThatThrownBy(() -> call.result("second"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("call call-1 has a result already");
      assertThatThrownBy(() -> call.failed(new IOException()))
          .isInstanceOf(IllegalStateException.class);
    }
    assertThat(events(ToolResult.class)).hasSize(1);
  }

  @Test
  void refused_result_may_be_given_again() throws IOException {
    try (SessionRecorder session = SessionRecorder.start(directory, "s")) {
      PendingCall call = session.call("tool", JsonObject.EMPTY);
      assertThatThrownBy(() -> call.result("x", Outcome.OK, 7.0, List.of()))
          .isInstanceOf(IllegalArgumentException.class);
      call.result("good");
    }
    assertThat(events(ToolResult.class)).hasSize(1);
  }

  @Test
  void end_writes_a_receipt_that_fits_the_log() throws IOException {
    SessionReceipt receipt;
    SessionStart start =
        SessionStart.of("fix-auth").withPolicy(PolicyId.version("v3")).withIssueNumber(12L);
    try (SessionRecorder session =
        SessionRecorder.start(directory, start, RecorderOptions.defaults())) {
      session.call("read", JsonObject.of("path", "a")).result("text", Outcome.OK, 0.5, List.of());
      session.call("never", JsonObject.EMPTY);
      session.emit(Verification.of(CommandRun.of("mvn test", 1)).withDelta(-1L));
      receipt = session.end(Status.FAILED, 0.25);
    }
    Session session = Session.open(directory);
    ToolCall call = events(ToolCall.class).get(0);
    ToolResult result = events(ToolResult.class).get(0);

    assertThat(receipt.replayHash()).isEqualTo(sha256(session.log()));
    assertThat(receipt.sessionId()).isEqualTo("fix-auth");
    assertThat(receipt.policyBundleId()).isEqualTo("v3");
    assertThat(receipt.issueNumber()).isEqualTo(12);
    assertThat(receipt.finalConfidence()).isEqualTo(0.25);
    assertThat(receipt.startedAt()).isEqualTo(events(SessionStart.class).get(0).time());
    assertThat(receipt.completedAt()).isEqualTo(events(SessionEnd.class).get(0).time());
    assertThat(receipt.commands()).containsExactly(CommandRun.of("mvn test", 1));
    assertThat(receipt.verificationDelta()).isEqualTo(-1);
    assertThat(receipt.toolCalls())
        .singleElement()
        .isEqualTo(new Receipt.Call(
            "call-1",
            "read",
            call.params().hash(),
            result.output().hash(),
            0.5,
            result.latencyMillis(),
            List.of(),
            JsonObject.EMPTY));
    assertThat(Files.readString(session.receipt()))
        .isEqualTo(JsonText.pretty(ReceiptCodec.encode(receipt)) + "\n");
    try (var files = Files.list(directory)) {
      assertThat(files).hasSize(2);
    }
  }

  @Test
  void receipt_and_log_say_the_same_of_the_last_verification() throws IOException {
    SessionReceipt receipt;
    try (SessionRecorder session = SessionRecorder.start(directory, "s")) {
      session.emit(Verification.of(CommandRun.of("a", 0)).withDelta(3L));
      session.emit(Verification.of(CommandRun.of("b", 0)));
      receipt = session.end(Status.SUCCESS, 1.0);
    }
    Long inLog = events(Verification.class).get(1).delta();
    JsonValue inReceipt = ReceiptCodec.encode(receipt).at("/verification/verification_delta");
    assertThat(inReceipt).isEqualTo(JsonValue.of(inLog));
  }

  @Test
  void after_the_end_nothing_is_recorded() throws IOException {
    try (SessionRecorder session = SessionRecorder.start(directory, "s")) {
      PendingCall open = session.call("tool", JsonObject.EMPTY);
      session.end(Status.SUCCESS, 1.0);
      byte[] receipt = Files.readAllBytes(directory.resolve(Session.RECEIPT_NAME));

      assertThatThrownBy(() -> session.end(Status.FAILED, 0.0))
          .isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> session.call("tool", JsonObject.EMPTY))
          .isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> open.result("late")).isInstanceOf(IllegalStateException.class);
      assertThat(directory.resolve(Session.RECEIPT_NAME)).hasBinaryContent(receipt);
    }
    assertThat(events(SessionEnd.class)).hasSize(1);
  }

  @Test
  void end_that_is_refused_leaves_the_session_open() throws IOException {
    try (SessionRecorder session = SessionRecorder.start(directory, "s")) {
      assertThatThrownBy(() -> session.end(Status.SUCCESS, 1.5))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(directory.resolve(Session.RECEIPT_NAME)).doesNotExist();
      session.end(Status.SUCCESS, 1.0);
    }
    assertThat(directory.resolve(Session.RECEIPT_NAME)).exists();
  }

  @Test
  void end_is_not_emitted() throws IOException {
    try (SessionRecorder session = SessionRecorder.start(directory, "s")) {
      assertThatThrownBy(() -> session.emit(SessionEnd.of(Status.SUCCESS)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("end()");
    }
    assertThat(events(SessionEnd.class)).isEmpty();
  }

  @Test
  void closing_without_end_leaves_no_receipt_and_no_end() throws IOException {
    try (SessionRecorder session = SessionRecorder.start(directory, "s")) {
      session.call("tool", JsonObject.EMPTY).result("x");
    }
    assertThat(events(SessionEnd.class)).isEmpty();
    assertThat(Session.open(directory).receipt()).isNull();
  }

  @Test
  void directory_is_created_with_its_parents() throws IOException {
    Path deep = directory.resolve("a/b/c");
    SessionRecorder.start(deep, "s").close();
    assertThat(deep.resolve(Session.LOG_NAME)).exists();
  }

  @Test
  void directory_with_a_log_or_a_receipt_is_refused_and_kept() throws IOException {
    for (String name : List.of(Session.LOG_NAME, Session.RECEIPT_NAME)) {
      Path taken = Files.createDirectory(directory.resolve("with-" + name));
      Files.writeString(taken.resolve(name), "precious");

      assertThatThrownBy(() -> SessionRecorder.start(taken, "s"))
          .isInstanceOf(FileAlreadyExistsException.class)
          .hasMessageContaining(name);

      try (var files = Files.list(taken)) {
        assertThat(files).singleElement().isEqualTo(taken.resolve(name));
      }
      assertThat(taken.resolve(name)).hasContent("precious");
    }
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void calls_of_several_threads_are_all_in_log_and_receipt(Dialect dialect) throws Exception {
    int threads = 4;
    int each = 50;
    RecorderOptions options = RecorderOptions.defaults()
        .withProducer("test@1")
        .withWriter(WriterOptions.defaults().withDialect(dialect));
    SessionReceipt receipt;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try (SessionRecorder session =
        SessionRecorder.start(directory, SessionStart.of("s"), options)) {
      List<Future<?>> done = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        done.add(pool.submit(() -> {
          for (int i = 0; i < each; i++) {
            session.run("tool", JsonObject.of("i", i), () -> "out");
          }
          return null;
        }));
      }
      for (Future<?> one : done) {
        one.get();
      }
      receipt = session.end(Status.SUCCESS, 1.0);
    } finally {
      pool.shutdownNow();
    }
    List<String> calls = events(ToolCall.class).stream().map(ToolCall::id).toList();
    List<String> results = events(ToolResult.class).stream().map(ToolResult::id).toList();
    assertThat(calls).hasSize(threads * each).doesNotHaveDuplicates();
    assertThat(results).containsExactlyInAnyOrderElementsOf(calls);
    assertThat(receipt.toolCalls()).extracting(Receipt.Call::id).isEqualTo(results);
    assertThat(receipt.replayHash()).isEqualTo(sha256(directory.resolve(Session.LOG_NAME)));
    try (ReplayReader reader = Session.open(directory).reader()) {
      for (ReplayLine line : reader) {
        assertThat(line.findings()).isEmpty();
      }
      assertThat(reader.dialect()).isEqualTo(dialect);
    }
  }

  @Test
  void producer_is_this_library_unless_the_caller_says_otherwise() throws IOException {
    assertThat(RecorderOptions.defaults().producer()).startsWith("agentreplay");
    SessionRecorder.start(
            directory,
            SessionStart.of("s"),
            RecorderOptions.defaults().withProducer("adjutant@1.2.3"))
        .close();
    try (ReplayReader reader = Session.open(directory).reader()) {
      ReplayLine header = reader.read();
      assertThat(header.event().kind()).isEqualTo(EventKind.REPLAY_HEADER);
      assertThat(header.json().at("/producer").asString()).isEqualTo("adjutant@1.2.3");
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

  private static ContentHash sha256(Path file) throws IOException {
    return ContentHash.sha256(Files.readAllBytes(file));
  }
}
