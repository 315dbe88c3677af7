package dev.agentreplay.langchain4j;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Calls that wait for their results, oldest first. Not safe for use by several threads. */
final class OpenCalls {

  /**
   * A call that waits.
   *
   * @param request which object it is a call of: equal requests are not the same call
   * @param id its id in the log; null where it was not recorded, as its result must not be then
   * @param startedNanos when it began, by {@link System#nanoTime}
   */
  record OpenCall(Object request, @Nullable String id, long startedNanos) {

    OpenCall(Object request, @Nullable String id) {
      this(request, id, System.nanoTime());
    }

    /** How long it took until then, in milliseconds. */
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

  /** Takes the oldest call of a request; null if there is none. */
  @SuppressWarnings("ReferenceEquality") // models repeat themselves: equal requests, without ids
  @Nullable
  OpenCall take(Object request) {
    for (int i = 0; i < calls.size(); i++) {
      if (calls.get(i).request() == request) {
        return calls.remove(i);
      }
    }
    return null;
  }

  /** Takes the newest call; null if there is none. */
  @Nullable
  OpenCall takeNewest() {
    return calls.isEmpty() ? null : calls.remove(calls.size() - 1);
  }
}
