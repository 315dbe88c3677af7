package dev.agentreplay.engine.exchange;

import static dev.agentreplay.engine.exchange.TestExchanges.ask;
import static dev.agentreplay.engine.exchange.TestExchanges.line;
import static dev.agentreplay.engine.exchange.TestExchanges.match;
import static dev.agentreplay.engine.exchange.TestExchanges.message;
import static dev.agentreplay.engine.exchange.TestExchanges.miss;
import static dev.agentreplay.engine.exchange.TestExchanges.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.diff.rule.Ignore;
import dev.agentreplay.engine.diff.rule.Tolerance;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each rule by which a request is matched, and the order in which exchanges are taken. */
class ExchangeMatcherTest {

  @TempDir
  Path directory;

  private @Nullable RecordedExchanges recording;

  private ExchangeMatcher matcher(boolean byPosition, TestExchanges recorded) throws Exception {
    recording = recorded.read(directory);
    return new ExchangeMatcher(recording, byPosition);
  }

  @AfterEach
  void close() throws Exception {
    if (recording != null) {
      recording.close();
    }
  }

  // ---- rules

  @Test
  void same_requests_are_taken_in_the_order_of_the_recording() throws Exception {
    ExchangeMatcher matcher = matcher(
        false,
        new TestExchanges()
            .add(tool("t", 1))
            .add(tool("u", 1))
            .add(tool("t", 1))
            .add(tool("t", 1)));

    assertThat(match(matcher, tool("t", 1))).isEqualTo("exact " + line(0));
    assertThat(match(matcher, tool("t", 1))).isEqualTo("out_of_order " + line(2));
    assertThat(match(matcher, tool("u", 1))).isEqualTo("exact " + line(1));
    assertThat(match(matcher, tool("t", 1))).isEqualTo("exact " + line(3));
    assertThat(match(matcher, tool("t", 1))).isEqualTo("exhausted");
  }

  @Test
  void a_request_at_a_different_place_is_out_of_order() throws Exception {
    ExchangeMatcher matcher =
        matcher(false, new TestExchanges().add(tool("t", 1)).add(tool("t", 2)).add(tool("t", 3)));

    assertThat(match(matcher, tool("t", 3))).isEqualTo("out_of_order " + line(2));
    assertThat(match(matcher, tool("t", 1))).isEqualTo("exact " + line(0));
    assertThat(match(matcher, tool("t", 2))).isEqualTo("exact " + line(1));
  }

  @Test
  void the_order_of_the_members_of_a_request_and_its_id_do_not_matter() throws Exception {
    ExchangeMatcher matcher =
        matcher(false, new TestExchanges().add(tool("t", JsonObject.of("a", 1, "b", 2))));

    assertThat(match(matcher, ToolCall.of("other", "t", JsonObject.of("b", 2, "a", 1))))
        .isEqualTo("exact " + line(0));
  }

  @Test
  void a_request_that_is_equal_under_the_rules_is_the_first_unused_one() throws Exception {
    recording = new TestExchanges()
        .add(tool("t", JsonObject.of("path", "a", "at", 1)))
        .add(tool("t", JsonObject.of("path", "b", "at", 2)))
        .add(tool("t", JsonObject.of("path", "a", "at", 3)))
        .read(directory, Ignore.at("/params/at"));
    ExchangeMatcher matcher = new ExchangeMatcher(recording, false);

    assertThat(match(matcher, tool("t", JsonObject.of("path", "a", "at", 9))))
        .isEqualTo("rules " + line(0));
    assertThat(match(matcher, tool("t", JsonObject.of("path", "a", "at", 9))))
        .isEqualTo("rules " + line(2));
    assertThat(match(matcher, tool("t", JsonObject.of("path", "c", "at", 2))))
        .isEqualTo("diverged");
  }

