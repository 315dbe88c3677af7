package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelCall.Prompt;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.receipt.SessionReceipt;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.AbstractList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecorderIdsTest {

  @TempDir
  Path directory;

  @Test
  void generated_ids_never_equal_those_of_the_caller() throws IOException {
    SessionReceipt receipt;
    try (SessionRecorder session = SessionRecorder.start(directory, "s")) {
      PendingCall write = session.call(ToolCall.of("call-1", "write", JsonObject.EMPTY));
      PendingCall read = session.call("read", JsonObject.EMPTY);
      assertThat(read.id()).isEqualTo("call-2");
      read.result("read out");
      write.result("write out");
      receipt = session.end(Status.SUCCESS, 1.0);
    }
    assertThat(receipt.toolCalls())
        .extracting(call -> call.tool())
        .containsExactly("read", "write");
  }

  @Test
  void ids_of_calls_and_model_calls_are_generated_around_given_ones_also_after_resuming()
      throws IOException {
    Prompt prompt = Prompt.of("hello");
    try (SessionRecorder session = SessionRecorder.start(directory, "s")) {
      assertThat(session.newModelCallId()).isEqualTo("model-1");
      session.emit(ModelCall.of("model-1", "m", prompt));
      session.emit(ModelCall.of("model-2", "m", prompt));
      assertThat(session.newModelCallId()).isEqualTo("model-3");
      session.call(ToolCall.of("call-1", "t", JsonObject.EMPTY)).result(1);
      assertThat(session.newCallId()).isEqualTo("call-2");
      assertThat(session.call("t", JsonObject.EMPTY).id()).isEqualTo("call-3");
    }
    try (SessionRecorder session = SessionRecorder.resume(directory, RecorderOptions.defaults())) {
      assertThat(session.newModelCallId()).isEqualTo("model-3");
      assertThat(session.newCallId()).isEqualTo("call-2");
      assertThat(session.newCallId()).isEqualTo("call-4");
    }
  }

  @Test
  void id_that_waits_for_its_result_is_refused_and_free_again_after_it() throws IOException {
    try (SessionRecorder session = SessionRecorder.start(directory, "s")) {
      ToolCall call = ToolCall.of("x", "t", JsonObject.EMPTY);
      PendingCall first = session.call(call);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> session.call(call))
          .withMessageContaining("\"x\" waits");
      assertThatIllegalArgumentException().isThrownBy(() -> session.emit(call));
      first.result(1);
      session.call(call).result(2);
    }
  }

  @Test
  void output_that_cannot_be_read_is_returned_and_no_failure_of_the_call() throws Exception {
    try (SessionRecorder session = SessionRecorder.start(directory, "s")) {
      AbstractList<Object> broken = new AbstractList<>() {
        @Override
        public Object get(int index) {
          throw new IllegalStateException("not loaded");
        }

        @Override
        public int size() {
          return 1;
        }
      };
      Object returned = session.run("t", JsonObject.EMPTY, () -> broken);
      assertThat(returned == broken).isTrue();
      assertThat(session.run("t", JsonObject.EMPTY, () -> Optional.of(1), Optional::get))
          .contains(1);
      session.call("t", JsonObject.EMPTY).failed(new NullPointerException());
      session.end(Status.FAILED, 0.0);
    }
    try (ReplayReader reader = Session.open(directory).reader()) {
      int failed = 0;
      for (ReplayLine line : reader) {
        if (line.event() instanceof ToolResult result && !result.outcome().succeeded()) {
          failed++;
          assertThat(result.output().value().asString()).isNotBlank().isNotEqualTo("null");
        }
      }
      assertThat(failed).isEqualTo(1);
    }
  }

  @Test
  void receipt_that_could_not_be_written_is_written_when_end_is_called_again() throws IOException {
    Path inTheWay = directory.resolve("RECEIPT.json");
    try (SessionRecorder session = SessionRecorder.start(directory, "s")) {
      Files.createDirectory(inTheWay);
      assertThatThrownBy(() -> session.end(Status.SUCCESS, 1.0))
          .isInstanceOf(FileAlreadyExistsException.class);
      Files.delete(inTheWay);
      session.end(Status.SUCCESS, 1.0);
      assertThatThrownBy(() -> session.end(Status.SUCCESS, 1.0))
          .isInstanceOf(IllegalStateException.class);
    }
    assertThat(inTheWay).isRegularFile();
  }

  @Test
  void start_that_is_refused_leaves_nothing_behind() throws IOException {
    SessionStart invalid = SessionStart.of("s")
        .withMeta(
            Meta.NONE.withSessionId("s").withExtra(JsonObject.of("t", "2026-01-01T00:00:00Z")));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SessionRecorder.start(directory, invalid, RecorderOptions.defaults()));
    assertThat(directory).isEmptyDirectory();
    SessionRecorder.start(directory, "s").close();
  }

  @Test
  void result_may_be_given_again_when_it_was_refused() throws IOException {
    try (SessionRecorder session = SessionRecorder.start(directory, "s")) {
      PendingCall call = session.call("t", JsonObject.EMPTY);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> call.result("x", Outcome.OK, 7.0, List.of()));
      call.result("x");
      assertThatThrownBy(() -> call.result("y")).hasMessageContaining("has a result already");
    }
  }
}
