package dev.agentreplay.langchain4j;

import static dev.agentreplay.langchain4j.Instruments.assertIdentical;
import static dev.agentreplay.langchain4j.Instruments.record;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.ReplayVerdict;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.ReplayAction;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayPolicy;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.langchain4j.Instruments.Agent;
import dev.langchain4j.agent.tool.CompensateFor;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.service.AiServices;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Models and tools are executed where the policy of a replay says so. */
class LiveReplayTest {

  private static final String ARGUMENTS = "{\"path\": \"x\"}";

  @TempDir
  private Path sessions;

  private final Executed executed = new Executed();

  private Agent chat(UnaryOperator<AiServices<Assistant>> change, AiMessage... answers) {
    return instruments -> instruments
        .add(change.apply(AiServices.builder(Assistant.class)
            .chatModel(executed.model(answers))
            .tools(executed.files())))
        .build()
        .chat("go");
  }

  private Agent agent(String tool) {
    return chat(
        builder -> builder, ScriptedModel.call("a", tool, ARGUMENTS), AiMessage.from("done"));
  }

  private ReplayReport replay(Session session, ReplayPolicy policy, Agent agent) throws Exception {
    return Replay.of(session).policy(policy).run(scope -> Instruments.run(scope, agent));
  }

  private static ReplayPolicy tools(Effect effect) {
    ReplayPolicy policy = ReplayPolicy.of(ReplayMode.TOOLS_LIVE);
    for (String tool : new String[] {"read", "touch", "broken", "picture"}) {
      policy = policy.withEffect(tool, effect);
    }
    return policy;
  }

  @Test
  void tools_are_executed_and_the_model_is_served() throws Exception {
    for (String tool : new String[] {"read", "touch", "broken", "picture"}) {
      Session session = record(sessions.resolve(tool), agent(tool));
      assertThat(executed.take()).containsExactly("model", tool, "model");

      ReplayReport report = replay(session, tools(Effect.PURE), agent(tool));

      assertThat(executed.take()).containsExactly(tool);
      assertIdentical(report);
      assertThat(report.exchanges().executed()).isEqualTo(1);
    }
  }

  @Test
  void tools_with_external_effects_are_served() throws Exception {
    Session session = record(sessions, agent("read"));
    executed.take();

    ReplayReport report = replay(session, tools(Effect.EXTERNAL), agent("read"));

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.UNVERIFIED);
    assertThat(report.divergencesByKind()).containsOnlyKeys("NOT_REEXECUTED");
    assertThat(executed.take()).isEmpty();
  }

  @Test
  void model_is_called_and_tools_are_served() throws Exception {
    Session session = record(sessions, agent("read"));
    executed.take();

    assertIdentical(replay(session, ReplayPolicy.of(ReplayMode.MODEL_LIVE), agent("read")));
    assertThat(executed.take()).containsExactly("model", "model");
  }

  @Test
  void sampling_that_is_stated_is_that_of_the_replay() throws Exception {
    List<ChatRequest> requests = new CopyOnWriteArrayList<>();
    ChatModel model = new ChatModel() {
      @Override
      public ChatRequestParameters defaultRequestParameters() {
        return ChatRequestParameters.builder().temperature(0.7).topK(40).build();
      }

      @Override
      public ChatResponse doChat(ChatRequest request) {
        requests.add(request);
        return ChatResponse.builder().aiMessage(AiMessage.from("Hello")).build();
      }
    };
    Agent agent = instruments -> instruments
        .add(AiServices.builder(Assistant.class).chatModel(model))
        .build()
        .chat("go");
    Session session = record(sessions, agent);
    assertThat(requests.get(0).temperature()).isEqualTo(0.7);

    assertIdentical(replay(session, ReplayPolicy.of(ReplayMode.MODEL_LIVE), agent));

    assertThat(requests).hasSize(2);
    assertThat(requests.get(1).temperature()).isZero();
    assertThat(requests.get(1).topK()).isOne();
    assertThat(requests.get(1).topP()).isNull();
  }

  @Test
  void answer_that_differs_is_a_divergence() throws Exception {
    Session session = record(sessions, agent("read"));
    executed.take();

    ReplayReport report = replay(
        session,
        ReplayPolicy.of(ReplayMode.MODEL_LIVE),
        chat(
            builder -> builder,
            ScriptedModel.call("a", "read", ARGUMENTS),
            AiMessage.from("finished")));

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(report.missed()).isZero();
  }

  @Test
  void tool_that_is_refused_ends_the_service() throws Exception {
    Session session = record(sessions, agent("read"));
    executed.take();

    ReplayReport report = replay(
        session,
        ReplayPolicy.of(ReplayMode.MOCK).withTool("read", ReplayAction.REFUSE),
        agent("read"));

    assertThat(executed.take()).isEmpty();
    assertThat(report.divergencesByKind()).containsKey("REFUSED");
    assertThat(report.failure())
        .isInstanceOf(dev.agentreplay.engine.replay.ExchangeRefusedException.class);
  }

  /** Tools that can be undone. */
  final class Undoable {
    @Tool
    String book(String path) {
      executed.add("book");
      return "booked";
    }

    @CompensateFor("book")
    void cancel(String path) {
      executed.add("cancel");
    }
  }

  @Test
  void compensating_action_runs_only_after_its_tool() throws Exception {
    Agent agent = chat(
        builder -> builder.tools(new Undoable()).compensateOnToolErrors(true),
        ScriptedModel.call("a", "book", ARGUMENTS),
        ScriptedModel.call("b", "broken", ARGUMENTS),
        AiMessage.from("done"));
    Session session = record(sessions, agent);
    assertThat(executed.take()).contains("book", "cancel");

    ReplayReport served = replay(session, ReplayPolicy.of(ReplayMode.MOCK), agent);
    assertThat(executed.take()).isEmpty();
    assertIdentical(served);

    replay(session, ReplayPolicy.of(ReplayMode.MOCK).withTool("book", ReplayAction.EXECUTE), agent);
    assertThat(executed.take()).containsExactly("book", "cancel");
  }
}
