package dev.agentreplay.langchain4j;

import static dev.agentreplay.langchain4j.Instruments.assertIdentical;
import static dev.agentreplay.langchain4j.Instruments.mock;
import static dev.agentreplay.langchain4j.Instruments.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.ReplayVerdict;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.langchain4j.Instruments.Agent;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.ModelProvider;
import dev.langchain4j.model.chat.Capability;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.request.DefaultChatRequestParameters;
import dev.langchain4j.model.chat.request.ToolChoice;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.service.AiServices;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A recorded session is replayed without its model. */
class RecordedModelTest {

  /** Parameters of a provider. */
  static final class Special extends DefaultChatRequestParameters {
    private static final class Builder extends DefaultChatRequestParameters.Builder<Builder> {}

    Special(ChatRequestParameters values) {
      super(new Builder().overrideWith(values));
    }

    @Override
    public ChatRequestParameters overrideWith(ChatRequestParameters that) {
      return new Special(super.overrideWith(that));
    }
  }

  /** A model of a provider, with parameters and schemas. */
  private static ChatModel model(ChatRequestParameters parameters, String... answers) {
    ScriptedModel script = ScriptedModel.of(
        java.util.Arrays.stream(answers).map(AiMessage::from).toArray(AiMessage[]::new));
    return new ChatModel() {
      @Override
      public ChatResponse doChat(ChatRequest request) {
        return script.doChat(request);
      }

      @Override
      public ChatRequestParameters defaultRequestParameters() {
        return parameters;
      }

      @Override
      public ModelProvider provider() {
        return ModelProvider.OPEN_AI;
      }

      @Override
      public Set<Capability> supportedCapabilities() {
        return Set.of(Capability.RESPONSE_FORMAT_JSON_SCHEMA);
      }
    };
  }

  private static final ChatRequestParameters PARAMETERS = DefaultChatRequestParameters.builder()
      .modelName("gpt-5")
      .temperature(0.25)
      .topP(0.5)
      .topK(3)
      .frequencyPenalty(-1.0)
      .presencePenalty(Double.NaN)
      .maxOutputTokens(100)
      .stopSequences("end", "stop")
      .toolChoice(ToolChoice.AUTO)
      .build();

  @TempDir
  private Path sessions;

  private static Agent chat(ChatModel model) {
    return instruments -> instruments
        .add(AiServices.builder(Assistant.class).chatModel(model))
        .build()
        .chat("go");
  }

  @Test
  void parameters_are_those_of_the_recording() throws Exception {
    Session session = record(sessions, chat(model(PARAMETERS, "done")));

    RecordedModel model = RecordedModel.of(session);

    assertThat(model.defaultRequestParameters()).isEqualTo(PARAMETERS);
    assertThat(model.provider()).isEqualTo(ModelProvider.OPEN_AI);
    assertIdentical(mock(session, chat(model)));
  }

  @Test
  void class_of_parameters_is_that_of_the_recording() throws Exception {
    Session session = record(sessions, chat(model(new Special(PARAMETERS), "done")));
    assertThat(Recorded.read(session).modelCalls().get(0).meta().extra().get("parameters_type"))
        .hasToString("\"" + Special.class.getName() + "\"");

    assertIdentical(mock(session, chat(RecordedModel.of(session))));
  }

  @Test
  void schema_is_that_of_the_service() throws Exception {
    String answer = "{\"count\": 3, \"unit\": \"bees\"}";
    ChatModel model = model(PARAMETERS, answer, answer);
    Session session = record(sessions, counter(model));

    assertIdentical(mock(session, counter(RecordedModel.of(session))));
  }

  private static Agent counter(ChatModel model) {
    return instruments -> instruments
        .add(AiServices.builder(MockReplayTest.Counter.class).chatModel(model))
        .build()
        .count("bees");
  }

  @Test
  void parameters_that_differ_between_calls_are_left_to_the_service() throws Exception {
    Agent agent = instruments -> {
      for (String name : new String[] {"gpt-5", "gpt-5-mini"}) {
        instruments
            .add(AiServices.builder(Assistant.class)
                .chatModel(model(PARAMETERS, "done"))
                .chatRequestTransformer(request -> request.toBuilder()
                    .parameters(request
                        .parameters()
                        .overrideWith(DefaultChatRequestParameters.builder()
                            .modelName(name)
                            .temperature(name.length() / 10.0)
                            .build()))
                    .build()))
            .build()
            .chat("go");
      }
    };
    Session session = Instruments.recordShared(sessions.resolve("s"), agent);

    ChatRequestParameters parameters = RecordedModel.of(session).defaultRequestParameters();

    assertThat(parameters.temperature()).isNull();
    assertThat(parameters.modelName()).isNull();
    assertThat(parameters.maxOutputTokens()).isEqualTo(100);
  }

  @Test
  void service_without_a_model_has_no_parameters() throws Exception {
    Session session = record(sessions, chat(ScriptedModel.of(AiMessage.from("done"))));

    assertIdentical(
        Replay.of(session).mode(ReplayMode.MOCK).run(scope -> AiServiceReplayer.of(scope)
            .replay(AiServices.builder(Assistant.class))
            .build()
            .chat("go")));
  }

  @Test
  void session_without_model_calls_has_a_model_without_parameters() throws Exception {
    Session session = Instruments.recordShared(sessions.resolve("s"), instruments -> {});

    assertThat(RecordedModel.of(session).defaultRequestParameters())
        .isEqualTo(DefaultChatRequestParameters.EMPTY);
  }

  @Test
  void model_cannot_be_called() throws Exception {
    Session session = record(sessions, chat(model(PARAMETERS, "done")));
    RecordedModel model = RecordedModel.of(session);

    assertThatThrownBy(
            () -> AiServices.builder(Assistant.class).chatModel(model).build().chat("go"))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("AiServiceReplayer");
    ReplayReport report = Replay.of(session)
        .mode(ReplayMode.MODEL_LIVE)
        .run(scope -> Instruments.run(scope, chat(model)));
    assertThat(report.verdict()).isNotEqualTo(ReplayVerdict.IDENTICAL);
    assertThat(report.divergencesByKind()).containsKey("REFUSED");
  }
}
