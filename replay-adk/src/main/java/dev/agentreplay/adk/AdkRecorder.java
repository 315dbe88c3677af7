package dev.agentreplay.adk;

import com.google.adk.agents.InvocationContext;
import com.google.adk.plugins.Plugin;
import dev.agentreplay.adk.AgentToolCalls.Call;
import dev.agentreplay.io.agent.GuardedSession;
import dev.agentreplay.io.agent.RecordingFailure;
import dev.agentreplay.io.agent.RecordingFailures;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import java.lang.ref.Cleaner;
import java.lang.ref.WeakReference;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Records agents of the Agent Development Kit (ADK): each run of a {@code Runner} as its own
 * session, or all runs in one session of the caller. Create a recorder with {@link #into(Path)},
 * and pass its {@link #plugin()} to the runner or the app. Safe for use by several threads.
 *
 * <p>Recorded are model calls with their contents, instruction, tools, parameters and answer, tool
 * calls with arguments and result, the latency of both, the tools that are offered to the model,
 * and the end of a run with its final text, or the error that ended it. A request is recorded as it
 * was sent, after all callbacks. Contents and answers have the form of the kit's recordings for
 * conformance tests ({@code generated-recordings.yaml}); ids of calls that the kit generates are
 * left out of them. The parts of a streamed answer are its {@code chunks}; it is recorded once, in
 * full. Numbers of tokens are those of each call. The result of a tool has its effects on the
 * session as {@code actions}: changes of the state, versions of artifacts, a transfer, an
 * escalation.
 *
 * <p>An agent other than the first one of the run has a lane: its events have {@code agent}, its
 * name, with a number if agents of this name run at the same time, and {@code parent}, the call
 * that transferred to it or whose tool it is. An agent that is a tool is recorded if the tool
 * includes plugins: {@code AgentTool.create(agent, false, true)}. Between tools of the same agent
 * with the same request and state, in runs of one runner at the same time, it is not known which
 * one runs it.
 *
 * <p>The plugin answers nothing. It should be the first one, because the kit does not call plugins
 * that follow one that answers. If a callback answers in place of the model, this is recorded as a
 * {@link dev.agentreplay.model.RuntimeEvent} of the type {@code before_model_callback} with its
 * content, not as a model call; an answer that has no content, or only a partial one, is left out.
 * The callbacks before a tool are part of it: their answer is recorded as its result. An exception
 * of a model or tool is recorded as it occurred, also if a callback recovers from it. Several
 * responses of a model to one request are one result, with the finish reason and usage of the last
 * one, and the numbers of their parts as {@code response_parts}. A model that throws when it is
 * called, before it returns its answer, is known by the end of its run only: its failure, which has
 * {@code thrown}, is recorded if the call is in the log by then, and no agent runs at the same
 * time. Otherwise the call has no result, or is left out.
 *
 * <p>The settings of a session state the tools of its agents, other than of those that run at the
 * same time or are tools; the prompts have those, too. Where an app has several agents,
 * {@code key_order} keeps the order of names in arguments and results, which the kit shows to other
 * agents as text. The kit turns an exception of a {@code FunctionTool} into a result that does not
 * name it: this result is recorded. Calls of tools that the kit runs on threads of their own
 * ({@code PARALLEL_SUBSCRIBE}) are in the log in the order in which they started.
 *
 * <p>Not recorded are changes of state by agents and callbacks outside of a tool, the contents of
 * artifacts, HTTP options of requests and requests for authentication (but their number), which may
 * have secrets, pieces of thinking, calls of tools that do not exist, code executors, the model's
 * compaction of events, errors after the callbacks for the end of a run, and bidirectional
 * streaming ({@code runLive}) other than its tool calls. While a model runs, its call is in the log
 * only if no agent callback and no later plugin may change it.
 *
 * <p>Failures of recording never affect the agent: no exception is thrown into it. An event that is
 * rejected, for example because it is too long, leaves a
 * {@link dev.agentreplay.model.RecordingGap}. After a write error the
 * {@link dev.agentreplay.io.recording.FailurePolicy} of the session decides: with {@code DEGRADE}
 * recording continues, with {@code FAIL} it stops and the session has no end. Each failure is
 * reported to the listener of {@link #onFailure}. Without a listener, the system logger
 * {@code dev.agentreplay.adk} warns of the first failure of each session, and of the first failure
 * outside a session. Events are written by the threads of the agent, which wait for fsync as
 * specified by the {@link dev.agentreplay.io.recording.Durability} of the session.
 *
 * <p>The kit reports no end of a run that is cancelled. Its session has no end; it is closed some
 * time after the run becomes unreachable, or by {@link #close()}.
 */
public final class AdkRecorder implements AutoCloseable {

  private static final Cleaner CLEANER = Cleaner.create();
  private static final int MAX_RESUMPTIONS = 1000;

  /** An invocation that has begun. */
  private static final class Begun {

    /** Its run; null if it has ended. */
    volatile @Nullable RecordedRun run;

    /** Whether a tool started it: its end is not that of its session. */
    final boolean isNested;

    /** To tell it from one that resumes it, which has the same id. */
    private final WeakReference<Object> data;

    Begun(RecordedRun run, boolean isNested, Object data) {
      this.run = run;
      this.isNested = isNested;
      this.data = new WeakReference<>(data);
    }

    @SuppressWarnings("ReferenceEquality") // the data of an invocation are the same object
    boolean isOf(InvocationContext invocation) {
      return data.get() == invocation.callbackContextData();
    }
  }

  private final @Nullable SessionFactory factory;
  private final @Nullable RecordedRun shared;
  private final RecordingFailures failures = new RecordingFailures("dev.agentreplay.adk");
  private final AtomicBoolean isLogged = new AtomicBoolean();

  /** By the id of the invocation; removed when no callback of it can follow. */
  private final Map<String, Begun> runs = new ConcurrentHashMap<>();

  private final AgentToolCalls<RecordedRun> agentTools = new AgentToolCalls<>();
  private final Plugin plugin = new RecorderPlugin(this);
  private volatile boolean closed;

  private AdkRecorder(@Nullable SessionFactory factory, @Nullable SessionRecorder shared) {
    this.factory = factory;
    this.shared = shared == null
        ? null
        : new RecordedRun(GuardedSession.of(shared, failures), new AgentLanes(agent -> false));
  }

  /**
   * Creates a recorder that records each run as a session in its own directory, named after the id
   * of the invocation, with default options.
   *
   * @param sessions the parent of these directories; created if missing
   */
  public static AdkRecorder into(Path sessions) {
    return into(sessions, RecorderOptions.defaults());
  }

  /**
   * Creates a recorder that records each run as a session in its own directory, named after the id
   * of the invocation. One that resumes it has the same id, and a directory with a number.
   *
   * @param sessions the parent of these directories; created if missing
   */
  public static AdkRecorder into(Path sessions, RecorderOptions options) {
    Objects.requireNonNull(sessions, "sessions");
    Objects.requireNonNull(options, "options");
    return of((invocation, start) -> {
      String id = invocation.invocationId();
      for (int number = 2; ; number++) {
        try {
          return SessionRecorder.start(sessions.resolve(id), start, options);
        } catch (FileAlreadyExistsException e) {
          if (!invocation.isResumable() || number > MAX_RESUMPTIONS) {
            throw e;
          }
          id = invocation.invocationId() + "-" + number;
        }
      }
    });
  }

  /**
   * Creates a recorder that records all runs into one session, which the caller starts, ends and
   * closes. The assignment of calls to runs that overlap is not recorded.
   */
  public static AdkRecorder into(SessionRecorder session) {
    return new AdkRecorder(null, Objects.requireNonNull(session, "session"));
  }

  /** Creates a recorder that records each run as a session started by a factory. */
  public static AdkRecorder of(SessionFactory factory) {
    return new AdkRecorder(Objects.requireNonNull(factory, "factory"), null);
  }

  /**
   * Sets the listener of all later recording failures, which replaces the system logger. It may be
   * called by several threads at the same time.
   *
   * @return this
   */
  public AdkRecorder onFailure(Consumer<? super RecordingFailure> listener) {
    failures.listen(Objects.requireNonNull(listener, "listener"));
    return this;
  }

  /** The number of recording failures so far. */
  public long failures() {
    return failures.count();
  }

  /**
   * The plugin to register, as the first one:
   *
   * <pre>{@code
   * Runner runner = Runner.builder()
   *     .app(App.builder().name("app").rootAgent(agent).plugins(recorder.plugin()).build())
   *     .build();
   * }</pre>
   *
   * <p>It may be registered in several runners. Closing a runner does not close the recorder.
   */
  public Plugin plugin() {
    return plugin;
  }

  /**
   * Stops recording. Sessions of runs that have not ended are closed without an end. A session of
   * the caller is not closed.
   */
  @Override
  public void close() {
    closed = true;
    Set<RecordedRun> open = new HashSet<>();
    for (Begun begun : runs.values()) {
      RecordedRun run = begun.run;
      if (run != null) {
        open.add(run);
      }
    }
    open.forEach(this::leave);
    if (shared != null) {
      shared.close();
    }
  }

  private void leave(RecordedRun run) {
    runs.values().removeIf(begun -> run.equals(begun.run));
    agentTools.removeAll(run);
    run.close();
  }

  AgentToolCalls<RecordedRun> agentTools() {
    return agentTools;
  }

  /** The run of an invocation, which starts with its first callback; null if it has ended. */
  private @Nullable RecordedRun run(InvocationContext invocation) {
    Begun known = runs.get(invocation.invocationId());
    return known != null && known.isOf(invocation) ? known.run : begin(invocation);
  }

  private RecordedRun begin(InvocationContext invocation) {
    if (closed) {
      throw new IllegalStateException("the recorder is closed");
    }
    String id = invocation.invocationId();
    Call<RecordedRun> starting = agentTools.take(invocation);
    RecordedRun run;
    if (starting != null) {
      run = starting.run();
      run.lanes().beginNested(id, invocation.agent().name(), starting.id());
    } else {
      run = shared == null ? started(invocation) : shared;
      run.lanes().begin(id, invocation.agent().name());
    }
    // every callback of the invocation refers to this object: when it is unreachable, none follows
    Object data = invocation.callbackContextData();
    Begun begun = new Begun(run, starting != null, data);
    runs.put(id, begun);
    CLEANER.register(data, () -> unreachable(id, begun));
    return run;
  }

  private RecordedRun started(InvocationContext invocation) {
    SessionFactory starting = Objects.requireNonNull(factory);
    GuardedSession session = GuardedSession.start(
        invocation.invocationId(),
        () -> starting.start(invocation, SessionForms.start(invocation)),
        failures);
    return new RecordedRun(session, new AgentLanes(agent -> false));
  }

  private void unreachable(String id, Begun begun) {
    RecordedRun run = runs.remove(id, begun) ? begun.run : null;
    if (run == null) {
      return;
    }
    if (begun.isNested || run == shared) {
      run.invocationEnded(id, null);
    } else {
      leave(run);
    }
  }

  /** Ends the run of an invocation; a later callback does not start it again. */
  void ended(InvocationContext invocation, @Nullable Throwable error) {
    guarded("SessionEnd", invocation, run -> {
      String id = invocation.invocationId();
      Begun begun = runs.get(id);
      boolean isNested = false;
      if (begun != null) {
        begun.run = null;
        isNested = begun.isNested;
      }
      run.invocationEnded(id, error);
      if (!isNested) {
        agentTools.removeAll(run);
        run.end(error);
      }
    });
  }

  /**
   * Runs an action with the run of an invocation, unless it has ended, and reports any failure, so
   * that it cannot affect the agent.
   */
  void guarded(String event, InvocationContext invocation, Consumer<RecordedRun> action) {
    try {
      RecordedRun run = run(invocation);
      if (run != null) {
        action.accept(run);
      }
    } catch (Throwable e) {
      RecordingFailures.rethrowIfFatal(e);
      String id = String.valueOf(invocation.invocationId());
      failures.report(new RecordingFailure(id, event, e), isLogged);
    }
  }
}
