package dev.agentreplay.io.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.finding.Position;
import dev.agentreplay.testkit.TestFiles;
import dev.agentreplay.testkit.TestSessions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RawLineReaderTest {

  @TempDir
  private Path directory;

  static List<Path> sessions() {
    return TestSessions.bundled();
  }

  @ParameterizedTest
  @MethodSource("sessions")
  void raw_lines_are_those_that_are_read_as_events(Path session) throws IOException {
    Path log = session.resolve(Session.LOG_NAME);
    try (RawLineReader raw = RawLineReader.open(log);
        ReplayReader typed = ReplayReader.open(log)) {
      for (ReplayLine line = typed.read(); line != null; line = typed.read()) {
        RawLine bytes = raw.read();
        assertThat(bytes).isNotNull();
        assertThat(bytes.position()).isEqualTo(line.position());
        assertThat(bytes.length()).isEqualTo(line.length());
        assertThat(bytes.bytes()).isEqualTo(line.bytes());
        assertThat(bytes.view()).isEqualTo(ByteBuffer.wrap(line.bytes()));
      }
      assertThat(raw.read()).isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "a", "a\n", "\n\nb", "\u0000\n\ufeff\n}{"})
  void lines_written_one_after_the_other_are_the_log_whatever_it_says(String log)
      throws IOException {
    byte[] bytes = TestLogs.bytes(log);
    ByteArrayOutputStream copy = new ByteArrayOutputStream();
    try (RawLineReader reader = of(bytes, ReaderOptions.defaults())) {
      for (RawLine line = reader.read(); line != null; line = reader.read()) {
        assertThat(line.hasLineFeed()).isEqualTo(copy.size() + line.length() < bytes.length);
        line.writeTo(copy);
      }
    }
    assertThat(copy.toByteArray()).isEqualTo(bytes);
  }

  @Test
  void line_that_is_too_long_is_refused_and_the_next_one_is_read() throws IOException {
    byte[] log = TestLogs.bytes("four\nlonger\n\n");
    try (RawLineReader reader = of(log, ReaderOptions.defaults().withMaxLineBytes(4))) {
      assertThat(reader.read()).hasToString("line 1, byte 0: 4 bytes");
      assertThatThrownBy(reader::read)
          .isInstanceOf(ReplayFormatException.class)
          .hasMessage("raw: line 2, byte 5: line is longer than 4 bytes");
      RawLine empty = reader.read();
      assertThat(empty).isNotNull();
      assertThat(empty.position()).isEqualTo(new Position(3, 12));
      assertThat(empty.length()).isZero();
      assertThat(reader.read()).isNull();
    }
  }

  @Test
  void view_cannot_be_written_to() throws IOException {
    try (RawLineReader reader =
        RawLineReader.of(new ByteArrayInputStream(TestLogs.bytes("abc\n")), "raw")) {
      RawLine line = reader.read();
      assertThat(line).isNotNull();
      ByteBuffer view = line.view();
      assertThatThrownBy(() -> view.put(0, (byte) 'x')).isInstanceOf(ReadOnlyBufferException.class);
      line.bytes()[0] = 'x';
      assertThat(new String(line.bytes(), StandardCharsets.UTF_8)).isEqualTo("abc");
    }
  }

  @Test
  void segments_and_compressed_logs_are_read_as_events_are() throws IOException {
    Path log = Files.writeString(directory.resolve("log"), "1\n");
    Files.writeString(directory.resolve("log.2"), "2\n");
    assertThat(texts(log)).containsExactly("1", "2");
    Path compressed = Files.write(directory.resolve("gz"), TestFiles.gzip(new byte[] {'3'}));
    assertThat(texts(compressed)).containsExactly("3");
  }

  private static List<String> texts(Path log) throws IOException {
    List<String> texts = new ArrayList<>();
    try (RawLineReader reader = RawLineReader.open(log)) {
      for (RawLine line = reader.read(); line != null; line = reader.read()) {
        texts.add(new String(line.bytes(), StandardCharsets.UTF_8));
      }
    }
    return texts;
  }

  private static RawLineReader of(byte[] log, ReaderOptions options) {
    return RawLineReader.of(new ByteArrayInputStream(log), "raw", options);
  }
}
