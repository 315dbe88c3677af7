package dev.agentreplay.engine.exchange;

import static dev.agentreplay.engine.exchange.TestExchanges.ask;
import static dev.agentreplay.engine.exchange.TestExchanges.line;
import static dev.agentreplay.engine.exchange.TestExchanges.match;
import static dev.agentreplay.engine.exchange.TestExchanges.message;
import static dev.agentreplay.engine.exchange.TestExchanges.miss;
import static dev.agentreplay.engine.exchange.TestExchanges.prompt;
import static dev.agentreplay.engine.exchange.TestExchanges.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.RecordedValue;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The reason of each kind of miss, and the nearest recorded request. */
class MissFinderTest {

  @TempDir
  Path directory;

  // ---- nearest request

  private static List<ModelCall> conversation(String name, int turns) {
    List<ModelCall> calls = new ArrayList<>();
    List<JsonValue> messages = new ArrayList<>();
    for (int turn = 0; turn < turns; turn++) {
      messages.add(message("user", name + turn));
      calls.add(ask("m", messages));
      messages.add(message("assistant", "a"));
    }
    return calls;
  }

  private static ModelCall changed(ModelCall call, int message) {
    List<JsonValue> messages =
        new ArrayList<>(call.prompt().value().at("/messages").asArray().values());
    messages.set(message, message("user", "changed"));
    return ask("m", messages);
  }

  @Test
  void nearest_prompt_is_that_with_most_messages_in_common() throws Exception {
    TestExchanges recorded = new TestExchanges();
    for (int i = 0; i < 10; i++) {
      recorded.addAll(conversation("c" + i + "-", 10));
    }
    for (int turn = 0; turn < 10; turn++) {
      try (RecordedExchanges recording = recorded.read(directory)) {
        ExchangeMatcher matcher = new ExchangeMatcher(recording, false);

        ReplayMiss miss = miss(matcher, changed(conversation("c7-", 10).get(turn), 2 * turn));

        assertThat(miss.kind()).isEqualTo(MissKind.DIVERGED);
        if (turn > 0) { // nothing is in common with the first message of a conversation
          assertThat(miss.nearest().line()).isEqualTo(line(70 + turn));
          assertThat(miss.nearest().message()).isEqualTo(2 * turn);
        }
      }
    }
  }

  @Test
  void nearest_prompt_has_as_many_messages_if_the_first_one_differs() throws Exception {
    try (RecordedExchanges recording =
        new TestExchanges().addAll(conversation("c", 100)).read(directory)) {
      ExchangeMatcher matcher = new ExchangeMatcher(recording, false);

      ReplayMiss miss = miss(matcher, changed(conversation("c", 100).get(80), 0));

      assertThat(miss.nearest().line()).isEqualTo(line(80));
      assertThat(miss.nearest().pointer()).isEqualTo("/prompt/messages/0/content");
      assertThat(miss.nearest().recorded()).isEqualTo("\"c0\"");
      assertThat(miss.nearest().actual()).isEqualTo("\"changed\"");
    }
  }

  @Test
  void place_that_differs_is_that_of_the_whole_prompt() throws Exception {
    for (int message : new int[] {0, 40, 198}) {
      try (RecordedExchanges recording =
          new TestExchanges().add(conversation("c", 100).get(99)).read(directory)) {
        ExchangeMatcher matcher = new ExchangeMatcher(recording, false);

        ReplayMiss miss = miss(matcher, changed(conversation("c", 100).get(99), message));

        assertThat(miss.nearest().pointer()).isEqualTo("/prompt/messages/" + message + "/content");
      }
    }
  }

  // ---- reasons

  private ReplayMiss missAfter(TestExchanges recorded, ReplayEvent... requests) throws Exception {
    try (RecordedExchanges recording = recorded.read(directory)) {
      ExchangeMatcher matcher = new ExchangeMatcher(recording, false);
      for (int i = 0; i < requests.length - 1; i++) {
        assertThat(match(matcher, requests[i])).startsWith("exact");
      }
      return miss(matcher, requests[requests.length - 1]);
    }
  }

  @Test
  void request_that_was_used_as_often_as_recorded_is_exhausted() throws Exception {
    TestExchanges recorded = new TestExchanges().add(tool("t", 1)).add(tool("t", 1));

    ReplayMiss miss = missAfter(recorded, tool("t", 1), tool("t", 1), tool("t", 1));

    assertThat(miss.kind()).isEqualTo(MissKind.EXHAUSTED);
    assertThat(miss.message())
        .contains("the recording has 2 exchanges with this request, and no unused one")
        .contains("line " + line(1));
  }

  @Test
  void tool_that_was_used_as_often_as_recorded_is_exhausted() throws Exception {
    TestExchanges recorded = new TestExchanges().add(tool("t", 1)).add(tool("t", 2));

    ReplayMiss miss = missAfter(recorded, tool("t", 1), tool("t", 2), tool("t", 3));

    assertThat(miss.kind()).isEqualTo(MissKind.EXHAUSTED);
    assertThat(miss.message())
        .endsWith("the recording has 2 calls of this tool, and no unused one (EXHAUSTED)\n"
            + "  request: 3");
    assertThat(miss.nearest()).isNull();
  }

