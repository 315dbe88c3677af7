package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentreplay.io.file.DiskCall;
import dev.agentreplay.io.file.DiskFault;
import dev.agentreplay.io.file.SimulatedDisk;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.log.TestLogs;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.StepComplete;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The calls of the disk, and their order, for each durability. */
class DurabilityTest {

  private static final Path DIRECTORY = Path.of("simulated").toAbsolutePath();
  private static final Path LOG = DIRECTORY.resolve("log");
  private static final StepComplete STEP = StepComplete.of("a", Status.SUCCESS, 1);

  private final SimulatedDisk disk = new SimulatedDisk(DIRECTORY);
  private final List<DiskCall> calls = Collections.synchronizedList(new ArrayList<>());

  @ParameterizedTest
  @EnumSource(Durability.class)
  void header_and_its_name_are_forced_and_so_is_the_end(Durability durability) throws IOException {
    listen();
    ReplayWriter writer = create(durability);
    assertThat(calls)
        .containsExactly(
            DiskCall.LOCK,
            DiskCall.CREATE,
            DiskCall.WRITE,
            DiskCall.FORCE,
            DiskCall.FORCE_DIRECTORY);
    calls.clear();
    writer.emit(SessionEnd.of(Status.SUCCESS));
    assertThat(List.copyOf(calls)) // a thread of the writer may force once more
        .startsWith(DiskCall.WRITE, DiskCall.FORCE);
    writer.close();
  }

  @Test
  void process_hands_over_each_event_and_forces_none() throws IOException {
    ReplayWriter writer = create(Durability.WRITTEN);
    listen();
    writer.emit(STEP);
    writer.emit(STEP);
    assertThat(calls).containsExactly(DiskCall.WRITE, DiskCall.WRITE);
    writer.sync();
    writer.sync();
    assertThat(calls).containsExactly(DiskCall.WRITE, DiskCall.WRITE, DiskCall.FORCE);
    writer.close();
  }