  @Test
  void rules_continue_into_the_json_in_the_texts_of_a_request() throws Exception {
    recording = new TestExchanges()
        .add(tool("t", JsonObject.of("q", "{\"path\":\"a\",\"at\":1}")))
        .add(tool("t", JsonObject.of("q", "{\"path\":\"b\",\"at\":2}")))
        .add(tool("t", JsonObject.of("q", "{\"path\":\"c\"}")))
        .read(directory, Ignore.at("/params/q/at"));
    ExchangeMatcher matcher = new ExchangeMatcher(recording, false);

    assertThat(match(matcher, tool("t", JsonObject.of("q", "{\"at\":9, \"path\":\"b\"}"))))
        .isEqualTo("rules " + line(1));
    assertThat(match(matcher, tool("t", JsonObject.of("q", "{\"path\":\"a\"}"))))
        .isEqualTo("rules " + line(0));
    assertThat(match(matcher, tool("t", JsonObject.of("q", "{ \"path\":\"c\"}"))))
        .isEqualTo("diverged");
    assertThat(match(matcher, tool("t", JsonObject.of("q", "{\"at\":3, \"path\":\"c\"}"))))
        .isEqualTo("rules " + line(2));
  }

  @Test
  void an_exact_request_is_preferred_to_one_that_is_equal_under_the_rules() throws Exception {
    recording = new TestExchanges()
        .add(tool("t", JsonObject.of("at", 1)))
        .add(tool("t", JsonObject.of("at", 2)))
        .read(directory, Ignore.at("/params/at"));
    ExchangeMatcher matcher = new ExchangeMatcher(recording, false);

    assertThat(match(matcher, tool("t", JsonObject.of("at", 2))))
        .isEqualTo("out_of_order " + line(1));
    assertThat(match(matcher, tool("t", JsonObject.of("at", 2)))).isEqualTo("rules " + line(0));
  }

  @Test
  void a_different_request_at_the_same_place_is_matched_by_position_only() throws Exception {
    TestExchanges recorded =
        new TestExchanges().add(tool("t", 1)).add(ask(message("user", "hi"))).add(tool("t", 2));
    ExchangeMatcher strict = matcher(false, recorded);
    assertThat(match(strict, tool("t", 9))).isEqualTo("diverged");
    recording.close();

    ExchangeMatcher matcher = matcher(true, recorded);
    assertThat(match(matcher, tool("u", 1))).isEqualTo("never_recorded");
    assertThat(match(matcher, ask(message("user", "hello")))).isEqualTo("diverged");
    assertThat(match(matcher, tool("t", 9))).isEqualTo("position " + line(0));
    assertThat(match(matcher, ask(message("user", "hello")))).isEqualTo("position " + line(1));
    assertThat(match(matcher, tool("t", 2))).isEqualTo("exact " + line(2));
  }

  @Test
  void lanes_are_matched_by_themselves() throws Exception {
    ExchangeMatcher matcher = matcher(
        false, new TestExchanges().add(tool("t", 1), "a").add(tool("t", 1), "b").add(tool("t", 1)));

    assertThat(match(matcher, tool("t", 1))).isEqualTo("exact " + line(2));
    assertThat(match(matcher, tool("t", 1))).isEqualTo("exhausted");
    assertThat(match(matcher, tool("t", 1), "b")).isEqualTo("exact " + line(1));
    assertThat(match(matcher, tool("t", 1), "a")).isEqualTo("exact " + line(0));
    assertThat(match(matcher, tool("t", 1), "c")).isEqualTo("never_recorded");
  }

  @Test
  void requests_of_several_threads_take_each_exchange_once() throws Exception {
    int threads = 8;
    int calls = 50;
    TestExchanges recorded = new TestExchanges();
    for (int i = 0; i < threads * calls; i++) {
      recorded.add(tool("t", i % calls));
    }
    ExchangeMatcher matcher = matcher(false, recorded);
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<List<String>>> matched = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        matched.add(pool.submit(() -> {
          List<String> lines = new ArrayList<>();
          for (int i = 0; i < calls; i++) {
            lines.add(match(matcher, tool("t", i)).replaceAll(".* ", ""));
          }
          return lines;
        }));
      }
      Set<String> lines = new HashSet<>();
      for (Future<List<String>> future : matched) {
        lines.addAll(future.get());
      }

