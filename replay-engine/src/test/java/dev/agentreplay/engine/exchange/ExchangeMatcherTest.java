package dev.agentreplay.engine.exchange;

import static dev.agentreplay.engine.exchange.TestExchanges.ask;
import static dev.agentreplay.engine.exchange.TestExchanges.line;
import static dev.agentreplay.engine.exchange.TestExchanges.match;
import static dev.agentreplay.engine.exchange.TestExchanges.message;
import static dev.agentreplay.engine.exchange.TestExchanges.miss;
import static dev.agentreplay.engine.exchange.TestExchanges.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.diff.rule.Tolerance;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each rule by which a request is matched, and the order in which exchanges are taken. */
class ExchangeMatcherTest {

  @TempDir
  Path directory;

  @Test
  void one_of_many_concurrent_calls_is_matched_under_a_tolerance() throws Exception {
    int calls = 300;
    TestExchanges recorded = new TestExchanges();
    for (int i = 0; i < calls; i++) {
      recorded.add(tool("t", JsonObject.of("x", 10.0 * i)));
    }
    try (RecordedExchanges recording = recorded.read(directory, Tolerance.parse("/params/x=0.1"))) {
      ExchangeMatcher matcher = new ExchangeMatcher(recording, false);

      for (int i = calls - 1; i >= 0; i--) {
        assertThat(match(matcher, tool("t", JsonObject.of("x", 10.0 * i + 0.05))))
            .isEqualTo("rules " + line(i));
      }
    }
  }

  @Test
  void a_miss_says_as_there_are_too_many_to_compare_under_the_rules() throws Exception {
    int calls = ExchangeMatcher.MAX_COMPARED + 1;
    TestExchanges recorded = new TestExchanges();
    for (int i = 0; i < calls; i++) {
      recorded.add(tool("t", JsonObject.of("x", 10.0 * i)));
    }
    try (RecordedExchanges recording = recorded.read(directory, Tolerance.parse("/params/x=0.1"))) {
      ExchangeMatcher matcher = new ExchangeMatcher(recording, false);

      assertThat(match(matcher, tool("t", JsonObject.of("x", 10.0 * calls - 20 + 0.05))))
          .isEqualTo("rules " + line(calls - 2));
      assertThat(match(matcher, tool("t", JsonObject.of("x", 0.05)))).isEqualTo("rules 2");
      assertThat(miss(matcher, tool("t", JsonObject.of("x", 5))).message())
          .contains("it differs from what was recorded\n");
    }
    try (RecordedExchanges recording = recorded
        .add(tool("t", JsonObject.of("x", 0.0)))
        .read(directory, Tolerance.parse("/params/x=0.1"))) {
      ExchangeMatcher matcher = new ExchangeMatcher(recording, false);

      assertThat(miss(matcher, tool("t", JsonObject.of("x", 5))).message())
          .contains("it differs from what was recorded; too many to compare all of them under the"
              + " rules\n");
    }
  }

  // ---- conversations

  /** The requests of a conversation of several turns; the second message is the given one. */
  private static List<ModelCall> conversation(String name, int turns, String second) {
    List<ModelCall> calls = new ArrayList<>();
    List<JsonValue> messages = new ArrayList<>();
    for (int turn = 0; turn < turns; turn++) {
      messages.add(message("user", turn == 1 ? second : name + turn));
      calls.add(ask("m", messages));
      messages.add(message("assistant", "a"));
    }
    return calls;
  }

  /** The elements of lists in turn. */
  private static List<ModelCall> interleaved(List<List<ModelCall>> lists) {
    List<ModelCall> all = new ArrayList<>();
    for (int i = 0; i < lists.get(0).size(); i++) {
      for (List<ModelCall> list : lists) {
        all.add(list.get(i));
      }
    }
    return all;
  }