  @Test
  void model_calls_are_counted_whatever_their_model() throws Exception {
    ModelCall one = ask("m1", List.of(message("user", "hi")));
    ModelCall other = ask("m2", List.of(message("user", "hi")));

    ReplayMiss miss = missAfter(new TestExchanges().add(one), one, other);

    assertThat(miss.kind()).isEqualTo(MissKind.EXHAUSTED);
    assertThat(miss.message())
        .isEqualTo("model call m2 cannot be answered from the recording: the recording has 1 model"
            + " call in this lane, and no unused one (EXHAUSTED)\n"
            + "  last message: {\"role\":\"user\",\"content\":\"hi\"}");
  }

  @Test
  void tool_without_a_call_was_never_recorded() throws Exception {
    ReplayMiss miss = missAfter(new TestExchanges().add(tool("t", 1)), tool("u", 1));

    assertThat(miss.kind()).isEqualTo(MissKind.NEVER_RECORDED);
    assertThat(miss.message()).contains("the recording has no call of this tool in this lane");
    assertThat(miss.nearest().pointer()).isEqualTo("/tool");
  }

  @Test
  void model_without_a_call_was_never_recorded() throws Exception {
    ReplayMiss miss = missAfter(new TestExchanges().add(tool("t", 1)), ask(message("user", "hi")));

    assertThat(miss.kind()).isEqualTo(MissKind.NEVER_RECORDED);
    assertThat(miss.message()).contains("the recording has no model call in this lane");
    assertThat(miss.nearest().line()).isEqualTo(line(0));
  }

  @Test
  void lane_without_an_exchange_was_never_recorded() throws Exception {
    ReplayMiss miss = missAfter(new TestExchanges().add(tool("t", 1), "a"), tool("t", 1));

    assertThat(miss.kind()).isEqualTo(MissKind.NEVER_RECORDED);
    assertThat(miss.message()).contains("the recording has no exchange of the main agent");
  }

  @Test
  void request_that_differs_has_the_place() throws Exception {
    ReplayMiss miss = missAfter(
        new TestExchanges()
            .add(tool("t", JsonObject.of("path", "x", "mode", "r")))
            .add(tool("t", JsonObject.of("path", "b", "mode", "w"))),
        tool("t", JsonObject.of("path", "a", "mode", "w")));

    assertThat(miss.kind()).isEqualTo(MissKind.DIVERGED);
    assertThat(miss.nearest())
        .isEqualTo(new ReplayMiss.Nearest(line(1), "/params/path", "\"b\"", "\"a\""));
  }

  @Test
  void request_of_another_kind_than_the_next_exchange_is_of_the_wrong_kind() throws Exception {
    ModelCall ask = ask(message("user", "hi"));

    ReplayMiss miss =
        missAfter(new TestExchanges().add(tool("t", 1)).add(ask), tool("t", 1), tool("t", 2));

    assertThat(miss.kind()).isEqualTo(MissKind.WRONG_KIND);
    assertThat(miss.message()).contains("is a model call, on line " + line(1));
  }

  @Test
  void tool_after_its_last_call_diverges_from_the_next_tool() throws Exception {
    ReplayMiss miss = missAfter(
        new TestExchanges().add(tool("t", 1)).add(tool("u", 1)), tool("t", 1), tool("t", 2));

    assertThat(miss.kind()).isEqualTo(MissKind.DIVERGED);
    assertThat(miss.message()).contains("is one of u, on line " + line(1));
    assertThat(miss.nearest().pointer()).isEqualTo("/tool");
  }

  @Test
  void prompt_with_a_different_model_or_different_parameters_is_of_a_changed_model()
      throws Exception {
    List<JsonValue> hi = List.of(message("user", "hi"));
    ModelCall ask = ask("m", hi);
    ModelCall warm = new ModelCall(
        "", "m", ask.prompt(), ModelCall.Parameters.NONE.withTemperature(1.0), Meta.NONE);

    for (ModelCall request : List.of(ask("m2", hi), warm)) {
      ReplayMiss miss = missAfter(new TestExchanges().add(ask), request);

      assertThat(miss.kind()).isEqualTo(MissKind.MODEL_CHANGED);
      assertThat(miss.message()).contains("recorded with a different model or parameters");
    }
  }

  @Test
  void messages_with_different_tools_are_of_changed_tools() throws Exception {
    JsonObject prompt = JsonObject.of("messages", JsonArray.of(message("user", "hi")));
    JsonObject one = prompt.with("context", JsonObject.of("tools", JsonArray.of("a")));
    JsonObject other = prompt.with("context", JsonObject.of("tools", JsonArray.of("b")));

    ReplayMiss miss = missAfter(new TestExchanges().add(prompt(one)), prompt(other));

    assertThat(miss.kind()).isEqualTo(MissKind.TOOLS_CHANGED);
    assertThat(miss.nearest().pointer()).startsWith("/prompt/context");
  }

