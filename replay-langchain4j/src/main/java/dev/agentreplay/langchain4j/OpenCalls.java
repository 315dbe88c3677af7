package dev.agentreplay.langchain4j;

import dev.agentreplay.model.StreamedText;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Calls without a result so far, oldest first. Not safe for use by several threads. */
final class OpenCalls {

  /**
   * A call without a result so far.
   *
   * @param request the request, by identity: equal requests are not the same call
   * @param id the id in the log; null if the call was not recorded; its result must not be recorded
   *     either
   * @param startedNanos the start of the call, by the clock of the recorder
   * @param stream the pieces of its answer, if it is streamed
   */
  record OpenCall(Object request, @Nullable String id, long startedNanos, StreamedText stream) {

    OpenCall(Object request, @Nullable String id, long startedNanos) {
      this(request, id, startedNanos, new StreamedText());
    }

    /** The duration of the call until then, in milliseconds. */
    long millis(long endedNanos) {
      return TimeUnit.NANOSECONDS.toMillis(endedNanos - startedNanos);
    }
  }

  private final List<OpenCall> calls = new ArrayList<>();

  void add(OpenCall call) {
    calls.add(call);
  }

  int size() {
    return calls.size();
  }

  /** Removes and returns the oldest call of a request; null if there is none. */
  @SuppressWarnings("ReferenceEquality") // a model may repeat equal requests without ids
  @Nullable
  OpenCall take(Object request) {
    for (int i = 0; i < calls.size(); i++) {
      if (calls.get(i).request() == request) {
        return calls.remove(i);
      }
    }
    return null;
  }

  /** The oldest call of a request, which stays open; null if there is none. */
  @SuppressWarnings("ReferenceEquality") // as in take()
  @Nullable
  OpenCall find(Object request) {
    for (OpenCall call : calls) {
      if (call.request() == request) {
        return call;
      }
    }
    return null;
  }

  /** Removes and returns the newest call; null if there is none. */
  @Nullable
  OpenCall takeNewest() {
    return calls.isEmpty() ? null : calls.remove(calls.size() - 1);
  }
}
