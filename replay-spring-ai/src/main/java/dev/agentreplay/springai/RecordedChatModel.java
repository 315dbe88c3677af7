package dev.agentreplay.springai;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.io.agent.EventTexts;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import reactor.core.publisher.Flux;

/**
 * The model of a recorded session: its options, without the model. A chat client whose calls are
 * answered from the recording needs neither the model nor its key:
 *
 * <pre>{@code
 * Replay.of(session)
 *     .mode(ReplayMode.MOCK)
 *     .run(scope -> {
 *       SpringAiCalls calls = SpringAiCalls.to(SpringAiReplayer.of(scope));
 *       ChatClient.builder(calls.wrap(RecordedChatModel.of(session)))
 *           .defaultAdvisors(calls.advisor())
 *           .build()
 *           .prompt("Which files mention the old name?")
 *           .call()
 *           .content();
 *     });
 * }</pre>
 *
 * <p>The options are those that all calls of the session have in common. It cannot be called:
 * outside of a replay, and where a replay executes it, the call fails. Safe for use by several
 * threads.
 */
public final class RecordedChatModel implements ChatModel {

  private final ChatOptions options;

  /** Creates the model that is called where a replay executes it; null if there is none. */
  private final @Nullable Supplier<? extends ChatModel> live;

  private @Nullable ChatModel created;

  private RecordedChatModel(ChatOptions options, @Nullable Supplier<? extends ChatModel> live) {
    this.options = options;
    this.live = live;
  }

  /**
   * The model of the main agent of a session.
   *
   * @throws dev.agentreplay.io.log.ReplayFormatException if a line of the log cannot be read
   * @throws IOException if the log cannot be read
   */
  public static RecordedChatModel of(Session session) throws IOException {
    return new RecordedChatModel(options(session), null);
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
    if (recorded == null) {
      return model.get();
    }
    try {
      return new RecordedChatModel(options(recorded), model);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ChatOptions options(Session session) throws IOException {
    JsonObject common = null;
    String model = null;
    try (ReplayReader reader = session.reader()) {
      for (ReplayLine line : reader) {
        if (line.event() instanceof ModelCall call && call.meta().agent() == null) {
          JsonObject json = call.parameters().json();
          model = common == null || Objects.equals(model, name(call)) ? name(call) : null;
          common = common == null ? json : common(common, json);
        }
      }
    }
    return ParametersJson.restored(model, common == null ? JsonObject.EMPTY : common);
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

  /** Whether a model can be called: it is the real one, or knows how to create that. */
  static boolean canBeCalled(ChatModel model) {
    if (model instanceof WrappedChatModel wrapped) {
      return canBeCalled(wrapped.model());
    }
    return !(model instanceof RecordedChatModel recorded) || recorded.live != null;
  }

  @Override
  public ChatOptions getOptions() {
    return options;
  }

  @Override
  @SuppressWarnings("removal")
  public ChatOptions getDefaultOptions() {
    return options;
  }

  @Override
  public ChatResponse call(Prompt prompt) {
    return live().call(prompt);
  }

  @Override
  public Flux<ChatResponse> stream(Prompt prompt) {
    return live().stream(prompt);
  }

  private synchronized ChatModel live() {
    if (live == null) {
      throw new UnsupportedOperationException(
          "a recorded model cannot be called: wrap it with SpringAiCalls, or create it with"
              + " RecordedChatModel.of(scope, () -> model)");
    }
    if (created == null) {
      created = Objects.requireNonNull(live.get(), "the supplier returned null");
    }
    return created;
  }
}
