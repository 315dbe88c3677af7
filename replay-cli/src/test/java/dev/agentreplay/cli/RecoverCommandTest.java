package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Recovering on the command line. */
class RecoverCommandTest {

  private static final String TORN = "{\"event\":\"ToolCall\",\"id\":";

  @TempDir
  Path home;

  private Path log;
  private String whole;

  @BeforeEach
  void record() throws IOException {
    Path session = home.resolve("one");
    try (SessionRecorder recorder = SessionRecorder.start(session, "one")) {
      recorder.call("file_read", JsonObject.of("path", "a")).result("text");
      recorder.end(Status.SUCCESS, 0.9);
    }
    log = session.resolve("REPLAY.jsonl");
    whole = Files.readString(log);
  }

  @Test
  void whole_log_is_complete() {
    assertThat(Console.run("recover", log.toString()))
        .isEqualTo(new Console(
            0,
            "COMPLETE  %s\n  intact   5 events, %,d bytes\n".formatted(log, whole.length()),
            ""));
    assertThat(Console.run("recover", log.toString(), "--repair").out())
        .contains("nothing to repair");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hello",
        "hello\n",
        "{ key: 1 }",
        "\u0089PNG\r\n\u001a\n\0\0\0\rIHDR",
        "{\"a\":1}",
        "{\"a\":1}\n{\"b\":2}\n",
        "{\"a\":1}\nhello"
      })
  void file_that_is_not_a_log_is_not_changed(String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    Path file = Files.write(home.resolve("other"), bytes);
    for (String option : List.of("", "--repair", "--repair --cut")) {
      Console corrupt = Console.run(("recover " + file + " " + option).strip().split(" "));
      assertThat(corrupt.exit()).isEqualTo(ExitCode.UNREADABLE);
      assertThat(corrupt.out())
          .startsWith("CORRUPT  " + file)
          .containsPattern("(wrong    MALFORMED_LINE .*|none of a known kind in . line)")
          .contains("  next     check the name; if it is a log, ")
          .doesNotContain("--cut truncates");
      assertThat(file).hasBinaryContent(bytes);
    }
  }

  @Test
  void directory_with_a_receipt_only_is_not_named_as_a_session_below_itself() throws IOException {
    Console.run("receipt", log.toString());
    Files.delete(log);
    Console missing = Console.run("recover", log.getParent().toString());
    assertThat(missing.exit()).isEqualTo(ExitCode.UNREADABLE);
    assertThat(missing.err()).doesNotContain("below");
  }

  @Test
  void session_is_found_by_its_id() {
    Console found = Console.run("recover", "one", "--sessions", home.toString());
    assertThat(found.exit()).isZero();
    assertThat(found.out()).startsWith("COMPLETE  one\n");
  }

  @Test
  void log_without_an_end_is_open() throws IOException {
    Files.writeString(log, whole.substring(0, whole.indexOf("{\"confidence\"")));
    Console open = Console.run("recover", log.toString(), "--format", "json");
    assertThat(open.exit()).isZero();
    assertThat(json(open).at("/state").asString()).isEqualTo("OPEN");
    assertThat(json(open).at("/schema").asString()).isEqualTo("replay.recover/1");
    assertThat(json(open).at("/events").asLong()).isEqualTo(4);
  }

  @Test
  void torn_tail_is_reported_with_the_command_that_repairs_it() throws IOException {
    Files.writeString(log, TORN, StandardOpenOption.APPEND);
    Console torn = Console.run("recover", log.toString());
    assertThat(torn.exit()).isEqualTo(1);
    assertThat(torn.out())
        .startsWith("TORN_TAIL  ")
        .contains("line 6, byte %d: 25 bytes of an incomplete line".formatted(whole.length()))
        .contains("replay recover " + log + " --repair");

    Console json = Console.run("recover", log.toString(), "--format", "json");
    assertThat(json(json).at("/torn_tail"))
        .isEqualTo(JsonObject.of(
            "line",
            6,
            "offset",
            whole.length(),
            "line_offset",
            whole.length(),
            "dropped_bytes",
            25,
            "session_ended",
            true));
    assertThat(Files.readString(log)).isEqualTo(whole + TORN);
  }

  @Test
  void torn_tail_is_cut_off_and_kept() throws IOException {
    Files.writeString(log, TORN, StandardOpenOption.APPEND);
    Console repaired = Console.run("recover", log.toString(), "--repair");
    assertThat(repaired.exit()).isZero();
    assertThat(repaired.out())
        .startsWith("COMPLETE  ")
        .contains("25 bytes cut off, kept in " + log + ".torn");
    assertThat(Files.readString(log)).isEqualTo(whole);
    assertThat(Path.of(log + ".torn")).hasContent(TORN);
    assertThat(Console.run("verify", log.toString()).exit()).isZero();
  }

  @Test
  void repair_says_in_json_what_it_did() throws IOException {
    Files.writeString(log, whole.substring(0, whole.length() - 1));
    Console missing = Console.run("recover", log.toString());
    assertThat(missing.exit()).isZero();
    assertThat(missing.out()).contains("--repair adds the line feed at the end");
    Console repaired = Console.run("recover", log.toString(), "--repair", "--format", "json");
    assertThat(json(repaired).at("/state").asString()).isEqualTo("COMPLETE");
    assertThat(json(repaired).at("/missing_line_feed").asBoolean()).isFalse();
    assertThat(json(repaired).at("/repair"))
        .isEqualTo(JsonObject.of(
            "before",
            "COMPLETE",
            "dropped_bytes",
            0,
            "removed",
            List.of(),
            "line_feed_added",
            true));
    assertThat(Files.readString(log)).isEqualTo(whole);
  }

  @Test
  void corrupt_log_is_not_repaired() throws IOException {
    String corrupt = whole.replaceFirst("\n", "\noops\n");
    Files.writeString(log, corrupt);
    Console refused = Console.run("recover", log.toString(), "--repair");
    assertThat(refused.exit()).isEqualTo(3);
    assertThat(refused.err()).startsWith("replay: not repaired: " + log + ": line 2, byte ");
    assertThat(refused.out())
        .startsWith("CORRUPT  ")
        .contains("MALFORMED_LINE  line 2, byte ")
        .contains("4 readable lines, 0 unreadable")
        .contains("--salvage OUT");
    assertThat(Files.readString(log)).isEqualTo(corrupt);

    Console json = Console.run("recover", log.toString(), "--format", "json");
    assertThat(json.exit()).isEqualTo(3);
    assertThat(json(json).at("/corrupt/code").asString()).isEqualTo("MALFORMED_LINE");
    assertThat(json(json).at("/corrupt/readable_after").asLong()).isEqualTo(4);
  }

  @Test
  void corrupt_log_is_cut_on_demand_and_the_rest_is_kept() throws IOException {
    int first = whole.indexOf('\n') + 1;
    String rest = "\0".repeat(500) + "\n" + whole.substring(first);
    Files.writeString(log, whole.substring(0, first) + rest);
    assertThat(Console.run("recover", log.toString()).out())
        .contains("found a run of 500 NUL bytes")
        .contains("--repair --cut truncates the log before the fault");
    Console cut = Console.run("recover", log.toString(), "--repair", "--cut");
    assertThat(cut.exit()).isZero();
    assertThat(cut.out())
        .startsWith("OPEN  ")
        .contains("%,d bytes cut off, kept in %s.torn".formatted(rest.length(), log));
    assertThat(Files.readString(log)).isEqualTo(whole.substring(0, first));
    assertThat(Files.readString(Path.of(log + ".torn"))).isEqualTo(rest);
  }

  @Test
  void compressed_log_that_is_cut_short_is_salvaged() throws IOException {
    Path compressed = home.resolve("log.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(compressed))) {
      out.write(whole.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
    assertThat(Console.run("recover", compressed.toString(), "--repair").exit()).isZero();
    byte[] bytes = Files.readAllBytes(compressed);
    Files.write(compressed, Arrays.copyOf(bytes, bytes.length - 4));
    Path out = home.resolve("salvaged.jsonl");
    Console salvaged = Console.run("recover", compressed.toString(), "--salvage", out.toString());
    assertThat(salvaged.exit()).isEqualTo(1);
    assertThat(salvaged.out()).contains("TRUNCATED").contains("compressed data is cut short");
    assertThat(Files.readString(out)).isEqualTo(whole);
  }

  @Test
  void directory_is_not_replaced_by_what_is_salvaged() {
    String[] command = {"recover", log.toString(), "--salvage", home.toString(), "--overwrite"};
    Console refused = Console.run(command);
    assertThat(refused.exit()).isEqualTo(ExitCode.USAGE);
    assertThat(refused.err())
        .contains(home + " exists: it is a directory; expected the name of a file");
  }

  @Test
  void what_can_be_read_is_salvaged_and_gaps_are_listed() throws IOException {
    Files.writeString(log, whole.replaceFirst("\n", "").replaceFirst("\n", "\n{\"a\":\u001b\n"));
    Path out = home.resolve("salvaged.jsonl");
    Console salvaged = Console.run("recover", log.toString(), "--salvage", out.toString());
    assertThat(salvaged.exit()).isEqualTo(1);
    assertThat(salvaged.out())
        .contains("5 lines, into " + out)
        .contains("2, of 7 bytes")
        .contains("SPLICED          line 1, byte ")
        .contains("TRUNCATED        line 2, byte ")
        .doesNotContain("\u001b");
    assertThat(Files.readString(out)).isEqualTo(whole);

    Console again = Console.run("recover", log.toString(), "--salvage", out.toString());
    assertThat(again.exit()).isEqualTo(2);
    assertThat(again.err()).contains("salvaged.jsonl exists; --overwrite replaces it");
    Console json = Console.run(
        "recover", log.toString(), "--overwrite", "--format=json", "--salvage", out.toString());
    assertThat(json(json).at("/salvage/lines").asLong()).isEqualTo(5);
    assertThat(json(json).at("/salvage/gap_counts"))
        .isEqualTo(JsonObject.of("SPLICED", 1, "TRUNCATED", 1));
    assertThat(json(json).at("/salvage/gaps/1/kind").asString()).isEqualTo("TRUNCATED");
    assertThat(json(json).at("/salvage/gaps/1/line").asLong()).isEqualTo(2);
    assertThat(json(json).at("/salvage/gaps/1/bytes").asLong()).isEqualTo(7);
  }

  @Test
  void members_of_the_json_are_those_of_the_reports_document() throws IOException {
    String document = Files.readString(Path.of("../docs/reports.md"));
    int from = document.indexOf("\n## Recovery report (replay.recover/1)\n");
    String section = document.substring(from, document.indexOf("\n## ", from + 1));
    Set<String> documented = Pattern.compile("\"([a-z_]+)\":")
        .matcher(section)
        .results()
        .map(match -> match.group(1))
        .collect(Collectors.toSet());

    Set<String> members = new HashSet<>();
    Files.writeString(log, TORN, StandardOpenOption.APPEND);
    addMembers(json(Console.run("recover", log.toString(), "--format=json")), members);
    addMembers(json(Console.run("recover", log.toString(), "--repair", "--format=json")), members);
    Files.writeString(log, "oops\n", StandardOpenOption.APPEND);
    String out = home.resolve("salvaged.jsonl").toString();
    addMembers(
        json(Console.run("recover", log.toString(), "--salvage", out, "--format=json")), members);

    assertThat(members).isEqualTo(documented);
  }

  private static void addMembers(JsonValue value, Set<String> members) {
    if (value instanceof JsonObject object) {
      for (String name : object.names()) {
        members.add(name);
        if (!name.equals("gap_counts")) { // whose members are kinds of gaps
          addMembers(object.at("/" + name), members);
        }
      }
    } else if (value instanceof JsonArray array) {
      array.forEach(element -> addMembers(element, members));
    }
  }

  @Test
  void gaps_beyond_the_first_hundred_are_counted() throws IOException {
    Files.writeString(log, "\n".repeat(250), StandardOpenOption.APPEND);
    Path out = home.resolve("salvaged.jsonl");
    Console salvaged = Console.run("recover", log.toString(), "--salvage", out.toString());
    assertThat(salvaged.out()).contains("250, of 250 bytes").contains("  150 more\n");
  }

  @Test
  void whole_log_is_salvaged_without_gaps() throws IOException {
    Path out = home.resolve("salvaged.jsonl");
    Console salvaged = Console.run("recover", log.toString(), "--salvage", out.toString());
    assertThat(salvaged.exit()).isZero();
    assertThat(Files.readString(out)).isEqualTo(whole);
  }

  @Test
  void options_that_do_not_go_together_are_refused() {
    String name = log.toString();
    assertThat(Console.run("recover", name, "--repair", "--salvage", "x").exit())
        .isEqualTo(2);
    assertThat(Console.run("recover", name, "--overwrite").exit()).isEqualTo(2);
    assertThat(Console.run("recover", name, "--cut").exit()).isEqualTo(2);
    Console itself = Console.run("recover", name, "--overwrite", "--salvage", name);
    assertThat(itself.exit()).isEqualTo(2);
    assertThat(itself.err())
        .contains("exists: it is an input of this command; name a different file");
  }

  @Test
  void compressed_log_is_inspected_and_not_repaired() throws IOException {
    Path compressed = home.resolve("log.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(compressed))) {
      out.write((whole + TORN).getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
    assertThat(Console.run("recover", compressed.toString()).out()).startsWith("TORN_TAIL  ");
    Console refused = Console.run("recover", compressed.toString(), "--repair");
    assertThat(refused.exit()).isEqualTo(3);
    assertThat(refused.err()).contains("a compressed log cannot be repaired: decompress it first");
  }

  @Test
  void missing_log_is_reported() {
    Console missing = Console.run("recover", home.resolve("none").toString());
    assertThat(missing.exit()).isEqualTo(3);
    assertThat(missing.err()).contains("no such file or directory");
  }

  private static JsonValue json(Console console) {
    return JsonText.parse(console.out());
  }
}
