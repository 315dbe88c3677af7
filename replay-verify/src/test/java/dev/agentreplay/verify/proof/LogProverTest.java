package dev.agentreplay.verify.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.tree.ConsistencyProof;
import dev.agentreplay.canonical.tree.InclusionProof;
import dev.agentreplay.io.log.ReplayFormatException;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.recording.WriterOptions;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.testkit.LogLines;
import dev.agentreplay.testkit.TestTrees;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checkpoints and proofs of a log, checked against the definitions of RFC 6962 over its lines. */
class LogProverTest {

  @TempDir
  Path directory;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 8, 21})
  void every_line_and_every_growth_is_proved(int size) throws IOException {
    List<String> lines = lines(size);
    LogProver proofs = LogProver.open(write(String.join("", lines)));
    assertThat(proofs.size()).isEqualTo(size);
    assertThat(proofs.checkpoint().tree()).isEqualTo(head(lines, size));
    assertThat(proofs.checkpoint().bytes()).isEqualTo(String.join("", lines).length());
    for (int end = 0; end <= size; end++) {
      for (int n = 1; n <= end; n++) {
        InclusionProof line = proofs.inclusion(n, end);
        assertThat(line.text() + "\n").isEqualTo(lines.get(n - 1));
        assertThat(line.tree()).isEqualTo(head(lines, end));
        assertThat(line.holds()).isTrue();
      }
      for (int start = 0; start <= end; start++) {
        ConsistencyProof growth = proofs.consistency(start, end);
        assertThat(growth.first()).isEqualTo(head(lines, start));
        assertThat(growth.second()).isEqualTo(head(lines, end));
        assertThat(growth.holds()).isTrue();
      }
    }
  }

  @Test
  void file_that_does_not_begin_with_a_header_is_not_a_log(@TempDir Path empty) throws IOException {
    Path file =
        Files.writeString(empty.resolve("x.json"), "{\"schema\":\"replay.checkpoint/1\"}\n");
    assertThatThrownBy(() -> LogProver.open(new Session(file, null)))
        .isInstanceOf(ReplayFormatException.class)
        .hasMessageContaining("expected the header of a log");
  }

  @Test
  void log_in_gzip_is_the_same_as_plain() throws IOException {
    String text = String.join("", lines(9));
    LogProver plain = LogProver.open(write(text));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(text.getBytes(StandardCharsets.UTF_8));
    }
    Path compressed = Files.write(directory.resolve("REPLAY.jsonl.gz"), bytes.toByteArray());
    LogProver proofs = LogProver.open(new Session(compressed, null));
    assertThat(proofs.checkpoint()).isEqualTo(plain.checkpoint());
    assertThat(proofs.inclusion(4, 9)).isEqualTo(plain.inclusion(4, 9));
    assertThat(proofs.consistency(3, 9)).isEqualTo(plain.consistency(3, 9));
  }

  @Test
  void log_in_segments_is_one_log() throws IOException {
    RecorderOptions options =
        RecorderOptions.defaults().withWriter(WriterOptions.defaults().withMaxSegmentBytes(4096));
    Path recorded = directory.resolve("session");
    try (SessionRecorder recorder =
        SessionRecorder.start(recorded, SessionStart.of("segments"), options)) {
      for (int i = 0; i < 60; i++) {
        recorder.call("count", JsonObject.of("i", i)).result("a result ".repeat(10));
      }
      recorder.end(Status.SUCCESS, 1.0);
    }
    Session session = Session.open(recorded);
    assertThat(session.segments()).hasSizeGreaterThan(2);
    LogProver proofs = LogProver.open(session);
    List<String> lines;
    try (var in = session.openLog()) {
      lines = new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .map(line -> line + "\n")
          .toList();
    }
    assertThat(proofs.checkpoint().tree()).isEqualTo(head(lines, lines.size()));
    assertThat(proofs.checkpoint().sessionId()).isEqualTo("segments");
    assertThat(proofs.inclusion(lines.size(), lines.size()).text() + "\n")
        .isEqualTo(lines.get(lines.size() - 1));
    assertThat(proofs.consistency(40, lines.size()).first()).isEqualTo(head(lines, 40));
  }

  @Test
  void proofs_are_of_the_log_as_it_was_when_it_has_grown_since() throws IOException {
    List<String> lines = lines(12);
    Session session = write(String.join("", lines.subList(0, 7)));
    LogProver proofs = LogProver.open(session);
    write(String.join("", lines));
    assertThat(proofs.inclusion(7, 7).tree()).isEqualTo(head(lines, 7));
    assertThat(proofs.consistency(2, 7).second()).isEqualTo(head(lines, 7));
    assertThatThrownBy(() -> proofs.consistency(2, 12)).hasMessage("size must be from 0 to 7: 12");
  }

  @Test
  void log_that_was_replaced_meanwhile_is_reported() throws IOException {
    List<String> lines = lines(5);
    Session session = write(String.join("", lines));
    LogProver proofs = LogProver.open(session);
    write(String.join("", lines).replace("s1", "s7"));
    assertThatThrownBy(() -> proofs.inclusion(4, 5))
        .hasMessageEndingWith("changed while it was read");
    assertThatThrownBy(() -> proofs.consistency(1, 5))
        .isInstanceOf(IOException.class)
        .hasMessage(session.log() + ": changed while it was read");
    write(String.join("", lines.subList(0, 4)));
    assertThatThrownBy(() -> proofs.inclusion(1, 5)).hasMessageContaining("changed while");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"event\":\"Step", "{}", "x"})
  void last_line_without_a_line_feed_is_refused_with_its_byte(String tail) throws IOException {
    String whole = String.join("", lines(3));
    Session session = write(whole + tail);
    assertThatThrownBy(() -> LogProver.open(session))
        .isInstanceOfSatisfying(ReplayFormatException.class, e -> {
          assertThat(e.code()).isEqualTo(FindingCode.TORN_TAIL);
          assertThat(e.position().line()).isEqualTo(4);
          assertThat(e.position().offset()).isEqualTo(whole.length());
        })
        .hasMessageContaining("line 4, byte " + whole.length())
        .hasMessageContaining("no line feed after its " + tail.length() + " bytes");
  }

  @ParameterizedTest
  @CsvSource({"0, 5", "6, 5", "-1, 5", "4, 3"})
  void line_beyond_the_log_is_refused_with_the_number_of_lines(long line, long size)
      throws IOException {
    LogProver proofs = LogProver.open(write(String.join("", lines(5))));
    assertThatThrownBy(() -> proofs.inclusion(line, size))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessage("line must be from 1 to %d: %d", size, line);
  }

  @Test
  void size_that_the_log_never_had_is_refused() throws IOException {
    LogProver proofs = LogProver.open(write(String.join("", lines(5))));
    assertThatThrownBy(() -> proofs.consistency(6, 5))
        .hasMessage("size of the older log must be from 0 to 5: 6");
    assertThatThrownBy(() -> proofs.consistency(-1, 5))
        .hasMessage("size of the older log must be from 0 to 5: -1");
    assertThatThrownBy(() -> proofs.consistency(1, 6)).hasMessage("size must be from 0 to 5: 6");
    assertThatThrownBy(() -> proofs.inclusion(1, -1)).hasMessage("size must be from 0 to 5: -1");
  }

  @Test
  void line_that_is_not_utf_8_has_no_proof() throws IOException {
    Session session = write(LogLines.HEADER + "\n");
    Files.write(
        session.log(),
        (start("s") + "\u00ff\n").getBytes(StandardCharsets.ISO_8859_1),
        StandardOpenOption.APPEND);
    LogProver proofs = LogProver.open(session);
    assertThat(proofs.inclusion(1, 3).holds()).isTrue();
    assertThatThrownBy(() -> proofs.inclusion(3, 3))
        .isInstanceOf(IOException.class)
        .hasMessageEndingWith("line 3 is not UTF-8");
  }

  @Test
  void log_that_is_none_is_refused_at_its_first_line() throws IOException {
    assertThatThrownBy(() -> LogProver.open(write("hello\n")))
        .isInstanceOf(ReplayFormatException.class)
        .hasMessageContaining("line 1, byte 0");
  }

  private static List<String> lines(int size) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      lines.add(
          i == 0
              ? LogLines.HEADER + "\n"
              : LogLines.STEP.replace("\"s\"", "\"s" + i + "\"") + "\n");
    }
    return lines;
  }

  private static String start(String id) {
    return "{\"event\":\"SessionStart\",\"session_id\":\"%s\"}\n".formatted(id);
  }

  private static TreeHead head(List<String> lines, int size) {
    return TestTrees.head(lines.subList(0, size).stream()
        .map(line -> line.substring(0, line.length() - 1).getBytes(StandardCharsets.UTF_8))
        .toList());
  }

  private Session write(String text) throws IOException {
    return new Session(Files.writeString(directory.resolve("log.jsonl"), text), null);
  }
}
