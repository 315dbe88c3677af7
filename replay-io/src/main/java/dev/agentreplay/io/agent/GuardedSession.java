package dev.agentreplay.io.agent;

import dev.agentreplay.io.recording.AgentRecorder;
import dev.agentreplay.io.recording.PendingCall;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.recording.WrittenEvent;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.RecordingGap;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A session that an agent is recorded into, and whose failures never reach the agent. An event that
 * is rejected leaves a gap; after a write error nothing more is recorded, and the session has no
 * end. Safe for use by several threads.
 */
public final class GuardedSession implements RunningCall.Place {

  /** Starts a session. */
  @FunctionalInterface
  public interface Start {

    /**
     * Starts the session.
     *
     * @throws IOException if it cannot be started
     */
    SessionRecorder start() throws IOException;
  }

  private interface Emission<E, R> {
    R emit(SessionRecorder recorder, E event) throws IOException;
  }

  private final String name;
  private final @Nullable SessionRecorder recorder;

  /** The id of the invocation that the session was started for; null for one of the caller. */
  private final @Nullable String invocation;

  private final RecordingFailures failures;
  private final AtomicBoolean isLogged;
  private final AtomicBoolean stopped;

  /** The first error of a write, or of the start; null if there is none. */
  private final AtomicReference<@Nullable Throwable> writeFailure;

  /** The recorder of the agent whose events are recorded; null for those without an agent. */
  private final @Nullable AgentRecorder lane;

  /** The id of that agent; null if there is none. */
  private final @Nullable String agent;

  private GuardedSession(
      String name,
      @Nullable SessionRecorder recorder,
      @Nullable String invocation,
      RecordingFailures failures) {
    this.name = name;
    this.recorder = recorder;
    this.invocation = invocation;
    this.failures = failures;
    this.isLogged = new AtomicBoolean();
    this.stopped = new AtomicBoolean(recorder == null);
    this.writeFailure = new AtomicReference<>();
    this.lane = null;
    this.agent = null;
  }

  /** Creates the lane of an agent in a session. */
  private GuardedSession(GuardedSession session, AgentRecorder lane, String agent) {
    this.name = session.name;
    this.recorder = session.recorder;
    this.invocation = null;
    this.failures = session.failures;
    this.isLogged = session.isLogged;
    this.stopped = session.stopped;
    this.writeFailure = session.writeFailure;
    this.lane = lane;
    this.agent = agent;
  }

  /** Returns a session of the caller, which is not ended here. */
  public static GuardedSession of(SessionRecorder recorder, RecordingFailures failures) {
    return new GuardedSession(recorder.directory().toString(), recorder, null, failures);
  }

  /** Returns a session that records nothing. */
  public static GuardedSession none(String name, RecordingFailures failures) {
    return new GuardedSession(name, null, null, failures);
  }

  /** Starts a session for the invocation with an id; if that fails, nothing is recorded. */
  public static GuardedSession start(String id, Start start, RecordingFailures failures) {
    try {
      SessionRecorder recorder = start.start();
      return new GuardedSession(recorder.directory().toString(), recorder, id, failures);
    } catch (Throwable e) {
      RecordingFailures.rethrowIfFatal(e);
      GuardedSession none = none(id, failures);
      none.writeFailure.set(e);
      none.report("SessionStart", e);
      return none;
    }
  }

  /**
   * Returns the lane of an agent if the current thread runs a tool call of this session, which has
   * started the agent; otherwise this session.
   *
   * @param interfaceName the name of the agent's interface
   */
  public GuardedSession forInvocation(String interfaceName) {
    SessionRecorder target = recorder;
    RunningCall parent = target == null ? null : RunningCall.in(target);
    if (target == null || parent == null) {
      return this;
    }
    String id = AgentNames.take(target, parent.place().agent(), interfaceName, parent.number());
    try {
      return new GuardedSession(this, target.agent(id, parent.id()), id);
    } catch (RuntimeException | Error e) {
      AgentNames.release(target, id);
      throw e;
    }
  }

  /**
   * Begins to run the tool of a call in the current thread; null if it is not recorded.
   *
   * @param number the number of the call among those of its tool in one answer of the model, from 1
   */
  public @Nullable RunningCall begin(@Nullable String callId, int number) {
    return recorder == null || callId == null ? null : RunningCall.begin(this, callId, number);
  }

  /** The id of the invocation that the session was started for; null for one of the caller. */
  public @Nullable String invocation() {
    return invocation;
  }

  @Override
  public @Nullable Object session() {
    return recorder;
  }

  @Override
  public @Nullable String agent() {
    return agent;
  }

  /**
   * The first error by which an event could not be written, or the session not be started; null if
   * there is none. An event that was rejected, and left a gap, is not one.
   */
  public @Nullable Throwable writeFailure() {
    Throwable stopping = writeFailure.get();
    return stopping != null || recorder == null ? stopping : recorder.lastFailure();
  }

  /** The clock of latencies. */
  public long nanoTime() {
    return recorder == null ? System.nanoTime() : recorder.nanoTime();
  }

