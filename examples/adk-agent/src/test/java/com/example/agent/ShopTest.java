package com.example.agent;

import static dev.agentreplay.junit.ReplayAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.adk.agents.BaseAgent;
import com.google.adk.tools.Annotations.Schema;
import dev.agentreplay.adk.AdkReplayer;
import dev.agentreplay.engine.exchange.MissKind;
import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.junit.ReplayExecutors;
import dev.agentreplay.junit.ReplaySession;
import dev.agentreplay.junit.Replays;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records the agent, and replays an accepted recording. */
class ShopTest {

  static final String QUESTION = "When is the corner shop open? Order tea.";

  private static final String ANSWER = "It is open from 9 to 17, and the tea is ordered.";

  @ReplayExecutors // model and tools are those of the agent
  static Executors executors() {
    return Executors.none();
  }

  /** Records the golden session if it is missing, and replays it without model and tools. */
  @Test
  @ReplaySession(value = "orders-tea", mode = ReplayMode.MOCK)
  void orders_tea(AgentScope scope) {
    BaseAgent agent = ShopAgent.create(ScriptedModel.forTheQuestion(), new ShopTools());

    assertThat(ShopAgent.ask(agent, QUESTION, AdkReplayer.of(scope).plugin())).isEqualTo(ANSWER);
  }

  @Test
  void model_and_tools_do_not_run() throws Exception {
    ScriptedModel none = new ScriptedModel(); // fails if it is called
    ShopTools tools = new ShopTools() {
      @Override
      @Schema(description = "Returns the opening hours of a shop") // not inherited
      public Map<String, Object> hours(
          @Schema(name = "shop", description = "name of the shop") String shop) {
        throw new AssertionError("the tool ran");
      }
    };
    Session recording = Session.open(Path.of("src/test/resources/orders-tea"));

    ReplayReport report = Replay.of(recording)
        .mode(ReplayMode.MOCK)
        .run(scope -> ShopAgent.ask(
            ShopAgent.create(none, tools), QUESTION, AdkReplayer.of(scope).plugin()));

    assertThat(report.isIdentical()).as("%s", report.divergences()).isTrue();
    assertThat(report.exchanges().served()).isEqualTo(7);
    assertThat(report.exchanges().executed()).isZero();
  }

  @Test
  void a_different_question_is_a_divergence() throws Exception {
    Session recording = Session.open(Path.of("src/test/resources/orders-tea"));

    ReplayReport report = Replay.of(recording).mode(ReplayMode.MOCK).run(scope -> {
      try {
        ShopAgent.ask(
            ShopAgent.create(new ScriptedModel(), new ShopTools()),
            "Order coffee.",
            AdkReplayer.of(scope).plugin());
      } catch (RuntimeException e) {
        // the run fails at once
      }
    });

    assertThat(report.isIdentical()).isFalse();
    assertThat(report.root().miss().kind()).isEqualTo(MissKind.DIVERGED);
  }

  @Test
  void each_run_is_a_session(@TempDir Path sessions) throws Exception {
    BaseAgent agent = ShopAgent.create(ScriptedModel.forTheQuestion(), new ShopTools());

    assertThat(ShopAgent.askRecorded(agent, QUESTION, sessions)).isEqualTo(ANSWER);

    Replays.verify(sessions);
  }

  @Test
  void the_recording_is_as_it_was_written() throws Exception {
    Session recording = Session.open(Path.of("src/test/resources/orders-tea"));
    assertThat(recording)
        .isVerified()
        .hasToolCalls("hours", "transfer_to_agent", "order")
        .hasNoFailedToolResults();
  }
}
