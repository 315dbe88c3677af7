package dev.agentreplay.convert.trace;

import static dev.agentreplay.convert.trace.ClaudeLines.ASK;
import static dev.agentreplay.convert.trace.ClaudeLines.answer;
import static dev.agentreplay.convert.trace.ClaudeLines.call;
import static dev.agentreplay.convert.trace.ClaudeLines.prompt;
import static dev.agentreplay.convert.trace.ClaudeLines.result;
import static dev.agentreplay.convert.trace.ClaudeLines.text;
import static dev.agentreplay.convert.trace.ClaudeLines.texts;
import static dev.agentreplay.convert.trace.ClaudeLines.user;
import static dev.agentreplay.convert.trace.ClaudeLines.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.agentreplay.convert.trace.report.SourceFault;
import dev.agentreplay.convert.trace.report.SourceFault.Kind;
import dev.agentreplay.convert.trace.report.TraceLedger.Action;
import dev.agentreplay.convert.trace.report.TraceLedger.Entry;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.RuntimeEvent;
import dev.agentreplay.model.ToolResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The answers of the model in transcripts of Claude Code. */
class ClaudeAnswersTest {

  @TempDir
  private Path directory;

  private ImportedEvents imported(String... lines) throws IOException {
    return ImportedEvents.of(directory, "s1.jsonl", lines);
  }

