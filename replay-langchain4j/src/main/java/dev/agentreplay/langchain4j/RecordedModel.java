package dev.agentreplay.langchain4j;

import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.langchain4j.model.ModelProvider;
import dev.langchain4j.model.chat.Capability;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.listener.ChatModelListener;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.request.DefaultChatRequestParameters;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The model of a recorded session: its name, parameters and provider, without the model. A service
 * whose calls {@link AiServiceReplayer} answers from the recording needs neither the model nor its
 * key:
 *
 * <pre>{@code
 * Replay.of(session)
 *     .mode(ReplayMode.MOCK)
 *     .run(scope -> AiServiceReplayer.of(scope)
 *         .replay(AiServices.builder(Assistant.class).chatModel(RecordedModel.of(session)))
 *         .build()
 *         .chat("Which files mention the old name?"));
 * }</pre>
 *
 * <p>The parameters are those that all calls of the session have in common. It cannot be called:
 * outside of a replay, and where a replay executes it, the call fails. Immutable and safe for use
 * by several threads.
 */
public final class RecordedModel implements ChatModel, StreamingChatModel {

  private static final RecordedModel WITHOUT_PARAMETERS =
      new RecordedModel(DefaultChatRequestParameters.EMPTY, ModelProvider.OTHER, Set.of());

  private final ChatRequestParameters parameters;
  private final ModelProvider provider;
  private final Set<Capability> capabilities;

  private RecordedModel(
      ChatRequestParameters parameters, ModelProvider provider, Set<Capability> capabilities) {
    this.parameters = parameters;
    this.provider = provider;
    this.capabilities = capabilities;
  }

  /**
   * The model of the main agent of a session.
   *
   * @throws dev.agentreplay.io.log.ReplayFormatException if a line of the log cannot be read
   * @throws IOException if the log cannot be read
   */
  public static RecordedModel of(Session session) throws IOException {
    return of(session, null);
  }

  /**
   * The model of an agent of a session.
   *
   * @param agent the id of the agent, its lane; null for the main agent
   * @throws dev.agentreplay.io.log.ReplayFormatException if a line of the log cannot be read
   * @throws IOException if the log cannot be read
   */
  public static RecordedModel of(Session session, @Nullable String agent) throws IOException {
    JsonObject common = null;
    ModelCall first = null;
    String model = null;
    boolean hasSchema = false;
    try (ReplayReader reader = session.reader()) {
      for (ReplayLine line : reader) {
        if (line.event() instanceof ModelCall call && Objects.equals(call.meta().agent(), agent)) {
          JsonObject json = call.parameters().json();
          hasSchema |= ParametersJson.hasSchema(json);
          if (first == null || common == null) {
            first = call;
            model = name(call);
            common = json;
          } else {
            model = Objects.equals(model, name(call)) ? model : null;
            common = common(common, json);
          }
        }
      }
    }
    if (first == null || common == null) {
      return WITHOUT_PARAMETERS;
    }
    ChatRequestParameters parameters = ParametersJson.restored(model, common);
    return new RecordedModel(
        first.meta().extra().get(ModelEvents.PARAMETERS_TYPE) instanceof JsonString type
            ? RecordedParameters.of(parameters, type.value())
            : parameters,
        provider(first.meta().extra().get(ModelEvents.PROVIDER)),
        hasSchema ? Set.of(Capability.RESPONSE_FORMAT_JSON_SCHEMA) : Set.of());
  }

  /** A model of which nothing is known. */
  static RecordedModel withoutParameters() {
    return WITHOUT_PARAMETERS;
  }

  private static @Nullable String name(ModelCall call) {
    String model = call.model();
    return model == null ? null : WellFormedTexts.exact(call, ModelEvents.MODEL_PLACE, model);
  }

  private static JsonObject common(JsonObject some, JsonObject others) {
    JsonObject common = some;
    for (String name : some.names()) {
      if (!Objects.equals(some.get(name), others.get(name))) {
        common = common.without(name);
      }
    }
    return common;
  }

  private static ModelProvider provider(@Nullable JsonValue recorded) {
    if (recorded instanceof JsonString text) {
      for (ModelProvider known : ModelProvider.values()) {
        if (known.name().toLowerCase(Locale.ROOT).equals(text.value())) {
          return known;
        }
      }
    }
    return ModelProvider.OTHER;
  }

  @Override
  public ChatRequestParameters defaultRequestParameters() {
    return parameters;
  }

  @Override
  public ModelProvider provider() {
    return provider;
  }

  @Override
  public Set<Capability> supportedCapabilities() {
    return capabilities;
  }

  @Override
  public List<ChatModelListener> listeners() {
    return List.of();
  }

  /** Fails: there is no model. */
  @Override
  public ChatResponse doChat(ChatRequest request) {
    throw missing();
  }

  /** Fails: there is no model. */
  @Override
  public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
    throw missing();
  }

  private static UnsupportedOperationException missing() {
    return new UnsupportedOperationException(
        "a recorded model cannot be called: pass the service to AiServiceReplayer.replay");
  }
}
