package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.io.file.LogLockedException;
import dev.agentreplay.io.log.ReplayFormatException;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.log.TestLogs;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A writer resumes a log that a different one began. */
class ReplayWriterAppendTest {

  private static final WriterOptions OPTIONS = WriterOptions.defaults();

  @TempDir
  private Path directory;

  private Path log;

  @BeforeEach
  void chooseLog() {
    log = directory.resolve("log.jsonl");
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void a_log_is_resumed_in_its_dialect_with_its_hash_lines_and_totals(Dialect dialect)
      throws IOException {
    try (ReplayWriter first =
        ReplayWriter.create(log, header(dialect), OPTIONS.withDialect(dialect))) {
      first.emit(ToolCall.of("a", "t", JsonObject.EMPTY));
      first.emit(ToolResult.of("a", "out").withLatencyMillis(7L));
    }
    long length = Files.size(log);
    try (ReplayWriter second = ReplayWriter.append(log, OPTIONS)) {
      assertThat(second.replayHash()).isEqualTo(hashOfLog());
      WrittenEvent call = second.emit(ToolCall.of("b", "t", JsonObject.EMPTY));
      assertThat(call.position().line()).isEqualTo(4);
      assertThat(call.position().offset()).isEqualTo(length);
      second.emit(ToolResult.of("b", "out").withLatencyMillis(5L));
      assertThatThrownBy(() -> second.emit(SessionEnd.of(Status.SUCCESS).withTotals(1, 5)))
          .hasMessageContaining("total_tool_calls is 1, but the events that were written make 2");
      second.emit(SessionEnd.of(Status.SUCCESS).withTotals(2, 12));
      assertThat(second.replayHash()).isEqualTo(hashOfLog());
    }
    try (ReplayReader reader = ReplayReader.open(log)) {
      assertThat(reader).hasSize(6).allSatisfy(line -> assertThat(line.findings())
          .isEmpty());
      assertThat(reader.dialect()).isEqualTo(dialect);
    }
  }

  @Test
  void hashes_are_made_with_the_canonicalization_of_the_log() throws IOException {
    ReplayWriter.create(log, ReplayHeader.of("p").withCanonicalization("jcs")).close();
    try (ReplayWriter writer = ReplayWriter.append(log, OPTIONS)) {
      writer.emit(ToolCall.of("a", "t", JsonObject.of("n", 1.0)));
    }
    assertThat(Files.readString(log)).contains("\"params\":{\"n\":1}");
  }

  @Test
  void a_torn_line_is_cut_off_and_kept_next_to_the_log() throws IOException {
    ReplayWriter.create(log, ReplayHeader.of("p")).close();
    String whole = Files.readString(log);
    Files.writeString(log, "{\"event\":\"Tool", StandardOpenOption.APPEND);

    try (ReplayWriter writer = ReplayWriter.append(log, OPTIONS)) {
      writer.emit(ToolCall.of("a", "t", JsonObject.EMPTY));
      assertThat(writer.replayHash()).isEqualTo(hashOfLog());
    }

    assertThat(Files.readString(log)).startsWith(whole + "{\"event\":\"ToolCall\"");
    assertThat(directory.resolve("log.jsonl.torn")).hasContent("{\"event\":\"Tool");
  }

  @Test
  void a_last_line_without_line_feed_is_kept_and_ended() throws IOException {
    Files.writeString(log, TestLogs.HEADER + "\n" + TestLogs.STEP);
    try (ReplayWriter writer = ReplayWriter.append(log, OPTIONS)) {
      assertThat(writer.emit(ToolCall.of("a", "t", JsonObject.EMPTY)).position().line())
          .isEqualTo(3);
      assertThat(writer.replayHash()).isEqualTo(hashOfLog());
    }
    assertThat(Files.readAllLines(log)).hasSize(3).contains(TestLogs.STEP);
  }

  static Stream<Arguments> whatCannotBeGoneOnWith() {
    String end = "{\"event\":\"SessionEnd\",\"status\":\"Success\"}\n";
    return Stream.of(
        Arguments.of("", FindingCode.HEADER_MISSING, 1),
        Arguments.of(TestLogs.STEP + "\n", FindingCode.HEADER_MISSING, 1),
        Arguments.of("{\"no\":\"tag\"}\n", FindingCode.HEADER_MISSING, 1),
        Arguments.of(
            TestLogs.HEADER.replace("\"replay_version\":1", "\"replay_version\":2") + "\n",
            FindingCode.UNSUPPORTED_VERSION,
            1),
        Arguments.of(
            TestLogs.HEADER.replace("{", "{\"canonicalization\":\"rot13\",") + "\n",
            FindingCode.UNSUPPORTED_CANONICALIZATION,
            1),
        Arguments.of(TestLogs.HEADER + "\n" + end, FindingCode.EVENT_AFTER_END, 2),
        Arguments.of(TestLogs.HEADER + "\n" + end + "{\"to", FindingCode.EVENT_AFTER_END, 2),
        Arguments.of(TestLogs.HEADER + "\n{\"to\n" + end, FindingCode.MALFORMED_LINE, 2),
        Arguments.of(TestLogs.HEADER + "\n\n", FindingCode.MALFORMED_LINE, 2));
  }

  @ParameterizedTest
  @MethodSource("whatCannotBeGoneOnWith")
  void a_log_that_cannot_be_resumed_is_refused_and_not_changed(
      String content, FindingCode code, long line) throws IOException {
    Files.writeString(log, content);
    ReplayFormatException refused =
        catchThrowableOfType(ReplayFormatException.class, () -> ReplayWriter.append(log, OPTIONS));
    assertThat(refused.code()).isEqualTo(code);
    assertThat(refused.position().line()).isEqualTo(line);
    assertThat(log).hasContent(content);
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).containsExactly(log); // the lock is given back as well
    }
  }

  @Test
  void a_missing_log_is_not_created() {
    assertThatThrownBy(() -> ReplayWriter.append(log, OPTIONS))
        .isInstanceOf(NoSuchFileException.class);
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void a_log_that_is_being_written_is_refused_and_says_by_whom() throws IOException {
    try (ReplayWriter writer = ReplayWriter.create(log, ReplayHeader.of("p"))) {
      assertThatThrownBy(() -> ReplayWriter.append(log, OPTIONS))
          .isInstanceOf(LogLockedException.class)
          .hasMessageContaining("is being written by this process, ")
          .hasMessageContaining("thread \"" + Thread.currentThread().getName() + "\"");
      writer.emit(SessionStart.of("s"));
    }
    ReplayWriter.append(log, OPTIONS).close();
  }

  private static ReplayHeader header(Dialect dialect) {
    ReplayHeader header = ReplayHeader.of("p");
    return dialect == Dialect.DRAFT ? header.withMeta(header.meta().withSessionId("s")) : header;
  }

  private ContentHash hashOfLog() throws IOException {
    return ContentHash.sha256(Files.readString(log).getBytes(StandardCharsets.UTF_8));
  }
}
