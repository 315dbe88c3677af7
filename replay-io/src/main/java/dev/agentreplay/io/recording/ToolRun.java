package dev.agentreplay.io.recording;

import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ToolResult;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs a tool for a recorder. A tool that has run may have had side effects: the caller gets the
 * returned value or the exception even if recording fails.
 */
final class ToolRun {

  private final AgentRecorder lane;
  private final OpenCalls calls;
  private final LossLog losses;
  private final boolean degrades;

  ToolRun(AgentRecorder lane, OpenCalls calls, LossLog losses, FailurePolicy policy) {
    this.lane = lane;
    this.calls = calls;
    this.losses = losses;
    this.degrades = policy == FailurePolicy.DEGRADE;
  }

  <T extends @Nullable Object> T run(
      String tool,
      @Nullable Object params,
      Callable<T> body,
      Function<T, @Nullable Object> toOutput)
      throws Exception {
    PendingCall call = call(tool, params);
    return call == null ? body.call() : run(call, body, toOutput);
  }

  <T extends @Nullable Object> T run(
      PendingCall call, Callable<T> body, Function<T, @Nullable Object> toOutput) throws Exception {
    T returned;
    try {
      returned = body.call();
    } catch (Throwable failure) {
      failed(call, failure);
      throw failure;
    }
    long latencyMillis = call.elapsedMillis(); // without the conversion
    returned(call, latencyMillis, () -> toOutput.apply(returned));
    return returned;
  }

  /** Records the call. Returns null if this failed and the tool is to run nevertheless. */
  private @Nullable PendingCall call(String tool, @Nullable Object params) throws IOException {
    try {
      return lane.call(tool, params);
    } catch (Error refused) {
      if (!degrades) {
        throw refused;
      }
      losses.addCall(tool, refused);
      losses.addUnanswerable();
      return null;
    }
  }

  private static void failed(PendingCall call, Throwable failure) {
    try {
      call.failed(failure);
    } catch (Throwable notRecorded) {
      if (notRecorded != failure && !isLate(call, notRecorded)) {
        failure.addSuppressed(notRecorded);
      }
    }
  }

  /** Whether a result was refused because the call got a different one while its tool ran. */
  private static boolean isLate(PendingCall call, Throwable refused) {
    return refused instanceof IllegalStateException && call.isAnswered();
  }

  private interface Output {
    @Nullable
    Object get();
  }

  private void returned(PendingCall call, long latencyMillis, Output output) {
    try {
      give(call, call.withChunks(result(call.id(), output).withLatencyMillis(latencyMillis)));
    } catch (Throwable notRecorded) {
      if (!isLate(call, notRecorded)) {
        losses.addResult(call.id(), notRecorded, !degrades);
        calls.close(call.id(), call.agent()); // the id may be used again
      }
    }
  }

  /** Records a result; as much of it as can be, if it is refused. */
  private static void give(PendingCall call, ToolResult result) throws IOException {
    try {
      call.give(result);
    } catch (IllegalArgumentException refused) { // too large, or its pieces do not form the output
      for (ReplayEvent rest : RecordedEvents.rest(result, refused)) {
        try {
          call.give(rest);
          return;
        } catch (IllegalArgumentException again) {
          // the reason that counts is the first one
        }
      }
      throw refused;
    }
  }

  /** The result to record; if the conversion fails, one with the reason. */
  private static ToolResult result(String id, Output output) {
    try {
      return RecordedEvents.toolResult(id, output.get());
    } catch (Throwable failure) { // also an Error of the value's methods, or OutOfMemoryError
      return RecordedEvents.unrecorded(id, failure);
    }
  }
}
