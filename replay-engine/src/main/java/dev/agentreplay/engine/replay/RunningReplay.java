package dev.agentreplay.engine.replay;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.engine.diff.EventComparison;
import dev.agentreplay.engine.exchange.ExchangeMatcher;
import dev.agentreplay.engine.exchange.RecordedExchanges;
import dev.agentreplay.engine.fork.Fork;
import dev.agentreplay.engine.fork.ForkPoint;
import dev.agentreplay.engine.fork.ForkPoints;
import dev.agentreplay.engine.replay.execution.NotExecutedException;
import dev.agentreplay.engine.replay.files.ServedFiles;
import dev.agentreplay.engine.replay.policy.OnUnmatched;
import dev.agentreplay.engine.replay.settings.CircumstanceNames;
import dev.agentreplay.io.context.ContextClock;
import dev.agentreplay.io.context.ContextOptions;
import dev.agentreplay.io.context.ContextPosition;
import dev.agentreplay.io.context.ContextValues;
import dev.agentreplay.io.context.DeterministicContext;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.WriterOptions;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.workspace.Circumstances;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.ReplayOrigin;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A replay with an agent, from its start to its report. */
final class RunningReplay implements Closeable {

  /** The most causes of an exception that are read, which may be a cycle. */
  private static final int MAX_CAUSES = 100;

  /** The time after which the reasons to wait are checked again. */
  private static final Duration WAIT = Duration.ofMillis(50);

  private final Replay replay;
  private final RecordingCheck check;
  private final RecordingFacts facts;
  private final RecordedExchanges recorded;
  private final List<Circumstance> circumstances;
  private final ExchangeMatcher matcher;
  private final @Nullable ForkRun fork;
  private final ReplayRecording recording;
  private final ServedFiles files;
  private final Ledger ledger;
  private final ReplayState state;
  private final Executions executions;
  private final ReplayLog log;
  private final ReplayObservation observation;
  private final @Nullable Duration overall;
  private final ScheduledExecutorService monitor;
  private final ReplayScope scope;
  private final Instant startedAt = Instant.now();
  private final AtomicReference<@Nullable Thread> agentThread = new AtomicReference<>();

  private final ReplayedValues replayed;
  private final ComputedValues computed;

  private @Nullable ReplayReport report;

  /** Whether recorded requests are issued in place of an agent. */
  private boolean isDriven;

  private boolean isClosed;

  private RunningReplay(
      Replay replay,
      RecordingCheck check,
      RecordedExchanges recorded,
      ReplayRecording recording,
      Ledger ledger,
      @Nullable Duration overall,
      ExchangeMatcher matcher,
      @Nullable ForkRun fork) {
    this.replay = replay;
    this.check = check;
    this.facts = check.facts();
    this.recorded = recorded;
    this.circumstances = check.circumstances();
    this.recording = recording;
    this.ledger = ledger;
    ActiveTime time = new ActiveTime(replay.control);
    this.log = new ReplayLog(replay, facts);
    this.observation = ReplayObservation.start(replay);
    Long seed = replay.seed == null ? facts.seed() : replay.seed;
    this.state = new ReplayState(replay, time, ledger, seed, log);
    this.executions = new Executions(time);
    this.matcher = matcher;
    this.fork = fork;
    this.replayed = new ReplayedValues(replay, matcher, recording, state, fork);
    this.computed = new ComputedValues(state, replayed);
    this.overall = overall;
    this.files = new ServedFiles(replay.workspace, facts.files);
    RequestHandler requests = new RequestHandler(
        replay, check, recorded, matcher, recording, files, state, executions, fork);
    this.scope = new ReplayScope(requests, recording, context(seed), Lane.MAIN);
    this.monitor = java.util.concurrent.Executors.newScheduledThreadPool(2, task -> {
      Thread thread = new Thread(task, "replay-monitor");
      thread.setDaemon(true);
      return thread;
    });
  }

