package dev.agentreplay.convert.trace;

import static dev.agentreplay.convert.trace.ClaudeLines.ASK;
import static dev.agentreplay.convert.trace.ClaudeLines.answer;
import static dev.agentreplay.convert.trace.ClaudeLines.call;
import static dev.agentreplay.convert.trace.ClaudeLines.progress;
import static dev.agentreplay.convert.trace.ClaudeLines.prompt;
import static dev.agentreplay.convert.trace.ClaudeLines.result;
import static dev.agentreplay.convert.trace.ClaudeLines.side;
import static dev.agentreplay.convert.trace.ClaudeLines.text;
import static dev.agentreplay.convert.trace.ClaudeLines.texts;
import static dev.agentreplay.convert.trace.ClaudeLines.user;
import static dev.agentreplay.convert.trace.ClaudeLines.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.agentreplay.convert.trace.report.TraceLedger.Action;
import dev.agentreplay.convert.trace.report.TraceLedger.Entry;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.RuntimeEvent;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sub-agents of Claude Code are lanes. */
class ClaudeAgentsTest {

  @TempDir
  private Path directory;

  private ImportedEvents imported(String... lines) throws IOException {
    return ImportedEvents.of(directory, "s1.jsonl", lines);
  }

  private static final String CHAIN = "\"isSidechain\":true,";

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
    assertThat(imported.report().sessions().get(0).counts().agents()).isEqualTo(2);
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
  void progressThatTheFileDoesNotHave_isKept() throws IOException {
    Path agents = Files.createDirectories(directory.resolve("s1").resolve("subagents"));
    Files.writeString(
        agents.resolve("agent-x7.jsonl"), side(answer("b1", "msg_b", text("x")), "x7") + "\n");

    ImportedEvents imported = imported(
        ASK,
        progress("t1", "x7", answer("b1", "msg_b", text("x"))),
        progress("t1", "x7", answer("b2", "msg_c", text("only here"))));

    assertThat(imported.of(ModelCall.class)).extracting(ModelCall::id).containsExactly("msg_b");
    assertThat(imported.of(RuntimeEvent.class))
        .extracting(event -> String.valueOf(event.payload().value()))
        .anyMatch(payload -> payload.contains("only here"));
    assertThat(imported.report().sessions().get(0).ledger().entries())
        .filteredOn(entry -> entry.action() == Action.DROPPED)
        .filteredOn(entry -> entry.member().equals("/data/message"))
        .extracting(Entry::count)
        .containsExactly(1L);
  }

  @Test
  void sideChainBehindAnOpenAnswer_isOneLane() throws IOException {
    ImportedEvents imported = imported(
        ASK,
        answer("a1", "msg_1", call("t1")),
        with(user("x1", "Search"), CHAIN + "\"parentUuid\":null"),
        with(answer("x2", "msg_x", call("t5")), CHAIN + "\"parentUuid\":\"x1\""),
        with(result("x3", "t5", ""), CHAIN + "\"parentUuid\":\"x2\""),
        with(answer("x4", "msg_y", text("found")), CHAIN + "\"parentUuid\":\"x3\""),
        result("r1", "t1", ""));

    assertThat(imported.of(ModelCall.class))
        .extracting(ModelCall::id, call -> call.meta().agent())
        .containsExactly(
            tuple("msg_1", null), tuple("msg_x", "sidechain-1"), tuple("msg_y", "sidechain-1"));
    assertThat(imported.report().sessions().get(0).counts().agents()).isEqualTo(1);
    assertThat(imported.report().sessions().get(0).counts().orphanResults()).isZero();
  }

  @Test
  void blankIdOfASubAgent_isAMissingOne() throws IOException {
    ImportedEvents imported =
        imported(ASK, side(user("x1", "aside"), ""), answer("a1", "msg_1", text("A")));

    assertThat(texts(imported.of(ModelCall.class).get(0))).containsExactly("Fix it");
    assertThat(imported.report().sessions().get(0).counts().agents()).isEqualTo(1);
  }

  @Test
  void agentsWithOneIdInTwoDirectories_areTwoLanes() throws IOException {
    Path workflows = directory.resolve("s1").resolve("subagents").resolve("workflows");
    for (String name : List.of("w1", "w2")) {
      Files.writeString(
          Files.createDirectories(workflows.resolve(name)).resolve("agent-1.jsonl"),
          side(answer("b1", "msg_" + name, text("x")), "1"));
    }

    ImportedEvents imported = imported(ASK);

    assertThat(imported.of(ModelCall.class))
        .extracting(ModelCall::id, call -> call.meta().agent())
        .containsExactly(
            tuple("msg_w1", "subagents/workflows/w1/1"),
            tuple("msg_w2", "subagents/workflows/w2/1"));
  }

  @Test
  void messagesInTheOutputOfTheCommand_areInTheLaneOfTheirCall() throws IOException {
    ImportedEvents imported = imported(
        ASK,
        answer("a1", "msg_1", call("t1")),
        with(user("x1", "aside"), "\"parent_tool_use_id\":\"t1\""),
        with(answer("x2", "msg_x", text("X")), "\"parent_tool_use_id\":\"t1\""),
        with(result("r1", "t1", ""), "\"parent_tool_use_id\":null"),
        answer("a2", "msg_2", text("ok")));

    assertThat(imported.of(ModelCall.class).get(1).meta().parent()).isEqualTo("t1");
    assertThat(texts(imported.of(ModelCall.class).get(1))).containsExactly("aside");
    assertThat(texts(imported.of(ModelCall.class).get(2)))
        .containsExactly("Fix it", "tool_use", "tool_result");
  }

  @Test
  void agentsThatStartEachOther_areReadOnce() throws IOException {
    Path agents = Files.createDirectories(directory.resolve("s1").resolve("subagents"));
    for (int i = 0; i < 60; i++) {
      String id = "a" + i;
      String next = ",\"toolUseResult\":{\"agentId\":\"a" + (i + 1) % 60 + "\"}";
      Files.writeString(
          agents.resolve("agent-" + id + ".jsonl"),
          side(answer("b1", "msg_" + i, call("t" + i)), id)
              + "\n"
              + side(result("b2", "t" + i, next), id));
    }

    ImportedEvents imported = imported(ASK);

    assertThat(imported.report().sessions().get(0).counts().modelCalls()).isEqualTo(60);
    assertThat(imported.of(ModelCall.class))
        .filteredOn(call -> call.meta().parent() == null)
        .extracting(call -> call.meta().agent())
        .containsExactly("a0");
  }

  @Test
  void fileOfASubAgentAlone_isImportedOnce() throws IOException {
    ImportedEvents imported = ImportedEvents.of(
        directory, "agent-x7.jsonl", side(ASK, "x7"), side(answer("b1", "msg_b", "[]"), "x7"));

    assertThat(imported.conduct()).containsExactly("ModelCall of x7", "ModelResult of x7");
    assertThat(imported.report().sessions().get(0).counts().messages()).isEqualTo(1);
  }
}
