package dev.agentreplay.io.log;

import static dev.agentreplay.io.log.TestLogs.HEADER;
import static dev.agentreplay.io.log.TestLogs.STEP;
import static dev.agentreplay.io.log.TestLogs.bytes;
import static dev.agentreplay.io.log.TestLogs.reader;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.StepComplete;
import dev.agentreplay.model.UnknownEvent;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.finding.Position;
import dev.agentreplay.testkit.TestSessions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reading valid logs. */
class ReplayReaderTest {

  private static final String TYPE_HEADER = HEADER.replace("\"event\":", "\"type\":");

  @TempDir
  private Path directory;

  @Test
  void line_has_position_event_object_and_bytes() throws IOException {
    try (ReplayReader reader = reader(bytes(HEADER + "\n" + STEP + "\n"))) {
      ReplayLine header = reader.read();
      ReplayLine step = reader.read();
      assertThat(reader.read()).isNull();
      assertThat(reader.read()).isNull();

      assertThat(header.position()).isEqualTo(new Position(1, 0));
      assertThat(header.event()).isInstanceOf(ReplayHeader.class);
      assertThat(header.bytes()).isEqualTo(bytes(HEADER));
      assertThat(header.findings()).isEmpty();
      assertThat(step.position()).isEqualTo(new Position(2, HEADER.length() + 1));
      assertThat(step.event()).isInstanceOf(StepComplete.class);
      assertThat(step.json().get("step_id").asString()).isEqualTo("s");
      assertThat(step.toString()).startsWith("line 2, byte " + (HEADER.length() + 1));
    }
  }

  @Test
  void line_is_copied_unchanged_from_the_log() throws IOException {
    for (String log : List.of(HEADER + "\n" + STEP + "\n", HEADER + "\n" + STEP)) {
      ByteArrayOutputStream copy = new ByteArrayOutputStream();
      try (ReplayReader reader = reader(bytes(log))) {
        for (ReplayLine line : reader) {
          line.writeTo(copy);
        }
      }
      assertThat(copy).hasToString(log);
    }
  }

  @Test
  void raw_is_a_copy_and_write_to_adds_the_line_feed() throws IOException {
    try (ReplayReader reader = reader(bytes(HEADER + "\n"))) {
      ReplayLine line = reader.read();
      line.bytes()[0] = 'x';
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      line.writeTo(out);

      assertThat(out.toByteArray()).isEqualTo(bytes(HEADER + "\n"));
      assertThat(line.length()).isEqualTo(HEADER.length());
    }
  }

  @Test
  void a_line_tells_whether_it_is_canonical() throws IOException {
    String form = "{\"event\":\"X\",\"n\":1e+16}";
    try (ReplayReader reader = reader(bytes(form + "\n" + form.replace("+", "") + "\n"))) {
      ReplayLine line = reader.read();
      assertThat(line.isCanonical(CanonicalJson.SERDE)).isTrue();
      assertThat(line.isCanonical(CanonicalJson.SERDE_RYU)).isFalse();
      assertThat(reader.read().isCanonical(CanonicalJson.SERDE_RYU)).isTrue();
    }
  }

  @Test
  void earlier_lines_stay_as_they_are_when_later_ones_are_read() throws IOException {
    try (ReplayReader reader = reader(bytes(HEADER + "\n" + "x".repeat(200_000) + "\n" + STEP))) {
      ReplayLine header = reader.read();
      assertThatThrownBy(reader::read).isInstanceOf(ReplayFormatException.class);
      ReplayLine step = reader.read();

      assertThat(header.bytes()).isEqualTo(bytes(HEADER));
      assertThat(step.bytes()).isEqualTo(bytes(STEP));
    }
  }

  @Test
  void carriage_return_before_the_line_feed_is_white_space() throws IOException {
    try (ReplayReader reader = reader(bytes(HEADER + "\r\n" + STEP + "\r\n"))) {
      ReplayLine header = reader.read();
      ReplayLine step = reader.read();

      assertThat(header.event()).isInstanceOf(ReplayHeader.class);
      assertThat(header.bytes()).isEqualTo(bytes(HEADER + "\r"));
      assertThat(step.position()).isEqualTo(new Position(2, HEADER.length() + 2));
      assertThat(step.findings()).isEmpty();
    }
  }

  @Test
  void carriage_return_alone_ends_no_line() throws IOException {
    try (ReplayReader reader = reader(bytes(HEADER + "\r" + STEP + "\n"))) {
      assertThatThrownBy(reader::read)
          .isInstanceOfSatisfying(ReplayFormatException.class, e -> assertThat(e.position())
              .isEqualTo(new Position(1, HEADER.length() + 1, 0)));
      assertThat(reader.read()).isNull();
    }
  }

  @Test
  void whole_event_without_line_feed_is_read_with_a_finding() throws IOException {
    try (ReplayReader reader = reader(bytes(HEADER + "\n" + STEP))) {
      assertThat(reader.read().findings()).isEmpty();
      ReplayLine last = reader.read();

      assertThat(last.event()).isInstanceOf(StepComplete.class);
      assertThat(last.findings())
          .extracting(Finding::code, Finding::position)
          .containsExactly(
              tuple(FindingCode.NO_FINAL_NEWLINE, new Position(2, HEADER.length() + 1)));
      assertThat(reader.read()).isNull();
    }
  }

