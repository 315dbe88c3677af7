package dev.agentreplay.langchain4j;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.agent.ReplayedLane;
import dev.agentreplay.io.agent.RunningCall;
import dev.agentreplay.model.SessionEnd;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.model.ModelProvider;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.observability.api.event.AiServiceRequestIssuedEvent;
import dev.langchain4j.observability.api.listener.AiServiceCompletedListener;
import dev.langchain4j.observability.api.listener.AiServiceErrorListener;
import dev.langchain4j.observability.api.listener.AiServiceListener;
import dev.langchain4j.observability.api.listener.AiServiceRequestIssuedListener;
import dev.langchain4j.observability.api.listener.AiServiceStartedListener;
import dev.langchain4j.rag.content.retriever.ContentRetriever;
import dev.langchain4j.rag.query.Metadata;
import dev.langchain4j.rag.query.Query;
import dev.langchain4j.service.AiServiceContext;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.tool.ToolExecutionResult;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Replays LangChain4j AI services: answers the model calls, tool calls and retrievals of a service
 * as a replay says, from a session that {@link AiServiceRecorder} recorded or by executing them.
 *
 * <pre>{@code
 * ReplayReport report = Replay.of(session)
 *     .mode(ReplayMode.MOCK)
 *     .run(scope -> AiServiceReplayer.of(scope)
 *         .replay(AiServices.builder(Assistant.class).chatModel(model).tools(tools))
 *         .build()
 *         .chat("Which files mention the old name?"));
 * }</pre>
 *
 * <p>The builder is that of the recorded service: requests are recorded and matched in the same
 * form. The model is called, and a tool is run, only where the policy of the replay executes it; a
 * tool then runs on a thread of the replay. The builder needs no model where none is executed: a
 * {@link RecordedModel} has the parameters of the recorded one.
 *
 * <ul>
 *   <li>A recorded answer has its text, thinking, tool requests and attributes, model, finish
 *       reason, and input and output tokens; metadata that is not recorded is missing. A stream has
 *       its recorded pieces, or one piece if they were not recorded, and none of thinking.
 *   <li>A recorded failure is thrown, or passed to the handler of a stream, after the pieces that
 *       had arrived: as the same class if it is one of LangChain4j or the JDK, otherwise as
 *       {@link dev.agentreplay.engine.replay.failure.RecordedFailureException}. An error of a tool
 *       that was returned to the model is returned to it again.
 *   <li>An exception of the replay, such as
 *       {@link dev.agentreplay.engine.replay.ReplayMissException}, is thrown out of the service,
 *       also if a tool call causes it: error handlers of tools do not get it.
 *   <li>A tool that invokes a recorded service, so that this has a lane of its own, must be
 *       executed for its lane to be replayed:
 *       {@code ReplayPolicy.of(ReplayMode.MOCK).withTool("ask", ReplayAction.EXECUTE)}.
 *   <li>Compensating actions run only after tools that were executed. Guardrails, memories,
 *       transformers and handlers are those of the builder, and run. So does a moderation model,
 *       and a retriever that is not wrapped by {@link #retriever}, because they are not recorded.
 * </ul>
 *
 * <p>With the scope of {@link AgentScope#recording}, everything is executed and recorded in the
 * same form as by {@link AiServiceRecorder}.
 *
 * <p>Safe for use by several threads.
 */
public final class AiServiceReplayer {

  private final ReplayedLane session;
  private final boolean isShared;
  private final Map<UUID, ReplayedInvocation> invocations = new ConcurrentHashMap<>();

  /** The requests that are about to be passed to a model, by identity. */
  private final Map<ChatRequest, IssuedRequest> issued =
      Collections.synchronizedMap(new IdentityHashMap<>());

  private final List<AiServiceListener<?>> listeners = List.of(
      (AiServiceRequestIssuedListener) this::issued,
      (AiServiceCompletedListener) event ->
          ended(event.invocationContext(), invocation -> invocation.completed(event.result())),
      (AiServiceErrorListener) event ->
          ended(event.invocationContext(), invocation -> ReplayedInvocation.failed(event.error())));

  private AiServiceReplayer(AgentScope scope, boolean isShared) {
    this.session = ReplayedLane.of(Objects.requireNonNull(scope, "scope"));
    this.isShared = isShared;
  }

  /**
   * Creates a replayer of a session that was recorded for one invocation, as by
   * {@link AiServiceRecorder#into(java.nio.file.Path)}. The end of the invocation is that of the
   * session: {@link AgentScope#end} is called.
   */
  public static AiServiceReplayer of(AgentScope scope) {
    return new AiServiceReplayer(scope, false);
  }

  /**
   * Creates a replayer of a session that all invocations share, as by
   * {@link AiServiceRecorder#into(dev.agentreplay.io.recording.SessionRecorder)}. The caller states
   * its end.
   */
  public static AiServiceReplayer ofShared(AgentScope scope) {
    return new AiServiceReplayer(scope, true);
  }

  /**
   * Replays the services of a builder. The model, the tools and the other settings of the builder
   * may be set before and after.
   *
   * @return the builder
   * @throws IllegalStateException if the builder is replayed by a different replayer, or cannot be
   *     read in this version of LangChain4j
   */
  public <T> AiServices<T> replay(AiServices<T> builder) {
    AiServiceContext context = ServiceContext.of(builder);
    if (context.toolService instanceof ReplayedToolService tools) {
      if (tools.replayer() != this) {
        throw new IllegalStateException("the builder is replayed by a different replayer");
      }
      return builder;
    }
    context.toolService = new ReplayedToolService(this, context.toolService);
    if (context.chatModel == null && context.streamingChatModel == null) {
      RecordedModel none = RecordedModel.withoutParameters();
      builder.chatModel(none).streamingChatModel(none);
    }
    replayModels(context);
    return builder
        .registerListener((AiServiceStartedListener) event -> {
          replayModels(context); // one may have been set later
          started(event.invocationContext());
        })
        .registerListeners(listeners);
  }

  private void replayModels(AiServiceContext context) {
    ChatModel chat = context.chatModel;
    if (chat != null && !(chat instanceof ReplayedModels.Chat)) {
      context.chatModel = new ReplayedModels.Chat(this, chat);
    }
    StreamingChatModel streaming = context.streamingChatModel;
    if (streaming != null && !(streaming instanceof ReplayedModels.Streaming)) {
      context.streamingChatModel = new ReplayedModels.Streaming(this, streaming);
    }
  }

  /**
   * Wraps a content retriever (RAG), so that its retrievals are replayed. Contents that were
   * recorded are of LangChain4j's own class, with text, metadata and scores.
   *
   * @param tool the name of the tool in the recording, as in {@link AiServiceRecorder#retriever}
   * @throws IllegalArgumentException if the name is blank
   */
  public ContentRetriever retriever(String tool, ContentRetriever retriever) {
    if (tool.isBlank()) {
      throw new IllegalArgumentException("the name of the tool must not be blank");
    }
    return new ReplayedRetriever(
        tool, Objects.requireNonNull(retriever, "retriever"), this::laneOf);
  }

  private ReplayedLane laneOf(Query query) {
    Metadata metadata = query.metadata();
    return invocation(metadata == null ? null : metadata.invocationContext()).lane();
  }

  /** The listeners of events that end invocations. */
  List<AiServiceListener<?>> listeners() {
    return listeners;
  }

  /** Whether an invocation has started and not ended. */
  boolean isRunning(UUID invocation) {
    return invocations.containsKey(invocation);
  }

  /** Begins the replay of an invocation. */
  void started(InvocationContext context) {
    UUID id = context.invocationId();
    // a copy: AiServiceCalls keeps its entry as long as the object can be reached
    invocations.put(
        new UUID(id.getMostSignificantBits(), id.getLeastSignificantBits()),
        new ReplayedInvocation(session.forInvocation(context.interfaceName())));
  }

  /** Notes a request that an invocation is about to pass to a model. */
  void issued(InvocationContext context, ChatRequest request, ModelDefaults model) {
    issued.put(request, new IssuedRequest(invocation(context), request, model));
  }

  private void issued(AiServiceRequestIssuedEvent event) {
    InvocationContext context = event.invocationContext();
    issued(context, event.request(), EventParts.defaults(context));
  }

  private void ended(InvocationContext context, Function<ReplayedInvocation, SessionEnd> end) {
    ReplayedInvocation invocation = invocations.remove(context.invocationId());
    if (invocation == null) {
      return;
    }
    invocation.lane().release();
    issued.values().removeIf(request -> request.invocation() == invocation);
    if (!isShared && invocation.lane().agent() == null) {
      session.end(end.apply(invocation));
    }
  }

  /**
   * The invocation of a context; if it is not known, one in the lane whose tool the thread runs.
   */
  ReplayedInvocation invocation(@Nullable InvocationContext context) {
    UUID id = context == null ? null : context.invocationId();
    ReplayedInvocation known = id == null ? null : invocations.get(id);
    if (known != null) {
      return known;
    }
    RunningCall running = RunningCall.in(session.session());
    return new ReplayedInvocation(
        running != null && running.place() instanceof ReplayedLane lane ? lane : session);
  }

  /** Answers the call of a tool, or calls the tool, as the replay says. */
  ToolExecutionResult call(
      ToolExecutionRequest request,
      @Nullable InvocationContext context,
      Callable<ToolExecutionResult> tool) {
    try {
      return invocation(context)
          .call(request, () -> new ToolReturn(tool.call(), null), true, () -> {});
    } catch (Exception e) {
      throw RecordedExceptions.<RuntimeException>thrown(e);
    }
  }

  /**
   * The issued request that is passed to a model.
   *
   * @param defaults the parameters of the model, if the request is not one of a service
   * @param provider the provider of the model, if the request is not one of a service
   */
  IssuedRequest issued(
      ChatRequest request, ChatRequestParameters defaults, ModelProvider provider) {
    IssuedRequest known = issued.remove(request);
    return known != null
        ? known
        : new IssuedRequest(invocation(null), request, new ModelDefaults(defaults, provider));
  }
}
