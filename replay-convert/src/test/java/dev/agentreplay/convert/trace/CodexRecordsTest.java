package dev.agentreplay.convert.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.agentreplay.convert.trace.report.NothingRecognizedException;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.RuntimeEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolDescription;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The events that the importer creates from records of Codex. */
class CodexRecordsTest {

  private static final String META =
      """
      {"timestamp":"2026-01-01T10:00:00Z","type":"session_meta",\
      "payload":{"id":"s1","cwd":"/w"}}""";

  @TempDir
  private Path directory;

  private ImportedEvents imported(String... lines) throws IOException {
    return ImportedEvents.of(directory, "rollout.jsonl", lines);
  }

  private ImportedEvents fixture(String name) throws IOException {
    return ImportedEvents.of(ForeignFiles.path("codex/" + name), directory.resolve("out"));
  }

  private static String item(String payload) {
    return "{\"timestamp\":\"2026-01-01T10:00:01Z\",\"type\":\"response_item\",\"payload\":{"
        + payload + "}}";
  }

  private static String event(String payload) {
    return "{\"timestamp\":\"2026-01-01T10:00:02Z\",\"type\":\"event_msg\",\"payload\":{" + payload
        + "}}";
  }

  private static String message(String role, String text) {
    return item("\"type\":\"message\",\"role\":\"" + role
        + "\",\"content\":[{\"type\":\"input_text\",\"text\":\"" + text + "\"}]");
  }

  private static String call(String id) {
    return item("\"type\":\"function_call\",\"name\":\"shell\",\"arguments\":\"{}\",\"call_id\":\""
        + id + "\"");
  }

  private static String output(String id, String output) {
    return item(
        "\"type\":\"function_call_output\",\"call_id\":\"" + id + "\",\"output\":" + output);
  }

  private static String tokens(int input, int total) {
    return event(
        """
        "type":"token_count","info":{"last_token_usage":{"input_tokens":%d,"output_tokens":1},\
        "total_token_usage":{"input_tokens":%d,"output_tokens":1}}"""
            .formatted(input, total));
  }

  @Test
  void tokensEndACall_andTheSameTotalIsNotCountedAgain() throws IOException {
    ImportedEvents events = imported(
        META,
        message("user", "Go"),
        call("c1"),
        call("c2"),
        output("c1", "\"1\""),
        output("c2", "\"2\""),
        tokens(10, 10),
        tokens(10, 10),
        message("assistant", "Done"),
        tokens(10, 20));

    assertThat(events.conduct())
        .containsExactly(
            "ModelCall",
            "ModelResult",
            "ToolCall",
            "ToolCall",
            "ToolResult",
            "ToolResult",
            "ModelCall",
            "ModelResult");
    assertThat(events.of(ModelResult.class))
        .extracting(result -> result.tokens().input())
        .containsExactly(10L, 10L);
  }

  @Test
  void tokensBeforeTheItems_areThoseOfTheItemsUntilTheNext() throws IOException {
    ImportedEvents events = fixture("made_parallel_calls_0.44.jsonl");

    assertThat(events.conduct())
        .containsExactly(
            "ModelCall",
            "ModelResult",
            "ToolCall",
            "ToolResult",
            "ToolCall",
            "ToolResult",
            "ModelCall",
            "ModelResult",
            "ModelCall",
            "ModelResult");
    assertThat(events.of(ModelResult.class))
        .extracting(result -> result.tokens().input(), result -> output(result).size())
        .containsExactly(tuple(200L, 3), tuple(240L, 1), tuple(260L, 1));
    assertThat(events.of(ModelCall.class))
        .extracting(ModelCall::model)
        .containsExactly("gpt-5", "gpt-5-codex", "gpt-5-codex");
  }

  private static JsonArray output(ModelResult result) {
    return result.answer().value().asObject().get("output").asArray();
  }

  @Test
  void tokensOfAMissingAnswerShiftNoMoreThanOneTurn() throws IOException {
    ImportedEvents events = imported(
        META,
        message("user", "One"),
        tokens(1, 1),
        message("assistant", "A"),
        tokens(2, 3),
        message("user", "Two"),
        message("assistant", "B"),
        tokens(4, 7),
        message("user", "Three"),
        message("assistant", "C"),
        tokens(8, 15));

    assertThat(events.of(ModelResult.class))
        .extracting(result -> result.tokens().input(), result -> output(result).size())
        .containsExactly(tuple(1L, 1), tuple(2L, 0), tuple(4L, 1), tuple(8L, 1));
  }

