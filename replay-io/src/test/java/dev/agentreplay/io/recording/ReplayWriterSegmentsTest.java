package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentreplay.io.file.DiskCall;
import dev.agentreplay.io.file.DiskFault;
import dev.agentreplay.io.file.SimulatedDisk;
import dev.agentreplay.io.log.LogRecovery;
import dev.agentreplay.io.log.LogSegments;
import dev.agentreplay.io.log.Recovery;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.log.TestLogs;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.LogSegment;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.StepComplete;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rotating a log to a new segment. */
class ReplayWriterSegmentsTest {

  private static final int MAX_BYTES = 1_000;

  @TempDir
  private Path directory;

  @ParameterizedTest
  @EnumSource(Durability.class)
  void segments_are_no_longer_than_asked_for_and_read_as_one_log(Durability durability)
      throws IOException {
    Path log = directory.resolve("log");
    List<WrittenEvent> written = new ArrayList<>();
    ContentHash hash;
    try (ReplayWriter writer = ReplayWriter.create(
        log,
        ReplayHeader.of("p"),
        WriterOptions.defaults().withDurability(durability).withMaxSegmentBytes(MAX_BYTES))) {
      for (int i = 0; i < 50; i++) {
        written.add(writer.emit(StepComplete.of("step-" + i, Status.SUCCESS, i)));
      }
      writer.emit(SessionEnd.of(Status.SUCCESS));
      hash = writer.replayHash();
    }
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    int segment = 1;
    List<Long> beginnings = new ArrayList<>();
    for (Path file = log; Files.exists(file); file = LogSegments.file(log, ++segment)) {
      byte[] bytes = Files.readAllBytes(file);
      assertThat(bytes.length).isLessThanOrEqualTo(MAX_BYTES);
      beginnings.add((long) whole.size());
      whole.write(bytes);
    }
    assertThat(segment).isGreaterThan(5);
    assertThat(hash).isEqualTo(ContentHash.sha256(whole.toByteArray()));

    List<ReplayLine> lines = new ArrayList<>();
    try (ReplayReader reader = TestLogs.reader(whole.toByteArray())) {
      reader.forEach(lines::add);
    }
    List<Long> links = new ArrayList<>();
    for (ReplayLine line : lines) {
      if (line.event() instanceof LogSegment link) {
        long offset = line.position().offset();
        links.add(offset);
        assertThat(link.segment()).isEqualTo(links.size() + 1);
        assertThat(link.linesBefore()).isEqualTo(line.position().line() - 1);
        assertThat(link.bytesBefore()).isEqualTo(offset);
        assertThat(link.hashBefore())
            .isEqualTo(ContentHash.sha256(Arrays.copyOf(whole.toByteArray(), (int) offset)));
      }
    }
    assertThat(links).isEqualTo(beginnings.subList(1, beginnings.size()));
    for (WrittenEvent event : written) {
      ReplayLine line = lines.get((int) event.position().line() - 1);
      assertThat(line.position()).isEqualTo(event.position());
      assertThat(line.event().withMeta(event.event().meta())).isEqualTo(event.event());
    }
  }

  @Test
  void a_writer_appends_to_the_last_segment() throws IOException {
    Path log = directory.resolve("log");
    WriterOptions options = WriterOptions.defaults().withMaxSegmentBytes(MAX_BYTES);
    ReplayWriter.create(log, ReplayHeader.of("p"), options).close();
    for (int i = 0; i < 20; i++) {
      try (ReplayWriter writer = ReplayWriter.append(log, options)) {
        writer.emit(StepComplete.of("step-" + i, Status.SUCCESS, i));
      }
    }
    assertThat(LogSegments.file(log, 3)).exists();
    assertThat(LogRecovery.of(log).inspect()).isInstanceOf(Recovery.Open.class);
    try (ReplayReader reader = ReplayReader.open(log)) {
      assertThat(reader)
          .filteredOn(line -> line.event() instanceof StepComplete)
          .extracting(line -> ((StepComplete) line.event()).stepId())
          .hasSize(20)
          .startsWith("step-0", "step-1")
          .endsWith("step-19");
    }
  }

  @Test
  void a_line_that_is_longer_than_a_segment_has_one_of_its_own() throws IOException {
    Path log = directory.resolve("log");
    WriterOptions options = WriterOptions.defaults().withMaxSegmentBytes(1);
    try (ReplayWriter writer = ReplayWriter.create(log, ReplayHeader.of("p"), options)) {
      writer.emit(StepComplete.of("a", Status.SUCCESS, 1));
      writer.emit(StepComplete.of("b", Status.SUCCESS, 1));
      writer.emit(StepComplete.of("c", Status.SUCCESS, 1));
    }
    assertThat(Files.readAllLines(log)).hasSize(2);
    assertThat(Files.readAllLines(LogSegments.file(log, 2))).hasSize(2);
    assertThat(Files.readAllLines(LogSegments.file(log, 3))).hasSize(2);
    assertThat(LogSegments.file(log, 4)).doesNotExist();
  }

  @Test
  void a_log_is_not_created_before_the_segment_of_a_different_one() throws IOException {
    Path log = directory.resolve("log");
    Files.createFile(LogSegments.file(log, 17));
    assertThatThrownBy(() -> ReplayWriter.create(log, ReplayHeader.of("p")))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessage(LogSegments.file(log, 17) + ": a segment of a log that is missing");
    assertThat(log).doesNotExist();
  }

  @ParameterizedTest
  @EnumSource(
      value = DiskCall.class,
      names = {"CREATE", "WRITE", "FORCE_DIRECTORY"})
  void a_segment_that_cannot_be_begun_is_left_out_and_tried_again(DiskCall failing)
      throws IOException {
    Path log = directory.resolve("log");
    SimulatedDisk disk = new SimulatedDisk(directory);
    WriterOptions options = WriterOptions.defaults().withMaxSegmentBytes(1);
    StepComplete step = StepComplete.of("a", Status.SUCCESS, 1);
    try (ReplayWriter writer = ReplayWriter.create(disk, log, ReplayHeader.of("p"), options)) {
      writer.emit(step);
      disk.inject((number, call, file) -> call == failing ? DiskFault.FAIL_HALF : DiskFault.NONE);
      ReplayWriteException failed =
          catchThrowableOfType(ReplayWriteException.class, () -> writer.emit(step));
      // when the directory cannot be forced, it is not known whether the name is gone
      assertThat(failed.isUndetermined()).isEqualTo(failing == DiskCall.FORCE_DIRECTORY);
      assertThat(disk.names()).containsExactly("log");
      disk.inject((number, call, file) -> DiskFault.NONE);
      if (failed.isUndetermined()) {
        assertThatThrownBy(() -> writer.emit(step)).hasMessageContaining("refused");
      } else {
        assertThat(writer.emit(step).position().line()).isEqualTo(4);
        assertThat(disk.names()).containsExactly("log", "log.2");
      }
    }
  }
}
