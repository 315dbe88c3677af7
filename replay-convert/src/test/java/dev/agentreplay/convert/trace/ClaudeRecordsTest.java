package dev.agentreplay.convert.trace;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.agentreplay.convert.trace.report.ImportCounts;
import dev.agentreplay.convert.trace.report.ImportReport;
import dev.agentreplay.convert.trace.report.TraceLedger.Action;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.FileState;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.RuntimeEvent;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The events that the importer creates from records of Claude Code. */
class ClaudeRecordsTest {

  private static final String ASK =
      """
      {"type":"user","sessionId":"s1","uuid":"u1","parentUuid":null,"cwd":"/w","version":"2.1.0",\
      "timestamp":"2026-01-01T10:00:00Z","message":{"role":"user","content":"Fix it"}}""";

  @TempDir
  private Path directory;

  private static String answer(String uuid, String id, String blocks) {
    return """
        {"type":"assistant","sessionId":"s1","uuid":"%s","requestId":"req_%s",\
        "timestamp":"2026-01-01T10:00:01Z","message":{"id":"%s","model":"m","role":"assistant",\
        "content":%s,"stop_reason":"tool_use","usage":{"input_tokens":1,\
        "cache_read_input_tokens":10,"cache_creation_input_tokens":100,"output_tokens":5}}}"""
        .formatted(uuid, id, id, blocks);
  }

  private static String call(String id) {
    return "[{\"type\":\"tool_use\",\"id\":\"" + id + "\",\"name\":\"Bash\",\"input\":{\"n\":1}}]";
  }

  private static String result(String uuid, String call, String more) {
    return """
        {"type":"user","sessionId":"s1","uuid":"%s","cwd":"/w","timestamp":"2026-01-01T10:00:03.5Z",\
        "message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"%s",\
        "content":"done"}]}%s}"""
        .formatted(uuid, call, more);
  }

  private ImportedEvents imported(String... lines) throws IOException {
    return ImportedEvents.of(directory, "s1.jsonl", lines);
  }

  private ImportCounts counts(ImportedEvents imported) {
    return imported.report().sessions().get(0).counts();
  }

  @Test
  void linesOfOneAnswerAreOneResult_whoseTokensCountOnce() throws IOException {
    ImportedEvents imported = imported(
        ASK,
        answer("a1", "msg_1", "[{\"type\":\"text\",\"text\":\"Let me see\"}]"),
        answer("a2", "msg_1", call("t1")),
        result("r1", "t1", ""),
        answer("a3", "msg_1", call("t2")),
        result("r2", "t2", ""),
        answer("a4", "msg_2", "[{\"type\":\"text\",\"text\":\"Done\"}]"));

    assertThat(imported.conduct())
        .containsExactly(
            "ModelCall",
            "ModelResult",
            "ToolCall",
            "ToolCall",
            "ToolResult",
            "ToolResult",
            "ModelCall",
            "ModelResult");
    assertThat(counts(imported).tokensIn()).isEqualTo(2 * 111);
    assertThat(counts(imported).tokensOut()).isEqualTo(2 * 5);
    ModelResult first = imported.of(ModelResult.class).get(0);
    assertThat(first.answer().value().asObject().get("content").asArray().size())
        .isEqualTo(3);
    assertThat(first.finish().reason()).isEqualTo("tool_use");
  }

  @Test
  void answerThatIsRepeatedLater_isKept_butItsTokensAreNotCountedAgain() throws IOException {
    ImportedEvents imported = imported(
        ASK,
        answer("a1", "msg_1", "[{\"type\":\"text\",\"text\":\"One\"}]"),
        answer("a2", "msg_2", "[{\"type\":\"text\",\"text\":\"Two\"}]"),
        answer("a3", "msg_1", "[{\"type\":\"text\",\"text\":\"One\"}]"));

    assertThat(imported.of(ModelCall.class))
        .extracting(ModelCall::id)
        .containsExactly("msg_1", "msg_2", "msg_1#2");
    assertThat(counts(imported).tokensOut()).isEqualTo(2 * 5);
  }

  @Test
  void promptIsWhatCameBefore() throws IOException {
    ImportedEvents imported = imported(
        ASK,
        answer("a1", "msg_1", call("t1")),
        result("r1", "t1", ""),
        answer("a2", "msg_2", "[]"));

    JsonArray messages = prompt(imported.of(ModelCall.class).get(1));
    assertThat(messages.values())
        .extracting(message -> message.asObject().get("role").asString())
        .containsExactly("user", "assistant", "user");
  }

  private static JsonArray prompt(ModelCall call) {
    return call.prompt().value().asObject().get("messages").asArray();
  }

  @Test
  void compactionReplacesTheConversation() throws IOException {
    ImportedEvents imported = imported(
        ASK,
        answer("a1", "msg_1", "[{\"type\":\"text\",\"text\":\"One\"}]"),
        "{\"type\":\"system\",\"subtype\":\"compact_boundary\",\"uuid\":\"c1\",\"sessionId\":\"s1\"}",
        "{\"type\":\"user\",\"sessionId\":\"s1\",\"isCompactSummary\":true,\"message\":{\"role\":\"user\","
            + "\"content\":\"Summary\"}}",
        answer("a2", "msg_2", "[{\"type\":\"text\",\"text\":\"Two\"}]"));

    assertThat(prompt(imported.of(ModelCall.class).get(1)))
        .isEqualTo(JsonArray.of(JsonObject.of("role", "user", "content", "Summary")));
  }

