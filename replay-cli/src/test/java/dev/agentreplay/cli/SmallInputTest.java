package dev.agentreplay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonValue;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of less than a megabyte cost little time and memory, whatever is in them. */
@Tag("slow")
class SmallInputTest {

  private static final Duration CPU = Duration.ofSeconds(30);

  private static final String HEADER = "{\"event\":\"ReplayHeader\",\"replay_version\":1}\n";

  @TempDir
  Path folder;

  @Test
  void show_html_one_blob_referred_to_1800_times_reads_it_once() throws Exception {
    Path session = blobSession("s");
    Path page = folder.resolve("page.html");
    BoundedRun run = BoundedRun.of(Duration.ofSeconds(12), folder, "show", session, "--html", page);
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(page).exists();
  }

  @Test
  void diff_html_one_blob_referred_to_1800_times_reads_it_once_a_session() throws Exception {
    Path before = blobSession("a");
    Path after = blobSession("b");
    Path page = folder.resolve("page.html");
    BoundedRun run =
        BoundedRun.of(Duration.ofSeconds(15), folder, "diff", before, after, "--html", page);
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(page).exists();
  }

  @ParameterizedTest
  @ValueSource(strings = {"text", "json"})
  void diff_two_blobs_referred_to_1800_times_compares_them_once(String format) throws Exception {
    Path before = blobSession("a");
    Path after = blobSession("b", "1");
    BoundedRun run =
        BoundedRun.of(Duration.ofSeconds(15), folder, "diff", before, after, "--format", format);
    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.FINDINGS);
    assertThat(run.out()).contains("/output/249999");
  }

  @Test
  void diff_rules_one_blob_referred_to_1800_times_normalizes_it_once_a_session() throws Exception {
    Path before = blobSession("a");
    Path after = blobSession("b");
    BoundedRun run = BoundedRun.of(
        Duration.ofSeconds(15), folder, "diff", before, after, "--ignore", "timestamps");
    assertThat(run.exitCode()).as(run.err()).isZero();
  }

  @Test
  void diff_blobs_of_one_session_only_are_read_once() throws Exception {
    Path before = blobSession("a");
    Path after = Files.createDirectories(folder.resolve("unanswered"));
    Files.write(
        after.resolve("REPLAY.jsonl"),
        Files.readAllLines(before.resolve("REPLAY.jsonl")).stream()
            .filter(line -> !line.contains("ToolResult"))
            .toList());
    BoundedRun run = BoundedRun.of(Duration.ofSeconds(15), folder, "diff", before, after);
    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.FINDINGS);
  }

  @Test
  void diff_gzip_of_many_calls_ends_at_the_limit_of_steps() throws Exception {
    Path many = folder.resolve("many.jsonl.gz");
    try (Writer out = gzip(many)) {
      out.write(HEADER);
      for (int i = 0; i < 1_500_000; i++) {
        out.write("{\"event\":\"ToolCall\",\"id\":\"1\",\"params\":{},\"tool\":\"t\"}\n");
      }
    }
    assertThat(many).satisfies(file -> assertThat(Files.size(file)).isLessThan(1 << 20));
    Path few = Files.writeString(folder.resolve("few.jsonl"), HEADER);
    BoundedRun run = BoundedRun.of(CPU, folder, "diff", few, many);
    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.UNREADABLE);
    assertThat(run.err()).contains("many.jsonl.gz", "--max-steps");
  }

  @ParameterizedTest
  @ValueSource(strings = {"verify", "show", "recover"})
  void gzip_of_one_line_of_ones_is_read_in_a_small_heap(String command) throws Exception {
    Path log = folder.resolve("ones.jsonl.gz");
    try (Writer out = gzip(log)) {
      String start = "{\"event\":\"ToolResult\",\"id\":\"1\",\"output\":[";
      out.write(HEADER);
      out.write("{\"event\":\"ToolCall\",\"id\":\"1\",\"params\":{},\"tool\":\"t\"}\n");
      out.write(start);
      int ones = ((16 << 20) - start.length() - 4) / 2;
      for (int i = 0; i < ones; i++) {
        out.write("1,");
      }
      out.write("1]}\n");
    }
    assertThat(log).satisfies(file -> assertThat(Files.size(file)).isLessThan(1 << 20));
    BoundedRun run = BoundedRun.of(CPU, folder, command, log);
    assertThat(run.exitCode()).as(run.err()).isBetween(ExitCode.OK, ExitCode.FINDINGS);
    assertThat(run.out()).isNotEmpty();
  }

  @Test
  void convert_many_members_carried_over_within_others_brings_them_back_once() throws Exception {
    String members = IntStream.range(0, 80_000)
        .mapToObj("\"m%06d\":0"::formatted)
        .collect(Collectors.joining(","));
    Path log = Files.writeString(
        folder.resolve("REPLAY.jsonl"),
        """
        {"event":"ReplayHeader","replay_version":1,"producer":"p","created_at":"2026-01-13T10:00:00Z"}
        """
            + "{\"carried_over\":{\"type\":{\"carried_over\":{"
            + members
            + "}}},\"event\":\"SessionStart\",\"session_id\":\"s\",\"t\":\"2026-01-13T10:00:00Z\"}\n");
    Path out = folder.resolve("converted.jsonl");
    BoundedRun run =
        BoundedRun.of(Duration.ofSeconds(12), folder, "convert", log, out, "--to", "type");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(out).content().contains("\"carried_over\":{\"m000000\":0,", "\"m079999\":0}");
  }

  @Test
  void diff_long_arrays_of_two_values_replaces_them_as_a_whole() throws Exception {
    Path before = bitsSession("a.jsonl", 1);
    Path after = bitsSession("b.jsonl", 2);
    BoundedRun run = BoundedRun.of(CPU, folder, "diff", before, after, "--format", "json");
    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.FINDINGS);
    JsonValue diff = JsonText.parse(run.out());
    assertThat(diff.at("/divergences/0/patch").asArray().size()).isEqualTo(1);
    assertThat(diff.at("/rules/0/rule").asString()).contains("elements compared as a whole");
  }

  @Test
  void diff_long_arrays_whose_order_says_nothing_replaces_them_as_a_whole() throws Exception {
    Path before = bitsSession("a.jsonl", 1);
    Path after = bitsSession("b.jsonl", 2);
    BoundedRun run = BoundedRun.of(
        CPU, folder, "diff", before, after, "--unordered", "/params", "--format", "json");
    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.FINDINGS);
    JsonValue diff = JsonText.parse(run.out());
    assertThat(diff.at("/divergences/0/patch").asArray().size()).isEqualTo(1);
    assertThat(run.out()).contains("elements compared as a whole");
  }

  private Path blobSession(String name) throws IOException {
    return blobSession(name, "0");
  }

  private Path blobSession(String name, String last) throws IOException {
    String zeros = "[" + "0,".repeat(249_999) + last + "]";
    ContentHash hash = ContentHash.sha256(zeros.getBytes(StandardCharsets.UTF_8));
    Path session = folder.resolve(name);
    Files.createDirectories(session.resolve("blobs"));
    Files.writeString(
        session.resolve("blobs").resolve(hash.toString().replace(':', '-') + ".json"), zeros);
    StringBuilder log = new StringBuilder(HEADER);
    for (int i = 0; i < 1_800; i++) {
      log.append(
          "{\"event\":\"ToolCall\",\"id\":\"%d\",\"params\":{},\"tool\":\"t\"}%n".formatted(i));
      log.append(("{\"event\":\"ToolResult\",\"id\":\"%d\",\"output_hash\":\"%s\","
              + "\"output_ref\":{\"blob\":\"%s\",\"bytes\":%d}}%n")
          .formatted(i, hash, hash, zeros.length()));
    }
    Files.writeString(session.resolve("REPLAY.jsonl"), log.toString().replace("\r", ""));
    return session;
  }

  private Path bitsSession(String name, long seed) throws IOException {
    Random random = new Random(seed);
    StringBuilder log = new StringBuilder(HEADER);
    log.append("{\"event\":\"ToolCall\",\"id\":\"1\",\"params\":[");
    for (int i = 0; i < 480_000; i++) {
      log.append(i == 0 ? "" : ",").append(random.nextInt(2));
    }
    log.append("],\"tool\":\"t\"}\n");
    return Files.writeString(folder.resolve(name), log);
  }

  private static Writer gzip(Path file) throws IOException {
    return new BufferedWriter(new OutputStreamWriter(
        new GZIPOutputStream(Files.newOutputStream(file)), StandardCharsets.UTF_8));
  }
}
