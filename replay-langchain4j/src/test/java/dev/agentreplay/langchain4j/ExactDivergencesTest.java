package dev.agentreplay.langchain4j;

import static dev.agentreplay.langchain4j.Instruments.assertIdentical;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.agentreplay.engine.exchange.MissKind;
import dev.agentreplay.engine.exchange.ReplayMiss;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayPolicy;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.langchain4j.Instruments.Agent;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.rag.content.Content;
import dev.langchain4j.rag.content.retriever.ContentRetriever;
import dev.langchain4j.rag.query.Query;
import dev.langchain4j.service.AiServices;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each change of an agent is exactly one divergence, at its line, and nothing is executed. */
class ExactDivergencesTest {

  private static final UnaryOperator<AiServices<Assistant>> UNCHANGED = builder -> builder;

  /** The lines of the recorded calls, after header and start. */
  private static final long FIRST_RETRIEVAL = 3;

  private static final long SECOND_RETRIEVAL = 5;
  private static final long QUESTION = 7;

  @TempDir
  private Path sessions;

  private final Executed executed = new Executed();
  private Session session;

  /** An agent that retrieves documents, and asks a model that reads a file. */
  private Agent agent(
      List<String> queries, String question, UnaryOperator<AiServices<Assistant>> change) {
    return instruments -> {
      ContentRetriever documents = instruments.retriever("documents", query -> {
        executed.add("documents");
        return List.of(Content.from("about " + query.text()));
      });
      for (String query : queries) {
        documents.retrieve(Query.from(query));
      }
      instruments
          .add(change.apply(AiServices.builder(Assistant.class)
              .chatModel(executed.model(
                  ScriptedModel.call("a", "read", "{\"path\": \"x\"}"), AiMessage.from("done")))
              .tools(executed.files())))
          .build()
          .chat(question);
    };
  }

  private Agent agent(String... queries) {
    return agent(List.of(queries), "go", UNCHANGED);
  }

  @BeforeEach
  void record() throws Exception {
    session = Instruments.recordShared(sessions.resolve("s"), agent("bees", "ants"));
    assertThat(executed.take()).containsExactly("documents", "documents", "model", "read", "model");
  }

  private ReplayReport replay(Agent agent) throws Exception {
    ReplayReport report =
        Instruments.replayShared(session, ReplayPolicy.of(ReplayMode.MOCK), agent);
    assertThat(executed.take()).isEmpty();
    assertThat(report.exchanges().executed()).isZero();
    return report;
  }

  private static void assertMiss(ReplayReport report, MissKind kind, long line) {
    assertThat(report.divergencesByKind()).containsExactly(entry("MISS", 1L));
    ReplayMiss miss = report.root().miss();
    assertThat(miss.kind()).isEqualTo(kind);
    assertThat(miss.nearest().line()).isEqualTo(line);
  }

  @Test
  void no_change() throws Exception {
    assertIdentical(replay(agent("bees", "ants")));
  }

  @Test
  void different_parameter_of_a_tool() throws Exception {
    assertMiss(replay(agent("bees", "wasps")), MissKind.DIVERGED, SECOND_RETRIEVAL);
  }

  @Test
  void different_order() throws Exception {
    ReplayReport report = replay(agent("ants", "bees"));

    assertThat(report.divergencesByKind()).containsExactly(entry("MOVED", 1L));
    assertThat(report.root().recordedLine()).isEqualTo(FIRST_RETRIEVAL);
    assertThat(report.exchanges().served()).isEqualTo(5);
  }

  @Test
  void one_call_more() throws Exception {
    ReplayReport report = replay(agent("bees", "ants", "ants"));

    assertThat(report.divergencesByKind()).containsExactly(entry("MISS", 1L));
    assertThat(report.root().miss().kind()).isEqualTo(MissKind.EXHAUSTED);
    assertThat(report.root().message()).contains("the recording has 1 exchange with this request");
  }

  @Test
  void one_call_less() throws Exception {
    ReplayReport report = replay(agent("bees"));

    assertThat(report.divergencesByKind()).containsExactly(entry("UNREAD", 1L));
    assertThat(report.root().recordedLine()).isEqualTo(SECOND_RETRIEVAL);
    assertThat(report.exchanges().unread()).isOne();
  }

  @Test
  void different_prompt() throws Exception {
    assertMiss(
        replay(agent(List.of("bees", "ants"), "stop", UNCHANGED)), MissKind.DIVERGED, QUESTION);
  }

  @Test
  void different_model() throws Exception {
    ScriptedModel model = executed.model();
    ChatModel other = new ChatModel() {
      @Override
      public ChatRequestParameters defaultRequestParameters() {
        return ChatRequestParameters.builder().modelName("other").build();
      }

      @Override
      public ChatResponse doChat(ChatRequest request) {
        return model.doChat(request);
      }
    };
    assertMiss(
        replay(agent(List.of("bees", "ants"), "go", builder -> builder.chatModel(other))),
        MissKind.MODEL_CHANGED,
        QUESTION);
  }

  @Test
  void different_tools() throws Exception {
    assertMiss(
        replay(agent(
            List.of("bees", "ants"),
            "go",
            builder -> builder.tools(Tools.tool(request -> Tools.text("never"))))),
        MissKind.TOOLS_CHANGED,
        QUESTION);
  }
}
