package dev.agentreplay.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.exchange.MissKind;
import dev.agentreplay.engine.exchange.ReplayMiss;
import dev.agentreplay.engine.replay.ReplayDivergence;
import dev.agentreplay.engine.replay.ReplayMissException;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.ReplayStoppedException;
import dev.agentreplay.engine.replay.ReplayVerdict;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.langchain4j.Instruments.Agent;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.request.DefaultChatRequestParameters;
import dev.langchain4j.service.AiServices;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A replay of an agent that was changed shows the change, and executes nothing. */
class ChangedAgentTest {

  private static final String ARGUMENTS = "{\"path\": \"x\"}";

  @TempDir
  private Path sessions;

  private final Executed executed = new Executed();
  private Session session;

  /** The agent that is recorded, with changes. */
  private Agent agent(String message, UnaryOperator<AiServices<Assistant>> change) {
    return instruments -> instruments
        .add(change.apply(AiServices.builder(Assistant.class)
            .systemMessage("You are polite.")
            .chatModel(executed.model(
                ScriptedModel.call("a", "read", ARGUMENTS),
                ScriptedModel.call("b", "read", ARGUMENTS),
                AiMessage.from("done")))
            .tools(executed.files())))
        .build()
        .chat(message);
  }

  @BeforeEach
  void record() {
    session = Instruments.record(sessions, agent("go", builder -> builder));
    assertThat(executed.take()).hasSize(5);
  }

  private ReplayReport replay(Agent agent) throws Exception {
    ReplayReport report = Instruments.mock(session, agent);
    assertThat(executed.take()).isEmpty();
    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    return report;
  }

  private static ReplayMiss miss(ReplayReport report) {
    return report.divergences().stream()
        .map(ReplayDivergence::miss)
        .filter(Objects::nonNull)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void different_message_of_the_user() throws Exception {
    ReplayReport report = replay(agent("stop", builder -> builder));

    assertThat(miss(report).kind()).isEqualTo(MissKind.DIVERGED);
    assertThat(miss(report).nearest().message()).isEqualTo(1);
    assertThat(report.failure()).isInstanceOf(ReplayMissException.class);
  }

  @Test
  void different_message_of_the_system() throws Exception {
    ReplayReport report = replay(agent("go", builder -> builder.systemMessage("You are rude.")));

    assertThat(miss(report).kind()).isEqualTo(MissKind.DIVERGED);
    assertThat(miss(report).nearest().message()).isZero();
  }

  @Test
  void different_tools() throws Exception {
    ReplayReport report =
        replay(agent("go", builder -> builder.tools(Tools.tool(request -> Tools.text("never")))));

    assertThat(miss(report).kind()).isEqualTo(MissKind.TOOLS_CHANGED);
  }

  @Test
  void different_parameters_of_the_model() throws Exception {
    ScriptedModel model = executed.model();
    ReplayReport report = replay(agent(
        "go",
        builder -> builder.chatModel(new dev.langchain4j.model.chat.ChatModel() {
          @Override
          public ChatRequestParameters defaultRequestParameters() {
            return DefaultChatRequestParameters.builder().temperature(0.7).build();
          }

          @Override
          public dev.langchain4j.model.chat.response.ChatResponse doChat(
              dev.langchain4j.model.chat.request.ChatRequest request) {
            return model.doChat(request);
          }
        })));

    assertThat(miss(report).kind()).isEqualTo(MissKind.MODEL_CHANGED);
  }

  @Test
  void different_request_because_of_a_transformer() throws Exception {
    ReplayReport report = replay(agent(
        "go",
        builder -> builder.chatRequestTransformer(request ->
            request.toBuilder().messages(SystemMessage.from("You are polite.")).build())));

    assertThat(miss(report).kind()).isEqualTo(MissKind.DIVERGED);
  }

  @Test
  void one_more_invocation() throws Exception {
    ReplayReport report = replay(instruments -> {
      agent("go", builder -> builder).run(instruments);
      agent("again", builder -> builder).run(instruments);
    });

    assertThat(miss(report).kind()).isEqualTo(MissKind.EXHAUSTED);
  }

  @Test
  void same_invocation_once_more() throws Exception {
    ReplayReport report = replay(instruments -> {
      agent("go", builder -> builder).run(instruments);
      agent("go", builder -> builder).run(instruments);
    });

    assertThat(miss(report).kind()).isEqualTo(MissKind.EXHAUSTED);
  }

  @Test
  void fewer_calls() throws Exception {
    ReplayReport report = replay(agent("go", builder -> builder.maxToolCallingRoundTrips(1)));

    assertThat(report.divergencesByKind()).containsKey("UNREAD");
    assertThat(report.exchanges().unread()).isPositive();
    assertThat(report.failure()).isNotNull();
  }

  @Test
  void service_that_is_not_called() throws Exception {
    ReplayReport report = replay(instruments -> {});

    assertThat(report.divergencesByKind()).containsKey("UNREAD");
    assertThat(report.exchanges().served()).isZero();
  }

  @Test
  void agent_that_swallows_the_miss() throws Exception {
    ReplayReport report = replay(instruments -> {
      try {
        agent("stop", builder -> builder).run(instruments);
      } catch (ReplayMissException e) {
        // as an agent may do
      }
    });

    assertThat(report.failure()).isNull();
    assertThat(miss(report).kind()).isEqualTo(MissKind.DIVERGED);
  }

  @Test
  void miss_of_a_tool_is_not_returned_to_the_model() throws Exception {
    Session other = Instruments.record(sessions.resolve("other"), instruments -> instruments
        .add(AiServices.builder(Assistant.class)
            .chatModel(executed.model(ScriptedModel.call("a", "tool", "{}")))
            .tools(Tools.tool(request -> Tools.text("one")))
            .beforeToolExecution(event -> {
              throw new IllegalStateException("prevented");
            }))
        .build()
        .chat("go"));
    executed.take();
    assertThat(Recorded.read(other).toolCalls()).hasSize(1);

    // the recorded service had one call of the tool, and failed; this one calls it twice
    ReplayReport report = Instruments.mock(other, instruments -> instruments
        .add(AiServices.builder(Assistant.class)
            .chatModel(executed.model())
            .tools(Tools.tool(request -> Tools.text("never")))
            .beforeToolExecution(event -> {
              try {
                instruments
                    .retriever("tool", query -> List.of())
                    .retrieve(dev.langchain4j.rag.query.Query.from("taken"));
              } catch (ReplayMissException | ReplayStoppedException e) {
                // the replay is stopped by it
              }
            }))
        .build()
        .chat("go"));

    assertThat(report.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(report.failure()).isInstanceOf(ReplayStoppedException.class);
    assertThat(executed.take()).isEmpty();
  }
}