  @Test
  void thread_that_forces_ends_when_a_log_cannot_be_created() throws Exception {
    LogAccount failing = new LogAccount() {
      @Override
      public void restart() {}

      @Override
      public void add(ReplayLine line) {}

      @Override
      public void add(WrittenEvent written) {
        throw new IllegalStateException("no account");
      }
    };
    Path log = DIRECTORY.resolve("log-without-account");
    WriterOptions options = WriterOptions.defaults().withDurability(Durability.INTERVAL);
    assertThatThrownBy(
            () -> new LogOpening(disk, log, options, failing).create(ReplayHeader.of("p"), false))
        .hasMessage("no account");
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().endsWith("log-without-account")) {
        thread.join(30_000);
        assertThat(thread.isAlive()).isFalse();
      }
    }
  }

  @Test
  void durable_forces_each_event() throws IOException {
    ReplayWriter writer = create(Durability.FSYNC);
    listen();
    writer.emit(STEP);
    writer.emit(STEP);
    assertThat(calls)
        .containsExactly(DiskCall.WRITE, DiskCall.FORCE, DiskCall.WRITE, DiskCall.FORCE);
    writer.close();
  }

  @Test
  void buffered_hands_over_what_has_come_together() throws IOException {
    ReplayWriter writer = create(Durability.BUFFERED);
    listen();
    for (int i = 0; i < 1_000; i++) {
      writer.emit(STEP);
    }
    assertThat(calls).containsOnly(DiskCall.WRITE).hasSize(1);
    writer.close();
    try (ReplayReader reader = TestLogs.reader(disk.content(LOG))) {
      assertThat(reader).hasSize(1_001);
    }
  }

  @Test
  void buffered_writes_a_long_line_behind_what_is_buffered() throws IOException {
    ReplayWriter writer = create(Durability.BUFFERED);
    writer.emit(STEP);
    WrittenEvent last = writer.emit(StepComplete.of("x".repeat(100_000), Status.SUCCESS, 1));
    assertThat(last.position().line()).isEqualTo(3);
    assertThat(disk.content(LOG)).hasSizeGreaterThan((int) last.position().offset() + 100_000);
    writer.close();
  }

  @Test
  void group_forces_by_itself_what_was_written() throws Exception {
    CountDownLatch forced = new CountDownLatch(2);
    ReplayWriter writer = create(Durability.INTERVAL);
    disk.inject((number, call, file) -> {
      if (call == DiskCall.FORCE) {
        forced.countDown();
      }
      return DiskFault.NONE;
    });
    writer.emit(STEP);
    while (forced.getCount() > 1) {
      Thread.onSpinWait();
    }
    writer.emit(STEP);
    assertThat(forced.await(1, TimeUnit.MINUTES)).isTrue();
    writer.close();
  }

  @Test
  void group_refuses_events_after_a_force_in_the_background_has_failed() throws Exception {
    CountDownLatch failed = new CountDownLatch(1);
    ReplayWriter writer = create(Durability.INTERVAL);
    disk.inject((number, call, file) -> {
      if (call != DiskCall.FORCE) {
        return DiskFault.NONE;
      }
      failed.countDown();
      return DiskFault.FAIL_DROPPED;
    });
    writer.emit(STEP);
    assertThat(failed.await(1, TimeUnit.MINUTES)).isTrue();
    assertThatThrownBy(() -> {
          while (true) { // until the failure has come through
            writer.emit(STEP);
          }
        })
        .isInstanceOf(ReplayWriteException.class)
        .hasMessageContaining("refused, because an earlier write or fsync failed");
    assertThatThrownBy(writer::sync).isInstanceOf(ReplayWriteException.class);
    assertThatThrownBy(writer::close).isInstanceOf(ReplayWriteException.class);
  }

  @Test
  void closing_group_forces_the_rest() throws IOException {
    ReplayWriter writer = ReplayWriter.create(
        disk,
        LOG,
        ReplayHeader.of("p"),
        WriterOptions.defaults()
            .withDurability(Durability.INTERVAL)
            .withForceInterval(Duration.ofHours(1)));
    listen();
    writer.emit(STEP);
    writer.close();
    assertThat(calls) // the thread that forces may be at it, too
        .containsSubsequence(DiskCall.WRITE, DiskCall.FORCE, DiskCall.CLOSE, DiskCall.UNLOCK)
        .containsOnlyOnce(DiskCall.WRITE, DiskCall.CLOSE, DiskCall.UNLOCK)
        .containsOnly(DiskCall.WRITE, DiskCall.FORCE, DiskCall.CLOSE, DiskCall.UNLOCK);
  }

  @Test
  void existing_lines_are_forced_too_when_a_log_is_resumed() throws IOException {
    create(Durability.WRITTEN).close();
    ReplayWriter writer = ReplayWriter.append(disk, LOG, WriterOptions.defaults());
    listen();
    writer.sync();
    assertThat(calls).containsExactly(DiskCall.FORCE);
    writer.close();
  }

  @Test
  void a_log_is_forced_after_the_session_has_ended() throws IOException {
    ReplayWriter writer = create(Durability.WRITTEN);
    writer.emit(SessionEnd.of(Status.SUCCESS));
    writer.sync();
    writer.close();
    assertThatThrownBy(writer::sync)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is closed");
  }

  @Test
  void failed_force_of_a_roll_back_makes_later_syncs_fail() throws IOException {
    ReplayWriter writer = create(Durability.WRITTEN);
    writer.emit(STEP);
    disk.inject((number, call, file) -> call == DiskCall.WRITE
        ? DiskFault.FAIL_HALF
        : call == DiskCall.FORCE ? DiskFault.FAIL_DROPPED : DiskFault.NONE);
    assertThatThrownBy(() -> writer.emit(STEP))
        .isInstanceOfSatisfying(
            ReplayWriteException.class, e -> assertThat(e.isUndetermined()).isTrue());
    disk.inject((number, call, file) -> DiskFault.NONE);
    assertThatThrownBy(writer::sync).isInstanceOfSatisfying(ReplayWriteException.class, e -> {
      assertThat(e.isUndetermined()).isFalse();
      assertThat(e.isRetryable()).isFalse();
    });
  }

  @Test
  void an_event_that_cannot_be_forced_is_undetermined_and_the_last() throws IOException {
    ReplayWriter writer = create(Durability.FSYNC);
    disk.inject(
        (number, call, file) -> call == DiskCall.FORCE ? DiskFault.FAIL_DROPPED : DiskFault.NONE);
    ReplayWriteException failed =
        catchThrowableOfType(ReplayWriteException.class, () -> writer.emit(STEP));
    assertThat(failed.isUndetermined()).isTrue();
    disk.inject((number, call, file) -> DiskFault.NONE);
    listen();
    ReplayWriteException refused =
        catchThrowableOfType(ReplayWriteException.class, () -> writer.emit(STEP));
    assertThat(refused.isUndetermined()).isFalse();
    assertThat(refused).hasMessageContaining("refused");
    assertThat(calls).isEmpty(); // a second force would say that all is well
  }

  @Test
  void an_event_that_finds_no_room_leaves_nothing_and_the_next_one_that_does_is_written()
      throws IOException {
    ReplayWriter writer = create(Durability.WRITTEN);
    writer.emit(STEP);
    byte[] before = disk.content(LOG);
    disk.limit(before.length + 20);
    ReplayWriteException failed =
        catchThrowableOfType(ReplayWriteException.class, () -> writer.emit(STEP));
    assertThat(failed.isUndetermined()).isFalse();
    assertThat(failed).hasMessageContaining(SimulatedDisk.FULL);
    assertThat(disk.content(LOG)).isEqualTo(before);
    disk.limit(1 << 20);
    assertThat(writer.emit(STEP).position().line()).isEqualTo(3);
    writer.close();
    assertThat(TestLogs.readAll(disk.content(LOG))).hasSize(3);
  }

  @Test
  void an_event_that_cannot_be_rolled_back_is_undetermined_and_the_last() throws IOException {
    ReplayWriter writer = create(Durability.WRITTEN);
    disk.inject((number, call, file) -> DiskFault.FAIL_HALF);
    ReplayWriteException failed =
        catchThrowableOfType(ReplayWriteException.class, () -> writer.emit(STEP));
    assertThat(failed.isUndetermined()).isTrue();
    disk.inject((number, call, file) -> DiskFault.NONE);
    byte[] torn = disk.content(LOG);
    assertThatThrownBy(() -> writer.emit(STEP)).hasMessageContaining("refused");
    assertThatThrownBy(writer::sync).hasMessageContaining("refused");
    assertThat(disk.content(LOG)).isEqualTo(torn);
  }

  private ReplayWriter create(Durability durability) throws IOException {
    WriterOptions options =
        WriterOptions.defaults().withDurability(durability).withForceInterval(Duration.ofMillis(1));
    return ReplayWriter.create(disk, LOG, ReplayHeader.of("p"), options);
  }

  private void listen() {
    disk.inject((number, call, file) -> {
      calls.add(call);
      return DiskFault.NONE;
    });
  }
}