  @Test
  void each_of_several_interleaved_conversations_has_a_base() throws Exception {
    List<List<ModelCall>> recorded = new ArrayList<>();
    List<List<ModelCall>> replayed = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      recorded.add(conversation("c" + i + "-", 6, "It is 10:00."));
      replayed.add(conversation("c" + i + "-", 6, "It is 11:00."));
    }
    try (RecordedExchanges recording =
        new TestExchanges().addAll(interleaved(recorded)).read(directory)) {
      ExchangeMatcher matcher = new ExchangeMatcher(recording, true);
      List<String> rungs = new ArrayList<>();
      for (ModelCall call : interleaved(replayed)) {
        rungs.add(match(matcher, call).replaceAll(" .*", ""));
      }

      assertThat(rungs.subList(0, 20)).containsOnly("exact");
      assertThat(rungs.subList(20, 40)).containsOnly("position");
      assertThat(rungs.subList(40, 120)).containsOnly("delta");
    }
  }

  @Test
  void a_missed_request_is_the_base_of_those_that_continue_it() throws Exception {
    try (RecordedExchanges recording =
        new TestExchanges().addAll(conversation("c", 100, "It is 10:00.")).read(directory)) {
      ExchangeMatcher matcher = new ExchangeMatcher(recording, false);
      List<String> results = new ArrayList<>();
      for (ModelCall call : conversation("c", 100, "It is 11:00.")) {
        results.add(match(matcher, call));
      }

      assertThat(results).startsWith("exact 2", "diverged", "delta " + line(2));
      assertThat(results.subList(2, 100)).allMatch(result -> result.startsWith("delta"));
    }
  }

  @Test
  void a_request_that_adds_something_else_is_missed() throws Exception {
    List<ModelCall> recorded = conversation("c", 4, "It is 10:00.");
    List<ModelCall> replayed = conversation("c", 4, "It is 11:00.");
    List<JsonValue> messages = new ArrayList<>(
        replayed.get(2).prompt().value().at("/messages").asArray().values());
    messages.set(messages.size() - 1, message("user", "Something else."));
    try (RecordedExchanges recording = new TestExchanges().addAll(recorded).read(directory)) {
      ExchangeMatcher matcher = new ExchangeMatcher(recording, false);

      assertThat(match(matcher, replayed.get(0))).isEqualTo("exact " + line(0));
      assertThat(match(matcher, replayed.get(1))).isEqualTo("diverged");
      assertThat(match(matcher, ask("m", messages))).isEqualTo("diverged");
      assertThat(match(matcher, replayed.get(2))).isEqualTo("delta " + line(2));
    }
  }

  @Test
  void conversations_that_branch_off_one_beginning_are_matched_in_any_order() throws Exception {
    List<ModelCall> recorded = new ArrayList<>();
    List<ModelCall> replayed = new ArrayList<>();
    JsonObject answer = message("assistant", "a");
    recorded.add(ask(message("user", "It is 10:00.")));
    replayed.add(ask(message("user", "It is 11:00.")));
    for (int i = 0; i < 10; i++) {
      recorded.add(ask(message("user", "It is 10:00."), answer, message("user", "branch " + i)));
      replayed.add(ask(message("user", "It is 11:00."), answer, message("user", "branch " + i)));
    }
    Collections.reverse(replayed.subList(1, 11));
    try (RecordedExchanges recording = new TestExchanges().addAll(recorded).read(directory)) {
      ExchangeMatcher matcher = new ExchangeMatcher(recording, false);

      assertThat(match(matcher, replayed.get(0))).isEqualTo("diverged");
      for (int i = 1; i <= 10; i++) {
        assertThat(match(matcher, replayed.get(i))).isEqualTo("delta " + line(11 - i));
      }
    }
  }

  @Test
  void prompts_are_kept_only_while_a_recorded_call_continues_them() throws Exception {
    try (RecordedExchanges recording =
        new TestExchanges().addAll(conversation("c", 10, "It is 10:00.")).read(directory)) {
      ExchangeMatcher matcher = new ExchangeMatcher(recording, false);
      List<Integer> kept = new ArrayList<>();
      for (ModelCall call : conversation("c", 10, "It is 10:00.")) {
        match(matcher, call);
        kept.add(matcher.keptPrompts());
      }

      assertThat(kept).containsExactly(1, 1, 1, 1, 1, 1, 1, 1, 1, 0);
    }
  }
}