  @Test
  void itemAfterAResultIsOneOfTheNextCall_evenWithoutTokens() throws IOException {
    ImportedEvents events =
        imported(META, message("user", "Go"), call("c1"), output("c1", "\"1\""), call("c2"));

    assertThat(events.conduct())
        .containsExactly(
            "ModelCall",
            "ModelResult",
            "ToolCall",
            "ToolResult",
            "ModelCall",
            "ModelResult",
            "ToolCall");
  }

  @Test
  void tokensWithoutItemsAreACallWhoseAnswerIsMissing() throws IOException {
    ImportedEvents events = imported(META, message("user", "Go"), tokens(10, 10));

    ModelResult result = events.of(ModelResult.class).get(0);
    assertThat(output(result)).isEmpty();
    assertThat(result.meta().extra().get(Names.TOKEN_DETAILS))
        .isEqualTo(JsonObject.of("input_tokens", 10, "output_tokens", 1));
  }

  @Test
  void messageThatIsItemAndEventIsOneTurn() throws IOException {
    String repeated = event("\"type\":\"user_message\",\"message\":\"Go\"");
    for (String[] lines : List.of(
        new String[] {META, message("user", "Go"), repeated},
        new String[] {META, repeated, message("user", "Go")})) {
      ImportedEvents events = ImportedEvents.of(directory, lines[1].hashCode() + ".jsonl", lines);
      assertThat(events.report().sessions().get(0).counts().messages()).isEqualTo(1);
    }
  }

  @Test
  void sameMessageTwiceIsTwoTurns() throws IOException {
    String repeated = event("\"type\":\"user_message\",\"message\":\"Go\"");
    ImportedEvents events =
        imported(META, message("user", "Go"), repeated, message("user", "Go"), repeated);

    assertThat(events.report().sessions().get(0).counts().messages()).isEqualTo(2);
  }

  @Test
  void rolloutOfEventsOnlyHasItsMessagesInThePrompt() throws IOException {
    ImportedEvents events = fixture("made_events_only_0.151.jsonl");

    assertThat(events.of(SessionStart.class).get(0).task().text())
        .isEqualTo("What is in the file?");
    assertThat(messages(events.of(ModelCall.class).get(1)))
        .extracting(CodexRecordsTest::text)
        .containsExactly("What is in the file?", "**Reading**", "It is empty.", "Thanks");
  }

  private static String text(JsonValue message) {
    for (String name : List.of("text", "message", "content")) {
      if (message.asObject().has(name)) {
        return message.asObject().get(name).asString();
      }
    }
    return "";
  }

  private static JsonArray messages(ModelCall call) {
    return call.prompt().value().asObject().get("messages").asArray();
  }

  @Test
  void contextThatCodexAddsIsNoMessageOfTheUser() throws IOException {
    ImportedEvents events = imported(
        META,
        message("user", "<environment_context>x</environment_context>"),
        message("user", "# AGENTS.md instructions for /w"),
        message("user", "Go"),
        message("assistant", "Done"));

    assertThat(events.report().sessions().get(0).counts().messages()).isEqualTo(1);
    assertThat(events.of(SessionStart.class).get(0).task().text()).isEqualTo("Go");
    assertThat(messages(events.of(ModelCall.class).get(0)).size()).isEqualTo(3);
  }

  @Test
  void argumentsThatAreNoJsonAreKeptAsTheirText() throws IOException {
    assertThat(fixture("made_parallel_calls_0.44.jsonl").of(ToolCall.class))
        .extracting(call -> call.params().value())
        .containsExactly(
            JsonObject.of("command", JsonArray.of("cat", "a")),
            JsonValue.of("{\"command\":[\"cat\",\"b\""));
  }

  @Test
  void outcomesAreReadFromEventsAndOutputs() throws IOException {
    assertThat(fixture("made_all_records_0.153.jsonl").of(ToolResult.class))
        .extracting(
            ToolResult::id,
            result -> result.outcome().ok(),
            result -> result.outcome().exitCode(),
            ToolResult::latencyMillis)
        .contains(
            tuple("call_1", false, 3, 1500L),
            tuple("call_2", false, null, 7007L),
            tuple("call_4", false, null, 250L));
  }