  @Test
  void findings_of_a_line_have_its_position() throws IOException {
    String odd = STEP.replace("\"iterations\":1", "\"iterations\":\"one\"");
    try (ReplayReader reader = reader(bytes(HEADER + "\n" + odd + "\n"))) {
      reader.read();
      ReplayLine line = reader.read();

      assertThat(line.findings()).singleElement().satisfies(finding -> {
        assertThat(finding.code()).isEqualTo(FindingCode.FIELD_INVALID);
        assertThat(finding.position()).isEqualTo(line.position());
      });
    }
  }

  @Test
  void dialect_is_that_of_the_first_line() throws IOException {
    try (ReplayReader event = reader(bytes(HEADER + "\n"));
        ReplayReader type = reader(bytes(TYPE_HEADER + "\n"));
        ReplayReader none = reader(bytes("{\"a\":1}\n" + HEADER + "\n"));
        ReplayReader empty = reader(new byte[0])) {
      assertThat(event.dialect()).as("before the first line").isNull();
      event.read();
      type.read();
      none.read();
      none.read();

      assertThat(event.dialect()).isEqualTo(Dialect.EVENT);
      assertThat(type.dialect()).isEqualTo(Dialect.TYPE);
      assertThat(none.dialect()).isNull();
      assertThat(empty.read()).isNull();
      assertThat(empty.dialect()).isNull();
    }
  }

  @Test
  void dialect_of_a_log_whose_first_line_cannot_be_read_is_that_of_the_next() throws IOException {
    try (ReplayReader reader = reader(bytes("junk\n" + TYPE_HEADER + "\n"))) {
      assertThatThrownBy(reader::read).isInstanceOf(ReplayFormatException.class);
      assertThat(reader.read().event()).isInstanceOf(ReplayHeader.class);
      assertThat(reader.dialect()).isEqualTo(Dialect.TYPE);
    }
  }

  @Test
  void line_of_another_dialect_is_an_unknown_event_with_a_finding() throws IOException {
    String other = STEP.replace("\"event\":", "\"type\":");
    try (ReplayReader reader = reader(bytes(HEADER + "\n" + other + "\n" + STEP + "\n"))) {
      reader.read();
      ReplayLine mixed = reader.read();

      assertThat(mixed.event()).isInstanceOf(UnknownEvent.class);
      assertThat(mixed.findings())
          .singleElement()
          .extracting(Finding::code, Finding::position)
          .containsExactly(FindingCode.EVENT_INVALID, mixed.position());
      assertThat(reader.read().findings()).isEmpty();
    }
  }

  @Test
  void iterator_yields_the_lines_that_are_left() throws IOException {
    try (ReplayReader reader = reader(bytes(HEADER + "\n" + STEP + "\n" + STEP + "\n"))) {
      reader.read();
      Iterator<ReplayLine> lines = reader.iterator();

      assertThat(lines.hasNext()).isTrue();
      assertThat(lines.hasNext()).as("asking again reads nothing").isTrue();
      assertThat(lines.next().position().line()).isEqualTo(2);
      assertThat(lines.next().position().line()).as("without asking first").isEqualTo(3);
      assertThat(lines.hasNext()).isFalse();
      assertThatThrownBy(lines::next).isInstanceOf(NoSuchElementException.class);
    }
  }

  @Test
  void iterator_continues_after_a_line_that_cannot_be_read() throws IOException {
    try (ReplayReader reader = reader(bytes(HEADER + "\njunk\n" + STEP + "\n"))) {
      Iterator<ReplayLine> lines = reader.iterator();
      lines.next();

      assertThatThrownBy(lines::hasNext)
          .isInstanceOf(UncheckedIOException.class)
          .hasCauseInstanceOf(ReplayFormatException.class);
      assertThat(lines.next().position().line()).isEqualTo(3);
      assertThat(lines.hasNext()).isFalse();
    }
  }

  @Test
  void missing_file_is_reported_by_name() {
    Path file = directory.resolve("none.jsonl");
    assertThatThrownBy(() -> ReplayReader.open(file))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("none.jsonl");
  }

  @Test
  void message_names_file_line_byte_and_what_is_wrong() throws IOException {
    Path file = directory.resolve("bad.jsonl");
    Files.writeString(file, HEADER + "\n[1]\n");
    try (ReplayReader reader = ReplayReader.open(file)) {
      reader.read();
      assertThatThrownBy(reader::read)
          .isInstanceOf(ReplayFormatException.class)
          .hasMessage(
              "%s: line 2, byte %d: expected a JSON object, found a JSON array",
              file, HEADER.length() + 1);
    }
  }

  @Test
  void closing_closes_the_stream() throws IOException {
    boolean[] closed = {false};
    InputStream in = new ByteArrayInputStream(new byte[0]) {
      @Override
      public void close() {
        closed[0] = true;
      }
    };
    ReplayReader.of(in, "test").close();
    assertThat(closed[0]).isTrue();
  }

  @Test
  void bundled_sessions_are_read_byte_for_byte() throws IOException {
    for (Path session : TestSessions.bundled()) {
      Path log = session.resolve(Session.LOG_NAME);
      ByteArrayOutputStream copy = new ByteArrayOutputStream();
      try (ReplayReader reader = ReplayReader.open(log)) {
        for (ReplayLine line : reader) {
          assertThat(line.position().offset()).isEqualTo(copy.size());
          assertThat(line.findings()).isEqualTo(List.of());
          line.writeTo(copy);
        }
      }
      assertThat(copy.toByteArray()).isEqualTo(Files.readAllBytes(log));
    }
  }
}
