package dev.agentreplay.engine.replay;

import dev.agentreplay.engine.exchange.ExchangeMatcher.Matched;
import dev.agentreplay.engine.exchange.ReplayMiss;
import dev.agentreplay.engine.fingerprint.EntryFact;
import dev.agentreplay.engine.replay.execution.ModelExecutor;
import dev.agentreplay.engine.replay.policy.ReplayTimeouts;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelCall.Parameters;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The state of a running replay: whether it was stopped, its time, its budget, its ledger, and its
 * listeners. Safe for use by several threads.
 */
final class ReplayState {

  private static final String HAS_ENDED = "the replay has ended";

  /**
   * The most requests that fail because the replay was stopped, before the agent is interrupted.
   */
  private static final int MAX_AFTER_STOP = 1_000;

  private final Replay replay;
  private final ActiveTime time;
  private final BudgetUse budget;
  private final Ledger ledger;
  private final @Nullable Long seed;
  private final ReplayLog log;
  private final List<ReplayListener> listeners;
  private final AtomicReference<@Nullable Stops> stops = new AtomicReference<>();
  private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
  private final AtomicReference<@Nullable ReplayMissException> firstMiss = new AtomicReference<>();

  /** Keeps calls of the listeners apart. */
  private final ReentrantLock telling = new ReentrantLock();

  /** Keeps decisions of the listeners apart, which may take longer than exchanges wait. */
  private final ReentrantLock deciding = new ReentrantLock();

  /** The lines of the recorded exchanges that were served, executed, and not executed. */
  private final Set<Long> served = ConcurrentHashMap.newKeySet();

  private final Set<Long> executed = ConcurrentHashMap.newKeySet();
  private final Set<Long> notExecuted = ConcurrentHashMap.newKeySet();
  private final AtomicLong divergences = new AtomicLong();

  /** The number of requests that are being answered; guarded by the lock. */
  private int open;

  private final ReentrantLock requests = new ReentrantLock();
  private final Condition isIdle = requests.newCondition();

  /** Whether the agent has returned, so that no request begins. */
  private volatile boolean isEnding;

  private volatile boolean isFinished;

  /** The number of times that the scope was used after the agent had returned. */
  private final AtomicLong lateUses = new AtomicLong();

  /** The number of requests that failed because the replay was stopped. */
  private final AtomicLong afterStop = new AtomicLong();

  /** Set once a model is called without a seed. */
  private volatile boolean lacksSeed;

  /** Interrupts what runs. */
  private volatile @Nullable Runnable onCut;

  /**
   * The reasons to stop the replay. One value, because an execution that sees the stop must also
   * see whether it was cut.
   *
   * @param first the first reason
   * @param cut the first reason for which nothing is waited for
   */
  private record Stops(Stop first, @Nullable Stop cut) {

    static Stops first(Stop stop) {
      return new Stops(stop, null).with(stop);
    }

    Stops with(Stop stop) {
      return cut == null && stop.cause().isIncomplete() ? new Stops(first, stop) : this;
    }
  }

  ReplayState(Replay replay, ActiveTime time, Ledger ledger, @Nullable Long seed, ReplayLog log) {
    this.replay = replay;
    this.time = time;
    this.budget = new BudgetUse(replay.budget);
    this.ledger = ledger;
    this.seed = seed;
    this.log = log;
    this.listeners = List.copyOf(replay.listeners);
  }

  ActiveTime time() {
    return time;
  }

  BudgetUse budget() {
    return budget;
  }

  void onCut(Runnable action) {
    onCut = action;
  }

  /**
   * Stops the replay: every later request fails. The first reason counts. After an abort, a
   * time-out or a used-up budget, also if the replay was stopped before, nothing is waited for.
   */
  void stop(Stop stop) {
    if (isFinished) {
      return;
    }
    Stops before =
        stops.getAndUpdate(earlier -> earlier == null ? Stops.first(stop) : earlier.with(stop));
    try {
      if (before == null) {
        log.stopped(stop);
      }
    } catch (RuntimeException e) { // kept before the agent is interrupted, and the replay ends
      failure.compareAndSet(null, e);
      throw e;
    } finally {
      replay.control.end();
      Runnable action = onCut;
      if (stop.cause().isIncomplete() && action != null) {
        action.run();
      }
    }
  }

  /** The reason why the replay was stopped; null if it was not. */
  @Nullable
  Stop stopped() {
    Stops all = stops.get();
    return all == null ? null : all.first;
  }

  /** The reason for which the replay does not wait for anything; null if there is none. */
  @Nullable
  Stop cut() {
    Stops all = stops.get();
    return all == null ? null : all.cut;
  }