  @Test
  void outputIsWhatTheModelWasShown() throws IOException {
    assertThat(fixture("made_all_records_0.153.jsonl").of(ToolResult.class))
        .filteredOn(result -> List.of("call_2", "call_3", "call_5", "ig_1").contains(result.id()))
        .extracting(result -> result.output().value().toString())
        .containsExactly(
            "{\"content\":\"no hunk\",\"success\":false}",
            "\"aGVsbG8=\"",
            "\"{\\\"agent_id\\\":\\\"child-1\\\"}\"",
            "[{\"name\":\"git_log\"}]");
  }

  @Test
  void exitCodeIsReadFromTheLinesBeforeTheOutputOnly() throws IOException {
    ImportedEvents events = imported(
        META,
        call("c1"),
        output("c1", "\"Exit code: 7\\nWall time: 0.5 seconds\\nOutput:\\nExit code: 9\""),
        call("c2"),
        output("c2", "\"Exit code: 8\""),
        call("c3"),
        output("c3", "\"{\\\"output\\\":\\\"\\\",\\\"metadata\\\":{\\\"exit_code\\\":0}}\""));

    assertThat(events.of(ToolResult.class))
        .extracting(
            result -> result.outcome().exitCode(), result -> result.outcome().ok())
        .containsExactly(tuple(7, false), tuple(null, null), tuple(0, true));
  }

  @Test
  void startAndSettingsAreThoseOfTheFirstRecord() throws IOException {
    ImportedEvents events = fixture("made_all_records_0.153.jsonl");

    SessionStart start = events.of(SessionStart.class).get(0);
    assertThat(start.meta().sessionId()).isEqualTo("all-records");
    assertThat(start.repository())
        .isEqualTo(JsonObject.of(
            "branch", "main", "commit", "abc", "remote", "https://example.org/r.git"));
    Settings settings = events.of(Settings.class).get(0);
    assertThat(settings.get(Settings.VERSIONS).value())
        .isEqualTo(JsonObject.of("codex", "0.153.4"));
    assertThat(settings.tools()).extracting(ToolDescription::name).containsExactly("lookup");
    assertThat(settings.tools().get(0).schema()).isNotNull();
    assertThat(events.of(ModelCall.class))
        .allSatisfy(call -> assertThat(call.prompt().value().asObject().get("system"))
            .isEqualTo(JsonValue.of("You are a coding agent.")));
  }

  @Test
  void toolsOfAGroupAreTools() throws IOException {
    ImportedEvents events = imported(
        META.replace(
            "\"cwd\"",
            "\"dynamic_tools\":{\"name\":\"group\",\"tools\":["
                + "{\"name\":\"one\",\"inputSchema\":{}},{\"name\":\"two\"}]},\"cwd\""),
        message("user", "Go"));

    assertThat(events.of(Settings.class).get(0).tools())
        .extracting(ToolDescription::name)
        .containsExactly("one", "two");
  }

  @Test
  void instructionsAreTheSystemPrompt_unlessAMessageHasThem() throws IOException {
    assertThat(ImportedEvents.of(
                ForeignFiles.path("codex/made_first_version.jsonl"), directory.resolve("a"))
            .of(ModelCall.class)
            .get(0)
            .prompt()
            .value()
            .asObject()
            .get("system"))
        .isEqualTo(JsonValue.of("Answer briefly."));
    assertThat(ImportedEvents.of(
                ForeignFiles.path("codex/made_parallel_calls_0.44.jsonl"), directory.resolve("b"))
            .of(ModelCall.class))
        .noneMatch(call -> call.prompt().value().asObject().has("system"));
  }

  @Test
  void idOfAnAnswerIsTheOneThatIsStated_andOtherThreadsDoNotCount() throws IOException {
    assertThat(fixture("made_all_records_0.153.jsonl").of(ModelCall.class))
        .extracting(ModelCall::id)
        .containsExactly("resp_1", "resp_2", "resp_3", "resp_4", "answer-1");
  }