  @Test
  void linesOfOneAnswerAreOneResult_whoseTokensCountOnce_andCallsStayInTheirPlaces()
      throws IOException {
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
            "ToolResult",
            "ToolCall",
            "ToolResult",
            "ModelCall",
            "ModelResult");
    assertThat(imported.report().sessions().get(0).counts().tokensIn()).isEqualTo(2 * 111);
    assertThat(imported.report().sessions().get(0).counts().tokensOut()).isEqualTo(2 * 5);
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
    assertThat(imported.report().sessions().get(0).counts().tokensOut()).isEqualTo(2 * 5);
  }

  @Test
  void answerWhoseLinesAreApart_countsWithItsLastTokens() throws IOException {
    ImportedEvents imported = imported(
        ASK,
        answer("a1", "msg_1", text("A")).replace("\"output_tokens\":5", "\"output_tokens\":1"),
        answer("z1", "msg_0", text("other")),
        answer("a2", "msg_1", call("t1")).replace("\"output_tokens\":5", "\"output_tokens\":500"));

    assertThat(imported.of(ModelResult.class))
        .extracting(result -> result.tokens().output())
        .containsExactly(1L, 5L, 499L);
    assertThat(imported.report().sessions().get(0).counts().tokensIn()).isEqualTo(2 * 111);
  }

  @Test
  void answerWaitsForItsNextLine_untilTooManyBytesWaitWithIt() throws IOException {
    String record = "{\"type\":\"system\",\"x\":\"" + "z".repeat(1 << 20) + "\"}\n";
    for (int megabytes : List.of(3, 6)) {
      ImportedEvents imported = ImportedEvents.of(
          directory,
          megabytes + ".jsonl",
          ASK,
          answer("a1", "msg_1", text("A")),
          record.repeat(megabytes).strip(),
          answer("a2", "msg_1", call("t1")));

      assertThat(imported.of(ModelCall.class)).hasSize(megabytes == 3 ? 1 : 2);
      assertThat(imported.report().sessions().get(0).counts().tokensOut()).isEqualTo(5);
    }
  }

  @Test
  void brokenLineDoesNotSplitAnAnswer() throws IOException {
    ImportedEvents imported = imported(
        ASK,
        answer("a1", "msg_1", text("A")),
        "{broken",
        answer("a2", "msg_1", call("t1")),
        result("r1", "t1", ""));

    assertThat(imported.conduct())
        .containsExactly("ModelCall", "ModelResult", "ToolCall", "ToolResult");
    assertThat(imported.report().sessions().get(0).faults())
        .extracting(SourceFault::kind)
        .containsExactly(Kind.BROKEN_LINE);
  }

  @Test
  void lineThatIsRepeated_countsOnce() throws IOException {
    String answer = answer("a1", "msg_1", call("t1"));
    String result = result("r1", "t1", "");
    ImportedEvents imported =
        imported(ASK, ASK, answer, answer, result, result, answer("a2", "msg_2", text("ok")));

    assertThat(imported.conduct())
        .containsExactly(
            "ModelCall", "ModelResult", "ToolCall", "ToolResult", "ModelCall", "ModelResult");
    assertThat(prompt(imported.of(ModelCall.class).get(1)).size()).isEqualTo(3);
    assertThat(imported.report().sessions().get(0).counts().messages()).isEqualTo(1);
    assertThat(imported.report().sessions().get(0).counts().orphanResults()).isZero();
    assertThat(imported.report().sessions().get(0).ledger().entries())
        .filteredOn(entry -> String.valueOf(entry.note()).contains("repetition"))
        .extracting(Entry::record, Entry::count)
        .containsExactly(tuple("assistant", 1L), tuple("user", 2L));
  }

  @Test
  void lineWithTheUuidOfAnother_isKept() throws IOException {
    ImportedEvents imported =
        imported(ASK, answer("a1", "msg_1", text("one")), answer("a1", "msg_1", text("two")));

    assertThat(imported.of(ModelResult.class).get(0).answer().value().asObject().get("content"))
        .hasToString("[{\"text\":\"one\",\"type\":\"text\"},{\"text\":\"two\",\"type\":\"text\"}]");
  }

  @Test
  void serverToolHasItsResultInTheAnswer() throws IOException {
    ImportedEvents imported = imported(
        ASK,
        answer(
            "a1",
            "msg_1",
            """
            [{"type":"server_tool_use","id":"v1","name":"web_search","input":{"q":1}},\
            {"type":"web_search_tool_result","tool_use_id":"v1","content":[{"title":"found"}]},\
            {"type":"server_tool_use","id":"v2","name":"web_search","input":{}},\
            {"type":"web_search_tool_result","tool_use_id":"v2",\
            "content":{"type":"web_search_tool_result_error"}}]"""));

    assertThat(imported.conduct())
        .containsExactly(
            "ModelCall", "ModelResult", "ToolCall", "ToolResult", "ToolCall", "ToolResult");
    assertThat(imported.of(ToolResult.class))
        .extracting(ToolResult::id, result -> result.outcome().ok())
        .containsExactly(tuple("v1", null), tuple("v2", false));
    assertThat(imported.of(ToolResult.class).get(0).output().value())
        .hasToString("[{\"title\":\"found\"}]");
  }

  @Test
  void sumOfTokensThatIsTooLarge_isNotCounted() throws IOException {
    String max = "9223372036854775807";
    ImportedEvents imported = imported(
        ASK,
        answer("a1", "msg_1", text("A"))
            .replace("\"input_tokens\":1,", "\"input_tokens\":" + max + ","),
        answer("a2", "msg_2", text("B"))
            .replace("\"output_tokens\":5", "\"output_tokens\":" + max));

    assertThat(imported.of(ModelResult.class).get(0).tokens().input()).isNull();
    assertThat(imported.of(ModelResult.class).get(0).tokens().output()).isEqualTo(5);
    assertThat(imported.report().sessions().get(0).counts().tokensOut()).isEqualTo(Long.MAX_VALUE);
    assertThat(imported.report().sessions().get(0).faults())
        .extracting(SourceFault::kind)
        .containsExactly(Kind.CONTRADICTION);
  }

  @Test
  void answerByClaudeCodeItself_isNoCall_butInThePrompt() throws IOException {
    ImportedEvents imported = imported(
        ASK,
        answer("a1", "msg_1", text("No response requested.")).replace("\"m\"", "\"<synthetic>\""),
        user("u2", "Go on"),
        answer("a2", "msg_2", text("ok")));

    assertThat(imported.of(ModelCall.class)).extracting(ModelCall::id).containsExactly("msg_2");
    assertThat(texts(imported.of(ModelCall.class).get(0)))
        .containsExactly("Fix it", "No response requested.", "Go on");
    assertThat(imported.of(RuntimeEvent.class))
        .extracting(RuntimeEvent::type)
        .contains("claude-code/assistant");
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
  void requestThatFailed_isNotInTheNextPrompt_andNamesNoModel() throws IOException {
    ImportedEvents imported = imported(
        ASK,
        with(answer("a1", "e1", text("API Error: 529")), "\"isApiErrorMessage\":true")
            .replace("\"m\"", "\"<synthetic>\""),
        user("u2", "Try again"),
        answer("a2", "msg_2", text("ok")));

    assertThat(imported.of(ModelCall.class).get(0).model()).isNull();
    assertThat(texts(imported.of(ModelCall.class).get(1))).containsExactly("Fix it", "Try again");
  }

  @Test
  void timesOfAnAnswerDoNotGoBack() throws IOException {
    ImportedEvents imported = imported(
        ASK,
        answer("a1", "msg_1", call("t1")),
        answer("a2", "msg_1", call("t2")).replace("10:00:01Z", "10:00:09Z"),
        result("r1", "t1", "").replace("10:00:03.5", "10:00:10"),
        result("r2", "t2", "").replace("10:00:03.5", "10:00:11"));

    List<String> times = imported.all().stream()
        .filter(event -> event.callId() != null)
        .map(event -> event.meta().time().text())
        .toList();
    assertThat(times).isSorted().hasSize(6);
    assertThat(imported.of(ToolResult.class))
        .extracting(ToolResult::latencyMillis)
        .containsExactly(9_000L, 2_000L);
  }

  @Test
  void textOfALineAmongOthers_isABlock() throws IOException {
    ImportedEvents imported =
        imported(ASK, answer("a1", "msg_1", "\"plain\""), answer("a2", "msg_1", text("block")));

    assertThat(imported.of(ModelResult.class).get(0).answer().value().asObject().get("content"))
        .hasToString(
            "[{\"text\":\"plain\",\"type\":\"text\"},{\"text\":\"block\",\"type\":\"text\"}]");
    assertThat(imported.report().sessions().get(0).ledger().entries())
        .filteredOn(entry -> entry.action() == Action.GENERATED)
        .extracting(Entry::to)
        .contains("ModelResult/answer/content");
  }
}
