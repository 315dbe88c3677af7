package com.example.agent;

import static dev.agentreplay.junit.ReplayAssertions.assertThat;

import dev.agentreplay.io.session.Session;
import dev.agentreplay.junit.ReplaySessionSource;
import dev.agentreplay.junit.Replays;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** Assertions on every recording, without running the agent. */
class RecordedSessionsTest {

  @Test
  void recordings_are_as_they_were_written() throws IOException {
    Replays.verify(Path.of("src/test/resources"));
  }

  @ParameterizedTest
  @ReplaySessionSource("*")
  void agent_looks_at_its_task_first(Session session) {
    assertThat(session).isVerified();
    assertThat(session)
        .toolCall(0)
        .matches(first -> Set.of("list_files", "read_file").contains(first.call().tool()));
  }

  @Test
  void each_task_is_a_session(@TempDir Path workspace, @TempDir Path sessions) throws IOException {
    Files.writeString(workspace.resolve("Greeting.java"), GreetingTask.BROKEN);

    CodingAgent.workRecorded(GreetingTask.model(), workspace, GreetingTask.TASK, sessions);

    Replays.verify(sessions);
  }
}
