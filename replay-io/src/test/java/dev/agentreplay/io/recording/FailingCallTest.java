package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.file.DiskCall;
import dev.agentreplay.io.file.DiskFault;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Any one call of the disk fails: before, amid or after what it does. */
@Tag("slow")
@ExtendWith(QuietLogger.class)
class FailingCallTest {

  private static final Set<DiskFault> FAILURES =
      EnumSet.range(DiskFault.FAIL_BEFORE, DiskFault.FAIL_DROPPED);
  private static final int POWER_CUTS = 4;
  private static final long SEGMENT_BYTES = 330;

  /** A program that writes a log; it runs {@code begin} before the calls that fail. */
  private interface Program {
    void run(CheckedLog log, Runnable begin) throws IOException;
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void log_that_is_created_and_rotated_and_ended_keeps_every_promise(Durability durability)
      throws IOException {
    Set<DiskCall> failed = failEachCall((log, begin) -> {
      begin.run();
      write(log, durability);
    });
    assertThat(failed)
        .contains(DiskCall.CREATE, DiskCall.WRITE, DiskCall.FORCE, DiskCall.FORCE_DIRECTORY);
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void torn_and_resumed_log_keeps_every_promise(Durability durability) throws IOException {
    Set<DiskCall> failed = failEachCall((log, begin) -> {
      log.open(WriterOptions.defaults());
      log.emit(SampleEvents.step(10, 10));
      log.disk().inject((number, call, file) -> DiskFault.DIE_HALF);
      log.emit(SampleEvents.step(11, 10));
      assertThat(log.crash(null).isTorn()).isTrue();
      begin.run();
      write(log, durability);
    });
    assertThat(failed).contains(DiskCall.APPEND, DiskCall.READ, DiskCall.TRUNCATE, DiskCall.WRITE);
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void log_with_checkpoints_keeps_every_promise(Durability durability) throws IOException {
    Set<DiskCall> failed = failEachCall((log, begin) -> {
      begin.run();
      write(log, durability, TamperEvidenceOptions.defaults().withCheckpointInterval(2));
    });
    assertThat(failed).contains(DiskCall.CREATE, DiskCall.WRITE, DiskCall.FORCE);
  }

  @Test
  void failed_force_of_a_roll_back_is_not_made_good_by_the_next_one() throws IOException {
    CheckedLog log = new CheckedLog(step -> {});
    log.open(WriterOptions.defaults()
        .withDurability(Durability.INTERVAL)
        .withForceInterval(Duration.ofHours(1)));
    log.emit(SampleEvents.step(0, 0));
    log.disk().limit(log.disk().content(CheckedLog.LOG).length + 10);
    AtomicBoolean first = new AtomicBoolean(true);
    log.disk()
        .inject((number, call, file) -> call == DiskCall.FORCE && first.getAndSet(false)
            ? DiskFault.FAIL_DROPPED
            : DiskFault.NONE);

    assertThat(log.emit(SampleEvents.step(1, 0))).isFalse();
    assertThat(log.close()).as("closed as if everything were safe").isFalse();
    log.crash(new SplittableRandom(1));
  }

  private static void write(CheckedLog log, Durability durability) {
    write(log, durability, TamperEvidenceOptions.none());
  }

  private static void write(CheckedLog log, Durability durability, TamperEvidenceOptions evidence) {
    boolean sound = log.open(WriterOptions.defaults()
        .withDurability(durability)
        .withForceInterval(Duration.ofHours(1))
        .withMaxSegmentBytes(SEGMENT_BYTES)
        .withEvidence(evidence));
    for (int i = 0; sound && i < 5; i++) {
      sound = log.emit(SampleEvents.step(i, 10 * i)) && log.sync();
    }
    if (sound) {
      log.emit(SampleEvents.END);
    }
    log.close();
  }

  /** A call that fails, and what becomes of it with the power; cut 0 is a kill. */
  private record Failure(int number, DiskFault fault, int cut) {}

  /** Returns which calls have failed, once each in every way. */
  private static Set<DiskCall> failEachCall(Program program) throws IOException {
    Set<DiskCall> failed = EnumSet.noneOf(DiskCall.class);
    for (DiskFault fault : FAILURES) {
      for (int cut = 0; cut <= POWER_CUTS; cut++) {
        int number = 0;
        Set<DiskCall> now;
        do {
          Failure failure = new Failure(++number, fault, cut);
          now = TracedRun.of(failure.toString(), trace -> run(program, failure, trace));
          failed.addAll(now);
        } while (!now.isEmpty());
      }
    }
    return failed;
  }

  /** Returns which call has failed; none when there were not as many. */
  private static Set<DiskCall> run(
      Program program, Failure failure, Consumer<Supplier<String>> trace) throws IOException {
    CheckedLog log = new CheckedLog(trace);
    Set<DiskCall> failed = EnumSet.noneOf(DiskCall.class);
    Set<DiskCall> toTell = EnumSet.noneOf(DiskCall.class);
    AtomicInteger failuresBefore = new AtomicInteger();
    AtomicReference<Path> opened = new AtomicReference<>();
    program.run(log, () -> {
      failuresBefore.set(log.failures());
      log.disk().inject((number, call, file) -> {
        DiskFault fault = number == failure.number ? failure.fault : DiskFault.NONE;
        trace.accept(() -> "  %s %s %s".formatted(call, file.getFileName(), fault));
        if (call == DiskCall.CREATE || call == DiskCall.APPEND) {
          opened.set(file);
        }
        if (fault != DiskFault.NONE) {
          failed.add(call);
          if (call != DiskCall.CLOSE || file.equals(opened.get())) {
            toTell.add(call); // a segment that has ended is forced, closed or not
          }
        }
        return fault;
      });
    });
    assertThat(log.failures() - failuresBefore.get())
        .as("failures that the writer told of")
        .isGreaterThanOrEqualTo(toTell.size());
    log.crash(failure.cut == 0 ? null : new SplittableRandom(failure.cut));
    return failed;
  }
}
