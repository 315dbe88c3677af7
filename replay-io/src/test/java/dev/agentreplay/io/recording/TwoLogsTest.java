package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.log.RawLineReader;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.log.TestLogs;
import dev.agentreplay.io.session.Session;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Of two logs in one directory neither is read, nor is a segment of one ignored. */
class TwoLogsTest {

  @TempDir
  Path directory;

  @ParameterizedTest
  @CsvSource({
    "plain, REPLAY.jsonl, REPLAY.jsonl.gz",
    "gzip, REPLAY.jsonl, REPLAY.jsonl.gz",
    "gzip, REPLAY.jsonl.gz, REPLAY.jsonl",
    "gzip, REPLAY.jsonl.gz, REPLAY.jsonl.2",
    "gzip, REPLAY.jsonl.gz, REPLAY.jsonl.17",
  })
  void directory_with_two_logs_is_refused(String form, String name, String other)
      throws IOException {
    Path log = write(name, form);
    write(other, "gzip");
    for (Path path : new Path[] {directory, log}) {
      assertThatThrownBy(() -> Session.open(path))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith(directory + ": expected one log, found both REPLAY.jsonl")
          .hasMessageEndingWith(" and REPLAY.jsonl.gz");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "REPLAY.jsonl, REPLAY.jsonl.2",
    "REPLAY.jsonl, REPLAY.jsonl.3",
    "REPLAY.jsonl.gz, REPLAY.jsonl.gz.2",
    "other.jsonl, other.jsonl.2",
  })
  void compressed_log_with_segments_is_refused(String name, String segment) throws IOException {
    Path log = write(name, "gzip");
    write(segment, "plain");
    String expected = "%s: expected one log, found a compressed one, which has no segments, and %s"
        .formatted(log, segment);
    assertThatThrownBy(() -> ReplayReader.open(log)).hasMessage(expected);
    assertThatThrownBy(() -> RawLineReader.open(log)).hasMessage(expected);
    Session session = Session.open(log);
    assertThatThrownBy(session::segments).hasMessage(expected);
    assertThatThrownBy(session::openLog).hasMessage(expected);
  }

  @Test
  void other_files_next_to_a_compressed_log_are_not_logs() throws IOException {
    Path log = write("REPLAY.jsonl.gz", "gzip");
    write("REPLAY.jsonl.bak", "plain");
    write("REPLAY.jsonl.lock", "plain");
    write("other.jsonl.2", "plain");
    assertThat(Session.open(directory).log()).isEqualTo(log);
    try (ReplayReader reader = ReplayReader.open(log)) {
      assertThat(reader.read()).isNotNull();
    }
  }

  private Path write(String name, String form) throws IOException {
    byte[] text = TestLogs.firstLine().getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = form.equals("gzip") ? new GZIPOutputStream(bytes) : bytes) {
      out.write(text);
    }
    return Files.write(directory.resolve(name), bytes.toByteArray());
  }
}