  @Test
  void call_without_a_result_and_result_without_a_value_cannot_be_answered() throws Exception {
    try (RecordedExchanges recording =
        new TestExchanges().unanswered(tool("t", 1), null).read(directory)) {
      ExchangeMatcher matcher = new ExchangeMatcher(recording, false);
      RecordedExchange exchange =
          ((ExchangeMatcher.Matched) matcher.match(tool("t", 1), null)).exchange();

      assertThat(exchange.isAnswered()).isFalse();
      ReplayMiss undecided =
          ExchangeMatcher.unanswerable(exchange, tool("t", 1), MissKind.UNDECIDED);
      assertThat(undecided.kind()).isEqualTo(MissKind.UNDECIDED);
      assertThat(undecided.message()).contains("on line " + line(0) + ", has no result");
      ReplayMiss hash = ExchangeMatcher.unanswerable(exchange, tool("t", 1), MissKind.NOT_SERVABLE);
      assertThat(hash.kind()).isEqualTo(MissKind.NOT_SERVABLE);
      assertThat(hash.message()).contains("only the hash of the result");
    }
  }

  // ---- message

  @Test
  void message_has_the_reason_with_its_kind_the_request_and_the_place() throws Exception {
    ReplayMiss miss = missAfter(
        new TestExchanges().add(tool("t", JsonObject.of("path", "a"))),
        tool("t", JsonObject.of("path", "b")));

    assertThat(miss.message())
        .isEqualTo(
            """
            tool call t cannot be answered from the recording: it differs from what was recorded (DIVERGED)
              request: {"path":"b"}
              nearest recorded request: line 2, first difference at /params/path
              - recorded  "a"
              + actual    "b\"""");
  }

  @Test
  void prompt_is_shown_by_its_last_message() throws Exception {
    JsonObject tools = JsonObject.of("context", JsonObject.of("tools", JsonArray.of("x")));
    JsonObject prompt =
        tools.with("messages", JsonArray.of(message("user", "hi"), message("user", "there")));

    ReplayMiss miss =
        missAfter(new TestExchanges().add(ask(message("user", "hi"))), prompt(prompt));

    assertThat(miss.message())
        .contains("\n  last message: {\"role\":\"user\",\"content\":\"there\"}\n");
  }

  @Test
  void requests_before_the_nearest_that_were_not_made_are_listed() throws Exception {
    ModelCall ask = ask(message("user", "read a, b, c and d"));
    TestExchanges recorded = new TestExchanges();
    for (String path : List.of("a", "b", "c", "d")) {
      recorded.add(tool("t", JsonObject.of("path", path)));
    }
    recorded.add(ask);

    try (RecordedExchanges recording = recorded.read(directory)) {
      ExchangeMatcher matcher = new ExchangeMatcher(recording, false);
      for (String path : List.of("a", "c", "d")) {
        match(matcher, tool("t", JsonObject.of("path", path)));
      }
      assertThat(miss(matcher, ask(message("user", "read a, c and d"))).message())
          .endsWith("\n  not requested so far: line 4 t {\"path\":\"b\"}")
          .doesNotContain("others");
    }

    ReplayMiss all = missAfter(recorded, ask(message("user", "read nothing")));
    assertThat(all.message().lines().filter(line -> line.contains("not requested so far")))
        .hasSize(4)
        .endsWith("  not requested so far: others after them");
  }

  @Test
  void difference_that_a_rule_ignores_names_the_rule() throws Exception {
    assertThat(differing("on 2026-01-13T10:00:00Z", "on 2026-02-14T11:30:00Z"))
        .endsWith("\n  a rule ignores this difference: Normalizer.dates(), or --normalize dates");
    assertThat(differing("/tmp/a1/x", "/tmp/b2/x")).contains("Normalizer.temporaryFolders()");
    assertThat(differing("on Monday", "on Tuesday")).doesNotContain("Normalizer");
  }

  private String differing(String recorded, String actual) throws Exception {
    return missAfter(new TestExchanges().add(tool("t", recorded)), tool("t", actual))
        .message();
  }

  // ---- values

  @Test
  void value_states_how_many_were_recorded() throws Exception {
    TestExchanges recorded = new TestExchanges().add(RecordedValue.of("clock", 0, JsonValue.of(1)));
    try (RecordedExchanges recording = recorded.read(directory)) {
      ExchangeMatcher matcher = new ExchangeMatcher(recording, false);

      assertThat(matcher.unrecorded(null, "clock", 2).message())
          .endsWith("number 3 was requested, but the recording has 1 value of this source in this"
              + " lane (EXHAUSTED)");
      assertThat(matcher.unrecorded(null, "clock", 1).kind()).isEqualTo(MissKind.EXHAUSTED);
      assertThat(matcher.unrecorded(null, "random", 2).kind()).isEqualTo(MissKind.NEVER_RECORDED);
      assertThat(matcher.unrecorded("a", "clock", 0).kind()).isEqualTo(MissKind.NEVER_RECORDED);
    }
  }
}
