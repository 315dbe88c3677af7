package dev.agentreplay.langchain4j;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.io.agent.EventTexts;
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
import dev.langchain4j.model.chat.ChatRequestOptions;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.listener.ChatModelListener;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.request.DefaultChatRequestParameters;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
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
 * outside of a replay, and where a replay executes it, the call fails.
 *
 * <p>An agent that is recorded and replayed by the same code passes what creates its model, which
 * is called only where the scope records, or the replay executes the model:
 *
 * <pre>{@code
 * void agent(AgentScope scope) {
 *   AiServiceReplayer.of(scope)
 *       .replay(AiServices.builder(Assistant.class)
 *           .chatModel(RecordedModel.of(scope, () -> model)))
 *       .build()
 *       .chat("Which files mention the old name?");
 * }
 * }</pre>
 *
 * <p>Safe for use by several threads.
 */
public final class RecordedModel implements ChatModel, StreamingChatModel {

  private static final RecordedModel WITHOUT_PARAMETERS = new RecordedModel(
      DefaultChatRequestParameters.EMPTY, ModelProvider.OTHER, Set.of(), null, null);

  private final ChatRequestParameters parameters;
  private final ModelProvider provider;
  private final Set<Capability> capabilities;

  /** The model that is called where a replay executes it; null if there is none. */
  private final @Nullable CreatedOnce<ChatModel> chat;

  private final @Nullable CreatedOnce<StreamingChatModel> streaming;

  private RecordedModel(
      ChatRequestParameters parameters,
      ModelProvider provider,
      Set<Capability> capabilities,
      @Nullable CreatedOnce<ChatModel> chat,
      @Nullable CreatedOnce<StreamingChatModel> streaming) {
    this.parameters = parameters;
    this.provider = provider;
    this.capabilities = capabilities;
    this.chat = chat;
    this.streaming = streaming;
  }

  /**
   * The model of the main agent of a scope: if it replays, the recorded one, which calls the real
   * model only where the replay executes it; if it records, the real one.
   *
   * @param model creates the real model: at once if the scope records, else when the replay
   *     executes it
   * @throws UncheckedIOException if the recording cannot be read
   */
  public static ChatModel of(AgentScope scope, Supplier<? extends ChatModel> model) {
    Session recorded = scope.recorded();
    CreatedOnce<ChatModel> live = new CreatedOnce<>(model);
    return recorded == null ? live.get() : ofRecorded(recorded).with(live, null);
  }

  /**
   * The streaming model of the main agent of a scope, as {@link #of(AgentScope, Supplier)} returns
   * it.
   *
   * @param model creates the real model: at once if the scope records, else when the replay
   *     executes it
   * @throws UncheckedIOException if the recording cannot be read
   */
  public static StreamingChatModel streaming(
      AgentScope scope, Supplier<? extends StreamingChatModel> model) {
    Session recorded = scope.recorded();
    CreatedOnce<StreamingChatModel> live = new CreatedOnce<>(model);
    return recorded == null ? live.get() : ofRecorded(recorded).with(null, live);
  }

  private static RecordedModel ofRecorded(Session session) {
    try {
      return of(session);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private RecordedModel with(
      @Nullable CreatedOnce<ChatModel> liveChat,
      @Nullable CreatedOnce<StreamingChatModel> liveStreaming) {
    return new RecordedModel(parameters, provider, capabilities, liveChat, liveStreaming);
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
        hasSchema ? Set.of(Capability.RESPONSE_FORMAT_JSON_SCHEMA) : Set.of(),
        null,
        null);
  }

  /** A model of which nothing is known. */
  static RecordedModel withoutParameters() {
    return WITHOUT_PARAMETERS;
  }

  /** Whether a model can be called: it is the real one, or knows how to create that. */
  static boolean canBeCalled(Object model) {
    return !(model instanceof RecordedModel recorded)
        || recorded.chat != null
        || recorded.streaming != null;
  }

  private static @Nullable String name(ModelCall call) {
    String model = call.model();
    return model == null ? null : EventTexts.exact(call, ModelEvents.MODEL_PLACE, model);
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

  @Override
  public ChatResponse chat(ChatRequest request) {
    return chat().chat(request);
  }

  @Override
  public ChatResponse chat(ChatRequest request, ChatRequestOptions options) {
    return chat().chat(request, options);
  }

  /** Calls the real model. */
  @Override
  public ChatResponse doChat(ChatRequest request) {
    return chat().doChat(request);
  }

  @Override
  public void chat(ChatRequest request, StreamingChatResponseHandler handler) {
    streaming().chat(request, handler);
  }

  @Override
  public void chat(
      ChatRequest request, ChatRequestOptions options, StreamingChatResponseHandler handler) {
    streaming().chat(request, options, handler);
  }

  /** Calls the real model. */
  @Override
  public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
    streaming().doChat(request, handler);
  }

  private ChatModel chat() {
    return required(chat);
  }

  private StreamingChatModel streaming() {
    return required(streaming);
  }

  private static <T> T required(@Nullable CreatedOnce<T> model) {
    if (model == null) {
      throw new UnsupportedOperationException(
          "a recorded model cannot be called: pass the service to AiServiceReplayer.replay, or"
              + " create the model with RecordedModel.of(scope, () -> model)");
    }
    return model.get();
  }
}