  /**
   * Checks the recording, and starts a replay of it.
   *
   * @param isCallers whether the agent runs on threads of the caller: it has no overall time-out
   *     unless one is set, since a test may wait for a debugger
   * @throws ReplayRefusedException if the recording cannot be replayed
   */
  static RunningReplay start(Replay replay, boolean isCallers) throws IOException {
    RecordingFacts facts = new RecordingFacts(replay.session);
    RecordedExchanges recorded = RecordedExchanges.read(
        replay.session, canonical -> EventComparison.of(replay.comparison, canonical), facts);
    try {
      RecordingCheck check = RecordingCheck.of(replay, facts, recorded);
      check.requireReplayable();
      ExchangeMatcher matcher =
          new ExchangeMatcher(recorded, replay.onUnmatched == OnUnmatched.POSITION);
      ForkRun fork = fork(replay, facts, recorded, matcher);
      replay.control.claim();
      Duration overall = isCallers
          ? replay.timeouts.overall()
          : replay.timeouts.overall(facts.duration().toMillis());
      ReplayOrigin origin = check.head() == null
          ? null
          : new ReplayOrigin(facts.sessionId, check.head(), replay.policy.mode().id());
      ReplayRecording recording = ReplayRecording.create(
          replay.directory, facts, writer(recorded), options(replay, recorded, fork), origin);
      Ledger ledger = null;
      RunningReplay running = null;
      try {
        ledger = Ledger.create(recording.directory().resolve(Replay.LEDGER_NAME));
        running =
            new RunningReplay(replay, check, recorded, recording, ledger, overall, matcher, fork);
        running.begin();
        return running;
      } catch (IOException | RuntimeException | Error e) {
        closeAfter(e, running);
        closeAfter(e, ledger);
        closeAfter(e, recording);
        throw e;
      }
    } catch (IOException | RuntimeException | Error e) {
      recorded.close();
      throw e;
    }
  }

  private static @Nullable ForkRun fork(
      Replay replay, RecordingFacts facts, RecordedExchanges recorded, ExchangeMatcher matcher)
      throws IOException {
    Fork fork = replay.fork;
    if (fork == null) {
      return null;
    }
    ForkPoints points = ForkPoints.of(replay.session, replay.policy.effects());
    ForkPoint point = new ForkCheck(replay, fork).point(points, recorded, facts);
    return new ForkRun(fork, points, point, replay, facts, recorded, matcher);
  }

