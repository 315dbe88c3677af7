package dev.agentreplay.convert.trace;

import static dev.agentreplay.convert.trace.ClaudeLines.ASK;
import static dev.agentreplay.convert.trace.ClaudeLines.answer;
import static dev.agentreplay.convert.trace.ClaudeLines.call;
import static dev.agentreplay.convert.trace.ClaudeLines.result;
import static dev.agentreplay.convert.trace.ClaudeLines.side;
import static dev.agentreplay.convert.trace.ClaudeLines.text;
import static dev.agentreplay.convert.trace.ClaudeLines.texts;
import static dev.agentreplay.convert.trace.ClaudeLines.user;
import static dev.agentreplay.convert.trace.ClaudeLines.with;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.convert.trace.report.TraceLedger.Action;
import dev.agentreplay.convert.trace.report.TraceLedger.Entry;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.RuntimeEvent;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The events that the importer creates from records of Claude Code. */
class ClaudeRecordsTest {

  @TempDir
  private Path directory;

  private ImportedEvents imported(String... lines) throws IOException {
    return ImportedEvents.of(directory, "s1.jsonl", lines);
  }

  private static List<Entry> entries(ImportedEvents imported, String record, String member) {
    return imported.report().sessions().get(0).ledger().entries().stream()
        .filter(entry -> entry.record().equals(record) && entry.member().equals(member))
        .toList();
  }

  private static String queued(String mode, String prompt) {
    return """
        {"type":"attachment","sessionId":"s1","attachment":{"type":"queued_command",\
        "prompt":"%s","commandMode":"%s"}}"""
        .formatted(prompt, mode);
  }

  @Test
  void startHasTaskAndBranch_settingsHaveVersionAndDirectory() throws IOException {
    ImportedEvents imported = imported(ASK.replace("\"cwd\"", "\"gitBranch\":\"main\",\"cwd\""));

    SessionStart start = imported.of(SessionStart.class).get(0);
    assertThat(start.meta().sessionId()).isEqualTo("s1");
    assertThat(start.task().text()).isEqualTo("Fix it");
    assertThat(start.repository()).isEqualTo(JsonObject.of("branch", "main"));
    Settings settings = imported.of(Settings.class).get(0);
    assertThat(settings.get(Settings.VERSIONS).value())
        .isEqualTo(JsonObject.of("claude-code", "2.1.0"));
    assertThat(settings.get(Settings.WORKING_DIRECTORY).value().asString()).isEqualTo("/w");
  }

  @Test
  void latencyIsTheTimeSinceTheCall_ifNoneIsStated() throws IOException {
    ImportedEvents imported =
        imported(ASK, answer("a1", "msg_1", call("t1")), result("r1", "t1", ""));

    assertThat(imported.of(ToolResult.class).get(0).latencyMillis()).isEqualTo(2500);
    assertThat(imported.report().sessions().get(0).ledger().entries()).anySatisfy(entry -> {
      assertThat(entry.action()).isEqualTo(Action.GENERATED);
      assertThat(entry.to()).isEqualTo("ToolResult/latency_ms");
    });
  }

  @Test
  void resultWithoutCallIsKept() throws IOException {
    ImportedEvents imported = imported(ASK, result("r1", "of another file", ""));

    assertThat(imported.of(ToolResult.class)).isEmpty();
    assertThat(imported.report().sessions().get(0).counts().orphanResults()).isEqualTo(1);
    assertThat(imported.of(RuntimeEvent.class))
        .extracting(RuntimeEvent::type)
        .contains("claude-code/result_without_call");
  }

  @Test
  void outputThatWasTooLargeForTheTranscriptIsKept() throws IOException {
    Path results = Files.createDirectories(directory.resolve("s1").resolve("tool-results"));
    Files.writeString(results.resolve("t1.txt"), "a long output");

    ImportedEvents imported = imported(ASK);

    assertThat(imported.of(RuntimeEvent.class))
        .extracting(event -> String.valueOf(event.payload().value()))
        .anyMatch(payload -> payload.contains("a long output"));
  }

  @Test
  void eachEventStatesLineAndHashOfItsRecord() throws IOException {
    ImportedEvents imported =
        imported(ASK, answer("a1", "msg_1", call("t1")), result("r1", "t1", ""));

    for (ReplayEvent event : imported.all().subList(2, imported.all().size())) {
      JsonObject origin = event.meta().extra().get("imported").asObject();
      int line = Math.toIntExact(origin.get("line").asLong());
      String text = Files.readAllLines(directory.resolve("s1.jsonl")).get(line - 1);
      assertThat(origin.get("hash").asString())
          .isEqualTo(ContentHash.sha256(text.getBytes(UTF_8)).toString());
    }
    assertThat(imported.of(ToolCall.class).get(0).params().value())
        .isEqualTo(JsonObject.of("n", 1));
  }

  @Test
  void outputsOfToolsAreKeptAsTheyAre() throws IOException {
    Path results = Files.createDirectories(directory.resolve("s1").resolve("tool-results"));
    byte[] image = {(byte) 0x89, 'P', 'N', 'G', (byte) 0xff};
    byte[] gzip = {0x1f, (byte) 0x8b, 8, 0};
    Files.write(results.resolve("a.png"), image);
    Files.write(results.resolve("b.gz"), gzip);

    ImportedEvents imported = imported(ASK);

    assertThat(imported.of(RuntimeEvent.class))
        .filteredOn(event -> event.type().endsWith("tool_result_file"))
        .extracting(event -> event.payload().value())
        .containsExactly(
            JsonObject.of(
                "base64", Base64.getEncoder().encodeToString(image), "file", "tool-results/a.png"),
            JsonObject.of(
                "base64", Base64.getEncoder().encodeToString(gzip), "file", "tool-results/b.gz"));
  }

