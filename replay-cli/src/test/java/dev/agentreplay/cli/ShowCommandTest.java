package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.recording.PendingModelCall;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lines of {@code replay show} for calls that failed. */
class ShowCommandTest {

  @TempDir
  private Path home;

  @Test
  void failed_call_of_a_model_shows_its_error_as_that_of_a_tool_does() throws IOException {
    try (SessionRecorder recorder = SessionRecorder.start(home, "one")) {
      recorder.modelCall("m", "?").failed(new IOException("connection reset"));
      recorder.modelCall("m", "?").timedOut("no answer after 30 s");
      PendingModelCall streamed = recorder.modelCall("m", "?");
      streamed.chunk("It is");
      streamed.failed(new IOException("connection reset"));
      recorder.call("read", JsonObject.EMPTY).failed(new IOException("no such file"));
      recorder.end(Status.FAILED);
    }
    String shown = Console.run("show", home.toString()).out();
    assertThat(shown)
        .contains("answer model-1, failed: connection reset\n")
        .contains("answer model-2, failed: no answer after 30 s\n")
        .containsPattern("answer model-3, failed, streamed in 1 piece, .*: It is\n")
        .containsPattern("#0 +-> failed .* no such file\n")
        .doesNotContain("null");
  }
}
