package dev.agentreplay.junit;

import static dev.agentreplay.junit.Recordings.call;
import static dev.agentreplay.junit.ReplayAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.engine.view.Prices;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.junit.Recordings.Conduct;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelCall.Parameters;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ModelResult.Completion;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.RecordingGap;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Assertions on the models of a session; what is not recorded fails them. */
class ModelAssertTest {

  @TempDir
  private Path directory;

  private int sessions;

  private Session record(Conduct conduct) throws IOException {
    return Recordings.record(directory.resolve("session-" + sessions++), conduct);
  }

  /** A session that asks a model twice: 110 + 25 tokens. */
  private Session talk() throws IOException {
    return record(recorder -> {
      recorder
          .modelCall("small", "Which file?")
          .answer("a.txt", Completion.of("stop"), TokenCounts.of(10, 5));
      call(recorder, "a", "read", JsonObject.of("path", "a.txt"), "Helo");
      recorder
          .modelCall("large", "Correct it")
          .answer("Hello, it is done.", Completion.of("stop"), TokenCounts.of(100, 20));
    });
  }

  private AbstractThrowableAssert<?, ?> failure(ThrowingCallable assertion) {
    return assertThatThrownBy(assertion).isInstanceOf(AssertionError.class);
  }

  @Test
  void limits_that_are_kept_pass() throws IOException {
    assertThat(talk())
        .asksModelAtMost(2)
        .asksModelAtMost(Integer.MAX_VALUE)
        .usesAtMostTokens(135)
        .usesAtMostTokens(Long.MAX_VALUE)
        .hasAnswerContaining("it is done");
  }

