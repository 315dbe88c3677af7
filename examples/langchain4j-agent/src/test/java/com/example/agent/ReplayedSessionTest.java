package com.example.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.exchange.MissKind;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayDivergence;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.langchain4j.AiServiceReplayer;
import dev.agentreplay.langchain4j.RecordedModel;
import dev.langchain4j.service.AiServices;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Replays a recording: the agent runs, its model and its tools do not. */
class ReplayedSessionTest {

  /** Without the program that the agent fixed. */
  @TempDir
  Path workspace;

  private final Session recording =
      Session.open(Path.of("src/test/resources/fixes-the-greeting"));

  ReplayedSessionTest() throws IOException {}

  private AiServices<CodingAgent> agent() throws IOException {
    return CodingAgent.builder(RecordedModel.of(recording), new WorkspaceTools(workspace));
  }

  private ReplayReport replay(AiServices<CodingAgent> builder) throws Exception {
    return Replay.of(recording)
        .mode(ReplayMode.MOCK)
        .run(scope -> AiServiceReplayer.ofShared(scope)
            .replay(builder)
            .build()
            .work(GreetingTask.TASK));
  }

  @Test
  void agent_does_the_same() throws Exception {
    ReplayReport report = replay(agent());

    assertThat(report.isIdentical()).as("%s", report.divergences()).isTrue();
    assertThat(report.exchanges().served()).isEqualTo(9);
    assertThat(workspace).isEmptyDirectory();
  }

  @Test
  void changed_instructions_are_a_divergence() throws Exception {
    ReplayReport report = replay(agent().systemMessage("Fix the program."));

    ReplayDivergence root = report.root();
    assertThat(root).isNotNull();
    assertThat(root.miss()).isNotNull();
    assertThat(root.miss().kind()).isEqualTo(MissKind.DIVERGED);
    assertThat(root.miss().nearest().message()).isZero(); // the system message
  }
}