  @Test
  void systemPromptAndToolsOfAnAttachmentAreInThePromptAndTheSettings() throws IOException {
    ImportedEvents imported = imported(
        ASK,
        "{\"type\":\"attachment\",\"sessionId\":\"s1\",\"attachment\":{\"type\":\"context\","
            + "\"systemPrompt\":\"Be brief\",\"tools\":[{\"name\":\"Bash\",\"input_schema\":{\"type\":"
            + "\"object\"}}]}}",
        answer("a1", "msg_1", "[]"));

    JsonObject prompt = imported.of(ModelCall.class).get(0).prompt().value().asObject();
    assertThat(prompt.get("system").asString()).isEqualTo("Be brief");
    assertThat(prompt.get("context").toString()).contains("\"Bash\"");
    assertThat(imported.of(Settings.class))
        .flatExtracting(Settings::tools)
        .singleElement()
        .satisfies(tool -> {
          assertThat(tool.name()).isEqualTo("Bash");
          assertThat(tool.schema()).isEqualTo(JsonObject.of("type", "object"));
        });
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
  void fileOfASubAgentIsItsLane_beforeTheResultOfTheCallThatStartedIt() throws IOException {
    Path agents = Files.createDirectories(directory.resolve("s1").resolve("subagents"));
    Files.writeString(
        agents.resolve("agent-x7.jsonl"),
        String.join(
            "\n",
            side(ASK, "x7"),
            side(answer("b1", "msg_b", call("t9")), "x7"),
            side(result("b2", "t9", ""), "x7")));
    Files.writeString(agents.resolve("agent-left.jsonl"), side(ASK, "left"));

    ImportedEvents imported = imported(
        ASK,
        answer("a1", "msg_1", call("t1")),
        result("r1", "t1", ",\"toolUseResult\":{\"agentId\":\"x7\",\"totalDurationMs\":1500}"));

    assertThat(imported.conduct())
        .containsExactly(
            "ModelCall",
            "ModelResult",
            "ToolCall",
            "ModelCall of x7",
            "ModelResult of x7",
            "ToolCall of x7",
            "ToolResult of x7",
            "ToolResult");
    assertThat(imported.all())
        .filteredOn(event -> "x7".equals(event.meta().agent()))
        .extracting(event -> event.meta().parent())
        .containsOnly("t1");
    assertThat(counts(imported).agents()).isEqualTo(2);
    assertThat(imported.of(ToolResult.class).get(1).latencyMillis()).isEqualTo(1500);
  }

  @Test
  void agentThatASubAgentStartedIsReadOnce() throws IOException {
    Path agents = Files.createDirectories(directory.resolve("s1").resolve("subagents"));
    Files.writeString(
        agents.resolve("agent-x7.jsonl"),
        String.join(
            "\n",
            side(answer("b1", "msg_b", call("t9")), "x7"),
            side(result("b2", "t9", ",\"toolUseResult\":{\"agentId\":\"y8\"}"), "x7")));
    Files.writeString(agents.resolve("agent-y8.jsonl"), side(answer("c1", "msg_c", "[]"), "y8"));

    ImportedEvents imported = imported(ASK);

    assertThat(imported.conduct())
        .containsExactly(
            "ModelCall of x7",
            "ModelResult of x7",
            "ToolCall of x7",
            "ModelCall of y8",
            "ModelResult of y8",
            "ToolResult of x7");
    assertThat(imported.of(ModelCall.class).get(1).meta().parent()).isEqualTo("t9");
  }

  @Test
  void filesOfSubAgentsNextToTheTranscriptAreReadWithIt_ifTheyAreOfItsSession() throws IOException {
    Files.writeString(directory.resolve("agent-x7.jsonl"), side(answer("b1", "msg_b", "[]"), "x7"));
    Files.writeString(
        directory.resolve("agent-z9.jsonl"),
        side(answer("b1", "msg_z", "[]"), "z9").replace("s1", "s9"));

    ImportedEvents imported = imported(ASK);

    assertThat(imported.of(ModelCall.class)).extracting(ModelCall::id).containsExactly("msg_b");
    List<ImportReport> reports = new ArrayList<>();
    Files.createDirectory(directory.resolve("project"));
    for (String file : List.of("s1.jsonl", "agent-x7.jsonl", "agent-z9.jsonl")) {
      Files.copy(directory.resolve(file), directory.resolve("project").resolve(file));
    }
    TraceImporter.of(ImportOptions.defaults())
        .importAll(directory.resolve("project"), directory.resolve("all"), reports::add);
    assertThat(reports)
        .extracting(report -> report.source().getFileName().toString())
        .containsExactly("agent-z9.jsonl", "s1.jsonl");
  }

  private static String side(String line, String agent) {
    return line.replaceFirst("\\{", "{\"isSidechain\":true,\"agentId\":\"" + agent + "\",");
  }

  @Test
  void progressOfASubAgentIsItsLane_unlessItHasAFile() throws IOException {
    String progress =
        "{\"type\":\"progress\",\"sessionId\":\"s1\",\"parentToolUseID\":\"t1\",\"data\":"
            + "{\"type\":\"agent_progress\",\"agentId\":\"x7\",\"message\":%s}}";

    ImportedEvents without = imported(
        ASK,
        answer("a1", "msg_1", call("t1")),
        progress.formatted(answer("b1", "msg_b", call("t9"))),
        progress.formatted(result("b2", "t9", "")),
        result("r1", "t1", ""));
    assertThat(without.conduct())
        .containsExactly(
            "ModelCall",
            "ModelResult",
            "ToolCall",
            "ModelCall of x7",
            "ModelResult of x7",
            "ToolCall of x7",
            "ToolResult of x7",
            "ToolResult");

    Path agents = Files.createDirectories(directory.resolve("s2").resolve("subagents"));
    Files.writeString(agents.resolve("agent-x7.jsonl"), side(answer("b1", "msg_b", "[]"), "x7"));
    ImportedEvents with = ImportedEvents.of(
        directory, "s2.jsonl", ASK, progress.formatted(answer("b1", "msg_b", "[]")));
    assertThat(with.of(ModelCall.class)).hasSize(1);
    assertThat(with.report().sessions().get(0).ledger().entries())
        .filteredOn(entry -> entry.action() == Action.DROPPED)
        .anySatisfy(entry -> assertThat(entry.member()).isEqualTo("/data/message"));
  }

  @Test
  void sideChainWithoutAnIdIsALaneOfItsOwn() throws IOException {
    ImportedEvents imported = imported(
        ASK,
        "{\"type\":\"user\",\"sessionId\":\"s1\",\"isSidechain\":true,\"uuid\":\"x1\",\"parentUuid\":null,"
            + "\"message\":{\"role\":\"user\",\"content\":\"Search\"}}",
        answer("x2", "msg_x", "[]")
            .replaceFirst("\\{", "{\"isSidechain\":true,\"parentUuid\":\"x1\","),
        answer("a1", "msg_1", "[]"));

    assertThat(imported.of(ModelCall.class))
        .extracting(ModelCall::id, call -> call.meta().agent())
        .containsExactly(tuple("msg_x", "sidechain-1"), tuple("msg_1", null));
    assertThat(prompt(imported.of(ModelCall.class).get(1)))
        .isEqualTo(JsonArray.of(JsonObject.of("role", "user", "content", "Fix it")));
  }

  @Test
  void editStatesTheFileBeforeAndAfterIt() throws IOException {
    ImportedEvents imported = imported(
        ASK,
        answer("a1", "msg_1", call("t1")),
        result(
            "r1",
            "t1",
            ",\"toolUseResult\":{\"filePath\":\"/w/src/A.java\",\"oldString\":\"b\","
                + "\"newString\":\"x\",\"originalFile\":\"abab\",\"replaceAll\":true}"));

    assertThat(imported.of(FileState.class)).singleElement().satisfies(state -> {
      assertThat(state.path()).isEqualTo("src/A.java");
      assertThat(state.before()).isEqualTo(ContentHash.sha256("abab".getBytes(UTF_8)));
      assertThat(state.after()).isEqualTo(ContentHash.sha256("axax".getBytes(UTF_8)));
      assertThat(state.bytes()).isEqualTo(4);
    });
  }

  @Test
  void pathOutsideTheWorkspaceHasNoState() throws IOException {
    for (String path : List.of("/other/A.java", "/w/../etc/A", "/w", "relative")) {
      ImportedEvents imported = ImportedEvents.of(
          directory,
          "p" + Math.abs(path.hashCode()) + ".jsonl",
          ASK,
          answer("a1", "msg_1", call("t1")),
          result(
              "r1",
              "t1",
              ",\"toolUseResult\":{\"filePath\":\"" + path + "\",\"content\":\"x\","
                  + "\"originalFile\":null}"));
      assertThat(imported.of(FileState.class)).as(path).isEmpty();
    }
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
    assertThat(counts(imported).orphanResults()).isEqualTo(1);
    assertThat(imported.of(RuntimeEvent.class))
        .extracting(RuntimeEvent::type)
        .contains("claude-code/result_without_call");
  }

  @Test
  void errorOfTheModelIsTheEndOfItsCall() throws IOException {
    ImportedEvents imported = imported(
        ASK,
        answer("a1", "msg_1", "[{\"type\":\"text\",\"text\":\"API Error: overloaded\"}]")
            .replaceFirst("\\{", "{\"isApiErrorMessage\":true,\"error\":\"overloaded\","));

    ModelResult result = imported.of(ModelResult.class).get(0);
    assertThat(result.finish().error().name()).isEqualTo("overloaded");
    assertThat(result.finish().error().message()).isEqualTo("API Error: overloaded");
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
}
