package dev.agentreplay.engine.exchange;

import static dev.agentreplay.engine.exchange.TestExchanges.ask;
import static dev.agentreplay.engine.exchange.TestExchanges.match;
import static dev.agentreplay.engine.exchange.TestExchanges.message;
import static dev.agentreplay.engine.exchange.TestExchanges.prompt;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Prompts that continue others, with results of the replay that differ from the recorded ones. */
class PromptGrowthTest {

  private static final JsonObject TASK = message("user", "Count the files.");
  private static final String DELTA = "delta 4";

  @TempDir
  Path directory;

  /** The match of a request that adds a message, after a result that differs. */
  private String added(JsonValue recorded, JsonValue actual, Object before, Object after)
      throws Exception {
    try (RecordedExchanges recording =
        new TestExchanges().add(ask(TASK)).add(ask(TASK, recorded)).read(directory)) {
      ExchangeMatcher matcher = new ExchangeMatcher(recording, false);
      assertThat(match(matcher, ask(TASK))).isEqualTo("exact 2");
      matcher.addDifference(JsonValue.of(after), JsonValue.of(before));
      return match(matcher, ask(TASK, actual));
    }
  }

  @Test
  void number_of_a_result_is_replaced_in_messages_that_carry_results() throws Exception {
    for (String role : List.of("tool", "assistant", "function")) {
      assertThat(added(message(role, 1), message(role, 2), 1, 2)).as(role).isEqualTo(DELTA);
      assertThat(added(message(role, "1"), message(role, "2"), 1, 2)).as(role).isEqualTo(DELTA);
      assertThat(added(
              message(role, JsonObject.of("n", 1)),
              message(role, JsonObject.of("n", 2)),
              JsonObject.of("n", 1),
              JsonObject.of("n", 2)))
          .as(role)
          .isEqualTo(DELTA);
    }
  }

  @Test
  void number_of_the_agent_itself_is_not_a_result() throws Exception {
    JsonObject before = message("tool", JsonObject.of("n", 1));
    JsonObject after = message("tool", JsonObject.of("n", 2));

    assertThat(added(
            before.with("limit", 1),
            after.with("limit", 2),
            JsonObject.of("n", 1),
            JsonObject.of("n", 2)))
        .isEqualTo("diverged");
    assertThat(added(message("user", 1), message("user", 2), 1, 2)).isEqualTo("diverged");
    assertThat(added(message("user", "no"), message("user", "yes"), "no", "yes"))
        .isEqualTo("diverged");
    assertThat(added(message("user", true), message("user", false), true, false))
        .isEqualTo("diverged");
  }

  @Test
  void short_text_of_a_result_is_replaced_only_as_a_whole() throws Exception {
    assertThat(added(message("tool", "no"), message("tool", "yes"), "no", "yes"))
        .isEqualTo(DELTA);
    assertThat(added(message("tool", "no 1"), message("tool", "yes 1"), "no", "yes"))
        .isEqualTo("diverged");
  }

  @Test
  void long_text_of_a_result_is_replaced_wherever_it_is() throws Exception {
    assertThat(added(
            message("user", "I read: three files"),
            message("user", "I read: four files"),
            "three files",
            "four files"))
        .isEqualTo(DELTA);
    assertThat(added(
            message("user", "{\"text\":\"a\\nb \\\"c\\\"\"}"),
            message("user", "{\"text\":\"a\\nx \\\"c\\\"\"}"),
            "a\nb \"c\"",
            "a\nx \"c\""))
        .isEqualTo(DELTA);
  }

  @Test
  void parts_of_messages_carry_results_in_the_forms_of_several_providers() throws Exception {
    for (String form : List.of("tool_result", "function_call_output")) {
      assertThat(added(part(form, 1), part(form, 2), 1, 2)).as(form).isEqualTo(DELTA);
    }
    assertThat(added(part("text", 1), part("text", 2), 1, 2)).isEqualTo("diverged");
    assertThat(added(
            JsonObject.of("type", "TOOL_EXECUTION_RESULT", "id", "c1", "text", "1"),
            JsonObject.of("type", "TOOL_EXECUTION_RESULT", "id", "c1", "text", "2"),
            1,
            2))
        .isEqualTo(DELTA);
    assertThat(added(
            message("user", JsonArray.of(JsonObject.of("toolResult", JsonObject.of("json", 1)))),
            message("user", JsonArray.of(JsonObject.of("toolResult", JsonObject.of("json", 2)))),
            1,
            2))
        .isEqualTo(DELTA);
  }

  private static JsonObject part(String type, Object content) {
    return message("user", JsonArray.of(JsonObject.of("type", type, "content", content)));
  }

  @Test
  void result_that_differs_does_not_hide_another_change() throws Exception {
    assertThat(added(
            message("tool", "three files"),
            message("tool", "four file"),
            "three files",
            "four files"))
        .isEqualTo("diverged");
    assertThat(added(
            message("tool", "three files"),
            message("user", "four files"),
            "three files",
            "four files"))
        .isEqualTo("diverged");
  }

  @Test
  void other_members_of_the_prompt_count_if_they_change() throws Exception {
    JsonObject one = JsonObject.of("messages", JsonArray.of(TASK), "system", "s");
    JsonObject two =
        JsonObject.of("messages", JsonArray.of(TASK, message("tool", "out")), "system", "s");
    for (boolean changesAgain : new boolean[] {false, true}) {
      JsonObject actual = two.with("system", changesAgain ? "new" : "old");
      try (RecordedExchanges recording =
          new TestExchanges().add(prompt(one)).add(prompt(two)).read(directory)) {
        ExchangeMatcher matcher = new ExchangeMatcher(recording, false);

        assertThat(match(matcher, prompt(one.with("system", "old")))).isEqualTo("diverged");
        assertThat(match(matcher, prompt(actual))).isEqualTo(changesAgain ? "diverged" : DELTA);
      }
    }
  }
}
