package dev.agentreplay.canonical.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonObject;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The memory that encoding an event allocates, and that the encoder keeps. */
class LineEncoderAllocationTest {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** The time and its instant, the hash, and the encoded line. */
  private static final long RESULT_BYTES = 24 + 24 + 48 + 24;

  private static final long MOST_BYTES = RESULT_BYTES + 64;
  private static final int CALLS = 2_000;
  private static final int MIB = 1 << 20;

  private final LineEncoder encoder = LineEncoder.of(Dialect.EVENT);

  @Test
  void event_allocates_little_more_than_what_is_returned_of_it() {
    JsonObject params = JsonObject.of("limit", 120, "path", "src/main/java/org/example/Auth.java");
    ToolCall call = ToolCall.of("call_42", "file_read", params).withStepId("step_7");
    encodeOften(call); // the buffers, and what is linked at first use

    assertThat(allocated(() -> encodeOften(call)) / CALLS).isLessThanOrEqualTo(MOST_BYTES);
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 15})
  void buffer_of_a_giant_line_is_given_up(int mib) {
    ToolResult giant = result(mib * MIB);
    encode(giant);

    encoder.release();

    assertThat(allocated(() -> encode(giant))).isGreaterThan((long) mib * MIB);
  }

  @Test
  void buffer_of_a_long_line_is_kept() {
    ToolResult large = result(MIB * 3 / 4);
    encode(large);

    encoder.release();

    assertThat(allocated(() -> encode(large))).isLessThan(MIB / 4);
  }

  private static ToolResult result(int length) {
    return ToolResult.of("c", "x".repeat(length)).withLatencyMillis(1L);
  }

  private void encodeOften(ReplayEvent event) {
    for (int i = 0; i < CALLS; i++) {
      encode(event);
    }
  }

  private void encode(ReplayEvent event) {
    encoder.encode(event, Timestamp.of(Instant.now()));
  }

  private static long allocated(Runnable action) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    action.run();
    return THREADS.getCurrentThreadAllocatedBytes() - before;
  }
}