  /**
   * Stops the replay because a file cannot be read or written, or a request cannot be compared. The
   * caller of the replay gets the exception, which an agent may catch.
   *
   * @return the exception for the agent
   */
  RuntimeException fail(Exception e) {
    if (isFinished) { // a request that was late
      return new ReplayStoppedException(HAS_ENDED);
    }
    failure.compareAndSet(null, e);
    stop(new Stop(Stop.Cause.ABORT, "the replay failed: " + e.getMessage()));
    return e instanceof IOException io ? new UncheckedIOException(io) : (RuntimeException) e;
  }

  /** Fails as the replay did. */
  void requireNoFailure() throws IOException {
    Exception thrown = failure.get();
    if (thrown instanceof IOException io) {
      throw io;
    } else if (thrown != null) {
      throw (RuntimeException) thrown;
    }
  }

  /**
   * Begins a request.
   *
   * @throws ReplayStoppedException if the replay was stopped, or has ended
   */
  void begin() {
    requests.lock();
    try {
      requireRunning();
      open++;
    } finally {
      requests.unlock();
    }
  }

  /** Ends a request that began. */
  void end() {
    requests.lock();
    try {
      open--;
      isIdle.signalAll();
    } finally {
      requests.unlock();
    }
  }

  /**
   * Lets no request begin, and waits for those that are being answered.
   *
   * @return whether all are answered
   */
  boolean awaitRequests(Duration most) throws InterruptedException {
    requests.lock();
    try {
      isEnding = true;
      replay.control.end();
      long rest = Executions.nanos(most);
      while (open > 0 && rest > 0) {
        rest = isIdle.awaitNanos(rest);
      }
      return open == 0;
    } finally {
      requests.unlock();
    }
  }

  /** Ends the replay: what is answered later is not recorded. */
  void finish() {
    isEnding = true;
    isFinished = true;
    replay.control.end();
  }

  /** Fails if the replay was stopped, or the agent has returned, which is counted. */
  void requireRunning() {
    requireNotStopped();
    if (isEnding) {
      lateUses.incrementAndGet();
      throw new ReplayStoppedException(HAS_ENDED);
    }
  }

  /** The exception for the agent whose request is missed. */
  ReplayMissException missed(ReplayMiss miss) {
    ReplayMissException exception = new ReplayMissException(miss);
    firstMiss.compareAndSet(null, exception);
    return exception;
  }

  /** The first exception for the agent because of a miss; null if there was none. */
  @Nullable
  ReplayMissException firstMiss() {
    return firstMiss.get();
  }

  /** The number of times that the scope was used after the agent had returned. */
  long lateUses() {
    return lateUses.get();
  }

  /** Fails if the replay was stopped, or has ended; a request may be answered until then. */
  private void requireNotFinished() {
    requireNotStopped();
    if (isFinished) {
      throw new ReplayStoppedException(HAS_ENDED);
    }
  }

  /** Fails if the replay was stopped. An agent that does not end by itself is interrupted. */
  void requireNotStopped() {
    Stop stop = stopped();
    if (stop != null) {
      if (afterStop.incrementAndGet() == MAX_AFTER_STOP) {
        stop(new Stop(
            Stop.Cause.IGNORED,
            "the agent made %d requests after the replay was stopped".formatted(MAX_AFTER_STOP)));
      }
      throw new ReplayStoppedException("the replay was stopped: " + stop.reason());
    }
  }

  /**
   * Stops the replay if its log has become too long.
   *
   * @param offset the offset of a line that was written, in bytes
   */
  void written(long offset) {
    String exceeded = budget.addBytes(offset);
    if (exceeded != null) {
      stop(new Stop(Stop.Cause.BUDGET, exceeded));
    }
  }

  /** Waits while the replay is paused, and fails if it was stopped. */
  void awaitTurn() throws InterruptedException {
    requireRunning();
    try {
      replay.control.await();
    } catch (InterruptedException e) {
      requireRunning(); // an interrupt by the end of the replay is reported as its end
      throw e;
    }
    String aborted = replay.control.aborted();
    if (aborted != null) { // the thread that aborts may not have stopped the replay yet
      stop(new Stop(Stop.Cause.ABORT, aborted));
    }
    requireRunning();
    String exceeded = budget.time(Duration.ofNanos(time.nanos()));
    if (exceeded != null) {
      stop(new Stop(Stop.Cause.BUDGET, exceeded));
      requireRunning();
    }
  }

