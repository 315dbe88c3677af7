package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.context.ContextOptions;
import dev.agentreplay.io.context.DeterministicContext;
import dev.agentreplay.io.file.DiskCall;
import dev.agentreplay.io.file.DiskFault;
import dev.agentreplay.io.file.SimulatedDisk;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.log.TestLogs;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.RecordedValue;
import dev.agentreplay.model.RecordingGap;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionStart;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The disk fails while a value of the context is recorded. */
class RecordedContextFailureTest {

  private static final Path DIRECTORY = Path.of("simulated").toAbsolutePath();
  private static final Path LOG = DIRECTORY.resolve(Session.LOG_NAME);
  private static final long ROOM = 1 << 20;

  private final SimulatedDisk disk = new SimulatedDisk(DIRECTORY);
  private final DeterministicContext expected =
      DeterministicContext.of(ContextOptions.deterministic());

  @Test
  void agent_gets_the_exception_and_then_the_value_that_it_would_have_got() throws IOException {
    try (SessionRecorder session = start(FailurePolicy.FAIL)) {
      DeterministicContext context = session.context();
      assertThat(context.ulid()).isEqualTo(expected.ulid());
      fill();
      assertThatThrownBy(context::ulid)
          .isInstanceOf(UncheckedIOException.class)
          .hasCauseInstanceOf(ReplayWriteException.class);
      assertThatThrownBy(() -> context.version("part", 0, 1))
          .isInstanceOf(UncheckedIOException.class);
      disk.limit(ROOM);
      assertThat(context.ulid()).isEqualTo(expected.ulid());
      assertThat(context.version("part", 0, 1)).isEqualTo(1);
      assertThat(session.unrecordedEvents()).isZero();
    }
    assertThat(ordinals("id")).containsExactly(0L, 1L);
    assertThat(ordinals("version:part")).containsExactly(0L);
  }

  @Test
  void agent_gets_the_value_and_the_log_a_gap_if_the_recorder_degrades() throws IOException {
    try (SessionRecorder session = start(FailurePolicy.DEGRADE)) {
      DeterministicContext context = session.context();
      assertThat(context.ulid()).isEqualTo(expected.ulid());
      fill();
      assertThat(context.ulid()).isEqualTo(expected.ulid());
      assertThat(context.ulid()).isEqualTo(expected.ulid());
      disk.limit(ROOM);
      assertThat(context.ulid()).isEqualTo(expected.ulid());
      assertThat(session.unrecordedEvents()).isEqualTo(2);
    }
    assertThat(ordinals("id")).containsExactly(0L, 3L);
    assertThat(events())
        .filteredOn(RecordingGap.class::isInstance)
        .singleElement()
        .satisfies(gap -> assertThat(((RecordingGap) gap).events()).isEqualTo(2));
    try (SessionRecorder session = SessionRecorder.resume(disk, DIRECTORY, options())) {
      assertThat(session.context().ulid()).isEqualTo(expected.ulid());
    }
    assertThat(ordinals("id")).containsExactly(0L, 3L, 4L);
  }

  @Test
  void resume_continues_after_the_log_if_it_is_unknown_whether_the_value_is_in_it()
      throws IOException {
    WriterOptions forced = WriterOptions.defaults().withDurability(Durability.FSYNC);
    SessionRecorder session =
        SessionRecorder.start(disk, DIRECTORY, SessionStart.of("s"), options().withWriter(forced));
    disk.inject(
        (number, call, file) -> call == DiskCall.FORCE ? DiskFault.FAIL_BEFORE : DiskFault.NONE);
    assertThatThrownBy(() -> session.context().ulid()).isInstanceOf(UncheckedIOException.class);
    disk.inject((number, call, file) -> DiskFault.NONE);
    assertThatThrownBy(() -> session.context().ulid())
        .hasRootCauseInstanceOf(IOException.class)
        .hasMessageContaining("refused");
    assertThatThrownBy(session::close).isInstanceOf(IOException.class);
    assertThat(ordinals("id")).containsExactly(0L);

    try (SessionRecorder resumed = SessionRecorder.resume(disk, DIRECTORY, options())) {
      expected.ulid();
      assertThat(resumed.context().ulid()).isEqualTo(expected.ulid());
    }
    assertThat(ordinals("id")).containsExactly(0L, 1L);
  }

  private SessionRecorder start(FailurePolicy policy) throws IOException {
    return SessionRecorder.start(
        disk, DIRECTORY, SessionStart.of("s"), options().withFailurePolicy(policy));
  }

  private static RecorderOptions options() {
    return RecorderOptions.defaults().withContext(ContextOptions.deterministic());
  }

  /** Leaves room for less than a line. */
  private void fill() throws IOException {
    disk.limit(disk.content(LOG).length + 20);
  }

  private List<Long> ordinals(String source) throws IOException {
    List<Long> ordinals = new ArrayList<>();
    for (ReplayEvent event : events()) {
      if (event instanceof RecordedValue value && value.source().equals(source)) {
        ordinals.add(value.ordinal());
      }
    }
    return ordinals;
  }

  private List<ReplayEvent> events() throws IOException {
    List<ReplayEvent> events = new ArrayList<>();
    try (ReplayReader reader = TestLogs.reader(disk.content(LOG))) {
      for (ReplayLine line : reader) {
        events.add(line.event());
      }
    }
    return events;
  }
}
