package dev.agentreplay.springai;

import dev.agentreplay.io.agent.GuardedSession;
import dev.agentreplay.io.agent.RecordingFailure;
import dev.agentreplay.io.agent.RecordingFailures;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Records the calls of Spring AI's chat clients: each as its own session, or all in one session of
 * the caller. Create a recorder with {@link #into(Path)}, and pass it to {@link SpringAiCalls}.
 * Safe for use by several threads.
 *
 * <p>Recorded are model calls with prompt, portable options and answer, tool calls with arguments
 * and result, the latency of both, and the end of a call with its final answer, or the error that
 * ended it. A tool call is recorded when its tool runs. A call that the manager of tools answers in
 * a different way, for example because a limit is exceeded or because it resolved the tool itself,
 * is recorded when the manager returns, with latency 0. A streamed answer is recorded whole, with
 * its pieces as {@code chunks}; a stream that fails or is cancelled with the pieces that arrived.
 * The tokens are those of each model call, never the sum that the chat client returns. The tags of
 * a session name the client ({@link SpringAiCalls#advisor(String)}), the conversation of its
 * memory, and the call that started it, if it is recorded in a session of its own.
 *
 * <p>Messages have the members {@code role}, {@code content}, {@code media}, {@code tool_calls} and
 * {@code responses}. The metadata of an answer is recorded; that of the messages of a prompt is
 * not. Tools are sorted by name, because they are in the order of Java's reflection, which differs
 * between JVMs.
 *
 * <p>Not recorded are options of a model provider that {@code ChatOptions} lacks, the context of
 * tools, rate limits and native usage objects, embeddings, the documents from a retriever (RAG)
 * other than in the prompt, and what a class of a model provider adds to {@code AssistantMessage}.
 * A client whose model is not wrapped is recorded without its model calls: with a
 * {@link dev.agentreplay.model.RecordingGap}, and a recording failure the first time.
 *
 * <p>No text of these is lost; if an event has no field for it, it is in an additional member.
 * Arguments that are not JSON are recorded as a string; {@code params_text} is the original text if
 * it is a JSON string or null, which would otherwise be ambiguous. A call without an id, or with
 * the id of a call that is still open, gets a generated id; {@code tool_call_id} is the id from the
 * model. An unpaired surrogate, which has no UTF-8 form, is written as U+FFFD; {@code utf16} then
 * has the exact text, as base64 of UTF-16BE, by its JSON Pointer.
 *
 * <p>Failures of recording never affect the agent: no exception is thrown into it. An event that is
 * rejected, for example because it is too long, leaves a
 * {@link dev.agentreplay.model.RecordingGap}. After a write error the
 * {@link dev.agentreplay.io.recording.FailurePolicy} of the session decides: with {@code DEGRADE}
 * recording continues, with {@code FAIL} it stops and the session has no end. Each failure is
 * reported to the listener of {@link #onFailure}. Without a listener, the system logger
 * {@code dev.agentreplay.springai} warns of the first failure of each session, and of the first
 * failure outside a session. Events are written by the threads of the agent, which wait for fsync
 * as specified by the {@link dev.agentreplay.io.recording.Durability} of the session.
 *
 * <p>A stream that neither completes, fails nor is cancelled has a session without an end, which is
 * closed by {@link #close()}.
 */
public final class SpringAiRecorder implements CallDestination, AutoCloseable {

  /** An id that is the name of a file on every system. */
  private static final Pattern FILE_NAME =
      Pattern.compile("[A-Za-z0-9_-]([A-Za-z0-9._-]{0,126}[A-Za-z0-9_-])?");

  /** The names of devices in Windows, with any extension. */
  private static final Pattern DEVICE =
      Pattern.compile("(?i)(con|prn|aux|nul|com[0-9]|lpt[0-9])(\\..*)?");

  /** An invocation that has not ended; its session is null if all share one. */
  private record Open(RecordedInvocation invocation, @Nullable OpenSession session) {}

  private final @Nullable SessionFactory factory;
  private final @Nullable GuardedSession shared;
  private final RecordingFailures failures = new RecordingFailures("dev.agentreplay.springai");
  private final AtomicBoolean isLogged = new AtomicBoolean();
  private final AtomicBoolean isUnwrappedReported = new AtomicBoolean();
  private final RecordedCounts counts = new RecordedCounts(null);
  private final LongAdder sessions = new LongAdder();
  private final Map<Object, Open> invocations = new ConcurrentHashMap<>();
  private volatile boolean closed;

  private SpringAiRecorder(@Nullable SessionFactory factory, @Nullable SessionRecorder shared) {
    this.factory = factory;
    this.shared = shared == null ? null : GuardedSession.of(shared, failures);
  }

  /**
   * Creates a recorder that records each call of a chat client as a session in its own directory,
   * named after the id of the session, with default options.
   *
   * @param sessions the parent of these directories; created if missing
   */
  public static SpringAiRecorder into(Path sessions) {
    return into(sessions, RecorderOptions.defaults());
  }

  /**
   * Creates a recorder that records each call of a chat client as a session in its own directory,
   * named after the id of the session.
   *
   * @param sessions the parent of these directories; created if missing
   */
  public static SpringAiRecorder into(Path sessions, RecorderOptions options) {
    Objects.requireNonNull(sessions, "sessions");
    Objects.requireNonNull(options, "options");
    return of(start -> SessionRecorder.start(
        sessions.resolve(directoryName(start.meta().sessionId())), start, options));
  }

  /**
   * The name of the directory of a session: its id, if that is the name of a file on every system,
   * otherwise a generated name. An id may come from a user, so that it may be any path.
   *
   * @param sessionId the id; null if there is none
   */
  public static String directoryName(@Nullable String sessionId) {
    return sessionId != null
            && FILE_NAME.matcher(sessionId).matches()
            && !DEVICE.matcher(sessionId).matches()
        ? sessionId
        : UUID.randomUUID().toString();
  }

  /**
   * Creates a recorder that records all calls into one session, which the caller starts, ends and
   * closes. A chat client that is called by a tool of a recorded client has a lane of its own: its
   * events have {@code agent}, the name of the client or else "agent", after that of the agent
   * which calls it and a slash if that has a lane as well, and {@code parent}, the tool call that
   * started it. If one answer of the model requests several calls of that tool, the second agent is
   * {@code Name-2}, and so on. A client is recognized if it is called by the thread that runs the
   * tool. The assignment of calls to other concurrent clients is not recorded, nor is the error of
   * a call that fails for a reason other than a model or a tool.
   */
  public static SpringAiRecorder into(SessionRecorder session) {
    return new SpringAiRecorder(null, Objects.requireNonNull(session, "session"));
  }

  /** Creates a recorder that records each call of a chat client as a session of a factory. */
  public static SpringAiRecorder of(SessionFactory factory) {
    return new SpringAiRecorder(Objects.requireNonNull(factory, "factory"), null);
  }

  /**
   * Sets the listener of all later recording failures, which replaces the system logger. It may be
   * called by several threads at the same time.
   *
   * @return this
   */
  public SpringAiRecorder onFailure(Consumer<? super RecordingFailure> listener) {
    failures.listen(Objects.requireNonNull(listener, "listener"));
    return this;
  }

  /** The number of recording failures so far. */
  public long failures() {
    return failures.count();
  }

  /** The number of sessions that were started. */
  public long sessions() {
    return sessions.sum();
  }

  /** The number of model calls that were recorded. */
  public long modelCalls() {
    return counts.modelCalls().sum();
  }

  /** The number of tool calls that were recorded. */
  public long toolCalls() {
    return counts.toolCalls().sum();
  }

  /**
   * The sessions that this recorder has started and that have not ended, in the order of their
   * starts.
   */
  public List<OpenSession> openSessions() {
    return invocations.values().stream()
        .map(Open::session)
        .filter(Objects::nonNull)
        .sorted(Comparator.comparing(OpenSession::startedAt).thenComparing(OpenSession::id))
        .toList();
  }

  /**
   * Stops recording. Sessions that have not ended are closed without an end. A session of the
   * caller is not closed.
   */
  @Override
  public void close() {
    closed = true;
    invocations.values().forEach(open -> open.invocation().close());
  }

  /** Begins the recording of an invocation; null if it is not recorded. */
  @Nullable
  Invocation begin(InvocationStart start) {
    try {
      return closed ? null : started(start);
    } catch (Throwable e) {
      RecordingFailures.rethrowIfFatal(e);
      failures.report(new RecordingFailure("", "SessionStart", e), isLogged);
      return null;
    }
  }

  private Invocation started(InvocationStart start) {
    RecordedCounts ofSession = new RecordedCounts(counts);
    OpenSession open = null;
    GuardedSession session;
    if (factory == null) {
      session = Objects.requireNonNull(shared).forInvocation(start.client());
    } else {
      String stated = start.sessionId();
      String id = stated == null ? UUID.randomUUID().toString() : stated;
      AtomicReference<@Nullable SessionRecorder> started = new AtomicReference<>();
      session = GuardedSession.start(
          id,
          () -> {
            SessionRecorder recorder = factory.start(start.event(id));
            started.set(recorder);
            return recorder;
          },
          failures);
      SessionRecorder recorder = started.get();
      if (recorder != null) {
        sessions.increment();
        open = new OpenSession(id, recorder.directory(), Instant.now(), ofSession);
      }
    }
    Object key = new Object();
    RecordedInvocation invocation = new RecordedInvocation(
        session, ofSession, isUnwrappedReported, () -> invocations.remove(key));
    invocations.put(key, new Open(invocation, open));
    if (closed) { // close() may have run before the invocation was added
      invocation.close();
    }
    return invocation;
  }
}