  private static void closeAfter(Throwable failure, @Nullable Closeable opened) {
    try {
      if (opened != null) {
        opened.close();
      }
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  private static WriterOptions writer(RecordedExchanges recorded) {
    WriterOptions options = WriterOptions.defaults();
    return recorded.dialect() == null ? options : options.withDialect(recorded.dialect());
  }

  private static RecorderOptions options(
      Replay replay, RecordedExchanges recorded, @Nullable ForkRun fork) {
    CanonicalJson canonical = recorded.canonicalization();
    RecorderOptions options = RecorderOptions.defaults()
        .withCanonicalization(canonical.canonicalization())
        .withForkedFrom(fork == null ? null : fork.origin());
    return replay.workspace == null
        ? options
        : options.withCircumstances(Circumstances.none().withWorkspace(replay.workspace));
  }

  private DeterministicContext context(@Nullable Long seed) {
    ContextOptions options =
        ContextOptions.deterministic().withSeed(seed == null ? ContextOptions.DEFAULT_SEED : seed);
    Instant start = facts.startedAt();
    if (start != null) {
      options = options.withClock(ContextClock.stepped(start, Duration.ofSeconds(1)));
    }
    ContextValues values = recorded.values() == 0 ? computed : replayed;
    return DeterministicContext.of(options, values, new ContextPosition());
  }

  /** The circumstances; those that only the agent shows are last. */
  private List<Circumstance> allCircumstances() {
    List<Circumstance> all = new ArrayList<>(circumstances);
    if (computed.areUsed()) {
      all.add(new Circumstance(
          CircumstanceNames.VALUES,
          null,
          null,
          "no nondeterministic values were recorded: the agent got values of the seed"));
    }
    Circumstance seeding = state.seeding();
    if (seeding != null) {
      all.add(seeding);
    }
    return all;
  }

  private void begin() {
    log.started(replay.policy.mode(), facts, recorded.size());
    log.circumstances(circumstances, replay.listeners);
    state.onCut(this::interrupt);
    replay.control.onAbort(
        () -> state.stop(new Stop(Stop.Cause.ABORT, String.valueOf(replay.control.aborted()))));
    ScheduledFuture<?> unused = monitor.scheduleAtFixedRate(
        monitored(() -> state.progress(recorded.size(), executions.longest())),
        1,
        1,
        TimeUnit.SECONDS);
    if (overall != null) {
      watch(overall, this::late);
    }
    Duration budget = replay.budget.time();
    if (budget != null) {
      watch(budget, () -> new Stop(Stop.Cause.BUDGET, BudgetUse.timeIsExceeded(budget)));
    }
  }

  /** A task of the monitor, which has no caller: what the logger throws fails the replay. */
  private Runnable monitored(Runnable task) {
    return () -> {
      try {
        task.run();
      } catch (RuntimeException e) {
        RuntimeException unused = state.fail(e);
      }
    };
  }

  private Stop late() {
    double seconds = Executions.nanos(Objects.requireNonNull(overall)) / 1e9;
    return new Stop(Stop.Cause.TIMEOUT, "the replay did not end within %s s".formatted(seconds));
  }

  /** Stops the replay when a time is over. A pause makes it later. */
  private void watch(Duration limit, Supplier<Stop> stop) {
    long rest = Executions.nanos(limit) - state.time().nanos();
    if (rest < 0) {
      state.stop(stop.get());
      return;
    }
    ScheduledFuture<?> unused = monitor.schedule(
        monitored(() -> watch(limit, stop)),
        Math.max(rest, Executions.MIN_WAIT_NANOS),
        TimeUnit.NANOSECONDS);
  }

  /** Interrupts the agent, and what it executes. */
  private void interrupt() {
    executions.cancel();
    Thread thread = agentThread.get();
    if (thread != null) {
      thread.interrupt();
    }
  }

  /** Issues the recorded requests in order, in place of an agent. */
  ReplayReport runRecordedRequests() throws IOException, InterruptedException {
    isDriven = true;
    files.driven();
    return run(new RecordedRequests(replay.session)::run);
  }

  AgentScope scope() {
    return scope;
  }

  /** Runs an agent on a thread of its own until it returns, or the replay is stopped. */
  ReplayReport run(ReplayAgent agent) throws IOException, InterruptedException {
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    Thread thread = new Thread(
        () -> {
          try {
            agent.run(scope);
          } catch (Throwable e) {
            failure.set(e);
          }
        },
        "replay-agent");
    thread.setDaemon(true);
    try (this) {
      agentThread.set(thread);
      Stop before = state.cut();
      if (before != null) { // aborted while the recording was checked
        failure.set(stopped(before));
      } else {
        thread.start();
        if (state.cut() != null) {
          thread.interrupt();
        }
        join(thread);
      }
      if (thread.isAlive()) {
        failure.compareAndSet(
            null, new IllegalStateException("the agent did not return after the replay stopped"));
      }
      return finish(stoppedOr(failure.get()));
    }
  }

  /** The failure of the agent; that the replay was stopped if it only was interrupted by that. */
  private @Nullable Throwable stoppedOr(@Nullable Throwable failure) {
    Stop cut = state.cut();
    return cut != null && failure instanceof InterruptedException ? stopped(cut) : failure;
  }

  private static ReplayStoppedException stopped(Stop stop) {
    return new ReplayStoppedException("the replay was stopped: " + stop.reason());
  }

  private void join(Thread thread) throws InterruptedException {
    try {
      while (thread.isAlive()) {
        thread.join(WAIT.toMillis());
        if (state.cut() != null) {
          thread.join(replay.grace.toMillis());
          return;
        }
      }
    } catch (InterruptedException e) {
      replay.control.abort("the thread that runs the replay was interrupted");
      thread.join(replay.grace.toMillis());
      throw e;
    }
  }

  /** Ends the replay, and reports on it. */
  synchronized ReplayReport finish(@Nullable Throwable failure) throws IOException {
    if (report != null) {
      return report;
    } else if (isClosed) {
      throw new IllegalStateException("the replay was closed without a report");
    }
    Stop.Cause cause = failure == null ? null : unanswered(failure);
    if (failure != null && cause != null) {
      state.stop(new Stop(cause, "the agent failed: " + Failure.message(failure)));
    }
    try (this) {
      awaitRequests();
      state.finish();
      monitor.shutdownNow();
      Duration duration = Duration.ofNanos(state.time().nanos());
      List<String> running = executions.close(replay.grace);
      if (state.stopped() == null) {
        files.atEnd();
      }
      recording.finish(end(failure));
      ledger.close();
      state.requireNoFailure();
      ReplayResults.ReportData made = new ReportBuilder(
              replay, check, recorded, matcher, recording, files, ledger, state, isDriven, fork)
          .build(allCircumstances(), startedAt, duration, failure, running);
      report = made;
      observation.ended(made, log);
      Session replayed = recording.session();
      replay.listeners.forEach(listener -> log.tell(() -> listener.ended(made, replayed)));
      return made;
    }
  }

  /**
   * Waits for the requests of other threads of the agent, which are answered or time out; after the
   * replay was aborted, only as long as for the agent.
   */
  private void awaitRequests() {
    boolean isInterrupted = false;
    boolean isAnswered = false;
    while (!isAnswered) {
      try {
        isAnswered = state.awaitRequests(WAIT);
        if (!isAnswered && state.cut() != null) {
          state.awaitRequests(replay.grace);
          isAnswered = true;
        }
      } catch (InterruptedException e) {
        isInterrupted = true;
        replay.control.abort("the thread that ends the replay was interrupted");
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * The cause to stop if the agent failed because an exchange was not answered in time, or because
   * it, or what it requested, was not executed; null if it failed for a different reason.
   */
  private static Stop.@Nullable Cause unanswered(Throwable failure) {
    @Nullable Throwable cause = failure;
    for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) {
      if (cause instanceof ExchangeTimeoutException) {
        return Stop.Cause.TIMEOUT;
      } else if (cause instanceof NotExecutedException) {
        return Stop.Cause.NOT_EXECUTED;
      }
      cause = cause.getCause();
    }
    return null;
  }

  /**
   * The end of the session: the one that the agent stated, or, if it returned, success if the
   * recorded agent failed with an error, else the recorded end, which may state what others judged;
   * null if the replay did not reach its end, or the recording has none to compare it with.
   */
  private @Nullable SessionEnd end(@Nullable Throwable failure) {
    SessionEnd stated = recording.statedEnd();
    Stop stop = state.stopped();
    if (stated != null) {
      return stated;
    } else if (stop != null || facts.end == null) {
      return null;
    } else if (failure != null) {
      return SessionEnd.of(Status.FAILED).withErrorMessage(Failure.message(failure));
    }
    boolean hasFailed = facts.end.errorMessage() != null;
    return hasFailed && !isDriven ? SessionEnd.of(Status.SUCCESS) : facts.end;
  }

  /** Releases everything. */
  @Override
  public synchronized void close() throws IOException {
    if (isClosed) {
      return;
    }
    isClosed = true;
    state.finish();
    monitor.shutdownNow();
    executions.close(replay.grace);
    try (recorded;
        recording) {
      ledger.close();
    }
  }
}
