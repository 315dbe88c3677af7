package dev.agentreplay.adk;

import com.google.adk.agents.BaseAgent;
import com.google.adk.agents.CallbackContext;
import com.google.adk.agents.InvocationContext;
import com.google.adk.agents.LlmAgent;
import com.google.adk.agents.RunConfig.StreamingMode;
import com.google.adk.events.Event;
import com.google.adk.models.BaseLlm;
import com.google.adk.models.LlmRegistry;
import com.google.adk.models.LlmRequest;
import com.google.adk.models.LlmResponse;
import com.google.adk.models.Model;
import com.google.adk.plugins.BasePlugin;
import com.google.adk.plugins.Plugin;
import com.google.adk.tools.BaseTool;
import com.google.adk.tools.ToolContext;
import com.google.genai.types.Content;
import dev.agentreplay.adk.AgentLanes.Lane;
import dev.agentreplay.adk.ReplayedAnswers.Answer;
import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Maybe;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Answers the calls of agents as a replay says. */
final class ReplayerPlugin extends BasePlugin {

  private final AdkReplayer replayer;
  private final ReplayedAnswers answers;
  private final ReplayedTools tools;
  private final Waiting waiting = new Waiting();

  ReplayerPlugin(AdkReplayer replayer) {
    super("agent_replay_replayer");
    this.replayer = replayer;
    this.answers = new ReplayedAnswers(replayer);
    this.tools = new ReplayedTools(replayer, this);
  }

  @Override
  public Maybe<Content> onUserMessageCallback(InvocationContext invocation, Content message) {
    replayer.begin(invocation);
    return Maybe.empty();
  }

  @Override
  public Maybe<Event> onEventCallback(InvocationContext invocation, Event event) {
    Content content = event.content().orElse(null);
    if (!event.partial().orElse(false) && content != null && event.author() != null) {
      String text = SessionForms.finalText(event);
      if (text != null) {
        replayer.finalText(text);
      }
      if (event.functionResponses().isEmpty()) {
        answeredByCallback(replayer.lane(invocation, event.author()), invocation, content);
      }
    }
    return Maybe.empty();
  }

  /** Records the answer of a callback in place of a wrapped model, if it is one. */
  private void answeredByCallback(Lane lane, InvocationContext invocation, Content content) {
    String id = invocation.invocationId();
    boolean isPending = replayer
        .pending()
        .values()
        .removeIf(call -> call.invocation().equals(id) && call.lane().equals(lane));
    if (isPending) {
      replayer.scope(lane).emit(CallbackAnswer.of(content, lane));
    }
  }

  @Override
  public Completable afterRunCallback(InvocationContext invocation) {
    return Completable.fromAction(() -> replayer.ended(invocation, null));
  }

  @Override
  public Completable onRunErrorCallback(InvocationContext invocation, Throwable error) {
    return Completable.fromAction(() -> replayer.ended(invocation, error));
  }

  @Override
  public Maybe<LlmResponse> beforeModelCallback(
      CallbackContext context, LlmRequest.Builder request) {
    InvocationContext invocation = context.invocationContext();
    Lane lane = replayer.lane(invocation, context.agentName());
    LlmAgent agent = (LlmAgent) invocation.agent();
    Model model = agent.resolvedModel();
    if (model.model().orElse(null) instanceof ReplayedModel) {
      PendingModelCall call =
          new PendingModelCall(context.eventId(), invocation.invocationId(), agent, lane);
      request.tools(new PendingModelCall.Tools(request.build().tools(), call));
      replayer.pending().put(call.id(), call);
      return Maybe.empty();
    }
    return skippedBefore(context, request)
        .doOnSuccess(response -> response
            .content()
            .ifPresent(content -> replayer.scope(lane).emit(CallbackAnswer.of(content, lane))))
        .switchIfEmpty(Maybe.defer(() -> ask(context, request, lane, model)));
  }

  /** Calls the callbacks that the kit does not call, because this plugin answers. */
  private Maybe<LlmResponse> skippedBefore(CallbackContext context, LlmRequest.Builder request) {
    InvocationContext invocation = context.invocationContext();
    List<Supplier<Maybe<LlmResponse>>> callbacks = new ArrayList<>();
    for (Plugin plugin : PluginOrder.after(this, invocation.pluginManager())) {
      callbacks.add(() -> plugin.beforeModelCallback(context, request));
    }
    ((LlmAgent) invocation.agent())
        .canonicalBeforeModelCallbacks()
        .forEach(callback -> callbacks.add(() -> callback.call(context, request)));
    return first(callbacks);
  }

  static <T> Maybe<T> first(List<Supplier<Maybe<T>>> callbacks) {
    return Flowable.fromIterable(callbacks).concatMapMaybe(Supplier::get).firstElement();
  }

  private Maybe<LlmResponse> ask(
      CallbackContext context, LlmRequest.Builder builder, Lane lane, Model model) {
    LlmRequest request = builder.build();
    BaseAgent agent = context.invocationContext().agent();
    boolean streams = context.invocationContext().runConfig().streamingMode() == StreamingMode.SSE;
    Supplier<BaseLlm> live =
        () -> model.model().orElseGet(() -> LlmRegistry.getLlm(model.modelName().orElse("")));
    return waiting
        .forValue(lane, () -> answers.ask(lane, agent, request, streams, live, piece -> {}))
        .flatMap(answer -> completed(context, builder, request, answer));
  }

  /** Calls the callbacks after a model, which the kit calls only if it has called the model. */
  private static Maybe<LlmResponse> completed(
      CallbackContext context, LlmRequest.Builder builder, LlmRequest request, Answer answer) {
    InvocationContext invocation = context.invocationContext();
    LlmAgent agent = (LlmAgent) invocation.agent();
    Throwable error = answer.error();
    if (error == null) {
      if (answer.responses().isEmpty()) {
        return Maybe.just(LlmResponse.builder().build());
      }
      return after(context, agent, AnswerForms.joined(answer.responses()));
    }
    List<Supplier<Maybe<LlmResponse>>> callbacks = new ArrayList<>();
    callbacks.add(() -> invocation.pluginManager().onModelErrorCallback(context, builder, error));
    Exception thrown = error instanceof Exception exception ? exception : new Exception(error);
    agent
        .canonicalOnModelErrorCallbacks()
        .forEach(callback -> callbacks.add(() -> callback.call(context, request, thrown)));
    return first(callbacks)
        .switchIfEmpty(Maybe.error(error))
        .flatMap(response -> after(context, agent, response));
  }

  private static Maybe<LlmResponse> after(
      CallbackContext context, LlmAgent agent, LlmResponse response) {
    List<Supplier<Maybe<LlmResponse>>> callbacks = new ArrayList<>();
    callbacks.add(
        () -> context.invocationContext().pluginManager().afterModelCallback(context, response));
    agent
        .canonicalAfterModelCallbacks()
        .forEach(callback -> callbacks.add(() -> callback.call(context, response)));
    return first(callbacks).defaultIfEmpty(response).toMaybe();
  }

  @Override
  public Maybe<Map<String, Object>> beforeToolCallback(
      BaseTool tool, Map<String, Object> arguments, ToolContext context) {
    Lane lane = replayer.lane(context.invocationContext(), context.agentName());
    return waiting.forValue(lane, () -> tools.call(tool, arguments, context, lane));
  }
}
