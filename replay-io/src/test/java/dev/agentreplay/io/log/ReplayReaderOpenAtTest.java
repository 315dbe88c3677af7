package dev.agentreplay.io.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.recording.ReplayWriter;
import dev.agentreplay.io.recording.WriterOptions;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.StepComplete;
import dev.agentreplay.model.finding.Position;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A log is read from where another reader has come to. */
class ReplayReaderOpenAtTest {

  @TempDir
  private Path directory;

  @ParameterizedTest
  @ValueSource(longs = {Long.MAX_VALUE, 400, 1})
  void reads_from_each_line_what_a_reader_of_all_lines_does(long maxSegmentBytes)
      throws IOException {
    Path log = write(maxSegmentBytes);
    List<Position> starts = new ArrayList<>();
    List<String> lines = new ArrayList<>();
    try (ReplayReader all = ReplayReader.open(log)) {
      starts.add(all.position());
      for (ReplayLine line = all.read(); line != null; line = all.read()) {
        starts.add(all.position());
        lines.add(line.toString());
      }
      for (int i = 0; i < starts.size(); i++) {
        try (ReplayReader rest =
            ReplayReader.openAt(log, starts.get(i), all.dialect(), ReaderOptions.defaults())) {
          List<String> read = new ArrayList<>();
          rest.forEach(line -> read.add(line.toString()));
          assertThat(read).isEqualTo(lines.subList(i, lines.size()));
          assertThat(rest.dialect()).isEqualTo(all.dialect());
        }
      }
    }
  }

  @Test
  void offset_amid_a_line_is_refused() throws IOException {
    Path log = write(Long.MAX_VALUE);
    assertThatThrownBy(
            () -> ReplayReader.openAt(log, new Position(2, 17), null, ReaderOptions.defaults())
                .close())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("line 2, byte 17: expected a line feed before this byte");
  }

  @Test
  void log_that_has_become_shorter_is_refused() throws IOException {
    Path log = write(Long.MAX_VALUE);
    Position end = new Position(22, Files.size(log));
    ReplayReader.openAt(log, end, null, ReaderOptions.defaults()).close();
    Files.write(log, new byte[] {'{', '}', '\n'});
    assertThatThrownBy(
            () -> ReplayReader.openAt(log, end, null, ReaderOptions.defaults()).close())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("truncated to 3 bytes");
  }

  @Test
  void what_cannot_be_sought_in_is_refused() throws IOException {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(compressed)) {
      out.write(Files.readAllBytes(write(Long.MAX_VALUE)));
    }
    Path log = Files.write(directory.resolve("log.gz"), compressed.toByteArray());
    Position start = new Position(1, 0);
    assertThatThrownBy(() ->
            ReplayReader.openAt(log, start, null, ReaderOptions.defaults()).close())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("gzip");
    assertThatThrownBy(() -> ReplayReader.openAt(
                directory.resolve("no"), start, null, ReaderOptions.defaults())
            .close())
        .isInstanceOf(NoSuchFileException.class);
  }

  private Path write(long maxSegmentBytes) throws IOException {
    Path log = directory.resolve("log");
    try (ReplayWriter writer = ReplayWriter.create(
        log, ReplayHeader.of("p"), WriterOptions.defaults().withMaxSegmentBytes(maxSegmentBytes))) {
      for (int i = 0; i < 20; i++) {
        writer.emit(StepComplete.of("step-" + i, Status.SUCCESS, i));
      }
    }
    return log;
  }
}
