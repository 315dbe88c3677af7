package dev.agentreplay.canonical.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The format that is reported for a file, by its beginning. */
class ForeignFormatTest {

  private static final String CLAUDE_CODE = "a Claude Code transcript, which replay import reads";
  private static final String CODEX = "a Codex transcript, which replay import reads";
  private static final String HAR = "a HAR archive";
  private static final String BUNDLE = "a ReplayBundle, which replay convert reads";
  private static final String RECORD = "a session record, which replay-records reads";
  private static final String TELEMETRY = "OpenTelemetry data in JSON";
  private static final String CHAT = "a log of chat completions";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "an Inspect evaluation log, which replay import reads | {`version`:2,`status`:`success`,`eval`:{}}",
        "a SWE-agent trajectory, which replay import reads | {`trajectory`:[{`action`:`ls`,`observation`:`a`}]}",
        "a SWE-agent trajectory, which replay import reads | {`history`:[],`info`:{`exit_status`:`submitted`}}",
        "a SWE-agent trajectory, which replay import reads | {`trajectory_format`:`mini-swe-agent-1`,`messages`:[]}",
        "an OpenHands evaluation output | {`instance_id`:`x`,`history`:[]}",
        "an OpenHands event, which replay import reads | {`id`:`1`,`timestamp`:`t`,`source`:`agent`,`kind`:`ActionEvent`}",
        "an array of OpenHands events, which replay import reads | [{`id`:1,`timestamp`:`t`,`source`:`user`,`action`:`run`}]",
        "a Gemini CLI chat, which replay import reads | {`sessionId`:`s`,`projectHash`:`p`,`messages`:[]}",
        "a Jaeger trace | {`data`:[{`traceID`:`t`,`spans`:[{`operationName`:`o`}]}]}",
        "an any-agent trace | {`spans`:[],`final_output`:`x`}",
        "OpenTelemetry data in JSON | {`batches`:[{`resource`:{}}]}"
      })
  void document_of_another_tool_is_recognized(String format, String json) {
    assertThat(recognize(json.replace('`', '"'))).isEqualTo(format);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{\n\"a\":1,\n\"b\":{}\n}", "{\n\"a\":1,\n\"b\":[2,\n3", "{\"a\":1,\n\"b\":2}"})
  void other_document_of_several_lines_is_identified_as_one(String text) {
    assertThat(recognize(text)).isEqualTo("one JSON document of several lines");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"a\":1}\n{\"a\":2}\n",
        "{\"a\":1\n",
        "{\"a\":1\n{\"a\":2}\n",
        "{\"a\":1}",
        "{\"a\":1",
        "{\"event\":\"ReplayHeader\",\n\"replay_version\":1}"
      })
  void lines_and_events_are_not_identified_as_a_document_of_several_lines(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    assertThat(ForeignFormat.recognize(bytes, 0, bytes.length)).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        """
        {"type":"summary","summary":"Fix the login","leafUuid":"5f0c"}
        """,
        """
        {"type":"file-history-snapshot","messageId":"m1","snapshot":{"trackedFileBackups":{}},"isSnapshotUpdate":false}
        """,
        """
        {"type":"queue-operation","operation":"dequeue","timestamp":"2026-01-20T11:57:17.716Z","sessionId":"95e6"}
        """,
        """
        {"parentUuid":null,"isSidechain":false,"userType":"external","cwd":"/w","sessionId":"95e6","version":"2.1.12","gitBranch":"","type":"user","message":{"role":"user","content":"hi"},"uuid":"u1","timestamp":"2026-01-20T11:57:17.716Z"}
        """,
        """
        {"parentUuid":"u1","type":"assistant","message":{"model":"x","role":"assistant","content":[]},"uuid":"u2"}
        """,
        """
        {"parentUuid":"u1","sessionId":"95e6","type":"a record of a later version"}
        """,
        """
        {"type":"system","subtype":"init","session_id":"95e6","tools":["Bash"]}
        """
      })
  void claude_code_is_recognized(String line) {
    assertLooksLike(CLAUDE_CODE, line);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        """
        {"timestamp":"2025-10-29T00:59:38.317Z","type":"session_meta","payload":{"id":"019a","cwd":"/w","cli_version":"0.46.0"}}
        """,
        """
        {"timestamp":"2025-10-29T00:59:38.317Z","type":"response_item","payload":{"type":"message","role":"user","content":[]}}
        """,
        """
        {"timestamp":"2025-10-29T00:59:38.317Z","type":"event_msg","payload":{"type":"user_message","message":"x"}}
        """,
        """
        {"timestamp":"2025-10-29T00:59:38.317Z","type":"turn_context","payload":{"cwd":"/w"}}
        """,
        """
        {"id":"c3c4b301","timestamp":"2025-09-02T17:17:41.762Z","instructions":null,"git":{}}
        """,
        """
        {"record_type":"state"}
        """,
        """
        {"type":"thread.started","thread_id":"019a2d7a"}
        """
      })
  void codex_is_recognized(String line) {
    assertLooksLike(CODEX, line);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "`{\"log\":{\"version\":\"1.2\",\"creator\":{\"name\":\"x\"},\"entries\":[]}}` | " + HAR,
        "`{\"log\":{\"version\":\"1.2\",\"creator\":{\"name\":\"x\",\"version` | " + HAR,
        "`{\"header\":{\"session_id\":\"s\"},\"events\":[]}` | " + BUNDLE,
        "`{\"version\":\"1.0\",\"id\":\"r\",\"metadata\":{},\"timeline\":[{\"t\":0}` | a session"
            + " with a timeline",
        "`{\"id\":\"REC-1\",\"session_id\":\"s\",\"inputs\":{},\"trace\":{\"rounds\":[]}}` | "
            + RECORD,
        "`{\"schema\":\"openagents.receipt.v1\"}` | a receipt of the form openagents.receipt.v1",
        "`{\"session_id\":\"s\",\"plan_hash\":\"\",\"tool_calls\":[]}` | "
            + "a receipt of the form session",
        "`{\"resourceSpans\":[{\"scopeSpans\":[]}]}` | " + TELEMETRY,
        "`{\"resourceLogs\":[]}` | " + TELEMETRY,
        "`{\"id\":\"chatcmpl-1\",\"object\":\"chat.completion\",\"choices\":[]}` | " + CHAT,
        "`{\"id\":\"c\",\"object\":\"chat.completion.chunk\"}` | " + CHAT,
        "`{\"model\":\"x\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}` | " + CHAT,
      })
  void object_is_recognized_by_its_members(String json, String words) {
    assertThat(recognize(json)).isEqualTo(words);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "`[]` | a JSON array",
        "`[` | a JSON array",
        "`[1, 2]` | a JSON array",
        "`[{\"role\":\"user\"},` | a JSON array of objects",
        "` [ {` | a JSON array of objects",
        "`<!DOCTYPE html><html>` | an HTML page",
        "`<HTML lang=\"en\">` | an HTML page",
        "`<?xml version=\"1.0\"?>` | an XML document",
        "`\u00ff\u00fe{\u0000` | text in UTF-16, and a log is in UTF-8",
        "`\u00fe\u00ff\u0000{` | text in UTF-16, and a log is in UTF-8",
        "`(\u00b5/\u00fd\u0004` | data compressed with Zstandard",
        "`PK\u0005\u0006` | a ZIP archive",
        "`\u0089PNG\r\n\u001a\n` | a PNG image",
        "`\u00ff\u00d8\u00ff\u00e0` | a JPEG image",
        "`%PDF-1.7` | a PDF document",
      })
  void other_files_are_recognized_by_their_first_bytes(String text, String words) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);

    assertThat(ForeignFormat.recognize(bytes, 0, bytes.length)).isEqualTo(words);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "time,tool,status\n1,read,ok\n",
        "\"time\",\"tool or none\"\r\n1,\"read, or write\"\r\n",
        "a,b\n1,2"
      })
  void table_is_recognized(String text) {
    assertThat(recognize(text)).isEqualTo("a CSV table");
  }

  @Test
  void archives_of_the_platform_are_recognized() throws IOException {
    ByteArrayOutputStream gzip = new ByteArrayOutputStream();
    new GZIPOutputStream(gzip).close();
    ByteArrayOutputStream zip = new ByteArrayOutputStream();
    try (ZipOutputStream out = new ZipOutputStream(zip)) {
      out.putNextEntry(new ZipEntry("REPLAY.jsonl"));
    }
    byte[] tar = new byte[512];
    System.arraycopy("ustar".getBytes(StandardCharsets.US_ASCII), 0, tar, 257, 5);

    assertThat(ForeignFormat.recognize(gzip.toByteArray(), 0, gzip.size()))
        .isEqualTo("data compressed with gzip");
    assertThat(ForeignFormat.recognize(zip.toByteArray(), 0, zip.size()))
        .isEqualTo("a ZIP archive");
    assertThat(ForeignFormat.recognize(tar, 0, tar.length))
        .isEqualTo("a tar archive, which tar must extract first;"
            + " a packed session is a gzip file made by replay pack");
    assertThat(ForeignFormat.recognize(tar, 0, 261)).isNull();
    assertThat(recognize("SQLite format 3\0\u0010")).isEqualTo("an SQLite database");
    assertThat(recognize("SQLite format 3 is a text")).isNull();
  }

  @Test
  void file_laid_out_over_many_lines_is_recognized() {
    JsonObject har = JsonText.parse(
            """
            {"log":{"version":"1.2","creator":{"name":"x"},"entries":[{"request":{"url":"a\\"]}"}}]}}
            """)
        .asObject();
    String pretty = JsonText.pretty(har);

    assertThat(recognize(pretty)).isEqualTo(HAR);
    assertThat(recognize("\ufeff" + pretty)).isEqualTo(HAR);
    assertThat(recognize(pretty.replace("\n", "\r\n"))).isEqualTo(HAR);
  }

  @Test
  void file_longer_than_its_head_is_recognized() {
    String entry = "{\"request\":{\"url\":\"" + "x".repeat(200) + "\"}}";
    String har = "{\"log\":{\"version\":\"1.2\",\"creator\":{},\"entries\":["
        + String.join(",", Collections.nCopies(1_000, entry)) + "]}}";
    String longText = "{\"log\":{\"version\":\"1.2\",\"creator\":{\"name\":\""
        + "x".repeat(ForeignFormat.HEAD_BYTES);

    assertThat(recognize(har)).isEqualTo(HAR);
    assertThat(recognize(longText)).isEqualTo(HAR);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " \n\t",
        "\ufeff",
        "{",
        "}",
        "]{",
        "{]",
        "{}",
        "{\"log\":{\"entries\":[}}",
        "{\"log\":{\"entries\":1}}",
        "{\"log\":\"x\",\"log\":{\"entries\":[]}}",
        "{\"log\":{\"entries\":[]}} and more",
        "{\"a\":\"\\",
        "[2026-01-13 10:00:00] INFO started",
        "[INFO] started",
        "[1] 12345",
        "hello, world\nagain, and again\n",
        "a,b",
        "a,b\n1\n",
        "\"time\",\"tool, or none\"\n1,2\n",
        "<p>",
        "PK",
        "{\"type\":\"user\"}",
        "{\"type\":\"session_meta\"}",
        "{\"type\":\"Handoff\",\"payload\":{}}",
        "{\"event\":\"Handoff\",\"session_id\":\"s\"}",
        "{\"version\":\"1.0\"}",
        "{\"messages\":[]}",
        "{\"messages\":[{\"text\":\"x\"}]}",
        "{\"id\":\"x\",\"timestamp\":\"y\"}"
      })
  void what_may_be_anything_is_not_recognized(String text) {
    assertThat(recognize(text)).isNull();
  }

  @Test
  void members_of_another_format_do_not_make_an_event_foreign() {
    for (String tag : new String[] {"event", "type"}) {
      for (String kind : new String[] {"ReplayHeader", "ToolCall", "SessionEnd", "ModelCall"}) {
        JsonObject event = JsonObject.of(tag, kind)
            .with("sessionId", "x")
            .with("parentUuid", null)
            .with("log", JsonObject.of("entries", JsonText.parse("[]")))
            .with("messages", JsonText.parse("[{\"role\":\"user\"}]"))
            .with("timeline", JsonText.parse("[]"))
            .with("version", "1.0.0");

        assertThat(ForeignFormat.recognize(event)).isNull();
        assertThat(recognize(event.toString())).isNull();
        assertThat(recognize(JsonText.pretty(event))).isNull();
      }
    }
  }

  @Test
  void part_of_an_array_is_looked_at() {
    byte[] bytes = "xx{\"log\":{\"entries\":[]}}yy".getBytes(StandardCharsets.UTF_8);

    assertThat(ForeignFormat.recognize(bytes, 2, bytes.length - 2)).isEqualTo(HAR);
    assertThat(ForeignFormat.recognize(bytes, 0, bytes.length)).isNull();
    assertThat(ForeignFormat.recognize(bytes, 2, 2)).isNull();
  }

  @Test
  void every_beginning_of_a_file_and_every_altered_byte_is_looked_at_without_failing() {
    byte[] har =
        "{\"log\":{\"version\":\"1.2\",\"creator\":{\"name\":\"\u00e9\\\"\"},\"entries\":[]}}\n"
            .getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < har.length; i++) {
      assertThat(ForeignFormat.recognize(har, 0, i)).isIn(null, HAR);
      for (int b = 0; b < 256; b++) {
        byte[] altered = har.clone();
        altered[i] = (byte) b;
        ForeignFormat.recognize(altered, 0, altered.length);
      }
    }
  }

  @Test
  void random_and_deep_bytes_are_looked_at_without_failing() {
    Random random = new Random(42);
    for (int i = 0; i < 500; i++) {
      byte[] bytes = new byte[random.nextInt(600)];
      random.nextBytes(bytes);
      ForeignFormat.recognize(bytes, 0, bytes.length);
      for (int j = 0; j < bytes.length; j++) {
        bytes[j] = (byte) "{}[],:\"\\ a1\n".charAt(Math.floorMod(bytes[j], 12));
      }
      ForeignFormat.recognize(bytes, 0, bytes.length);
    }
    for (char c : "{[\"\\ \n,".toCharArray()) {
      byte[] same = new byte[1 << 20];
      Arrays.fill(same, (byte) c);
      assertThat(ForeignFormat.recognize(same, 0, same.length)).isNull();
    }
  }

  private static void assertLooksLike(String words, String line) {
    assertThat(ForeignFormat.recognize(JsonText.parse(line.strip()).asObject())).isEqualTo(words);
    assertThat(recognize(line)).isEqualTo(words);
    assertThat(recognize(line + line)).isEqualTo(words);
  }

  private static String recognize(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return ForeignFormat.recognize(bytes, 0, bytes.length);
  }
}
