package dev.agentreplay.langchain4j;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.observability.api.event.AiServiceCompletedEvent;
import dev.langchain4j.observability.api.event.AiServiceErrorEvent;
import dev.langchain4j.observability.api.event.AiServiceEvent;
import dev.langchain4j.observability.api.event.AiServiceRequestIssuedEvent;
import dev.langchain4j.observability.api.event.AiServiceStartedEvent;
import dev.langchain4j.observability.api.listener.AiServiceListener;
import dev.langchain4j.service.tool.BeforeToolExecution;
import dev.langchain4j.service.tool.ToolExecutionResult;
import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.WeakHashMap;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Passes the calls of services to a recorder or a replayer, where a framework implements the
 * services itself, without a builder to pass to {@link AiServiceRecorder#record}. Quarkus does: it
 * runs tools in a loop of its own, and reports only the first request of an invocation to
 * listeners.
 *
 * <p>The application passes three things: each event of a service to {@link #on}, each model
 * through {@link #wrap}, each call of a tool through {@link #call}:
 *
 * <pre>{@code
 * class Recording { // in Quarkus, a QuarkusToolExecutor.Wrapper
 *   final AiServiceCalls calls = AiServiceCalls.to(AiServiceRecorder.into(Path.of("sessions")));
 *
 *   void on(AiServiceEvent event) { // in Quarkus, an observer
 *     calls.on(event);
 *   }
 *
 *   ChatModel wrap(ChatModel model) {
 *     return calls.wrap(model);
 *   }
 *
 *   ToolExecutionResult wrap(
 *       ToolExecutionRequest request,
 *       InvocationContext context,
 *       BiFunction<ToolExecutionRequest, InvocationContext, ToolExecutionResult> tool) {
 *     return calls.call(request, context, tool);
 *   }
 * }
 * }</pre>
 *
 * <p>The invocation of a model call is the innermost one of its thread: a service that streams its
 * answer, and one whose model calls are in other threads, cannot be recorded in this way. A model
 * call outside of an invocation is not recorded.
 *
 * <p>Failures of recording never affect the agent, as {@link AiServiceRecorder} specifies. Safe for
 * use by several threads.
 */
public final class AiServiceCalls {

  private final @Nullable AiServiceRecorder recorder;

  @SuppressWarnings("ThreadLocalUsage") // an application has one object, and may have several
  private final ThreadLocal<@Nullable AiServiceReplayer> replaying = new ThreadLocal<>();

  /**
   * The invocations that the thread has started, the innermost first. A service refers to the
   * context until it has reported the end; one that never does must not remain reachable.
   */
  private final ThreadLocal<Deque<WeakReference<InvocationContext>>> started =
      ThreadLocal.withInitial(ArrayDeque::new);

  /** The replayers of invocations; an invocation without one is recorded. */
  private final Map<UUID, AiServiceReplayer> replayers =
      Collections.synchronizedMap(new WeakHashMap<>());

  private AiServiceCalls(@Nullable AiServiceRecorder recorder) {
    this.recorder = recorder;
  }

  /** Creates calls that are recorded, except for those of a {@link #replay}. */
  public static AiServiceCalls to(AiServiceRecorder recorder) {
    return new AiServiceCalls(Objects.requireNonNull(recorder, "recorder"));
  }

  /** Creates calls that are executed and not recorded, except for those of a {@link #replay}. */
  public static AiServiceCalls unrecorded() {
    return new AiServiceCalls(null);
  }

  /**
   * Runs an agent whose invocations in this thread are answered by a replayer:
   *
   * <pre>{@code
   * ReplayReport report = Replay.of(session)
   *     .mode(ReplayMode.MOCK)
   *     .run(scope -> calls.replay(
   *         AiServiceReplayer.of(scope), () -> assistant.chat("Which files mention it?")));
   * }</pre>
   *
   * <p>The service is that of the recording. An exception of the replay that a tool causes, such as
   * {@link dev.agentreplay.engine.replay.ReplayMissException}, may be handled by the framework as
   * any other exception of a tool; the report of the replay has it.
   *
   * @return the result of the agent
   * @throws Exception the exception of the agent
   */
  public <T extends @Nullable Object> T replay(AiServiceReplayer replayer, Callable<T> agent)
      throws Exception {
    AiServiceReplayer outer = replaying.get();
    replaying.set(Objects.requireNonNull(replayer, "replayer"));
    try {
      return agent.call();
    } finally {
      if (outer == null) {
        replaying.remove();
      } else {
        replaying.set(outer);
      }
    }
  }

  /** Receives an event of a service. Every event of a service must be passed, of whatever class. */
  public void on(AiServiceEvent event) {
    InvocationContext context = event.invocationContext();
    if (event instanceof AiServiceStartedEvent) {
      AiServiceReplayer replayer = replaying.get();
      if (replayer != null) {
        replayers.put(context.invocationId(), replayer);
        replayer.started(context);
      }
      started.get().removeIf(each -> each.refersTo(null));
      started.get().push(new WeakReference<>(context));
    }
    AiServiceReplayer replayer = replayers.get(context.invocationId());
    if (event instanceof AiServiceRequestIssuedEvent) {
      return; // the wrapped model sees all requests
    } else if (replayer != null) {
      pass(event, replayer.listeners());
    } else if (recorder != null) {
      pass(event, recorder.listeners());
    }
    if (event instanceof AiServiceCompletedEvent || event instanceof AiServiceErrorEvent) {
      started.get().removeIf(each -> {
        InvocationContext other = each.get();
        return other == null || other.invocationId().equals(context.invocationId());
      });
    }
  }

  @SuppressWarnings("unchecked") // a listener is one of the class that it states
  private static void pass(AiServiceEvent event, List<AiServiceListener<?>> listeners) {
    for (AiServiceListener<?> listener : listeners) {
      if (listener.getEventClass().isInstance(event)) {
        ((AiServiceListener<AiServiceEvent>) listener).onEvent(event);
      }
    }
  }

  /** Wraps a model; one that was wrapped by these calls is returned as it is. */
  public ChatModel wrap(ChatModel model) {
    Objects.requireNonNull(model, "model");
    return model instanceof ServiceModel wrapped && wrapped.isOf(this)
        ? model
        : new ServiceModel(this, model);
  }

  /**
   * Calls a tool, or answers the call as a replay says.
   *
   * @param context that of the invocation
   * @param tool calls the tool, without an error handler
   * @return the result of the tool
   */
  public ToolExecutionResult call(
      ToolExecutionRequest request,
      InvocationContext context,
      BiFunction<ToolExecutionRequest, InvocationContext, ToolExecutionResult> tool) {
    UUID id = context.invocationId();
    AiServiceReplayer replayer = id == null ? null : replayers.get(id);
    if (replayer != null) {
      // an executed tool runs on a thread of the replay, which replays the services that it invokes
      return replayer.call(
          request, context, () -> replay(replayer, () -> tool.apply(request, context)));
    }
    if (recorder == null) {
      return tool.apply(request, context);
    }
    recorder
        .beforeToolExecution()
        .accept(BeforeToolExecution.builder()
            .request(request)
            .invocationContext(context)
            .build());
    ToolExecutionResult result;
    try {
      result = tool.apply(request, context);
    } catch (Throwable e) { // also checked exceptions that the framework throws
      recorder.toolThrew(context, request, e);
      throw RecordedExceptions.<RuntimeException>thrown(e);
    }
    recorder.toolReturned(context, request, result);
    return result;
  }

  /**
   * Announces a request to the recorder; returns the replayer that answers it, or null.
   *
   * @param model the properties of the model, which are not read if nothing is recorded
   */
  @Nullable
  AiServiceReplayer issued(ChatRequest request, Supplier<ModelDefaults> model) {
    InvocationContext context = running();
    AiServiceReplayer replayer =
        context == null ? replaying.get() : replayers.get(context.invocationId());
    if (context != null && replayer != null) {
      replayer.issued(context, request, model.get());
    } else if (context != null && recorder != null) {
      recorder.issued(context, request, model);
    }
    return replayer;
  }

  /** The innermost invocation of the thread; null if it runs none. */
  private @Nullable InvocationContext running() {
    Iterator<WeakReference<InvocationContext>> contexts = started.get().iterator();
    while (contexts.hasNext()) {
      InvocationContext context = contexts.next().get();
      if (context != null && isRunning(context.invocationId())) {
        return context;
      }
      contexts.remove(); // its end was reported in a different thread, or never
    }
    return null;
  }

  private boolean isRunning(UUID invocation) {
    AiServiceReplayer replayer = replayers.get(invocation);
    return replayer != null
        ? replayer.isRunning(invocation)
        : recorder != null && recorder.isRunning(invocation);
  }
}