  @Test
  void longOutputIsKeptInParts() throws IOException {
    Path results = Files.createDirectories(directory.resolve("s1").resolve("tool-results"));
    String output = "x" + "\u00e9".repeat(5 << 20);
    Files.writeString(results.resolve("long.txt"), output);

    imported(ASK);

    List<JsonObject> parts = new ArrayList<>();
    try (Stream<Path> blobs = Files.list(directory.resolve("out-s1.jsonl").resolve("blobs"))) {
      for (Path blob : blobs.toList()) {
        parts.add(JsonText.parse(Files.readAllBytes(blob)).asObject());
      }
    }
    parts.sort(Comparator.comparing(part -> part.get("offset").asLong()));
    assertThat(parts)
        .extracting(part -> part.get("offset").asLong())
        .containsExactly(0L, (4L << 20) - 1, (8L << 20) - 3);
    String text = parts.stream().map(part -> part.get("text").asString()).collect(joining());
    assertThat(text.equals(output)).isTrue();
  }

  @Test
  void durationOfARecordWithSeveralResults_isThatOfNone() throws IOException {
    ImportedEvents imported = imported(
        ASK,
        answer("a1", "msg_1", call("t1").replace("]", "," + call("t2").substring(1))),
        result("r1", "t1", ",\"toolUseResult\":{\"durationMs\":70}")
            .replace("}]", "},{\"type\":\"tool_result\",\"tool_use_id\":\"t2\"}]"));

    assertThat(imported.of(ToolResult.class))
        .extracting(ToolResult::latencyMillis)
        .containsExactly(2_500L, 2_500L);
  }

  @Test
  void ledgerCountsAMemberOfAnAnswerOnce() throws IOException {
    ImportedEvents imported = imported(
        ASK,
        answer("a1", "msg_1", text("hi")),
        answer("a2", "msg_1", call("t1")),
        result("r1", "t1", ""),
        user("u2", "again"),
        user("u3", "once more"));

    for (String member : List.of("role", "stop_reason", "usage", "content", "model")) {
      assertThat(entries(imported, "assistant", "/message/" + member))
          .filteredOn(entry -> entry.action() == Action.MOVED || entry.action() == Action.DROPPED)
          .as(member)
          .extracting(Entry::count)
          .satisfies(counts ->
              assertThat(counts.stream().mapToLong(Long::longValue).sum()).isEqualTo(2));
    }
    assertThat(entries(imported, "user", "/message/content"))
        .filteredOn(entry -> "SessionStart/task".equals(entry.to()))
        .extracting(Entry::count)
        .containsExactly(1L);
  }

  @Test
  void directoryOfASubAgentIsThatOfItsLane() throws IOException {
    ImportedEvents imported = imported(
        ASK,
        with(answer("a1", "msg_1", call("t1")), "\"cwd\":\"/w\",\"version\":\"2.1.0\""),
        side(ASK, "x7").replace("\"/w\"", "\"/worktree\"").replace("\"u1\"", "\"x1\""),
        side(user("x2", "more"), "x7").replace("\"/w\"", "\"/worktree\""),
        result("r1", "t1", ""),
        user("u2", "again"));

    assertThat(imported.of(Settings.class))
        .extracting(
            settings -> settings.meta().agent(),
            settings -> settings.get(Settings.WORKING_DIRECTORY).value().asString())
        .containsExactly(tuple(null, "/w"), tuple("x7", "/worktree"), tuple(null, "/w"));
  }

  @Test
  void queuedCommandIsAMessageOfTheUser() throws IOException {
    ImportedEvents imported = imported(
        ASK,
        answer("a1", "msg_1", call("t1")),
        result("r1", "t1", ""),
        queued("prompt", "also fix B"),
        queued("task-notification", "a task has ended"),
        answer("a2", "msg_2", text("ok")));

    assertThat(texts(imported.of(ModelCall.class).get(1)))
        .containsExactly("Fix it", "tool_use", "tool_result", "also fix B", "a task has ended");
    assertThat(imported.report().sessions().get(0).counts().messages()).isEqualTo(2);
  }

  @Test
  void sessionIsNamedByTheOutputOfTheCommandAsWell() throws IOException {
    ImportedEvents imported =
        ImportedEvents.of(directory, "other.jsonl", ASK.replace("sessionId", "session_id"));

    assertThat(imported.of(SessionStart.class).get(0).meta().sessionId()).isEqualTo("s1");
  }

  @Test
  void sessionBeginsAfterABoundedHead() throws IOException {
    String summary = "{\"type\":\"summary\",\"leafUuid\":\"u\",\"summary\":\"x\"}\n";
    ImportedEvents near = imported(summary.repeat(900) + ASK);
    assertThat(near.of(SessionStart.class).get(0).meta().sessionId()).isEqualTo("s1");

    ImportedEvents far = ImportedEvents.of(directory, "far.jsonl", summary.repeat(1_100) + ASK);
    assertThat(far.of(SessionStart.class).get(0).meta().sessionId()).isNotEqualTo("s1");
    assertThat(far.report().sessions().get(0).counts().messages()).isEqualTo(1);
  }
}
