package dev.agentreplay.springai;

import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of recorded calls. Safe for use by several threads.
 *
 * @param whole the counts that these are part of; null if there are none
 */
record RecordedCounts(@Nullable RecordedCounts whole, LongAdder modelCalls, LongAdder toolCalls) {

  RecordedCounts(@Nullable RecordedCounts whole) {
    this(whole, new LongAdder(), new LongAdder());
  }

  /** Counts a model call. */
  void modelCall() {
    modelCalls.increment();
    if (whole != null) {
      whole.modelCall();
    }
  }

  /** Counts a tool call. */
  void toolCall() {
    toolCalls.increment();
    if (whole != null) {
      whole.toolCall();
    }
  }
}