  /** Sleeps for a time, unless it is not positive, or the replay is stopped. */
  void sleep(long millis) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    long rest = millis;
    try {
      while (rest > 0 && stopped() == null && !isFinished) {
        Thread.sleep(Math.min(rest, 50));
        rest = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      }
    } catch (InterruptedException e) {
      requireNotFinished();
      throw e;
    }
    requireNotFinished();
  }

  /** The call of a model with the parameters that make its answers as reproducible as they can. */
  ModelCall deterministic(ModelCall call) {
    Parameters parameters = call.parameters().withTemperature(0).withTopK(1).withTopP(1);
    return call.withParameters(seed == null ? parameters : parameters.withSeed(seed));
  }

  /** Notes that a model is called. */
  void callsModel(ModelExecutor executor) {
    if (seed == null || !executor.takesSeed()) {
      lacksSeed = true;
    }
  }

  /** The circumstance that a model was called without a seed; null if none was. */
  @Nullable
  Circumstance seeding() {
    if (!lacksSeed) {
      return null;
    }
    String message = seed == null
        ? "no seed was recorded or given: answers of the model may differ in each run"
        : "the model takes no seed: its answers may differ in each run";
    return new Circumstance(Settings.SEED, seed == null ? null : JsonValue.of(seed), null, message);
  }

  /**
   * Enters the result of a call into the ledger.
   *
   * @param fact the facts that identify a difference; null if it is none
   */
  void enter(
      LedgerEntry entry, @Nullable EntryFact fact, @Nullable Matched matched, ExchangeStart start) {
    try {
      ledger.add(entry, fact);
    } catch (IOException e) {
      throw fail(e);
    }
    if (matched != null) {
      Long line = matched.exchange().line();
      switch (entry.result()) {
        case SERVED, CHANGED, ANSWERED -> served.add(line);
        case EXECUTED, TIMED_OUT -> executed.add(line);
        case NOT_EXECUTED -> notExecuted.add(line);
        case CANCELLED, REFUSED, MISSED -> {}
      }
    }
    entered(entry, start);
  }

  /** Enters a call that is not in the log of the replay into the ledger. */
  void enterNotRecorded(LedgerEntry entry, ExchangeStart start) {
    try {
      ledger.addNotRecorded(entry);
    } catch (IOException e) {
      throw fail(e);
    }
    entered(entry, start);
  }

  /**
   * Enters a value into the ledger.
   *
   * @param fact the facts that identify a difference; null if it is none
   */
  void enterValue(LedgerEntry entry, @Nullable EntryFact fact, ExchangeStart start) {
    try {
      ledger.addValue(entry, fact);
    } catch (IOException e) {
      throw fail(e);
    }
    entered(entry, start);
  }

  private void entered(LedgerEntry entry, ExchangeStart start) {
    start.trace(entry, log.session());
    telling.lock();
    try {
      log.exchange(entry);
      listeners.forEach(listener -> log.tell(() -> listener.exchange(entry)));
    } finally {
      telling.unlock();
    }
  }

  /** Reports a difference that was found while the replay runs. */
  void divergence(LedgerEntry entry, String message) {
    telling.lock();
    try {
      divergences.incrementAndGet();
      log.divergence(entry, message);
      listeners.forEach(listener -> log.tell(() -> listener.divergence(entry, message)));
    } finally {
      telling.unlock();
    }
  }

  /** Reports the progress. */
  void progress(long recorded, @Nullable String running) {
    telling.lock();
    try {
      ReplayListener.Progress progress = new ReplayListener.Progress(
          ledger.requests(),
          served.size() + executed.size(),
          recorded,
          divergences.get(),
          Duration.ofNanos(time.nanos()),
          running,
          replay.control.isPaused());
      log.progress(progress);
      listeners.forEach(listener -> log.tell(() -> listener.progress(progress)));
    } finally {
      telling.unlock();
    }
  }

  /** Whether to wait longer for an execution. */
  boolean extend(String name, Duration waited) {
    if (stopped() != null) {
      return false;
    }
    AtomicReference<ReplayTimeouts.OnTimeout> decided =
        new AtomicReference<>(replay.timeouts.onStep());
    deciding.lock();
    try {
      listeners.forEach(listener -> log.tell(() -> {
        ReplayTimeouts.OnTimeout answer = listener.timedOut(name, waited);
        if (answer != null) {
          decided.set(answer);
        }
      }));
    } finally {
      deciding.unlock();
    }
    log.timedOut(name, waited, decided.get());
    return decided.get() == ReplayTimeouts.OnTimeout.EXTEND;
  }

  /** The lines of the recorded exchanges that were served. */
  Set<Long> served() {
    return Set.copyOf(served);
  }

  /** The lines of the recorded exchanges that were executed. */
  Set<Long> executed() {
    return Set.copyOf(executed);
  }

  /** The lines of the recorded exchanges that were requested, and not executed. */
  Set<Long> notExecuted() {
    return Set.copyOf(notExecuted);
  }
}
