package dev.agentreplay.convert.trace;

import static dev.agentreplay.convert.trace.ClaudeLines.ASK;
import static dev.agentreplay.convert.trace.ClaudeLines.after;
import static dev.agentreplay.convert.trace.ClaudeLines.answer;
import static dev.agentreplay.convert.trace.ClaudeLines.call;
import static dev.agentreplay.convert.trace.ClaudeLines.prompt;
import static dev.agentreplay.convert.trace.ClaudeLines.result;
import static dev.agentreplay.convert.trace.ClaudeLines.side;
import static dev.agentreplay.convert.trace.ClaudeLines.text;
import static dev.agentreplay.convert.trace.ClaudeLines.texts;
import static dev.agentreplay.convert.trace.ClaudeLines.user;
import static dev.agentreplay.convert.trace.ClaudeLines.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The prompts that are derived from transcripts of Claude Code. */
class ClaudePromptsTest {

  @TempDir
  private Path directory;

  private ImportedEvents imported(String... lines) throws IOException {
    return ImportedEvents.of(directory, "s1.jsonl", lines);
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
  void firstMessageThatIsEdited_isWithoutTheOldTurn() throws IOException {
    ImportedEvents imported = imported(
        ASK,
        after("u1", answer("a1", "msg_1", text("A"))),
        with(user("u2", "Fix it differently"), "\"parentUuid\":null"),
        after("u2", answer("a2", "msg_2", text("B"))));

    assertThat(texts(imported.of(ModelCall.class).get(1))).containsExactly("Fix it differently");
  }

  @Test
  void conversationContinuesAtTheRecordThatAMessageNames() throws IOException {
    ImportedEvents imported = imported(
        ASK,
        after("u1", answer("a1", "msg_1", text("A"))),
        after("a1", user("u2", "branch one")),
        after("u2", answer("a2", "msg_2", text("ONE"))),
        after("a2", user("u3", "more of one")),
        after("u3", answer("a3", "msg_3", text("MORE"))),
        after("a1", user("u4", "branch two")),
        after("u4", answer("a4", "msg_4", text("TWO"))),
        after("a3", user("u5", "leaf of one")),
        after("u5", answer("a5", "msg_5", text("LEAF"))),
        after("a2", user("u6", "middle of one")),
        after("u6", answer("a6", "msg_6", text("MIDDLE"))));

    List<ModelCall> calls = imported.of(ModelCall.class);
    assertThat(texts(calls.get(3))).containsExactly("Fix it", "A", "branch two");
    assertThat(texts(calls.get(4)))
        .containsExactly("Fix it", "A", "branch one", "ONE", "more of one", "MORE", "leaf of one");
    assertThat(texts(calls.get(5)))
        .containsExactly("Fix it", "A", "branch one", "ONE", "middle of one");
  }

  @Test
  void recordsThatAreNoMessages_areBetweenMessages() throws IOException {
    ImportedEvents imported = imported(
        ASK,
        after("u1", answer("a1", "msg_1", text("A"))),
        after("a1", "{\"type\":\"system\",\"sessionId\":\"s1\",\"uuid\":\"y1\"}"),
        after("y1", user("u2", "one")),
        after("u2", answer("a2", "msg_2", text("ONE"))),
        after("y1", user("u3", "two")),
        after("u3", answer("a3", "msg_3", text("TWO"))));

    assertThat(texts(imported.of(ModelCall.class).get(1))).containsExactly("Fix it", "A", "one");
    assertThat(texts(imported.of(ModelCall.class).get(2))).containsExactly("Fix it", "A", "two");
  }

  @Test
  void resultsOfParallelCalls_areNoFork() throws IOException {
    ImportedEvents imported = imported(
        ASK,
        after("u1", answer("a1", "msg_1", call("t1"))),
        after("a1", answer("a2", "msg_1", call("t2"))),
        after("a1", result("r1", "t1", "")),
        after("a2", result("r2", "t2", "")),
        after("r1", answer("a3", "msg_2", text("ok"))));

    assertThat(texts(imported.of(ModelCall.class).get(1)))
        .containsExactly("Fix it", "tool_use", "tool_result", "tool_result");
  }

  @Test
  void answerThatIsRequestedAgain_isWithoutTheFirst() throws IOException {
    ImportedEvents imported = imported(
        ASK,
        after("u1", answer("a1", "msg_1", text("A"))),
        after("u1", answer("a2", "msg_2", text("B"))));

    assertThat(texts(imported.of(ModelCall.class).get(1))).containsExactly("Fix it");
  }

  @Test
  void requestThatFailed_isNoFork() throws IOException {
    ImportedEvents imported = imported(
        ASK,
        after("u1", answer("a1", "msg_1", call("t1"))),
        after("a1", result("r1", "t1", "")),
        after("r1", with(answer("e1", "err", text("API Error")), "\"isApiErrorMessage\":true")),
        after("r1", user("u2", "try again")),
        after("u2", answer("a2", "msg_2", text("B"))));

    assertThat(texts(imported.of(ModelCall.class).get(2)))
        .containsExactly("Fix it", "tool_use", "tool_result", "try again");
  }

  @Test
  void recordOfAnotherLane_doesNotMoveAConversation() throws IOException {
    ImportedEvents imported = imported(
        ASK,
        after("u1", answer("a1", "msg_1", text("A"))),
        after("a1", user("u2", "next")),
        side(user("x1", "one"), "x7"),
        after("x1", side(answer("x2", "msg_x", text("X")), "x7")),
        after("a1", side(user("x3", "two"), "x7")),
        after("x3", side(answer("x4", "msg_y", text("Y")), "x7")),
        after("u2", answer("a2", "msg_2", text("B"))));

    assertThat(texts(imported.of(ModelCall.class).get(2))).containsExactly("one", "X", "two");
    assertThat(texts(imported.of(ModelCall.class).get(3))).containsExactly("Fix it", "A", "next");
  }
}
