package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.io.log.ReplayFormatException;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.receipt.Receipt;
import dev.agentreplay.model.receipt.SessionReceipt;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Resuming a session whose process has ended. */
class SessionRecorderResumeTest {

  private static final RecorderOptions OPTIONS = RecorderOptions.defaults();

  @TempDir
  private Path directory;

  @Test
  void the_receipt_is_that_of_the_whole_session() throws IOException {
    try (SessionRecorder first = SessionRecorder.start(
        directory, SessionStart.of("s"), OPTIONS.withCanonicalization(Canonicalization.JCS))) {
      first.call("read", JsonObject.of("n", 1.0)).result("one");
      first.call("left", JsonObject.EMPTY);
    }
    Files.writeString(log(), "{\"event\":\"To", StandardOpenOption.APPEND);

    SessionReceipt receipt;
    try (SessionRecorder second = SessionRecorder.resume(directory, OPTIONS)) {
      PendingCall call = second.call("write", JsonObject.of("n", 2.0));
      assertThat(call.id()).isEqualTo("call-3");
      call.result("two");
      second.emit(ToolResult.of("call-2", "late").withLatencyMillis(1L));
      receipt = second.end(Status.SUCCESS, 1.0);
    }

    assertThat(receipt.sessionId()).isEqualTo("s");
    assertThat(receipt.toolCalls())
        .extracting(Receipt.Call::tool)
        .containsExactly("read", "write", "left");
    assertThat(receipt.toolCalls().get(0).paramsHash())
        .isEqualTo(
            ContentHash.sha256("{\"n\":1}".getBytes(java.nio.charset.StandardCharsets.UTF_8)));
    assertThat(receipt.toolCalls().get(1).paramsHash())
        .isEqualTo(
            ContentHash.sha256("{\"n\":2}".getBytes(java.nio.charset.StandardCharsets.UTF_8)));
    assertThat(receipt.replayHash()).isEqualTo(Session.open(directory).replayHash());
    assertThat(receipt.startedAt()).isNotNull();
    assertThat(directory.resolve("REPLAY.jsonl.torn")).hasContent("{\"event\":\"To");
  }

  @Test
  void a_call_that_waits_for_its_result_still_does() throws IOException {
    try (SessionRecorder first = SessionRecorder.start(directory, "s")) {
      first.call(ToolCall.of("mine", "t", JsonObject.EMPTY));
    }
    try (SessionRecorder second = SessionRecorder.resume(directory, OPTIONS)) {
      assertThatThrownBy(() -> second.call(ToolCall.of("mine", "t", JsonObject.EMPTY)))
          .hasMessageContaining("waits for its result");
      second.emit(ToolResult.of("mine", "out").withLatencyMillis(1L));
      second.call(ToolCall.of("mine", "t", JsonObject.EMPTY)).result("again");
    }
  }

  @Test
  void a_session_that_has_ended_is_not_resumed() throws IOException {
    try (SessionRecorder session = SessionRecorder.start(directory, "s")) {
      session.end(Status.SUCCESS, 1.0);
    }
    assertThatThrownBy(() -> SessionRecorder.resume(directory, OPTIONS))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining(Session.RECEIPT_NAME);
    Files.delete(directory.resolve(Session.RECEIPT_NAME));
    assertThatThrownBy(() -> SessionRecorder.resume(directory, OPTIONS))
        .isInstanceOf(ReplayFormatException.class)
        .hasMessageContaining("the session has ended here");
  }

  @Test
  void a_session_with_a_receipt_and_no_end_is_resumed_once_the_receipt_is_deleted()
      throws IOException {
    try (SessionRecorder session = SessionRecorder.start(directory, "s")) {
      session.call("t", null).result("out");
    }
    Path receipt = Files.writeString(directory.resolve(Session.RECEIPT_NAME), "{}");
    assertThatThrownBy(() -> SessionRecorder.resume(directory, OPTIONS))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageEndingWith("the session has a receipt (RECEIPT.json); to resume it if it has no"
            + " end, delete RECEIPT.json, RECEIPT.dsse.json, PUBLIC_CHECKPOINT.json");
    Files.delete(receipt);
    try (SessionRecorder second = SessionRecorder.resume(directory, OPTIONS)) {
      second.end(Status.SUCCESS, 1.0);
    }
    assertThat(receipt).exists();
  }

  @Test
  void a_session_that_never_began_is_not_resumed() {
    assertThatThrownBy(() -> SessionRecorder.resume(directory, OPTIONS))
        .isInstanceOf(NoSuchFileException.class);
    assertThat(directory).isEmptyDirectory();
  }

  private Path log() {
    return directory.resolve(Session.LOG_NAME);
  }
}