      assertThat(lines).hasSize(threads * calls).doesNotContain("exhausted");
      assertThat(match(matcher, tool("t", 0))).isEqualTo("exhausted");
    } finally {
      pool.shutdown();
    }
  }

  // ---- one change

  @Property(tries = 150)
  void one_changed_request_is_one_miss_or_one_match_by_position(
      @ForAll @Size(min = 1, max = 25) List<@IntRange(max = 9) Integer> requests,
      @ForAll @IntRange(max = 24) int changed,
      @ForAll boolean byPosition)
      throws Exception {
    int place = changed % requests.size();
    Path file = Files.createTempDirectory("exchanges");
    try (RecordedExchanges read = new TestExchanges().addAll(calls(requests)).read(file)) {
      ExchangeMatcher matcher = new ExchangeMatcher(read, byPosition);
      List<ReplayEvent> replayed = calls(requests);
      replayed.set(place, changed(replayed.get(place)));
      List<String> results = new ArrayList<>();
      for (ReplayEvent call : replayed) {
        results.add(match(matcher, call));
      }

      for (int i = 0; i < results.size(); i++) {
        String expected = i != place ? "exact " : byPosition ? "position " : "diverged";
        String reached = expected.endsWith(" ") ? expected + line(i) : expected;
        assertThat(results.get(i)).as("%d of %s, changed %d", i, results, place).isEqualTo(reached);
      }
    } finally {
      try (Stream<Path> files = Files.walk(file)) {
        files.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
      }
    }
  }

  /** Calls of two tools, many of which are the same, and a conversation with a model. */
  private static List<ReplayEvent> calls(List<Integer> numbers) {
    List<ReplayEvent> calls = new ArrayList<>();
    List<JsonValue> messages = new ArrayList<>();
    for (int number : numbers) {
      if (number < 6) {
        calls.add(tool(number % 2 == 0 ? "t" : "u", number / 2));
      } else {
        messages.add(message("user", "turn " + number));
        calls.add(ask("m", messages));
        messages.add(message("assistant", "a"));
      }
    }
    return calls;
  }

  private static ReplayEvent changed(ReplayEvent call) {
    if (call instanceof ToolCall tool) {
      return tool(tool.tool(), "changed");
    }
    List<JsonValue> messages = new ArrayList<>(
        ((ModelCall) call).prompt().value().at("/messages").asArray().values());
    messages.set(messages.size() - 1, message("user", "changed"));
    return ask("m", messages);
  }

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
  void a_miss_states_if_too_many_requests_would_have_to_be_compared() throws Exception {
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
          .contains("it differs from what was recorded (DIVERGED)\n");
    }
    try (RecordedExchanges recording = recorded
        .add(tool("t", JsonObject.of("x", 0.0)))
        .read(directory, Tolerance.parse("/params/x=0.1"))) {
      ExchangeMatcher matcher = new ExchangeMatcher(recording, false);

      assertThat(miss(matcher, tool("t", JsonObject.of("x", 5))).message())
          .contains("it differs from what was recorded; too many to compare all of them under the"
              + " rules (DIVERGED)\n");
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

  /** A conversation with tools in the prompts of some turns. */
  private static List<ModelCall> conversation(IntPredicate hasTools) {
    List<ModelCall> turns = new ArrayList<>();
    for (ModelCall turn : conversation("c", 8, "It is 10:00.")) {
      JsonObject prompt = turn.prompt().value().asObject();
      turns.add(
          hasTools.test(turns.size())
              ? turn.withPrompt(Content.of(prompt.with("tools", JsonArray.of("search"))))
              : turn);
    }
    return turns;
  }

  @Test
  void tools_that_are_added_or_removed_in_a_turn_are_one_miss() throws Exception {
    for (boolean areAdded : new boolean[] {false, true}) {
      Path log = directory.resolve("added-" + areAdded);
      try (RecordedExchanges recording =
          new TestExchanges().addAll(conversation(turn -> !areAdded)).read(log)) {
        ExchangeMatcher matcher = new ExchangeMatcher(recording, false);
        List<String> results = new ArrayList<>();
        for (ModelCall call : conversation(turn -> areAdded == (turn >= 3))) {
          results.add(match(matcher, call));
        }

        assertThat(results.subList(0, 3)).allMatch(result -> result.startsWith("exact"));
        assertThat(results.get(3)).isIn("diverged", "tools_changed");
        assertThat(results.subList(4, 8)).allMatch(result -> result.startsWith("delta"));
      }
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