  @Test
  void compactionReplacesTheConversation_andRollBackRemovesTurns() throws IOException {
    List<ModelCall> calls = fixture("made_all_records_0.153.jsonl").of(ModelCall.class);

    assertThat(messages(calls.get(3)).values())
        .extracting(message -> message.asObject().get("type").asString())
        .containsExactly("message", "compaction", "message");
    ImportedEvents rolledBack = ImportedEvents.of(
        directory,
        "b.jsonl",
        META,
        message("user", "One"),
        message("assistant", "1"),
        message("user", "Two"),
        message("assistant", "2"),
        event("\"type\":\"thread_rolled_back\",\"num_turns\":1"),
        message("user", "Three"),
        message("assistant", "3"));
    assertThat(messages(rolledBack.of(ModelCall.class).get(2)).toString())
        .contains("One", "Three")
        .doesNotContain("Two");
  }

  @Test
  void historyOfTheParentIsInThePrompt_butItsCallsAreNotCounted() throws IOException {
    ImportedEvents events = fixture("made_forked_0.153.jsonl");

    assertThat(events.of(SessionStart.class).get(0).task().text()).isEqualTo("Review the parser");
    assertThat(events.of(ToolCall.class)).extracting(ToolCall::id).containsExactly("c1");
    assertThat(events.of(ModelResult.class))
        .extracting(result -> result.tokens().input())
        .containsExactly(5100L, 5200L);
    ModelCall first = events.of(ModelCall.class).get(0);
    assertThat(messages(first).size()).isEqualTo(6);
    assertThat(first.model()).isEqualTo("gpt-5.5-mini");
    assertThat(first.prompt().value().asObject().get("system"))
        .isEqualTo(JsonValue.of("You review."));
  }

  @Test
  void historyWithoutIdsOfTurnsIsThatFromBeforeTheThread() throws IOException {
    String head = "{\"timestamp\":\"2026-01-01T%sZ\",\"type\":\"session_meta\",\"payload\":"
        + "{\"id\":\"%s\",\"cwd\":\"/w\"}}";
    ImportedEvents events = imported(
        head.formatted("10:00:00", "child"),
        head.formatted("09:00:00", "parent"),
        message("user", "Old"),
        message("assistant", "Before"),
        tokens(7, 7),
        message("user", "New").replace("10:00:01", "10:01:00"),
        message("assistant", "After").replace("10:00:01", "10:01:01"));

    assertThat(events.of(ModelCall.class)).hasSize(1);
    assertThat(messages(events.of(ModelCall.class).get(0)).toString())
        .contains("Old", "Before", "New");
    assertThat(events.report().sessions().get(0).counts().tokensIn()).isZero();
  }

  @Test
  void errorIsTheFailureOfTheCall() throws IOException {
    ModelResult failed =
        fixture("made_all_records_0.153.jsonl").of(ModelResult.class).get(4);

    assertThat(failed.succeeded()).isFalse();
    assertThat(failed.finish().error().message()).isEqualTo("You have reached your limit");
  }

  @Test
  void endOfATurnIsNotTheEndOfTheSession() throws IOException {
    assertThat(fixture("made_all_records_0.153.jsonl").of(SessionEnd.class)).isEmpty();
  }

  @Test
  void tokensOfATurnOfAStreamIncludeThoseOfTheTurnsBefore() throws IOException {
    assertThat(fixture("made_exec_stream.jsonl").of(ModelResult.class))
        .extracting(result -> result.tokens().input())
        .containsExactly(null, null, null, 5000L, 2000L, null);
  }

  @Test
  void itemsOfAStreamAreCallsWithTheirResults() throws IOException {
    assertThat(fixture("made_exec_stream.jsonl").of(ToolResult.class))
        .extracting(ToolResult::id, result -> result.outcome().ok(), result -> result
            .outcome()
            .exitCode())
        .containsExactly(
            tuple("item_2", false, null),
            tuple("item_1", false, 1),
            tuple("item_4", true, null),
            tuple("item_5", null, null));
  }

  @Test
  void unknownItemsAreKept() throws IOException {
    ImportedEvents events =
        imported(META, message("user", "Go"), item("\"type\":\"telepathy\",\"thought\":\"x\""));

    assertThat(events.report().sessions().get(0).unknownRecords())
        .containsOnlyKeys("response_item/telepathy");
    assertThat(events.of(RuntimeEvent.class))
        .extracting(RuntimeEvent::type)
        .contains("codex/response_item/telepathy");
  }

  @Test
  void rolloutWithoutATurnIsRefused() {
    assertThatThrownBy(() -> imported(META, event("\"type\":\"task_started\"")))
        .isInstanceOf(NothingRecognizedException.class);
  }
}
