package dev.agentreplay.langchain4j;

import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.RecordingGap;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A session that an agent is recorded into, and whose failures never reach the agent. An event that
 * is rejected leaves a gap; after a write error nothing more is recorded, and the session has no
 * end. Safe for use by several threads.
 */
final class GuardedSession {

  /** Starts a session. */
  interface Start {
    SessionRecorder start() throws IOException;
  }

  private interface Emission<E, R> {
    R emit(SessionRecorder recorder, E event) throws IOException;
  }

  private static final String MODEL_MADE_ID = "tool_call_id";

  private final String name;
  private final @Nullable SessionRecorder recorder;
  private final boolean isOwned;
  private final FailureLog failures;
  private final AtomicBoolean isLogged = new AtomicBoolean();
  private volatile boolean stopped;

  private GuardedSession(
      String name, @Nullable SessionRecorder recorder, boolean isOwned, FailureLog failures) {
    this.name = name;
    this.recorder = recorder;
    this.isOwned = isOwned;
    this.failures = failures;
    this.stopped = recorder == null;
  }

  /** Returns a session of the caller, which is not ended here. */
  static GuardedSession of(SessionRecorder recorder, FailureLog failures) {
    return new GuardedSession(recorder.directory().toString(), recorder, false, failures);
  }

  /** Starts a session; if that fails, nothing is recorded. */
  static GuardedSession start(String id, Start start, FailureLog failures) {
    try {
      SessionRecorder recorder = start.start();
      return new GuardedSession(recorder.directory().toString(), recorder, true, failures);
    } catch (Throwable e) {
      FailureLog.rethrowIfFatal(e);
      GuardedSession none = new GuardedSession(id, null, true, failures);
      none.report("SessionStart", e);
      return none;
    }
  }

  /** Records a model call with a generated id, and returns it; null if it was not recorded. */
  @Nullable
  String modelCall(Function<String, ModelCall> call) {
    SessionRecorder target = recorder;
    if (target == null) {
      return null;
    }
    String id = target.newModelCallId();
    return emit("ModelCall", () -> call.apply(id)) ? id : null;
  }

  /** Records an event. Returns whether it was recorded, as far as the recorder reports. */
  boolean emit(String what, Supplier<? extends ReplayEvent> event) {
    Boolean done = attempt(what, event, (target, made) -> {
      target.emit(made);
      return true;
    });
    return done != null;
  }

  /** Records a tool call, and returns its id; null if it was not recorded. */
  @Nullable
  String call(Supplier<ToolCall> call) {
    return attempt("ToolCall", call, GuardedSession::call);
  }

  private static String call(SessionRecorder recorder, ToolCall call) throws IOException {
    if (!call.id().isBlank()) {
      try {
        return recorder.call(call).id();
      } catch (IllegalArgumentException e) {
        // an open call has this id; any other fault would occur with a generated id, too
      }
    }
    JsonObject extra = call.meta().extra();
    ToolCall renamed = new ToolCall(
        recorder.newCallId(),
        call.tool(),
        call.params(),
        call.paramsHash(),
        call.stepId(),
        call.meta().withExtra(call.id().isEmpty() ? extra : extra.with(MODEL_MADE_ID, call.id())));
    return recorder.call(renamed).id();
  }

  /** Ends the session, unless it is a session of the caller. */
  void end(Supplier<SessionEnd> end) {
    if (isOwned) {
      attempt("SessionEnd", end, SessionRecorder::end);
      close();
    }
  }

  /** Closes the session without an end, unless it is a session of the caller. */
  void close() {
    if (!isOwned || recorder == null) {
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
    if (stopped || target == null) {
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
    FailureLog.rethrowIfFatal(cause);
    report(what, cause);
    leaveGap(target, what + ": " + ToolEvents.message(cause));
  }

  /** Records a gap for an event that belongs to an event that was not recorded. */
  void leaveGap(String reason) {
    SessionRecorder target = recorder;
    if (!stopped && target != null) {
      leaveGap(target, reason);
    }
  }

  private void leaveGap(SessionRecorder target, String reason) {
    try {
      target.emit(RecordingGap.of(1).withReason(reason));
    } catch (IOException | RuntimeException e) {
      stop("RecordingGap", e);
    }
  }

  /** Stops recording, because the state of the log after the error is unknown. */
  private void stop(String what, Throwable cause) {
    stopped = true;
    report(what, cause);
  }

  /** Reports that something was not recorded. */
  void report(String what, Throwable cause) {
    failures.report(new RecordingFailure(name, what, cause), isLogged);
  }
}
