package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A file other than a log is reported with its format. */
class ForeignFilesTest {

  private static final String CLAUDE_CODE =
      """
      {"type":"summary","summary":"Fix the login","leafUuid":"5f0c"}
      {"type":"user","sessionId":"95e6","uuid":"u1","parentUuid":null,"message":{"role":"user"}}
      """;

  @TempDir
  Path home;

  /** Files whose lines are JSON objects, which could be read as a log of unknown events. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`{\"log\":{\"version\":\"1.2\",\"creator\":{},\"entries\":[]}}` | a HAR archive",
        "`{\"header\":{},\"events\":[]}` | a ReplayBundle, which replay convert reads",
        "`{\"version\":\"1.0\",\"timeline\":[]}` | a session with a timeline",
        "`{\"id\":\"REC-1\",\"inputs\":{},\"trace\":{},\"outputs\":{}}` | "
            + "a session record, which replay-records reads",
        "`{\"schema\":\"openagents.receipt.v1\"}` | a receipt of the form openagents.receipt.v1",
        "`{\"session_id\":\"s\",\"tool_calls\":[]}` | a receipt of the form session",
        "`{\"resourceSpans\":[]}` | OpenTelemetry data in JSON",
        "`{\"object\":\"chat.completion\",\"choices\":[]}` | a log of chat completions"
      })
  void file_of_objects_is_refused_and_named(String text, String words) throws IOException {
    Path file = Files.writeString(home.resolve("file.jsonl"), text + "\n");
    String message =
        "replay: %s: the file looks like %s; --force reads it anyway\n".formatted(file, words);

    for (String command : new String[] {"show", "stats", "tail"}) {
      Console console = Console.run(command, file.toString());
      assertThat(console.exit()).isEqualTo(3);
      assertThat(console.out()).isEmpty();
      assertThat(console.err()).isEqualTo(message);
    }
    assertThat(Console.run("diff", file.toString(), file.toString()).err()).isEqualTo(message);
    assertThat(Console.run("receipt", file.toString()).err()).isEqualTo(message);
    Console verified = Console.run("verify", file.toString());
    assertThat(verified.exit()).isEqualTo(1);
    assertThat(verified.out())
        .contains("HEADER_MISSING", "there is no ReplayHeader; the file looks like " + words);
  }

  @ParameterizedTest
  @ValueSource(strings = {"show F", "show F --html P", "stats F", "tail F --no-follow", "diff F F"})
  void file_without_an_event_of_a_known_kind_is_refused(String command) throws IOException {
    Path file = Files.writeString(home.resolve("f.jsonl"), "{\"level\":\"info\"}\n{\"a\":1}\n");
    String line = command
        .replace("F", file.toString())
        .replace("P", home.resolve("p.html").toString());
    Console console = Console.run(line.split(" "));
    assertThat(console.exit()).isEqualTo(ExitCode.UNREADABLE);
    assertThat(console.err())
        .contains("found no event of a known kind in its lines: 2; --force reads it anyway");
    assertThat(Console.run((line + " --force").split(" ")).exit()).isEqualTo(ExitCode.OK);
  }

  @Test
  void file_of_objects_is_read_with_a_warning_if_that_is_asked_for() throws IOException {
    Path file = Files.writeString(home.resolve("file.jsonl"), CLAUDE_CODE);

    Console console = Console.run("stats", file.toString(), "--force");

    assertThat(console.exit()).isZero();
    assertThat(console.out()).contains("events");
    assertThat(console.err())
        .startsWith(
            ("replay: warning: %s: the file looks like a Claude Code transcript, which replay import"
                    + " reads; read all the same\n")
                .formatted(file));
  }

  /** Files whose first line is not a JSON object. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`{\n  \"log\": {\n    \"entries\": []\n  }\n}` | a HAR archive",
        "`{\n  \"header\": {},\n  \"events\": [` | a ReplayBundle, which replay convert reads",
        "`{\n  \"session_id\": \"s\",\n  \"tool_calls\": [` | a receipt of the form session",
        "`[{\"role\":\"user\"}]` | a JSON array of objects",
        "`<!doctype html>` | an HTML page",
        "`<?xml version=\"1.0\"?>` | an XML document",
        "`time,tool\n1,read` | a CSV table"
      })
  void file_that_is_not_lines_of_json_is_named(String text, String words) throws IOException {
    assertUnreadable(text.getBytes(StandardCharsets.UTF_8), words);
  }

  @Test
  void binary_file_is_named() throws IOException {
    ByteArrayOutputStream zip = new ByteArrayOutputStream();
    try (ZipOutputStream out = new ZipOutputStream(zip)) {
      out.putNextEntry(new ZipEntry("REPLAY.jsonl"));
    }
    byte[] tar = new byte[512];
    System.arraycopy("ustar".getBytes(StandardCharsets.US_ASCII), 0, tar, 257, 5);

    assertUnreadable(zip.toByteArray(), "a ZIP archive");
    String isTar = "a tar archive, which tar must extract first;"
        + " a packed session is a gzip file made by replay pack";
    assertUnreadable(tar, isTar);
    assertUnreadable(gzip(tar), isTar);
    assertUnreadable(
        new byte[] {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd, 0, 0}, "data compressed with Zstandard");
    assertUnreadable(
        "SQLite format 3\0\0".getBytes(StandardCharsets.US_ASCII), "an SQLite database");
    assertUnreadable(
        "\ufeff{\"event\":\"x\"}\n".getBytes(StandardCharsets.UTF_16LE),
        "text in UTF-16, and a log is in UTF-8");
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(compressed)) {
      out.write(bytes);
    }
    return compressed.toByteArray();
  }

  /** Files of a format that is not recognized. */
  @ParameterizedTest
  @ValueSource(strings = {"\u0001\u0002", "hello world", "{ key: 1 }"})
  void file_that_is_not_a_log_is_reported_as_such(String text) throws IOException {
    Path file = Files.writeString(home.resolve("file"), text);
    for (String command : new String[] {"show F", "stats F", "diff F F"}) {
      Console console = Console.run(command.replace("F", file.toString()).split(" "));
      assertThat(console.exit()).isEqualTo(ExitCode.UNREADABLE);
      assertThat(console.err())
          .startsWith("replay: " + file + ": line 1, byte ")
          .endsWith("; the file does not look like a REPLAY.jsonl\n")
          .doesNotContain("replay recover");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"event\":\"ReplayHeader\",\"v?\n",
        "xx\n{\"event\":\"SessionStart\",\"id\":\"1\"}\n",
      })
  void damaged_log_is_not_said_to_be_a_foreign_file(String text) throws IOException {
    Path file = Files.writeString(home.resolve("file"), text);
    assertThat(Console.run("show", file.toString()).err())
        .startsWith("replay: " + file + ": line 1, byte ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"show F", "stats F", "diff F F"})
  void torn_log_names_the_command_that_repairs_it(String command) throws IOException {
    String known = "{\"event\":\"SessionStart\",\"id\":\"1\"}\n";
    Path file = Files.writeString(home.resolve("file"), known + "{\"event\":");
    assertThat(Console.run(command.replace("F", file.toString()).split(" ")).err())
        .contains("line 2, byte ")
        .endsWith("; replay recover diagnoses a torn log, and its --repair cuts the tail off\n");
  }

  private void assertUnreadable(byte[] bytes, String words) throws IOException {
    Path file = Files.write(home.resolve("file"), bytes);
    for (String command : new String[] {"show", "stats", "receipt"}) {
      Console console = Console.run(command, file.toString());
      assertThat(console.exit()).isEqualTo(3);
      assertThat(console.out()).isEmpty();
      assertThat(console.err())
          .startsWith("replay: " + file + ": line 1, byte ")
          .endsWith("; the file looks like " + words + "\n");
    }
    Console verified = Console.run("verify", file.toString(), "--format", "json");
    assertThat(verified.exit()).isEqualTo(3);
    assertThat(verified.out()).contains("; the file looks like " + words + "\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"event\":\"Handoff\",\"t\":\"2026-01-13T10:00:00Z\"}\n",
        "{\"type\":\"Reflection\",\"text\":\"x\"}\n"
      })
  void log_without_a_header_is_read(String line) throws IOException {
    String member = line.substring(2, line.indexOf("\":"));
    String known = "{\"%s\":\"SessionStart\",\"id\":\"1\"}\n".formatted(member);
    Path file = Files.writeString(home.resolve("file.jsonl"), line + known);

    Console console = Console.run("show", file.toString());

    assertThat(console.exit()).isZero();
    assertThat(console.err()).isEmpty();
  }
}
