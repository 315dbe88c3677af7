package dev.agentreplay.io.faults;

import dev.agentreplay.io.faults.RunLog.From;
import dev.agentreplay.io.recording.Durability;
import dev.agentreplay.io.recording.PendingCall;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.ReplayWriteException;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.recording.TamperEvidenceOptions;
import dev.agentreplay.io.recording.WriterOptions;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.StepComplete;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * An agent that records itself, meets an Error at some point, and continues as far as it is allowed
 * to. Loaded by {@link FaultyLoader}, with the library that it uses.
 */
public final class RecordingScenario implements Consumer<RunLog> {

  private static final int STEPS = 3;

  private RunLog log;
  private RecorderOptions options;
  private boolean sound;

  /** A call of the library. */
  private interface Action {
    void run() throws IOException;
  }

  /** Something that opens a recorder. */
  private interface Opening {
    SessionRecorder open() throws IOException;
  }

  @Override
  public void accept(RunLog newLog) {
    log = newLog;
    options = RecorderOptions.defaults()
        .withBlobThreshold(64)
        .withWriter(WriterOptions.defaults()
            .withDurability(Durability.valueOf(log.durability))
            .withForceInterval(Duration.ofHours(1))
            .withMaxSegmentBytes(1_200)
            .withEvidence(TamperEvidenceOptions.defaults().withCheckpointInterval(4)));
    if (log.from == From.START) {
      log.arm.run();
    }
    SessionRecorder recorder =
        open("start", () -> SessionRecorder.start(log.directory, SessionStart.of("s-1"), options));
    log.acknowledged.add("start");
    record(recorder, "a", log.from == From.RESUME ? 1 : STEPS);
    if (log.from == From.CLOSE) {
      log.arm.run();
      boolean isWhole = close(recorder);
      log.mayHaveLost = !isWhole && log.durability.equals(Durability.BUFFERED.name());
      return;
    }
    if (log.from == From.RESUME) {
      close(recorder);
      log.arm.run();
      recorder = open("resume", () -> SessionRecorder.resume(log.directory, options));
      record(recorder, "b", STEPS);
    }
    if (!sound) { // the documented way on
      close(recorder);
      recorder = open("resume", () -> SessionRecorder.resume(log.directory, options));
      record(recorder, "c", STEPS);
    }
    if (sound) {
      end(recorder);
    }
    close(recorder);
  }

  /** An opening that fails with an Error can be tried again. */
  private SessionRecorder open(String what, Opening opening) {
    sound = true;
    try {
      return opening.open();
    } catch (IOException | Error e) {
      require(e);
      told(what + " failed: " + e);
    }
    try {
      return opening.open();
    } catch (IOException e) {
      throw new AssertionError(what + " cannot be repeated: " + e, e);
    }
  }

  private void record(SessionRecorder recorder, String name, int steps) {
    for (int i = 0; i < steps && sound; i++) {
      String id = name + i;
      String large = "x".repeat(i == 1 ? 100 : 1);
      once("step " + id, () -> recorder.emit(StepComplete.of(id, Status.SUCCESS, 1)));
      PendingCall[] call = new PendingCall[1];
      once("call " + id, () -> {
        JsonObject params = JsonObject.of("path", JsonValue.of(id), "text", large);
        call[0] = recorder.call(ToolCall.of(id, "tool", params));
      });
      if (call[0] != null && sound) {
        once("result " + id, () -> call[0].result(large));
      }
      if (i == 1 && sound) {
        sync(recorder);
      }
    }
  }

  /** Emits an event, and once more when nothing of it is in the log. */
  private void once(String event, Action emit) {
    if (!sound || isIn(event, emit) || !sound) {
      return;
    }
    if (!isIn(event, emit) && sound) {
      throw new AssertionError(event + " cannot be recorded although it may be");
    }
  }

  private boolean isIn(String event, Action emit) {
    try {
      emit.run();
      log.acknowledged.add(event);
      return true;
    } catch (ReplayWriteException e) {
      require(e);
      told(event + ": " + e);
      if (e.isUndetermined()) {
        log.undetermined.add(event);
      }
      sound = e.isRetryable();
    } catch (IOException | Error e) {
      require(e);
      told(event + ": " + e);
    }
    return false;
  }

  private void sync(SessionRecorder recorder) {
    try {
      recorder.sync();
    } catch (ReplayWriteException e) {
      require(e);
      told("sync: " + e);
      sound = e.isRetryable();
    } catch (IOException | Error e) {
      require(e);
      told("sync: " + e);
    }
  }

  private void end(SessionRecorder recorder) {
    for (int i = 0; i < 2 && sound && !log.ended; i++) {
      try {
        recorder.end(Status.SUCCESS, 0.5);
        log.ended = true;
        told("ended");
      } catch (ReplayWriteException e) {
        require(e);
        told("end: " + e);
        sound = e.isRetryable();
        if (e.isUndetermined()) {
          log.undetermined.add("end");
        }
      } catch (IOException | Error e) {
        require(e);
        told("end: " + e);
      }
    }
    if (sound && !log.ended) {
      throw new AssertionError("the session cannot be ended");
    }
  }

  /** Closes a recorder, again when an Error interrupts that. Returns whether nothing failed. */
  private boolean close(SessionRecorder recorder) {
    for (int attempt = 1; ; attempt++) {
      try {
        recorder.close();
        return attempt == 1;
      } catch (IOException e) {
        require(e);
        told("close: " + e);
      } catch (Error e) {
        require(e);
        told("close: " + e);
        if (attempt == 3) {
          throw e;
        }
      }
    }
  }

  private void told(String step) {
    log.steps.add(step);
  }

  /** Checks that every exception is the injected Error, or caused by it. */
  private static void require(Throwable thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (String.valueOf(cause.getMessage()).startsWith("injected")) {
        return;
      }
    }
    throw new AssertionError("thrown without a reason: " + thrown, thrown);
  }
}
