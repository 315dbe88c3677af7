package dev.agentreplay.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.model.RecordingGap;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.ModelProvider;
import dev.langchain4j.model.chat.Capability;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.ChatRequestOptions;
import dev.langchain4j.model.chat.listener.ChatModelListener;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.response.ChatResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A wrapped model has every method of the model, and reads its properties only to record them. */
class ServiceModelTest {

  private static final ChatRequestOptions OPTIONS =
      ChatRequestOptions.builder().addListenerAttribute("key", "value").build();

  /** The methods that call a model. */
  enum Way {
    REQUEST {
      @Override
      ChatResponse call(ChatModel model, ChatRequest request) {
        return model.chat(request);
      }
    },
    OPTIONS {
      @Override
      ChatResponse call(ChatModel model, ChatRequest request) {
        return model.chat(request, ServiceModelTest.OPTIONS);
      }
    },
    DO_CHAT {
      @Override
      ChatResponse call(ChatModel model, ChatRequest request) {
        return model.doChat(request);
      }
    },
    LIST {
      @Override
      ChatResponse call(ChatModel model, ChatRequest request) {
        return model.chat(request.messages());
      }
    },
    MESSAGES {
      @Override
      ChatResponse call(ChatModel model, ChatRequest request) {
        return model.chat(request.messages().toArray(ChatMessage[]::new));
      }
    },
    TEXT {
      @Override
      ChatResponse call(ChatModel model, ChatRequest request) {
        UserMessage message = (UserMessage) request.messages().get(0);
        return ScriptedModel.response(AiMessage.from(model.chat(message.singleText())));
      }
    };

    abstract ChatResponse call(ChatModel model, ChatRequest request);

    /** A model that a service calls, and which calls a model in this way. */
    ChatModel to(ChatModel model) {
      return new ChatModel() {
        @Override
        public ChatResponse chat(ChatRequest request) {
          return call(model, request);
        }
      };
    }
  }

  /** A model that notes the methods which are called. */
  private final class Noting implements ChatModel {

    @Override
    public ChatResponse chat(ChatRequest request) {
      called.add("chat");
      return ScriptedModel.response(AiMessage.from("done"));
    }

    @Override
    public ChatResponse chat(ChatRequest request, ChatRequestOptions options) {
      called.add("chat with " + options.listenerAttributes());
      return ScriptedModel.response(AiMessage.from("done"));
    }

    @Override
    public ChatResponse doChat(ChatRequest request) {
      called.add("doChat");
      return ScriptedModel.response(AiMessage.from("done"));
    }

    @Override
    public ChatRequestParameters defaultRequestParameters() {
      return parameters;
    }

    @Override
    public List<ChatModelListener> listeners() {
      return listeners;
    }

    @Override
    public ModelProvider provider() {
      return ModelProvider.MISTRAL_AI;
    }

    @Override
    public Set<Capability> supportedCapabilities() {
      return Set.of(Capability.RESPONSE_FORMAT_JSON_SCHEMA);
    }
  }

  /** A model that states none of its properties. */
  private static final class Undescribed implements ChatModel {

    @Override
    public ChatResponse chat(ChatRequest request) {
      return ScriptedModel.response(AiMessage.from("done"));
    }

    @Override
    public ChatRequestParameters defaultRequestParameters() {
      throw new IllegalStateException("no parameters");
    }

    @Override
    public ModelProvider provider() {
      throw new IllegalStateException("no provider");
    }
  }

  @TempDir
  private Path sessions;

  private final List<String> called = new ArrayList<>();
  private final ChatRequestParameters parameters =
      ChatRequestParameters.builder().modelName("gpt-5").build();
  private final List<ChatModelListener> listeners = List.of(new ChatModelListener() {});

  private static String chat(AiServiceCalls calls, ChatModel model) {
    return new FrameworkService(calls, model, request -> "no tool", calls::on).chat("go");
  }

  private static String expected(Way way) {
    return switch (way) {
      case OPTIONS -> "chat with {key=value}";
      case DO_CHAT -> "doChat";
      default -> "chat";
    };
  }

  @ParameterizedTest
  @EnumSource
  void call_is_passed_to_the_same_method(Way way) {
    AiServiceCalls calls = AiServiceCalls.unrecorded();

    assertThat(chat(calls, way.to(calls.wrap(new Noting())))).isEqualTo("done");

    assertThat(called).containsExactly(expected(way));
  }

  @ParameterizedTest
  @EnumSource
  void call_is_recorded_and_replayed(Way way) throws Exception {
    try (AiServiceRecorder recorder = AiServiceRecorder.into(sessions)) {
      AiServiceCalls calls = AiServiceCalls.to(recorder);
      assertThat(chat(calls, way.to(calls.wrap(new Noting())))).isEqualTo("done");
      assertThat(recorder.failures()).isZero();
    }
    Recorded recorded = Recorded.only(sessions).isValid();
    assertThat(recorded.kinds()).containsExactly("ModelCall", "ModelResult", "SessionEnd");
    assertThat(recorded.modelCalls().get(0).model()).isEqualTo("gpt-5");
    assertThat(called).containsExactly(expected(way));
    called.clear();

    AiServiceCalls calls = AiServiceCalls.unrecorded();
    ChatModel model = way.to(calls.wrap(new Noting()));
    Instruments.assertIdentical(Replay.of(recorded.session())
        .mode(ReplayMode.MOCK)
        .run(scope -> calls.replay(AiServiceReplayer.of(scope), () -> chat(calls, model))));
    assertThat(called).isEmpty();
  }

  @Test
  void properties_are_those_of_the_model() {
    ChatModel model = AiServiceCalls.unrecorded().wrap(new Noting());

    assertThat(model.defaultRequestParameters()).isSameAs(parameters);
    assertThat(model.listeners()).isSameAs(listeners);
    assertThat(model.provider()).isEqualTo(ModelProvider.MISTRAL_AI);
    assertThat(model.supportedCapabilities())
        .containsExactly(Capability.RESPONSE_FORMAT_JSON_SCHEMA);
  }

  @Test
  void properties_are_not_read_if_nothing_is_recorded() {
    ChatRequest request = ChatRequest.builder().messages(UserMessage.from("go")).build();
    AiServiceCalls calls = AiServiceCalls.unrecorded();
    assertThat(chat(calls, calls.wrap(new Undescribed()))).isEqualTo("done");

    try (AiServiceRecorder recorder = AiServiceRecorder.into(sessions)) {
      ChatModel outside = AiServiceCalls.to(recorder).wrap(new Undescribed());
      assertThat(outside.chat(request).aiMessage().text()).isEqualTo("done");
      assertThat(recorder.failures()).isZero();
    }
  }

  @Test
  void properties_that_cannot_be_read_leave_a_gap() {
    List<Throwable> failures = new ArrayList<>();
    try (AiServiceRecorder recorder =
        AiServiceRecorder.into(sessions).onFailure(each -> failures.add(each.cause()))) {
      AiServiceCalls calls = AiServiceCalls.to(recorder);
      assertThat(chat(calls, calls.wrap(new Undescribed()))).isEqualTo("done");
    }

    assertThat(failures).singleElement().satisfies(each -> assertThat(each)
        .hasMessage("no parameters"));
    Recorded recorded = Recorded.only(sessions).isValid();
    assertThat(recorded.kinds()).containsExactly("RecordingGap", "RecordingGap", "SessionEnd");
    assertThat(recorded.all(RecordingGap.class).get(0).reason())
        .contains("ModelCall", "no parameters");
  }
}
