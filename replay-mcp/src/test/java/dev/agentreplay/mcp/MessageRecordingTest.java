package dev.agentreplay.mcp;

import static dev.agentreplay.mcp.Scripts.count;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.agent.GuardedSession;
import dev.agentreplay.io.agent.RecordingFailures;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.ToolResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class MessageRecordingTest {

  private static final int LINES = 3_000;

  /** The number of lines of the client: all of its requests may be open at the same time. */
  private static final int CLIENT_LINES = OpenRequests.MAX_OPEN;

  @TempDir
  Path home;

  private static String answer(int id) {
    return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":{\"content\":[]}}";
  }

  @Test
  void line_that_was_not_recorded_is_refused_while_lines_of_the_other_side_are_recorded()
      throws Exception {
    RecorderOptions options = RecorderOptions.defaults().withRedactor(event -> {
      if (event instanceof ToolResult) {
        throw new StackOverflowError("rejected"); // an exception would end the recording
      }
      return event;
    });
    GuardedSession session = GuardedSession.start(
        "mcp",
        () -> SessionRecorder.start(home.resolve("session"), SessionStart.of("one"), options),
        new RecordingFailures("dev.agentreplay.mcp"));
    MessageRecording recording = new MessageRecording(session, true);
    for (int i = 1; i <= LINES; i++) {
      String call = count(i);
      recording.addBeforeForwarding(Side.CLIENT, () -> call, 0);
    }
    FutureTask<@Nullable Void> client = new FutureTask<>(() -> {
      for (int i = LINES + 1; i <= CLIENT_LINES; i++) {
        String call = count(i);
        recording.addBeforeForwarding(Side.CLIENT, () -> call, 0);
      }
      return null;
    });
    new Thread(client).start();

    for (int i = 1; i <= LINES; i++) {
      String answer = answer(i);
      assertThatThrownBy(() -> recording.addBeforeForwarding(Side.SERVER, () -> answer, 0))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("was not forwarded, because it was not recorded");
    }
    assertThat(client.get()).isNull(); // every line of the client may be forwarded
    recording.close();
  }
}
