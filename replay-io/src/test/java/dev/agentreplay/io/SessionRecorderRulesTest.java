package dev.agentreplay.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.model.Meta;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
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
  void callIsNotEmitted() throws IOException {
    try (SessionRecorder session = SessionRecorder.start(directory, "s")) {
      assertThatThrownBy(() -> session.emit(ToolCall.of("c", "t", JsonObject.EMPTY)))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(events(ToolCall.class)).isEmpty();
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
