package com.example.agent;

import static com.example.agent.ScriptedModel.call;
import static com.example.agent.ScriptedModel.say;
import static dev.agentreplay.engine.diff.rule.Normalizer.temporaryFolders;
import static dev.agentreplay.junit.ReplayAssertions.assertThat;
import static dev.agentreplay.junit.ReplayAssertions.ignoring;

import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.junit.ReplaySession;
import dev.agentreplay.langchain4j.AiServiceRecorder;
import dev.agentreplay.model.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Snapshot tests: run the agent, and compare its session with the accepted recording. */
class CodingAgentTest {

  @TempDir
  Path workspace;

  @BeforeEach
  void program() throws IOException {
    Files.writeString(workspace.resolve("Greeting.java"), GreetingTask.BROKEN);
  }

  @Test
  @ReplaySession("fixes-the-greeting")
  void fixes_the_greeting(Session recording, SessionRecorder recorder) throws IOException {
    CodingAgent agent = AiServiceRecorder.into(recorder)
        .record(CodingAgent.builder(GreetingTask.model(), new WorkspaceTools(workspace)))
        .build();
    agent.work(GreetingTask.TASK);
    recorder.end(Status.SUCCESS, 1.0);

    assertThat(recorder)
        .isVerified()
        .hasToolCalls("list_files", "read_file", "write_file", "run")
        .hasNoFailedToolResults()
        .matches(recording);
  }

  @Test
  @ReplaySession("reports-a-missing-file")
  void reports_a_missing_file(Session recording, SessionRecorder recorder) throws IOException {
    ScriptedModel model = new ScriptedModel(
        call("tc_1", "read_file", "{\"path\": \"Farewell.java\"}"), say("There is no such file."));
    CodingAgent agent = AiServiceRecorder.into(recorder)
        .record(CodingAgent.builder(model, new WorkspaceTools(workspace)))
        .build();
    agent.work("Fix the farewell.");
    recorder.end(Status.FAILED, 0.0);

    assertThat(recorder).isVerified().endsWith(Status.FAILED);
    assertThat(recorder)
        .toolCall("tc_1")
        .hasTool("read_file")
        .hasParam("/path", "Farewell.java")
        .hasOutputMatching(".*Farewell.java")
        .failed();
    assertThat(recorder).matches(recording, ignoring(temporaryFolders()));
  }
}