  /** Records a model call with a generated id, and returns it; null if it was not recorded. */
  public @Nullable String modelCall(Function<String, ModelCall> call) {
    SessionRecorder target = recorder;
    if (target == null) {
      return null;
    }
    String id = target.newModelCallId();
    return emit("ModelCall", () -> call.apply(id)) ? id : null;
  }

  /**
   * Records an event. Returns whether it was recorded, as far as the recorder reports.
   *
   * @param what the kind of the event, such as "ToolResult", for reports of failures
   * @param event creates the event; an exception of it is a failure of recording
   */
  public boolean emit(String what, Supplier<? extends ReplayEvent> event) {
    Boolean done = attempt(what, event, (target, made) -> {
      emit(target, made);
      return true;
    });
    return done != null;
  }

  /**
   * Records a tool call, and returns its id; null if it was not recorded. A blank id, and one that
   * an open call has, is replaced by a generated one.
   */
  public @Nullable String call(Supplier<ToolCall> call) {
    return attempt("ToolCall", call, this::call);
  }

  /**
   * Records the result of a call, or a gap if the call was not recorded.
   *
   * @param what the kind of the event, for reports of failures
   * @param callId the id of the call; null if it was not recorded
   */
  public void result(
      String what, @Nullable String callId, Function<String, ? extends ReplayEvent> result) {
    if (callId == null) {
      leaveGap(what + ": its call was not recorded");
    } else {
      emit(what, () -> result.apply(callId));
    }
  }

  private WrittenEvent emit(SessionRecorder target, ReplayEvent event) throws IOException {
    return lane == null ? target.emit(event) : lane.emit(event);
  }

  private PendingCall record(SessionRecorder target, ToolCall call) throws IOException {
    return lane == null ? target.call(call) : lane.call(call);
  }

  private String call(SessionRecorder target, ToolCall call) throws IOException {
    if (!call.id().isBlank()) {
      try {
        return record(target, call).id();
      } catch (IllegalArgumentException e) {
        // an open call has this id; any other fault would occur with a generated id, too
      }
    }
    return record(target, withId(call, target.newCallId())).id();
  }

  /** Returns a call with an id in place of that of the model, which is kept if it gave one. */
  private static ToolCall withId(ToolCall call, String id) {
    JsonObject extra = call.meta().extra();
    return new ToolCall(
        id,
        call.tool(),
        call.params(),
        call.stepId(),
        call.attempt(),
        call.meta()
            .withExtra(call.id().isEmpty() ? extra : extra.with(Names.TOOL_CALL_ID, call.id())));
  }

  /** Ends the session, unless it is a session of the caller. */
  public void end(Supplier<SessionEnd> end) {
    if (invocation != null) {
      attempt("SessionEnd", end, SessionRecorder::end);
    }
    close();
  }

  /** Closes the session without an end, unless it is a session of the caller. */
  public void close() {
    if (recorder != null && agent != null) {
      AgentNames.release(recorder, agent);
    }
    if (invocation == null || recorder == null) {
      return;
    }
    try {
      recorder.close();
    } catch (IOException | RuntimeException e) {
      report("end of the log", e);
    }
    IOException degraded = recorder.lastFailure();
    if (degraded != null) {
      long lost = recorder.unrecordedEvents();
      report(lost == 0 ? Session.RECEIPT_NAME : lost + " events", degraded);
    }
  }

  private <E extends ReplayEvent, R> @Nullable R attempt(
      String what, Supplier<? extends E> event, Emission<? super E, R> emission) {
    SessionRecorder target = recorder;
    if (stopped.get() || target == null) {
      return null;
    }
    E made;
    try {
      made = event.get();
    } catch (Throwable e) {
      leaveGap(target, what, e);
      return null;
    }
    try {
      return emission.emit(target, made);
    } catch (IOException | IllegalStateException | OutOfMemoryError e) {
      stop(what, e);
    } catch (Throwable e) {
      leaveGap(target, what, e);
    }
    return null;
  }

  /** Reports an event that cannot be recorded, and records a gap in its place. */
  private void leaveGap(SessionRecorder target, String what, Throwable cause) {
    RecordingFailures.rethrowIfFatal(cause);
    report(what, cause);
    leaveGap(target, what + ": " + EventTexts.message(cause));
  }

  /** Records a gap, for an event that cannot be recorded. */
  public void leaveGap(String reason) {
    SessionRecorder target = recorder;
    if (!stopped.get() && target != null) {
      leaveGap(target, reason);
    }
  }

  private void leaveGap(SessionRecorder target, String reason) {
    try {
      emit(target, RecordingGap.of(1).withReason(reason));
    } catch (IOException | RuntimeException e) {
      stop("RecordingGap", e);
    }
  }

  /** Stops recording, because the state of the log after the error is unknown. */
  private void stop(String what, Throwable cause) {
    writeFailure.compareAndSet(null, cause);
    stopped.set(true);
    report(what, cause);
  }

  /**
   * Reports that something was not recorded.
   *
   * @param what the kind of the event, or the file
   */
  public void report(String what, Throwable cause) {
    failures.report(new RecordingFailure(name, what, cause), isLogged);
  }
}
