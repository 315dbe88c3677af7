package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.workspace.Circumstances;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.RecordingGap;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.StepComplete;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonString;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedactorTest {

  private static final String SECRET = "tR0ub4dor";

  @TempDir
  Path directory;

  /** Redacts parameters, outputs and prompts that are or have the secret. */
  private static ReplayEvent redact(ReplayEvent event) {
    Content hidden = Content.of(JsonString.of("hidden"));
    if (!String.valueOf(event.content().value()).contains(SECRET)) {
      return event;
    } else if (event instanceof ToolCall call) {
      return call.withParams(hidden);
    } else if (event instanceof ToolResult result) {
      return result.withOutput(hidden);
    } else if (event instanceof ModelCall call) {
      return ModelCall.of(call.id(), "m", ModelCall.Prompt.of("hidden"));
    }
    return event;
  }

  private SessionRecorder start(Redactor redactor, FailurePolicy policy) throws IOException {
    return SessionRecorder.start(
        directory,
        SessionStart.of("s"),
        RecorderOptions.defaults()
            .withBlobThreshold(100)
            .withCircumstances(Circumstances.none().withVersion("tool", "1"))
            .withFailurePolicy(policy)
            .withRedactor(redactor));
  }

  private String files() throws IOException {
    StringBuilder all = new StringBuilder();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        all.append(Files.readString(file, StandardCharsets.ISO_8859_1));
      }
    }
    return all.toString();
  }

  @Test
  void redacted_value_is_in_no_file() throws IOException {
    String large = (SECRET + " ").repeat(100);
    try (SessionRecorder recorder = start(RedactorTest::redact, FailurePolicy.FAIL)) {
      recorder.call("login", Map.of("password", SECRET)).result(large);
      recorder.modelCall("m", large).answer("ok");
      recorder.modelCall("m", large + "!").answer("ok");
      recorder.end(SessionEnd.of(Status.SUCCESS));
    }

    assertThat(files()).contains("hidden").doesNotContain(SECRET);
  }

  @Test
  void redactor_sees_each_event_once() throws IOException {
    List<EventKind> seen = Collections.synchronizedList(new ArrayList<>());
    Redactor redactor = event -> {
      seen.add(event.kind());
      return event;
    };
    try (SessionRecorder recorder = start(redactor, FailurePolicy.FAIL)) {
      recorder.call("a", Map.of()).result("b");
      recorder.modelCall("m", "c").answer("d");
      recorder.emit(StepComplete.of("1", Status.SUCCESS, 1));
      recorder.end(SessionEnd.of(Status.SUCCESS));
    }

    List<EventKind> written = new ArrayList<>();
    try (ReplayReader reader = Session.open(directory).reader()) {
      reader.forEach(line -> written.add(line.event().kind()));
    }
    assertThat(written).isEqualTo(seen).contains(EventKind.SETTINGS, EventKind.REPLAY_HEADER);
  }

  private static Redactor failing() {
    return event -> {
      if (event instanceof StepComplete) {
        throw new IllegalStateException("cannot redact " + SECRET);
      }
      return event;
    };
  }

  @Test
  void event_is_not_written_if_its_redactor_fails() throws IOException {
    try (SessionRecorder recorder = start(failing(), FailurePolicy.FAIL)) {
      assertThatThrownBy(() -> recorder.emit(StepComplete.of("1", Status.SUCCESS, 1)))
          .isInstanceOf(IOException.class)
          .hasMessage("the redactor must return a StepComplete for one, but threw a"
              + " java.lang.IllegalStateException: the event is not written")
          .hasNoCause();
      recorder.end(SessionEnd.of(Status.SUCCESS));
    }

    assertThat(files()).doesNotContain("StepComplete");
  }

  @Test
  void event_is_lost_if_its_redactor_fails_and_the_policy_is_to_degrade() throws IOException {
    try (SessionRecorder recorder = start(failing(), FailurePolicy.DEGRADE)) {
      assertThat(recorder.emit(StepComplete.of("1", Status.SUCCESS, 1)).isWritten())
          .isFalse();
      recorder.call("a", Map.of()).result("b");
      assertThat(recorder.unrecordedEvents()).isEqualTo(1);
      recorder.end(SessionEnd.of(Status.SUCCESS));
    }

    assertThat(files()).contains("RecordingGap", "the redactor must").doesNotContain(SECRET);
  }

  @Test
  void call_of_a_model_is_lost_if_its_redactor_fails() throws IOException {
    Redactor redactor = event -> {
      if (event instanceof ModelCall call && call.id().equals("model-1")) {
        throw new IllegalStateException();
      }
      return event;
    };
    try (SessionRecorder recorder = start(redactor, FailurePolicy.DEGRADE)) {
      recorder.modelCall("m", "c").answer("d");
      recorder.modelCall("m", "e").answer("f");
      assertThat(recorder.unrecordedEvents()).isEqualTo(2);
      recorder.end(SessionEnd.of(Status.SUCCESS));
    }

    assertThat(files()).doesNotContain("model-1").contains("model-2");
  }

  @Test
  void event_of_another_kind_is_not_written() throws IOException {
    Redactor redactor =
        event -> event instanceof StepComplete ? SessionEnd.of(Status.SUCCESS) : event;
    try (SessionRecorder recorder = start(redactor, FailurePolicy.FAIL)) {
      assertThatThrownBy(() -> recorder.emit(StepComplete.of("1", Status.SUCCESS, 1)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("returned a SessionEnd");
    }
  }

  @Test
  void gap_is_redacted_and_has_no_reason_if_that_fails() throws IOException {
    Redactor redactor = event -> {
      if (event instanceof StepComplete || event instanceof RecordingGap) {
        throw new IllegalStateException();
      }
      return event;
    };
    try (SessionRecorder recorder = start(redactor, FailurePolicy.DEGRADE)) {
      recorder.emit(StepComplete.of("1", Status.SUCCESS, 1));
      recorder.call("a", Map.of()).result("b");
      recorder.end(SessionEnd.of(Status.SUCCESS));
    }

    assertThat(files()).contains("RecordingGap").doesNotContain("the redactor must");
  }

  @Test
  void start_fails_if_its_redactor_fails() {
    Redactor redactor = event -> {
      throw new IllegalStateException();
    };

    assertThatThrownBy(() -> start(redactor, FailurePolicy.DEGRADE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("ReplayHeader");
  }
}
