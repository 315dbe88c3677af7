package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.file.LogLockedException;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.StepComplete;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A start that was interrupted can be repeated, and nothing that was recorded is replaced. */
class SessionRecorderStartTest {

  private static final String HEADER =
      "{\"event\":\"ReplayHeader\",\"producer\":\"p@1\",\"replay_version\":1}";

  private static final String HEADER_BEGUN = "{\"event\":\"ReplayHeader\",\"produ";

  @TempDir
  private Path directory;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void log_that_holds_no_more_than_a_header_is_replaced(boolean hasHeader) throws IOException {
    ReplayWriter.create(log(), ReplayHeader.of("interrupted@1")).close();
    if (!hasHeader) {
      Files.write(log(), new byte[0]);
    }
    try (SessionRecorder session = SessionRecorder.start(directory, "s")) {
      session.end(Status.SUCCESS, 1.0);
    }
    Session session = Session.open(directory);
    assertThat(session.id()).isEqualTo("s");
    assertThat(Files.readString(log())).doesNotContain("interrupted@1");
    assertThat(session.receipt()).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"{", HEADER_BEGUN, HEADER + "\n{\"event\":\"SessionS"})
  void log_with_a_torn_line_is_replaced_and_the_line_kept(String content) throws IOException {
    Files.writeString(log(), content);

    SessionRecorder.start(directory, "s").close();

    assertThat(Session.open(directory).id()).isEqualTo("s");
    assertThat(directory.resolve("REPLAY.jsonl.torn"))
        .content()
        .isEqualTo(content.substring(content.indexOf('\n') + 1));
  }

  @Test
  void log_with_an_event_is_kept() throws IOException {
    try (ReplayWriter writer = ReplayWriter.create(log(), ReplayHeader.of("p@1"))) {
      writer.emit(StepComplete.of("s", Status.SUCCESS, 1));
    }
    assertKept();
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "{}", "text", "{}\n", "\u0000", HEADER + "\n" + HEADER + "\n"})
  void log_that_no_recorder_has_left_is_kept(String content) throws IOException {
    Files.writeString(log(), content);
    assertKept();
  }

  @Test
  void log_that_is_being_written_is_kept() throws IOException {
    try (ReplayWriter writer = ReplayWriter.create(log(), ReplayHeader.of("p@1"))) {
      assertThatThrownBy(() -> SessionRecorder.start(directory, "s"))
          .isInstanceOf(LogLockedException.class);
      writer.emit(SessionStart.of("first"));
    }
    assertThat(Session.open(directory).id()).isEqualTo("first");
  }

  @Test
  void header_next_to_a_later_segment_is_kept() throws IOException {
    ReplayWriter.create(log(), ReplayHeader.of("p@1")).close();
    Files.writeString(directory.resolve(Session.LOG_NAME + ".2"), "{}\n");
    assertKept();
  }

  private void assertKept() throws IOException {
    byte[] before = Files.readAllBytes(log());
    assertThatThrownBy(() -> SessionRecorder.start(directory, "s"))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(log()).hasBinaryContent(before);
  }

  private Path log() {
    return directory.resolve(Session.LOG_NAME);
  }
}
