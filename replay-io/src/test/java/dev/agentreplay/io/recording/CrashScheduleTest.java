package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The process dies, or the power fails, at any call of the disk. {@code -Dreplay.effort=N} runs
 * more of it, {@code -Dreplay.schedule=SEED} the one that failed.
 */
@ExtendWith(QuietLogger.class)
class CrashScheduleTest {

  private static final long FIRST_SEED = 0x5EED_0000_0000L;
  private static final long EFFORT = Integer.getInteger("replay.effort", 1);

  private static final long SCHEDULES = EFFORT * 2_500;

  @Test
  void nothing_that_was_promised_is_lost_in_any_schedule() {
    Long one = Long.getLong("replay.schedule");
    LongStream seeds =
        one != null ? LongStream.of(one) : LongStream.range(FIRST_SEED, FIRST_SEED + SCHEDULES);
    LongAdder crashes = new LongAdder();
    seeds.parallel().forEach(seed -> crashes.add(run(seed)));
    assertThat(crashes.sum()).isPositive();
  }

  private static int run(long seed) {
    try {
      return TracedRun.of(
          "-Dreplay.schedule=" + seed, trace -> new CrashSchedule(seed, trace).run());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
