package dev.agentreplay.langchain4j;

import dev.agentreplay.io.agent.GuardedSession;
import dev.agentreplay.io.agent.RecordingFailure;
import dev.agentreplay.io.agent.RecordingFailures;
import dev.agentreplay.io.agent.RunningCall;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.langchain4j.OpenCalls.OpenCall;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.observability.api.event.AiServiceStartedEvent;
import dev.langchain4j.observability.api.listener.AiServiceCompletedListener;
import dev.langchain4j.observability.api.listener.AiServiceErrorListener;
import dev.langchain4j.observability.api.listener.AiServiceListener;
import dev.langchain4j.observability.api.listener.AiServiceRequestIssuedListener;
import dev.langchain4j.observability.api.listener.AiServiceResponseReceivedListener;
import dev.langchain4j.observability.api.listener.AiServiceStartedListener;
import dev.langchain4j.observability.api.listener.OutputGuardrailExecutedListener;
import dev.langchain4j.observability.api.listener.ToolExecutedEventListener;
import dev.langchain4j.rag.content.retriever.ContentRetriever;
import dev.langchain4j.rag.query.Metadata;
import dev.langchain4j.rag.query.Query;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.tool.BeforeToolExecution;
import dev.langchain4j.service.tool.ToolExecution;
import dev.langchain4j.service.tool.ToolExecutionResult;
import java.lang.ref.Cleaner;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Records LangChain4j AI services: each invocation as its own session, or all invocations in one
 * session of the caller. Create a recorder with {@link #into(Path)}, and pass the builder of each
 * service to {@link #record}. Safe for use by several threads.
 *
 * <p>Recorded are model calls with prompt, parameters and answer, tool calls with arguments and
 * result, the latency of both, and the end of an invocation with its final answer, or the error
 * that ended it. The tags of a session name the service, the method, the chat memory, and the
 * invocation and tool call that started it, if it is recorded in a session of its own. Messages are
 * in the JSON form that LangChain4j's {@code ChatMessageDeserializer} reads; a message that cannot
 * be serialized is an object with the {@code error} and its {@code to_string}. Tool specifications
 * are sorted by name, because LangChain4j has them in the order of Java's reflection, which differs
 * between JVMs.
 *
 * <p>Not recorded are parameters of a model provider that LangChain4j's common parameters lack
 * ({@code parameters_type} is the name of their class); metadata of an answer other than model,
 * finish reason and input and output tokens; the chunks of a stream, unless its model is wrapped by
 * {@link #streaming}; moderation; the contents from a retriever (RAG) that is not wrapped by
 * {@link #retriever}, other than in the prompt; and compensating actions of tools.
 *
 * <p>No text of a model is lost; if an event has no field for it, it is in an additional member.
 * Arguments that are not JSON are recorded as a string; {@code params_text} is the original text if
 * it is a JSON string or null, which would otherwise be ambiguous. A call without an id, or with
 * the id of a call that is still open, gets a generated id; {@code tool_call_id} is the id from the
 * model. An unpaired surrogate, which has no UTF-8 form, is written as U+FFFD; {@code utf16} then
 * has the exact text, as base64 of UTF-16BE, by its JSON Pointer. Numbers that an event cannot
 * represent are recorded as text: a temperature of {@code "NaN"}, a {@code token_usage} with
 * negative counts.
 *
 * <p>Failures of recording never affect the agent: no exception is thrown into it. An event that is
 * rejected, for example because it is too long, leaves a
 * {@link dev.agentreplay.model.RecordingGap}. After a write error the
 * {@link dev.agentreplay.io.recording.FailurePolicy} of the session decides: with {@code DEGRADE}
 * recording continues, with {@code FAIL} it stops and the session has no end. Each failure is
 * reported to the listener of {@link #onFailure}. Without a listener, the system logger
 * {@code dev.agentreplay.langchain4j} warns of the first failure of each session, and of the first
 * failure outside a session. Events are written by the threads of the agent, which wait for fsync
 * as specified by the {@link dev.agentreplay.io.recording.Durability} of the session.
 *
 * <p>If LangChain4j reports no end of an invocation, the session has no end. This applies to a
 * stream that is never started, is cancelled or ignores its errors, and to a model that throws an
 * {@link Error}. The session is closed some time after the invocation becomes unreachable, or by
 * {@link #close()}.
 */
public final class AiServiceRecorder implements AutoCloseable {

  private static final Cleaner CLEANER = Cleaner.create();

  private final @Nullable SessionFactory factory;
  private final @Nullable GuardedSession shared;
  private final RecordingFailures failures = new RecordingFailures("dev.agentreplay.langchain4j");
  private final AtomicBoolean isLogged = new AtomicBoolean();
  private final GuardedSession unrecorded = GuardedSession.none("", failures);
  private final AtomicBoolean isDisplacementReported = new AtomicBoolean();
  private final Map<UUID, RecordedInvocation> invocations = new ConcurrentHashMap<>();
  private volatile boolean closed;

  /** The same for every service: a listener that is registered twice is called once. */
  private final List<AiServiceListener<?>> listeners = List.of(
      (AiServiceStartedListener) this::started,
      (AiServiceRequestIssuedListener) event -> on(
          "ModelCall",
          event.invocationContext(),
          to -> to.requestIssued(
              event.request(), () -> EventParts.defaults(event.invocationContext()))),
      (AiServiceResponseReceivedListener) event -> on(
          "ModelResult",
          event.invocationContext(),
          to -> to.responseReceived(event.request(), event.response())),
      (OutputGuardrailExecutedListener) event -> on(
          "ModelResult",
          event.invocationContext(),
          to -> to.guardrailExecuted(event.request().responseFromLLM())),
      (ToolExecutedEventListener) event -> on(
          "ToolResult",
          event.invocationContext(),
          to -> requireSeen(to.toolExecuted(event.request(), event.resultContents()))),
      (AiServiceCompletedListener)
          event -> ended(event.invocationContext(), null, to -> to.completed(event.result())),
      (AiServiceErrorListener)
          event -> ended(event.invocationContext(), event.error(), to -> to.failed(event.error())));

  private final ToolCallbacks callbacks = new ToolCallbacks(
      before -> on(
          "ToolCall", before.invocationContext(), to -> to.beforeToolExecution(before.request())),
      after -> on(
          "ToolResult", after.invocationContext(), to -> requireSeen(to.afterToolExecution(after))),
      (error, context) -> on(
          "ToolResult",
          context.invocationContext(),
          to -> to.toolFailed(context.toolExecutionRequest(), error)));

  private AiServiceRecorder(@Nullable SessionFactory factory, @Nullable SessionRecorder shared) {
    this.factory = factory;
    this.shared = shared == null ? null : GuardedSession.of(shared, failures);
  }

  /**
   * Creates a recorder that records each invocation as a session in its own directory, named after
   * the id of the invocation, with default options.
   *
   * @param sessions the parent of these directories; created if missing
   */
  public static AiServiceRecorder into(Path sessions) {
    return into(sessions, RecorderOptions.defaults());
  }

  /**
   * Creates a recorder that records each invocation as a session in its own directory, named after
   * the id of the invocation.
   *
   * @param sessions the parent of these directories; created if missing
   */
  public static AiServiceRecorder into(Path sessions, RecorderOptions options) {
    Objects.requireNonNull(sessions, "sessions");
    Objects.requireNonNull(options, "options");
    return of((event, start) -> SessionRecorder.start(
        sessions.resolve(event.invocationContext().invocationId().toString()), start, options));
  }

  /**
   * Creates a recorder that records all invocations into one session, which the caller starts, ends
   * and closes. An agent that is a tool of a recorded agent, or that a recorded retriever invokes,
   * has a lane of its own: its events have {@code agent}, the simple name of its interface, after
   * that of the agent which invokes it and a slash if that has a lane as well, and {@code parent},
   * the tool call that started it. If one answer of the model requests several calls of that tool,
   * the second agent is {@code Name-2}, and so on, whichever starts first; a number that is the
   * lane of a running invocation is skipped. If different tools or retrievers invoke one service at
   * the same time, its agents are numbered as they start. An agent is recognized if it is invoked
   * by the thread that runs the tool. The assignment of calls to other concurrent invocations is
   * not recorded, nor is the error of an invocation that fails for a reason other than a model or a
   * tool.
   */
  public static AiServiceRecorder into(SessionRecorder session) {
    return new AiServiceRecorder(null, Objects.requireNonNull(session, "session"));
  }

  /** Creates a recorder that records each invocation as a session started by a factory. */
  public static AiServiceRecorder of(SessionFactory factory) {
    return new AiServiceRecorder(Objects.requireNonNull(factory, "factory"), null);
  }

  /**
   * Sets the listener of all later recording failures, which replaces the system logger. It may be
   * called by several threads at the same time.
   *
   * @return this
   */
  public AiServiceRecorder onFailure(Consumer<? super RecordingFailure> listener) {
    failures.listen(Objects.requireNonNull(listener, "listener"));
    return this;
  }

  /** The number of recording failures so far. */
  public long failures() {
    return failures.count();
  }

  /**
   * Adds the recorder to the builder of a service. A builder has one callback before and one after
   * a tool call. Callbacks set earlier are called after those of the recorder; they may still
   * prevent the tool call by throwing. Callbacks set later replace those of the recorder; compose
   * them instead:
   *
   * <pre>{@code
   * AiServiceRecorder calls = AiServiceRecorder.into(sessions);
   * calls.record(builder).beforeToolExecution(calls.beforeToolExecution().andThen(callback));
   * }</pre>
   *
   * <p>If a callback was replaced, a tool call is recorded when the agent continues after it, with
   * latency 0 and, if the second callback was replaced, without its outcome. This is reported once
   * as a failure.
   *
   * <p>The class of an exception that an error handler of tools turns into a text for the model is
   * recorded, too, unless {@code toolExecutionErrorHandler} is set after this method.
   *
   * @return the builder
   * @throws IllegalStateException if the callbacks set earlier cannot be read in this version of
   *     LangChain4j
   */
  public <T> AiServices<T> record(AiServices<T> builder) {
    return callbacks.addTo(builder).registerListeners(listeners);
  }

  /**
   * Wraps a model that streams, so that the pieces of its answers are recorded as {@code chunks}:
   * LangChain4j reports only whole answers to listeners. Pieces of thinking and of tool calls are
   * not recorded.
   *
   * <p>The model is passed to the builder as
   * {@code builder.streamingChatModel(recording.streaming(model))}.
   *
   * <p>The pieces of an answer are left out, and this is reported as a failure, if they do not form
   * its text, or if a different listener has replaced its request.
   */
  public StreamingChatModel streaming(StreamingChatModel model) {
    return new RecordedStreamingModel(Objects.requireNonNull(model, "model"), this::piecesOfAnswer);
  }

  private Consumer<String> piecesOfAnswer(ChatRequest request) {
    for (Map.Entry<UUID, RecordedInvocation> each : invocations.entrySet()) {
      OpenCall call = each.getValue().modelCall(request);
      if (call != null) {
        return piece -> guarded("ModelResult", each.getKey(), () -> call.stream()
            .add(call.millis(each.getValue().nanoTime()), piece));
      }
    }
    failures.report(
        new RecordingFailure(
            "", "ModelResult", new IllegalStateException("the request of a stream is not known")),
        isLogged);
    return piece -> {};
  }

  /**
   * Wraps a content retriever (RAG), so that its retrievals are recorded as calls of a tool: the
   * listeners of a service see only the prompt that the contents become part of. A call has the
   * parameter {@code query}. Its output is an array of the contents in the order of the retriever,
   * before they are ranked and added to the prompt. Each has its {@code text}, the {@code metadata}
   * of its document, and {@code score}, {@code reranked_score} and {@code embedding_id}, as far as
   * the retriever states them; a content of a class other than LangChain4j's own is also recorded
   * as a whole, in {@code content}. An exception of the retriever reaches the agent, and is
   * recorded as a failed call.
   *
   * <p>The retriever is passed to the builder, or to a query router, as
   * {@code builder.contentRetriever(recording.retriever("documents", retriever))}. LangChain4j
   * retrieves after the start of an invocation and before its first model call.
   *
   * <p>A retrieval is recorded in the session of the invocation that the metadata of its query
   * name, in whichever thread it runs. If they name none, for example because a tool or a query
   * transformer creates the query, it is recorded in the session of the invocation whose tool or
   * retriever the thread runs; if there is none, in the session of the caller. Without such a
   * session it is not recorded, which is reported as a failure.
   *
   * @param tool the name of the tool in the recording
   * @throws IllegalArgumentException if the name is blank
   */
  public ContentRetriever retriever(String tool, ContentRetriever retriever) {
    if (tool.isBlank()) {
      throw new IllegalArgumentException("the name of the tool must not be blank");
    }
    return new RecordedRetriever(
        tool, Objects.requireNonNull(retriever, "retriever"), this::sessionOf);
  }

  /** Returns the session that the retrieval of a query is recorded into; never throws. */
  private GuardedSession sessionOf(Query query) {
    try {
      requireOpen();
      Metadata metadata = query.metadata();
      UUID id = metadata == null ? null : metadata.invocationContext().invocationId();
      RecordedInvocation invocation = id == null ? null : invocations.get(id);
      RunningCall running = RunningCall.innermost();
      if (invocation != null) {
        return invocation.session();
      } else if (running != null && running.place() instanceof GuardedSession session) {
        return session;
      } else if (shared != null) {
        return shared;
      }
      throw new IllegalStateException("the query names no invocation that is being recorded");
    } catch (Throwable e) {
      RecordingFailures.rethrowIfFatal(e);
      failures.report(new RecordingFailure("", "ToolCall", e), isLogged);
      return unrecorded;
    }
  }

  /**
   * The listeners of services, for a framework that creates the builders itself, such as Spring
   * Boot: the framework registers each of them. They record everything but the tool calls, for
   * which there are {@link #beforeToolExecution()} and {@link #afterToolExecution()}; without
   * these, a tool call is recorded when the agent continues after it, as {@link #record} specifies.
   */
  public List<AiServiceListener<?>> listeners() {
    return listeners;
  }

  /** The callback that records tool calls, to be composed with a callback that is set later. */
  public Consumer<BeforeToolExecution> beforeToolExecution() {
    return callbacks.before();
  }

  /** The callback that records tool results, to be composed with a callback that is set later. */
  public Consumer<ToolExecution> afterToolExecution() {
    return callbacks.after();
  }

  /**
   * Stops recording. Sessions of invocations that have not ended are closed without an end. A
   * session of the caller is not closed.
   */
  @Override
  public void close() {
    closed = true;
    for (UUID id : List.copyOf(invocations.keySet())) {
      leave(id);
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the recorder is closed");
    }
  }

  private void leave(UUID id) {
    RecordedInvocation invocation = invocations.remove(id);
    if (invocation != null) {
      invocation.close();
    }
  }

  /** Whether an invocation has started and not ended. */
  boolean isRunning(UUID invocation) {
    return invocations.containsKey(invocation);
  }

  /** Records a request that an invocation is about to pass to a model. */
  void issued(InvocationContext context, ChatRequest request, Supplier<ModelDefaults> model) {
    on("ModelCall", context, to -> to.requestIssued(request, model));
  }

  /** Records the result of a tool whose call {@link #beforeToolExecution} has recorded. */
  void toolReturned(
      InvocationContext context, ToolExecutionRequest request, ToolExecutionResult result) {
    on("ToolResult", context, to -> requireSeen(to.toolReturned(request, result)));
  }

  /** Records that a tool threw whose call {@link #beforeToolExecution} has recorded. */
  void toolThrew(InvocationContext context, ToolExecutionRequest request, Throwable error) {
    on("ToolResult", context, to -> to.toolThrew(request, error));
  }

  private void started(AiServiceStartedEvent event) {
    UUID id = event.invocationContext().invocationId();
    guarded("SessionStart", id, () -> {
      requireOpen();
      UUID key = new UUID(id.getMostSignificantBits(), id.getLeastSignificantBits());
      invocations.put(key, new RecordedInvocation(session(key, event)));
      // every event of the invocation refers to this object: when it is unreachable, none follows
      CLEANER.register(id, () -> leave(key));
      if (closed) { // close() may have run before the invocation was added
        leave(key);
      }
    });
  }

  private GuardedSession session(UUID id, AiServiceStartedEvent event) {
    if (factory == null) {
      return Objects.requireNonNull(shared)
          .forInvocation(event.invocationContext().interfaceName());
    }
    return GuardedSession.start(
        id.toString(), () -> factory.start(event, SessionEvents.start(id, event)), failures);
  }

  private void ended(
      InvocationContext context, @Nullable Throwable error, Consumer<RecordedInvocation> action) {
    UUID id = context.invocationId();
    guarded("SessionEnd", id, () -> action.accept(require(invocations.remove(id), error)));
  }

  private void on(String what, InvocationContext context, Consumer<RecordedInvocation> action) {
    UUID id = context.invocationId();
    guarded(what, id, () -> action.accept(require(invocations.get(id), null)));
  }

  private static RecordedInvocation require(
      @Nullable RecordedInvocation invocation, @Nullable Throwable error) {
    if (invocation == null) {
      throw new IllegalStateException("the invocation has ended, or its start was not seen", error);
    }
    return invocation;
  }

  /** Runs an action and reports any failure, so that it cannot affect the agent. */
  private void guarded(String what, UUID invocation, Runnable action) {
    try {
      action.run();
    } catch (Throwable e) {
      RecordingFailures.rethrowIfFatal(e);
      failures.report(new RecordingFailure(String.valueOf(invocation), what, e), isLogged);
    }
  }

  private void requireSeen(boolean seen) {
    if (!seen && isDisplacementReported.compareAndSet(false, true)) {
      throw new IllegalStateException("the tool callbacks of the recorder were replaced: compose"
          + " callbacks with beforeToolExecution() and afterToolExecution()");
    }
  }
}
