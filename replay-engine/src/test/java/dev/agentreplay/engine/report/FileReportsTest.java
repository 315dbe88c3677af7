package dev.agentreplay.engine.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.diff.Divergence;
import dev.agentreplay.engine.diff.DivergenceKind;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.report.embedded.Embedding;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.workspace.SnapshotFiles;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.FileState;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.testkit.ReportSchemas;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The states of files in all reports. */
class FileReportsTest {

  private static final String LEFT = "fn login() {\n  check();\n  true\n}\n";
  private static final String RIGHT = "fn login() {\n  check();\n  false\n}\n";

  @TempDir
  Path home;

  /** A session in which a tool writes a file. */
  static Session session(Path directory, byte @Nullable [] content, boolean isStored)
      throws IOException {
    try (SessionRecorder recorder = SessionRecorder.start(directory, "s")) {
      if (content != null) {
        ContentHash hash = ContentHash.sha256(content);
        recorder.emit(FileState.created("src/auth.rs", hash, content.length));
        Path file = SnapshotFiles.in(directory.resolve(Session.SNAPSHOT_NAME)).path(hash);
        if (isStored) {
          Files.createDirectories(file.getParent());
          Files.write(file, content);
        }
      }
      recorder.end(Status.SUCCESS, 1.0);
    }
    return Session.open(directory);
  }

  private SessionDiff diff(byte @Nullable [] left, byte @Nullable [] right) throws IOException {
    return SessionDiff.between(
            session(home.resolve("a"), left, true), session(home.resolve("b"), right, true))
        .withNames("a", "b");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void text_is_shown_line_by_line_in_a_text_report() throws IOException {
    assertThat(TextReport.render(diff(bytes(LEFT), bytes(RIGHT))))
        .isEqualTo(
            """
            diverged at line 3: src/auth.rs has different content (moderate) · 83.3% similar

              - a  no calls
                   3 other steps: 2 matched, 1 changed
              + b  no calls
                   3 other steps: 2 matched, 1 changed

              1. FILE_STATE  src/auth.rs  moderate, root
                 - line 3   + line 3   rule: content
                   SessionStart
                 at /bytes
                 - 33
                 + 34
                 at /hash_after  the contents of the file
                   fn login() {
                     check();
                 -   true
                 +   false
                   }
                   SessionEnd  Success

              (not compared: times differ in 3 pairs)
            """);
  }

  @Test
  void text_is_shown_line_by_line_in_markdown_and_junit() throws IOException {
    SessionDiff diff = diff(bytes(LEFT), bytes(RIGHT));
    String lines = "    check();\n-   true\n+   false\n  }\n";

    assertThat(MarkdownReport.render(diff))
        .contains(
            "`src/auth.rs` has different content", "at `/hash_after`, the contents of the file")
        .contains(lines);
    assertThat(JUnitReport.render(diff))
        .contains("src/auth.rs has different content (moderate)")
        .contains(lines.indent(5));
  }

  @Test
  void json_has_the_difference_in_the_unified_format() throws IOException {
    JsonObject report = DiffJson.render(diff(bytes(LEFT), bytes(RIGHT)));
    JsonObject file = report.at("/divergences/0/values/1/file").asObject();

    assertThat(file)
        .isEqualTo(JsonObject.of(
            "left",
            JsonObject.of("form", "text", "bytes", 33),
            "right",
            JsonObject.of("form", "text", "bytes", 34),
            "text_diff",
            JsonArray.of(
                "@@ -1,4 +1,4 @@", " fn login() {", "   check();", "-  true", "+  false", " }"),
            "text_diff_truncated",
            false));
    assertThat(ReportSchemas.faults(report)).isEmpty();
  }

  @Test
  void binary_contents_are_shown_by_length_and_hash() throws IOException {
    SessionDiff diff = diff(new byte[] {0, 1}, new byte[] {0, 2});

    assertThat(TextReport.render(diff))
        .contains(
            "at /hash_after\n     - sha256:", "… not compared line by line: binary, 2 bytes\n");
    JsonObject report = DiffJson.render(diff);
    JsonObject file = report.at("/divergences/0/values/0/file").asObject();
    assertThat(file.get("text_diff")).isEqualTo(JsonValue.of(null));
    assertThat(file.at("/left/form")).isEqualTo(JsonValue.of("binary"));
    assertThat(ReportSchemas.faults(report)).isEmpty();
  }

  @Test
  void content_that_is_not_stored_is_named() throws IOException {
    SessionDiff diff = SessionDiff.between(
        session(home.resolve("a"), bytes(LEFT), true),
        session(home.resolve("b"), bytes(RIGHT), false));

    assertThat(TextReport.render(diff))
        .contains("… not compared line by line: - text, 33 bytes; + content not stored\n");
  }

  @Test
  void line_endings_that_differ_are_named() throws IOException {
    assertThat(TextReport.render(diff(bytes("a\r\nb\r\n"), bytes("a\nb\n"))))
        .contains("- a␍", "+ a\n");
  }

  @Test
  void huge_text_is_cut_in_every_report() throws IOException {
    SessionDiff diff = diff(bytes("a\n".repeat(400_000)), bytes("b\n".repeat(500_000)));

    assertThat(TextReport.render(diff)).contains("cut here: the texts have 400,000 lines and");
    assertThat(MarkdownReport.render(diff).length()).isLessThan(MarkdownReport.MAX_LENGTH);
    JsonObject file = DiffJson.render(diff).at("/divergences/0/values/1/file").asObject();
    assertThat(file.get("text_diff_truncated")).isEqualTo(JsonValue.of(true));
    assertThat(page(diff).length()).isLessThan(400_000);
  }

  @Test
  void state_that_one_session_has_is_named_with_its_length() throws IOException {
    assertThat(TextReport.render(diff(bytes(LEFT), null)))
        .contains("the state of src/auth.rs (created, 33 bytes) is missing");
    assertThat(JUnitReport.render(
            SessionDiff.between(Session.open(home.resolve("b")), Session.open(home.resolve("a")))))
        .contains("the state of src/auth.rs (created, 33 bytes) was added");
  }

  @Test
  void changed_mode_is_shown_with_an_arrow() {
    SessionDiff diff =
        TestDiffs.of("t", TestDiffs.change(DivergenceKind.FILE_STATE, "/mode", "100644", "100755"));

    assertThat(TextReport.render(diff))
        .contains("has a different mode, 100644 -> 100755")
        .contains("at /mode  100644 -> 100755\n");
    assertThat(MarkdownReport.render(diff))
        .contains("has a different mode, `100644 -> 100755`", "at `/mode`: `100644 -> 100755`\n");
  }

  @Test
  void page_has_the_texts_and_not_the_hashes() throws IOException {
    SessionDiff diff = diff(bytes(LEFT), bytes(RIGHT));
    Divergence divergence = diff.divergences().get(0);

    JsonObject value =
        new EmbeddedChange(new Embedding(1_000, 10_000)).of(divergence.values().get(1));
    assertThat(value.at("/before/json"))
        .isEqualTo(JsonValue.of(JsonValue.of(LEFT).toString()));
    assertThat(value.get("file"))
        .isEqualTo(JsonObject.of(
            "left", JsonObject.of("form", "text", "bytes", 33),
            "right", JsonObject.of("form", "text", "bytes", 34)));
  }

  private String page(SessionDiff diff) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    HtmlViewer.render(diff, Session.open(home.resolve("a")), Session.open(home.resolve("b")), out);
    return out.toString(StandardCharsets.UTF_8);
  }
}
