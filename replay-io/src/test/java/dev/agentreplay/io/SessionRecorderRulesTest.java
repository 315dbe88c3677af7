package dev.agentreplay.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.model.Meta;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.receipt.SessionReceipt;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a recorder insists on, and what is left when something goes wrong. */
class SessionRecorderRulesTest {

  @TempDir
  private Path directory;

  @Test
  void idOfACallThatIsOpenIsRefusedUntilItIsAnswered() throws IOException {
    try (SessionRecorder session = SessionRecorder.start(directory, "s")) {
      ToolCall call = ToolCall.of("same", "t", JsonObject.EMPTY);
      RecordedCall first = session.call(call);
      assertThatThrownBy(() -> session.call(call))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("same");
      first.result("x");
      session.call(call).result("y");
    }
    assertThat(events(ToolCall.class)).hasSize(2);
    assertThat(events(ToolResult.class)).hasSize(2);
  }

  @Test
  void idsThatAreMadeUpAvoidThoseOfTheCaller() throws IOException {
    try (SessionRecorder session = SessionRecorder.start(directory, "s")) {
      session.call(ToolCall.of("call-1", "t", JsonObject.EMPTY)).result("x");
      session.call(ToolCall.of("call-3", "t", JsonObject.EMPTY));
      assertThat(session.call("t", JsonObject.EMPTY).id()).isEqualTo("call-2");
      assertThat(session.call("t", JsonObject.EMPTY).id()).isEqualTo("call-4");
    }
  }

  @Test
  void callIsNotEmitted() throws IOException {
    try (SessionRecorder session = SessionRecorder.start(directory, "s")) {
      assertThatThrownBy(() -> session.emit(ToolCall.of("c", "t", JsonObject.EMPTY)))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(events(ToolCall.class)).isEmpty();
  }

  @Test
  void whatIsRecordedOfAResultMayBeChosen() throws Exception {
    try (SessionRecorder session = SessionRecorder.start(directory, "s")) {
      StringBuilder returned = new StringBuilder("built");
      assertThat(session.run("t", JsonObject.EMPTY, () -> returned, r -> List.of(r.length())))
          .isSameAs(returned);
    }
    assertThat(events(ToolResult.class).get(0).output().value())
        .isEqualTo(JsonValue.of(List.of(5)));
  }

  @Test
  void startThatIsRefusedLeavesNoLog() throws IOException {
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
  void receiptThatCouldNotBeWrittenMayBeWrittenLater() throws IOException {
    Path receiptFile = directory.resolve(Session.RECEIPT_NAME);
    try (SessionRecorder session = SessionRecorder.start(directory, "s")) {
      Files.createDirectory(receiptFile);
      assertThatThrownBy(() -> session.end(Status.SUCCESS, 1.0))
          .isInstanceOf(FileAlreadyExistsException.class);
      Files.delete(receiptFile);

      SessionReceipt receipt = session.end(Status.SUCCESS, 1.0);
      assertThat(receiptFile).hasContent(ReceiptFile.toText(receipt));
      assertThat(receipt.replayHash()).isEqualTo(Session.open(directory).replayHash());
      assertThatThrownBy(() -> session.end(Status.SUCCESS, 1.0))
          .isInstanceOf(IllegalStateException.class);
    }
    assertThat(events(SessionEnd.class)).hasSize(1);
  }

  @Test
  void interruptedThreadEndsTheSessionAndStaysInterrupted() throws IOException {
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
