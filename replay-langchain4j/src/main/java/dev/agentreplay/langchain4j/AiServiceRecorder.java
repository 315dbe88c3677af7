package dev.agentreplay.langchain4j;

import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.SessionStart.Task;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.observability.api.event.AiServiceStartedEvent;
import dev.langchain4j.observability.api.listener.AiServiceCompletedListener;
import dev.langchain4j.observability.api.listener.AiServiceErrorListener;
import dev.langchain4j.observability.api.listener.AiServiceListener;
import dev.langchain4j.observability.api.listener.AiServiceRequestIssuedListener;
import dev.langchain4j.observability.api.listener.AiServiceResponseReceivedListener;
import dev.langchain4j.observability.api.listener.AiServiceStartedListener;
import dev.langchain4j.observability.api.listener.OutputGuardrailExecutedListener;
import dev.langchain4j.observability.api.listener.ToolExecutedEventListener;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.tool.BeforeToolExecution;
import dev.langchain4j.service.tool.ToolExecution;
import java.lang.ref.Cleaner;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Records what services of LangChain4j do: each invocation as a session of its own, or all of them
 * in one session of the caller's. Get one by {@link #into(Path)}, and let it {@link #record} as
 * many services as need be. Safe for use by several threads.
 *
 * <p>Recorded are the model calls with prompt, parameters and answer, and the tool calls with
 * arguments and result, both with how long they took; the end of an invocation, or the error that
 * ended it. Messages are in the JSON form that LangChain4j's {@code ChatMessageDeserializer} reads;
 * one that has no such form is an object with the {@code error} and what {@code to_string} makes of
 * it. The descriptions of tools are sorted by name: LangChain4j has them in the order of Java's
 * reflection, which is not that of another JVM.
 *
 * <p>Not recorded are the parameters that a single provider of models has beyond LangChain4j's own,
 * of which {@code parameters_type} names the class, and what it says of an answer beyond model,
 * finish reason and tokens in and out; the parts of a stream; moderation; actions that compensate
 * for a tool.
 *
 * <p>Nothing that a model wrote is lost; where an event has no place for it, it is in an additional
 * member. Arguments that are no JSON are recorded as the text they are; {@code params_text} is the
 * text of a JSON string or null, which could be taken for another one. A call whose id is missing,
 * or that of a call that still waits, gets one that is made up; {@code tool_call_id} is the
 * model's. Half of a surrogate pair, which has no UTF-8 form, is written as U+FFFD; {@code utf16}
 * has the exact text, in base64 of UTF-16BE, by the JSON Pointer of where it stands. Numbers that
 * an event cannot have are their texts: a temperature of {@code "NaN"}, a {@code token_usage} with
 * less than no tokens.
 *
 * <p>What goes wrong with recording changes nothing for the agent, and nothing is thrown into it.
 * An event that is refused, as one that is too long, leaves a
 * {@link dev.agentreplay.model.RecordingGap}. What cannot be written is for the session's
 * {@link dev.agentreplay.io.recording.FailurePolicy} to say: with {@code DEGRADE} recording goes
 * on, with {@code FAIL} the session stays as it is, without an end. {@link #onFailure} tells of
 * each; a warning of the system's logger {@code dev.agentreplay.langchain4j} tells otherwise of the
 * first one of a session, and of the first one that belongs to none. Events are written by the
 * threads of the agent, which wait for the disk as the session's
 * {@link dev.agentreplay.io.recording.Durability} says.
 *
 * <p>An invocation that LangChain4j ends with no event, as a stream that is never started, that is
 * cancelled or that ignores its errors, or a model that throws an {@link Error}, has a session
 * without an end. It is closed some time after nothing refers to the invocation any more, or by
 * {@link #close()}.
 */
public final class AiServiceRecorder implements AutoCloseable {

  private static final Cleaner CLEANER = Cleaner.create();

  private final @Nullable SessionFactory factory;
  private final @Nullable GuardedSession shared;
  private final FailureLog failures = new FailureLog();
  private final AtomicBoolean isLogged = new AtomicBoolean();
  private final AtomicBoolean isDisplacementReported = new AtomicBoolean();
  private final Map<UUID, RecordedInvocation> invocations = new ConcurrentHashMap<>();
  private volatile boolean closed;

  /** The same for every service, so that one which is registered twice is told once. */
  private final List<AiServiceListener<?>> listeners = List.of(
      (AiServiceStartedListener) this::started,
      (AiServiceRequestIssuedListener) event -> on(
          "ModelCall",
          event.invocationContext(),
          to -> to.requestIssued(event.request(), event.invocationContext())),
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
          event -> ended(event.invocationContext(), null, to -> to.completed()),
      (AiServiceErrorListener)
          event -> ended(event.invocationContext(), event.error(), to -> to.failed(event.error())));

  private final ToolCallbacks callbacks = new ToolCallbacks(
      before -> on(
          "ToolCall", before.invocationContext(), to -> to.beforeToolExecution(before.request())),
      after -> on(
          "ToolResult",
          after.invocationContext(),
          to -> requireSeen(to.afterToolExecution(after))));

  private AiServiceRecorder(@Nullable SessionFactory factory, @Nullable SessionRecorder shared) {
    this.factory = factory;
    this.shared = shared == null ? null : GuardedSession.of(shared, failures);
  }

  /**
   * Records each invocation as a session in a directory of its own, which is named after the id of
   * the invocation, with default options.
   *
   * @param sessions where the directories are; created if it is not there
   */
  public static AiServiceRecorder into(Path sessions) {
    return into(sessions, RecorderOptions.defaults());
  }

  /**
   * Records each invocation as a session in a directory of its own, which is named after the id of
   * the invocation.
   *
   * @param sessions where the directories are; created if it is not there
   */
  public static AiServiceRecorder into(Path sessions, RecorderOptions options) {
    Objects.requireNonNull(sessions, "sessions");
    Objects.requireNonNull(options, "options");
    return of((event, start) -> SessionRecorder.start(
        sessions.resolve(event.invocationContext().invocationId().toString()), start, options));
  }

  /**
   * Records all invocations into one session, which the caller has started, ends and closes. Which
   * of several at the same time a call belongs to is not recorded, nor the error of one that fails
   * otherwise than by a model or a tool.
   */
  public static AiServiceRecorder into(SessionRecorder session) {
    return new AiServiceRecorder(null, Objects.requireNonNull(session, "session"));
  }

  /** Records each invocation as a session that is started by a factory. */
  public static AiServiceRecorder of(SessionFactory factory) {
    return new AiServiceRecorder(Objects.requireNonNull(factory, "factory"), null);
  }

  /**
   * Tells of everything that is not recorded from now on, in place of the system's logger. It may
   * be told by several threads at once.
   *
   * @return this
   */
  public AiServiceRecorder onFailure(Consumer<? super RecordingFailure> listener) {
    failures.listen(Objects.requireNonNull(listener, "listener"));
    return this;
  }

  /** How much was not recorded so far; 0 if all was. */
  public long failures() {
    return failures.count();
  }

  /**
   * Lets a service be recorded. The builder has one callback before and one after a tool: those
   * that are set already are called after the recorder's, also when they forbid the tool by
   * throwing. Who sets them afterwards displaces the recorder's, and calls these as well:
   *
   * <pre>{@code
   * recording.record(builder)
   *     .beforeToolExecution(recording.beforeToolExecution().andThen(mine));
   * }</pre>
   *
   * <p>Where they were displaced, a tool is recorded when the agent goes on after it, with the
   * latency 0 and, where the second one was, without its outcome; that is reported once as a
   * failure.
   *
   * @return the builder
   * @throws IllegalStateException if this version of LangChain4j does not let the callbacks be seen
   *     that are set already
   */
  public <T> AiServices<T> record(AiServices<T> builder) {
    return callbacks.addTo(builder).registerListeners(listeners);
  }

  /** What records tool calls, for a builder whose callback is set afterwards. */
  public Consumer<BeforeToolExecution> beforeToolExecution() {
    return callbacks.before();
  }

  /** What records tool results, for a builder whose callback is set afterwards. */
  public Consumer<ToolExecution> afterToolExecution() {
    return callbacks.after();
  }

  /**
   * Ends recording. Sessions of invocations that have not ended are left open, as they are; a
   * session of the caller's is not touched.
   */
  @Override
  public void close() {
    closed = true;
    for (UUID id : List.copyOf(invocations.keySet())) {
      leave(id);
    }
  }

  private void leave(UUID id) {
    RecordedInvocation invocation = invocations.remove(id);
    if (invocation != null) {
      invocation.close();
    }
  }

  private void started(AiServiceStartedEvent event) {
    UUID id = event.invocationContext().invocationId();
    guarded("SessionStart", id, () -> {
      if (closed) {
        throw new IllegalStateException("the recorder is closed");
      }
      UUID key = new UUID(id.getMostSignificantBits(), id.getLeastSignificantBits());
      invocations.put(key, new RecordedInvocation(session(key, event)));
      // every event of the invocation has this object: without it, none can come
      CLEANER.register(id, () -> leave(key));
      if (closed) { // perhaps too late to be seen by close()
        leave(key);
      }
    });
  }

  private GuardedSession session(UUID id, AiServiceStartedEvent event) {
    if (factory == null) {
      return Objects.requireNonNull(shared);
    }
    return GuardedSession.start(
        id.toString(), () -> factory.start(event, sessionStart(id, event)), failures);
  }

  private static SessionStart sessionStart(UUID id, AiServiceStartedEvent event) {
    WellFormedTexts text = new WellFormedTexts();
    UserMessage message = event.userMessage();
    String task = message.contents().stream()
        .filter(TextContent.class::isInstance)
        .map(content -> ((TextContent) content).text())
        .collect(Collectors.joining("\n"));
    String instructions = event.systemMessage().map(SystemMessage::text).orElse(null);
    return SessionStart.of(id.toString())
        .withTask(new Task(
            task.isEmpty() ? null : text.at("/task", task),
            null,
            instructions == null ? null : text.at("/instructions", instructions)))
        .withMeta(text.meta().withSessionId(id.toString()));
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

  /** Whatever goes wrong stays here: it is no business of the agent's. */
  private void guarded(String what, UUID invocation, Runnable action) {
    try {
      action.run();
    } catch (Throwable e) {
      FailureLog.rethrowIfFatal(e);
      failures.report(new RecordingFailure(String.valueOf(invocation), what, e), isLogged);
    }
  }

  private void requireSeen(boolean seen) {
    if (!seen && isDisplacementReported.compareAndSet(false, true)) {
      throw new IllegalStateException("the recorder's callbacks for tools were displaced: compose"
          + " them with beforeToolExecution() and afterToolExecution()");
    }
  }
}
