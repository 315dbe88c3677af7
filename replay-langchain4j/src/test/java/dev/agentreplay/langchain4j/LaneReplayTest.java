package dev.agentreplay.langchain4j;

import static dev.agentreplay.langchain4j.Instruments.assertIdentical;
import static dev.agentreplay.langchain4j.Instruments.recordShared;
import static dev.agentreplay.langchain4j.Instruments.replayShared;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.exchange.MissKind;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.ReplayVerdict;
import dev.agentreplay.engine.replay.policy.ReplayAction;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayPolicy;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.langchain4j.AgentLanesTest.Ask;
import dev.agentreplay.langchain4j.AgentLanesTest.Researcher;
import dev.agentreplay.langchain4j.Instruments.Agent;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.rag.content.Content;
import dev.langchain4j.service.AiServices;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Agents that are tools of other agents are replayed in their lanes. */
@Timeout(60)
class LaneReplayTest {

  private static final ReplayPolicy POLICY =
      ReplayPolicy.of(ReplayMode.MOCK).withTool("ask", ReplayAction.EXECUTE);

  @TempDir
  private Path sessions;

  private final Executed executed = new Executed();

  private static String topic(String topic) {
    return "{\"topic\": \"" + topic + "\"}";
  }

  /** An agent that is a tool, reads a file, and retrieves documents, with others or alone. */
  private Researcher researcher(Instruments instruments, int threads) {
    Executed.Meeting meeting = executed.meeting(threads);
    return instruments
        .add(AiServices.builder(Researcher.class)
            .chatModel(executed.model(request -> request.messages().size() == 1
                ? ScriptedModel.call("r", "read", "{\"path\": \"a\"}")
                : AiMessage.from("found")))
            .contentRetriever(instruments.retriever("documents", query -> {
              executed.add("documents");
              meeting.await();
              return List.of(Content.from("about " + query.text()));
            }))
            .tools(executed.files()))
        .build();
  }

  private Agent agent(ExecutorService threads, AiMessage... answers) {
    return instruments -> {
      AiServices<Assistant> builder = instruments.add(AiServices.builder(Assistant.class)
          .chatModel(executed.model(answers))
          .tools(new Ask(researcher(instruments, threads == null ? 1 : 2))));
      if (threads != null) {
        builder.executeToolsConcurrently(threads);
      }
      builder.build().chat("go");
    };
  }

  @Test
  void agents_are_replayed_one_after_the_other() throws Exception {
    Agent agent = agent(
        null,
        ScriptedModel.call("a", "ask", topic("x")),
        ScriptedModel.call("b", "ask", topic("y")),
        AiMessage.from("done"));
    Session session = recordShared(sessions.resolve("s"), agent);
    assertThat(executed.take()).contains("model", "read", "documents");

    ReplayReport report = replayShared(session, POLICY, agent);

    assertThat(executed.take()).isEmpty();
    assertIdentical(report);
    assertThat(report.exchanges().executed()).isEqualTo(2);
    assertThat(report.exchanges().served()).isEqualTo(11);
  }

  @Test
  void agents_that_run_at_the_same_time_have_the_same_lanes() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      Agent agent = agent(
          threads,
          AiMessage.from(List.of(
              ScriptedModel.request("a", "ask", topic("x")),
              ScriptedModel.request("b", "ask", topic("y")))),
          AiMessage.from("done"));
      Session session = recordShared(sessions.resolve("s"), agent);
      executed.take();

      ReplayReport report = replayShared(session, POLICY, agent);

      assertThat(executed.take()).isEmpty();
      assertIdentical(report);
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void agent_whose_tool_is_served_is_not_replayed() throws Exception {
    Agent agent = agent(null, ScriptedModel.call("a", "ask", topic("x")), AiMessage.from("done"));
    Session session = recordShared(sessions.resolve("s"), agent);
    executed.take();

    ReplayReport report = replayShared(session, ReplayPolicy.of(ReplayMode.MOCK), agent);

    assertThat(executed.take()).isEmpty();
    assertThat(report.divergencesByKind()).containsOnlyKeys("UNREAD");
    long line = Recorded.read(session).line("ask");
    assertThat(report.circumstances())
        .filteredOn(each -> each.name().equals("agents"))
        .singleElement()
        .satisfies(each -> assertThat(each.message())
            .startsWith("ask on line " + line + " was served")
            .contains("Researcher")
            .contains("withTool(\"ask\", ReplayAction.EXECUTE)"));
    assertThat(replayShared(session, POLICY, agent).circumstances())
        .noneMatch(each -> each.name().equals("agents"));
  }

  @Test
  void agent_that_was_not_recorded_is_a_miss() throws Exception {
    Agent agent = agent(null, ScriptedModel.call("a", "fail", topic("x")), AiMessage.from("done"));
    Session session = recordShared(sessions.resolve("s"), agent);
    executed.take();

    ReplayReport report = Replay.of(session).mode(ReplayMode.MOCK).run(scope -> {
      Instruments instruments = Instruments.of(AiServiceReplayer.ofShared(scope));
      agent.run(instruments);
      researcher(instruments, 1).research("z");
    });

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(report.divergences()).anySatisfy(divergence -> assertThat(divergence.miss())
        .isNotNull()
        .extracting(miss -> miss.kind())
        .isIn(MissKind.NEVER_RECORDED, MissKind.WRONG_KIND, MissKind.EXHAUSTED));
    assertThat(executed.take()).isEmpty();
  }
}
