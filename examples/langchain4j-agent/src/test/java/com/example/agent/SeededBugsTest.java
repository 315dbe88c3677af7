package com.example.agent;

import static com.example.agent.ScriptedModel.call;
import static com.example.agent.ScriptedModel.say;
import static dev.agentreplay.junit.ReplayAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.diff.Divergence;
import dev.agentreplay.engine.diff.DivergenceKind;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.junit.ReplaySession;
import dev.agentreplay.langchain4j.AiServiceRecorder;
import dev.agentreplay.model.Status;
import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.service.AiServices;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three bugs that the agent does not report: each time it claims success. */
@ReplaySession("fixes-the-greeting")
class SeededBugsTest {

  @TempDir
  Path workspace;

  @BeforeEach
  void program() throws IOException {
    Files.writeString(workspace.resolve("Greeting.java"), GreetingTask.BROKEN);
  }

  @Test
  void a_tool_that_silently_fails(Session recording, SessionRecorder recorder) throws IOException {
    WorkspaceTools forgetful = new WorkspaceTools(workspace) {
      @Override
      @Tool(name = "write_file", value = "Writes a file, replacing an existing one")
      public String writeFile(
          @P("path below the workspace") String path, @P("content of the file") String content) {
        return "written: " + path;
      }
    };

    work(recorder, CodingAgent.builder(GreetingTask.model(), forgetful));

    assertThat(recorder).isVerified().hasNoFailedToolResults(); // the bug is not visible here
    SessionDiff diff = compare(recording, recorder);
    assertThat(diff.first())
        .extracting(SessionDiff.First::call, SessionDiff.First::kind)
        .containsExactly(3, DivergenceKind.OUTPUT);
  }

  @Test
  void a_changed_prompt(Session recording, SessionRecorder recorder) throws IOException {
    work(
        recorder,
        CodingAgent.builder(GreetingTask.model(), new WorkspaceTools(workspace))
            .systemMessage("Fix the program."));

    SessionDiff diff = compare(recording, recorder);
    assertThat(diff.first()).isNull(); // no call differs
    assertThat(diff.divergences()).extracting(Divergence::kind).containsOnly(DivergenceKind.PROMPT);
  }

  @Test
  void a_reordered_call(Session recording, SessionRecorder recorder) throws IOException {
    ScriptedModel hasty = new ScriptedModel(
        call("tc_1", "read_file", GreetingTask.READ),
        call("tc_2", "list_files", GreetingTask.LIST),
        call("tc_3", "write_file", GreetingTask.WRITE),
        call("tc_4", "run", GreetingTask.RUN),
        say("The greeting is spelt right now."));

    work(recorder, CodingAgent.builder(hasty, new WorkspaceTools(workspace)));

    assertThat(recorder).hasNoFailedToolResults();
    SessionDiff diff = compare(recording, recorder);
    assertThat(diff.first())
        .extracting(SessionDiff.First::call, SessionDiff.First::kind)
        .containsExactly(0, DivergenceKind.MOVED);
  }

  private static void work(SessionRecorder recorder, AiServices<CodingAgent> builder)
      throws IOException {
    CodingAgent agent = AiServiceRecorder.into(recorder).record(builder).build();
    agent.work(GreetingTask.TASK);
    recorder.end(Status.SUCCESS, 1.0);
  }

  private static SessionDiff compare(Session recording, SessionRecorder recorder)
      throws IOException {
    return SessionDiff.between(recording, recorder.session());
  }
}
