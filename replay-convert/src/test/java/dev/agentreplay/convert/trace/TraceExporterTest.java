package dev.agentreplay.convert.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.convert.PublishedCopyException;
import dev.agentreplay.convert.trace.report.ExportReport;
import dev.agentreplay.convert.trace.report.TraceFormat;
import dev.agentreplay.convert.trace.report.TraceLedger.Action;
import dev.agentreplay.io.log.ReplayFormatException;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.testkit.TestFiles;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The refusals of an export, and the files that it leaves. */
class TraceExporterTest {

  private static final TraceExporter EXPORTER = TraceExporter.of(ExportOptions.defaults());
  private static final String SECRET = "x".repeat(40);

  @TempDir
  Path directory;

  private Path path;
  private Path out;

  @BeforeEach
  void record() throws IOException {
    path = directory.resolve("session");
    out = directory.resolve("out.json");
    RecorderOptions options = RecorderOptions.defaults().withBlobThreshold(30);
    try (SessionRecorder recorder = SessionRecorder.start(path, SessionStart.of("one"), options)) {
      recorder.call("read", JsonObject.of("path", "a")).result(SECRET);
      recorder.end(Status.SUCCESS, 1);
    }
  }

  static Stream<TraceFormat> formats() {
    return TraceExporter.formats().stream();
  }

  private Session session() throws IOException {
    return Session.open(path);
  }

  private void replaceInLog(String from, String to) throws IOException {
    Path log = path.resolve(Session.LOG_NAME);
    Files.writeString(log, Files.readString(log).replace(from, to));
  }

  private List<Path> leftovers() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> !file.equals(path)).toList();
    }
  }

  @ParameterizedTest
  @MethodSource("formats")
  void value_of_a_blob_is_in_the_document(TraceFormat to) throws IOException {
    ExportReport report = EXPORTER.export(session(), out, to);

    assertThat(out).content().contains(SECRET);
    assertThat(report.sourceIsInvalid()).isFalse();
    assertThat(report.ledger().entries())
        .anyMatch(entry -> entry.action() == Action.DROPPED
            && entry.record().equals("ToolResult")
            && entry.member().startsWith("/output_ref"));
    assertThat(report.sessionId()).isEqualTo("one");
    assertThat(leftovers()).containsExactly(out);
  }

  @Test
  void blob_that_is_missing_is_a_warning_and_its_reference_is_kept() throws IOException {
    TestFiles.delete(path.resolve(Session.BLOBS_NAME));

    ExportReport report = EXPORTER.export(session(), out, TraceFormat.ATIF);

    assertThat(report.warnings()).anyMatch(warning -> warning.contains("blob of its value"));
    assertThat(out).content().contains("output_ref");
  }

  @ParameterizedTest
  @EnumSource(
      value = TraceFormat.class,
      names = {"ATIF", "OTEL", "OPENINFERENCE", "INSPECT"},
      mode = EnumSource.Mode.EXCLUDE)
  void format_that_is_only_imported_is_refused(TraceFormat to) {
    assertThatThrownBy(() -> EXPORTER.export(session(), out, to))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(to.id());
    assertThat(out).doesNotExist();
  }

  @Test
  void existing_file_is_replaced_only_if_asked_for() throws IOException {
    Files.writeString(out, "mine");

    assertThatThrownBy(() -> EXPORTER.export(session(), out, TraceFormat.OTEL))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(out).hasContent("mine");
    TraceExporter.of(ExportOptions.defaults().withOverwrite(true))
        .export(session(), out, TraceFormat.OTEL);
    assertThat(out).content().startsWith("{\"resourceSpans\"");
  }

  @Test
  void log_itself_is_never_replaced() throws IOException {
    Path log = path.resolve(Session.LOG_NAME);
    byte[] before = Files.readAllBytes(log);

    assertThatThrownBy(() -> TraceExporter.of(ExportOptions.defaults().withOverwrite(true))
            .export(session(), log, TraceFormat.ATIF))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining("it is the source");
    assertThat(log).hasBinaryContent(before);
  }

  @ParameterizedTest
  @MethodSource("formats")
  void published_copy_is_refused(TraceFormat to) throws IOException {
    replaceInLog(
        "\"producer\":",
        "\"published\":{\"form\":\"replay.public/1\",\"policy\":{\"id\":\"p\"},\"source\":\"valid\"},"
            + "\"producer\":");

    assertThatThrownBy(() -> EXPORTER.export(session(), out, to))
        .isInstanceOf(PublishedCopyException.class);
    assertThat(leftovers()).isEmpty();
  }

  @Test
  void log_that_does_not_verify_is_exported_and_reported() throws IOException {
    replaceInLog("\"path\":\"a\"", "\"path\":\"b\"");

    ExportReport report = EXPORTER.export(session(), out, TraceFormat.INSPECT);

    assertThat(report.sourceIsInvalid()).isTrue();
    assertThat(report.toJson().at("/source_invalid").asBoolean()).isTrue();
    assertThat(out).exists();
  }

  @Test
  void line_that_cannot_be_read_leaves_no_file() throws IOException {
    replaceInLog("{\"event\":\"ToolResult\"", "{\"event\":\"ToolResult\",");
    replaceInLog("\"SessionEnd\"", "\"SessionEnd\" oops");

    assertThatThrownBy(() -> EXPORTER.export(session(), out, TraceFormat.ATIF))
        .isInstanceOf(ReplayFormatException.class);
    assertThat(leftovers()).isEmpty();
  }

  @Test
  void version_that_is_not_supported_is_read_only_if_forced() throws IOException {
    replaceInLog("\"replay_version\":1", "\"replay_version\":2");

    assertThatThrownBy(() -> EXPORTER.export(session(), out, TraceFormat.ATIF))
        .isInstanceOf(ReplayFormatException.class);
    ExportReport report = TraceExporter.of(ExportOptions.defaults().withForce(true))
        .export(session(), out, TraceFormat.ATIF);
    assertThat(report.warnings()).anyMatch(warning -> warning.contains("version"));
  }

  @Test
  void values_beyond_the_limit_are_refused() throws IOException {
    long log = Files.size(path.resolve(Session.LOG_NAME));
    TraceExporter limited = TraceExporter.of(ExportOptions.defaults().withMaxBytes(log));

    assertThatThrownBy(() -> limited.export(session(), out, TraceFormat.ATIF))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the maximum for an export");
    assertThat(leftovers()).isEmpty();
    assertThatThrownBy(() -> ExportOptions.defaults().withMaxBytes(-1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void file_that_is_not_a_log_is_refused() throws IOException {
    Path other = directory.resolve("session/other.jsonl");
    Files.writeString(other, "{\"hello\":1}\n");

    assertThatThrownBy(() -> EXPORTER.export(new Session(other, null), out, TraceFormat.ATIF))
        .isInstanceOf(IOException.class);
    assertThat(leftovers()).isEmpty();
  }
}
