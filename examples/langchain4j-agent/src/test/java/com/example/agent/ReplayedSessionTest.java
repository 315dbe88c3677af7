package com.example.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.exchange.MissKind;
import dev.agentreplay.engine.fork.Fork;
import dev.agentreplay.engine.fork.ForkPoint;
import dev.agentreplay.engine.fork.ForkPoints;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayDivergence;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.langchain4j.AiServiceReplayer;
import dev.agentreplay.langchain4j.RecordedModel;
import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.service.AiServices;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
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

  /** The number of calls of tools. */
  private final AtomicInteger executed = new AtomicInteger();

  /** The tools of the agent, counted. */
  private final class CountedTools extends WorkspaceTools {

    private CountedTools() {
      super(workspace);
    }

    @Override
    @Tool(name = "list_files", value = "Lists the files of the workspace, one per line")
    public String listFiles() throws IOException {
      executed.incrementAndGet();
      return super.listFiles();
    }

    @Override
    @Tool(name = "read_file", value = "Reads a file")
    public String readFile(@P("path below the workspace") String path) throws IOException {
      executed.incrementAndGet();
      return super.readFile(path);
    }

    @Override
    @Tool(name = "write_file", value = "Writes a file, replacing an existing one")
    public String writeFile(
        @P("path below the workspace") String path, @P("content of the file") String content)
        throws IOException {
      executed.incrementAndGet();
      return super.writeFile(path, content);
    }

    @Override
    @Tool(name = "run", value = "Runs a program in the workspace, and returns what it printed")
    public String run(@P("the program and its arguments") List<String> command)
        throws IOException, InterruptedException {
      executed.incrementAndGet();
      return super.run(command);
    }
  }

  private AiServices<CodingAgent> agent() throws IOException {
    return CodingAgent.builder(RecordedModel.of(recording), new CountedTools());
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
    assertThat(report.exchanges().executed()).isZero();
    assertThat(executed).hasValue(0);
    assertThat(workspace).isEmptyDirectory();
  }

  @Test
  void forks_without_a_change_do_the_same_from_each_call_on() throws Exception {
    List<ForkPoint> points = ForkPoints.of(recording).possible();
    assertThat(points).hasSize(9);
    for (ForkPoint point : points) {
      ReplayReport report = Replay.of(recording)
          .mode(ReplayMode.MOCK)
          .fork(Fork.at(point.line()))
          .run(scope -> AiServiceReplayer.ofShared(scope)
              .replay(agent())
              .build()
              .work(GreetingTask.TASK));

      assertThat(report.isIdentical()).as("%s: %s", point, report.divergences()).isTrue();
    }
    assertThat(executed).hasValue(0);
  }

  @Test
  void changed_instructions_are_a_divergence() throws Exception {
    ReplayReport report = replay(agent().systemMessage("Fix the program."));

    ReplayDivergence root = report.root();
    assertThat(root).isNotNull();
    assertThat(root.miss()).isNotNull();
    assertThat(root.miss().kind()).isEqualTo(MissKind.DIVERGED);
    assertThat(root.miss().nearest().message()).isZero(); // the system message
    assertThat(report.divergencesByKind()).containsExactly(Map.entry("MISS", 1L));
    assertThat(executed).hasValue(0);
  }
}