  @Test
  void cost_up_to_the_limit_passes() throws IOException {
    // (10 + 100 tokens) * 1 + (5 + 20 tokens) * 4 of a million
    Prices prices = prices("small", "large");

    assertThat(talk()).costsAtMost(prices, new BigDecimal("0.000210"));
    failure(() -> assertThat(talk()).costsAtMost(prices, new BigDecimal("0.000209")))
        .hasMessageStartingWith(
            """
            expected a cost of at most 0.000209, found 0.00021
              line 3: "small", 10 + 5 tokens
              line 7: "large", 100 + 20 tokens
            in\s""");
    failure(() -> assertThat(talk()).costsAtMost(prices, BigDecimal.ZERO))
        .hasMessageStartingWith("expected a cost of at most 0, found 0.00021\n");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> assertThat(talk()).costsAtMost(prices, new BigDecimal("-0.1")))
        .withMessage("cost must not be negative: -0.1");
  }

  @Test
  void cost_of_a_model_without_a_price_is_not_known() throws IOException {
    BigDecimal most = BigDecimal.valueOf(1_000_000);

    failure(() -> assertThat(talk()).costsAtMost(prices("small"), most))
        .hasMessageStartingWith(
            """
            the cost is not known: no price of "large"
              line 7: "large", 100 + 20 tokens
            in\s""");
    failure(() -> assertThat(talk()).costsAtMost(Prices.NONE, most))
        .hasMessageStartingWith("the cost is not known: no price of \"large\", \"small\"\n");
    Session unnamed = log(
        new ModelCall("m", null, Content.of(JsonValue.of("x")), Parameters.NONE, Meta.NONE),
        ModelResult.of("m", "x").withTokens(TokenCounts.of(10, 5)));
    failure(() -> assertThat(unnamed).costsAtMost(prices("small"), most))
        .hasMessageStartingWith("the cost is not known: no price of a model that is not stated\n"
            + "  line 3: no model stated, 10 + 5 tokens\n");
  }

  @Test
  void cost_of_tokens_that_are_not_recorded_is_not_known() throws IOException {
    ModelCall call = ModelCall.of("m", "small", ModelCall.Prompt.of("x"));
    ModelResult result = ModelResult.of("m", "x");
    ModelResult known = result.withTokens(TokenCounts.of(1, 1));

    assertThat(log(call, known)).costsAtMost(prices("small"), BigDecimal.ONE);
    requireUnknown("no answer of a model was recorded", log(call));
    requireUnknown("1 model result without token counts", log(call, result));
    requireUnknown(
        "1 model result without token counts",
        log(call, result.withTokens(new TokenCounts(1L, null))));
    ModelResult failed =
        ModelResult.of("m", null).withFinish(Completion.failed("Reset", "by peer"));
    requireUnknown(
        "1 model result without token counts",
        log(call, failed.withTokens(new TokenCounts(1_000_000L, null))));
    assertThat(log(call, failed)).costsAtMost(prices("small"), BigDecimal.ZERO);
    requireUnknown(
        "1 model call without a result",
        log(call, known, ModelCall.of("n", "small", ModelCall.Prompt.of("x"))));
    failure(() -> assertThat(log(call, known, RecordingGap.of(1)))
            .costsAtMost(prices("small"), BigDecimal.ONE))
        .hasMessageContaining("1 event not recorded");
  }

  private void requireUnknown(String reason, Session session) {
    failure(() -> assertThat(session).costsAtMost(prices("small"), BigDecimal.ONE))
        .hasMessageStartingWith("the cost is not known: " + reason + "\n");
  }

  private Session log(ReplayEvent... events) throws IOException {
    return record(recorder -> {
      for (ReplayEvent event : events) {
        recorder.emit(event);
      }
    });
  }

  private static Prices prices(String... models) {
    return Prices.of(Stream.of(models)
        .collect(Collectors.toMap(
            model -> model, model -> new Prices.Price(BigDecimal.ONE, BigDecimal.valueOf(4)))));
  }

  @Test
  void call_above_the_limit_is_listed() throws IOException {
    Session talk = talk();

    failure(() -> assertThat(talk).asksModelAtMost(1))
        .hasMessage(
            """
            expected at most 1 model call, found 2
              line 3: "small", 10 + 5 tokens
              line 7: "large", 100 + 20 tokens
            in %s"""
                .formatted(talk.log()));
    failure(() -> assertThat(talk).asksModelAtMost(0));
  }

  @Test
  void tokens_above_the_limit_are_listed() throws IOException {
    Session talk = talk();

    failure(() -> assertThat(talk).usesAtMostTokens(134))
        .hasMessage(
            """
            expected at most 134 tokens, found more: 110 in prompts, 25 in answers
              line 3: "small", 10 + 5 tokens
              line 7: "large", 100 + 20 tokens
            in %s"""
                .formatted(talk.log()));
    failure(() -> assertThat(talk).usesAtMostTokens(100));
    failure(() -> assertThat(talk).usesAtMostTokens(0));
  }

  @Test
  void tokens_that_are_not_stated_are_not_zero() throws IOException {
    Session without = record(recorder -> {
      recorder.modelCall("m", "a").answer("b", Completion.NONE, TokenCounts.of(1, 1));
      recorder.modelCall("m", "a").answer("b");
    });
    failure(() -> assertThat(without).usesAtMostTokens(1_000_000))
        .hasMessageStartingWith("the tokens are not known: 1 model result without token counts\n"
            + "  line 5: \"m\", tokens not stated\n");
    Session half = record(recorder ->
        recorder.modelCall("m", "a").answer("b", Completion.NONE, new TokenCounts(7L, null)));
    failure(() -> assertThat(half).usesAtMostTokens(1_000_000))
        .hasMessageContaining("\n  line 3: \"m\", 7 + ? tokens\n");
    Session open = record(recorder -> {
      recorder.modelCall("m", "a").answer("b", Completion.NONE, TokenCounts.of(1, 1));
      recorder.modelCall("m", "a");
    });
    failure(() -> assertThat(open).usesAtMostTokens(1_000_000))
        .hasMessageStartingWith("the tokens are not known: 1 model call without a result\n"
            + "  line 5: \"m\", no result\n");
    Session none = record(recorder -> call(recorder, "a", "read", JsonObject.EMPTY, 1));
    failure(() -> assertThat(none).usesAtMostTokens(1_000_000))
        .hasMessageStartingWith("the tokens are not known: no answer of a model was recorded\n");
    assertThat(none).asksModelAtMost(0);
  }

  @Test
  void call_that_failed_counts_as_a_call_and_needs_no_tokens() throws IOException {
    Session failed = record(recorder -> {
      recorder.modelCall("m", "a").failed(new IOException("overloaded"));
      recorder.modelCall("m", "a").answer("b", Completion.NONE, TokenCounts.of(1, 1));
    });

    assertThat(failed).usesAtMostTokens(2).asksModelAtMost(2).hasAnswerContaining("b");
    failure(() -> assertThat(failed).asksModelAtMost(1))
        .hasMessageContaining("\n  line 3: \"m\", failed, tokens not stated\n");
  }

  @Test
  void log_with_a_gap_or_without_events_satisfies_no_limit() throws IOException {
    Session gap = record(recorder -> {
      recorder.modelCall("m", "a").answer("b", Completion.NONE, TokenCounts.of(1, 1));
      recorder.emit(RecordingGap.of(2));
    });
    Session blank = record(recorder -> {});
    for (Session each : List.of(gap, blank)) {
      String message = each == gap ? "2 events not recorded before line 5" : "nothing was recorded";
      failure(() -> assertThat(each).asksModelAtMost(9)).hasMessageStartingWith(message);
      failure(() -> assertThat(each).usesAtMostTokens(99)).hasMessageStartingWith(message);
      failure(() -> assertThat(each).hasAnswerContaining("b")).hasMessageStartingWith(message);
    }
    Session silent = record(recorder -> call(recorder, "a", "read", JsonObject.EMPTY, 1));
    failure(() -> assertThat(silent).hasAnswerContaining("b"))
        .hasMessageStartingWith("no answer of a model was recorded");
  }

  @Test
  void only_the_last_answer_counts_and_an_earlier_one_is_named() throws IOException {
    Session talk = talk();

    failure(() -> assertThat(talk).hasAnswerContaining("a.txt"))
        .hasMessage(
            """
            the last answer of a model does not contain the text
            expected: "a.txt"
            found:    "Hello, it is done." in line 8
            earlier answers contain it: line 4
            in %s"""
                .formatted(talk.log()));
    failure(() -> assertThat(talk).hasAnswerContaining("IT IS")).hasMessageNotContaining("earlier");
  }

  @Test
  void last_answer_is_that_of_the_last_result() throws IOException {
    Session talk = record(recorder -> {
      recorder.emit(ModelCall.of("1", "m", ModelCall.Prompt.of("a")));
      recorder.emit(ModelCall.of("2", "m", ModelCall.Prompt.of("b")));
      recorder.emit(ModelResult.of("2", "second"));
      recorder.emit(ModelResult.of("1", "first"));
    });

    assertThat(talk).hasAnswerContaining("first");
  }

  @Test
  void texts_within_an_answer_count() throws IOException {
    Session talk = record(recorder -> recorder
        .modelCall("m", "a")
        .answer(Map.of("role", "assistant", "content", List.of(Map.of("text", "It is done.")))));

    assertThat(talk).hasAnswerContaining("is done");
    failure(() -> assertThat(talk).hasAnswerContaining("content\":["));
    failure(() -> assertThat(talk).hasAnswerContaining("assistant"));
  }

  @Test
  void only_what_the_model_says_is_its_answer() throws IOException {
    Map<String, Object> message = Map.of(
        "id",
        "msg_done",
        "type",
        "message",
        "role",
        "assistant",
        "stop_reason",
        "end_turn",
        "content",
        List.of(
            Map.of("type", "thinking", "text", "Is it done?"),
            Map.of("type", "tool_use", "name", "done", "input", Map.of("text", "done")),
            Map.of("type", "text", "text", "I give up.")));
    Session talk = record(recorder -> recorder.modelCall("m", "a").answer(message));

    assertThat(talk).hasAnswerContaining("give up");
    failure(() -> assertThat(talk).hasAnswerContaining("done"));
    failure(() -> assertThat(talk).hasAnswerContaining("end_turn"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> assertThat(talk).hasAnswerContaining(""))
        .withMessage("text must not be blank");
  }

  @Test
  void last_answer_is_that_of_the_main_agent() throws IOException {
    Meta helper = Meta.NONE.withAgent("helper");
    Session talk = record(recorder -> {
      recorder.emit(ModelCall.of("1", "m", ModelCall.Prompt.of("a")));
      recorder.emit(ModelResult.of("1", "main"));
      recorder.emit(ModelCall.of("2", "m", ModelCall.Prompt.of("b")).withMeta(helper));
      recorder.emit(ModelResult.of("2", "other").withMeta(helper));
    });

    assertThat(talk).hasAnswerContaining("main");
    failure(() -> assertThat(talk).hasAnswerContaining("other"));
    Session others = record(recorder -> {
      recorder.emit(ModelCall.of("2", "m", ModelCall.Prompt.of("b")).withMeta(helper));
      recorder.emit(ModelResult.of("2", "other").withMeta(helper));
    });
    assertThat(others).hasAnswerContaining("other");
  }

  @Test
  void result_without_a_call_counts_as_a_call() throws IOException {
    Session talk = record(recorder -> {
      recorder.emit(ModelCall.of("1", "lost", ModelCall.Prompt.of("a")));
      recorder.emit(ModelResult.of("1", "a"));
      recorder.emit(ModelCall.of("2", "m", ModelCall.Prompt.of("b")));
      recorder.emit(ModelResult.of("2", "b"));
    });
    List<String> lines = Files.readAllLines(talk.log());
    Files.write(
        talk.log(), lines.stream().filter(line -> !line.contains("\"lost\"")).toList());

    assertThat(talk).asksModelAtMost(2);
    failure(() -> assertThat(talk).asksModelAtMost(1))
        .hasMessageStartingWith("expected at most 1 model call, found 2\n")
        .hasMessageContaining("\n  1 model result without a call\n");
  }

  @Test
  void negative_tokens_are_not_known() throws IOException {
    Session talk = record(recorder -> {
      recorder.modelCall("m", "a").answer("b", Completion.NONE, TokenCounts.of(1000, 1));
      recorder.modelCall("m", "a").answer("b", Completion.NONE, TokenCounts.of(77, 1));
    });
    Files.writeString(talk.log(), Files.readString(talk.log()).replace(":77", ":-990"));

    failure(() -> assertThat(talk).usesAtMostTokens(100))
        .hasMessageStartingWith("the tokens are not known: 1 model result without token counts\n"
            + "  line 5: \"m\", -990 + 1 tokens\n");
  }

  @Test
  void answer_of_which_only_the_hash_is_recorded_is_not_known() throws IOException {
    Session talk = record(recorder -> {
      recorder.emit(ModelCall.of("1", "m", ModelCall.Prompt.of("a")));
      recorder.emit(ModelResult.of("1", "")
          .withAnswer(
              Content.ofHash(ContentHash.sha256("\"done\"".getBytes(StandardCharsets.UTF_8)))));
    });

    failure(() -> assertThat(talk).hasAnswerContaining("done"))
        .hasMessageStartingWith("the last answer, in line 4, is not in the log, only the hash ");
  }

  @Test
  void negative_limits_are_refused() throws IOException {
    Session talk = talk();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> assertThat(talk).asksModelAtMost(-1))
        .withMessage("calls must not be negative: -1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> assertThat(talk).usesAtMostTokens(-1))
        .withMessage("tokens must not be negative: -1");
  }

  @Test
  void json_value_is_an_answer_too() throws IOException {
    Session talk =
        record(recorder -> recorder.modelCall("m", "a").answer(JsonValue.of(List.of(1, "two"))));

    assertThat(talk).hasAnswerContaining("two");
    failure(() -> assertThat(talk).hasAnswerContaining("1"));
  }
}
