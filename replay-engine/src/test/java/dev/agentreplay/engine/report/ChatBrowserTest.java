package dev.agentreplay.engine.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelCall.Parameters;
import dev.agentreplay.model.ModelCall.Prompt;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ModelResult.Completion;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Model calls in the page of a session, in a browser. */
class ChatBrowserTest extends PageBrowserTest {

  private static final String SUMMARY = SELECTED + ".querySelector('.summary').textContent";

  private static Path page(String name, List<ReplayEvent> events) throws IOException {
    return ViewedSessions.page(ViewedSessions.write(home.resolve(name), events));
  }

  private static List<ReplayEvent> turn(String id, JsonObject prompt, Object answer) {
    return List.of(
        ModelCall.of(id, "m", new Prompt(prompt)),
        ModelResult.of(id, answer).withLatencyMillis(5L));
  }

  /** The text of the details, with all folds open. */
  private String opened() throws IOException {
    String closed = "[...document.querySelectorAll('#details details:not([open])')]";
    browser.await("!" + closed + ".map((d) => { d.open = true; }).length");
    return browser.text(DETAILS);
  }

  @ParameterizedTest
  @EnumSource
  void every_format_is_a_chat(ChatFormats format) throws IOException {
    List<ReplayEvent> events = new ArrayList<>(turn("1", format.first(), format.answer()));
    events.addAll(turn("2", format.second(), "Fixed."));
    Path page = page(format.name().toLowerCase(Locale.ROOT), events);

    open(page, "#e3");
    assertThat(browser.text(SUMMARY)).isEqualTo("Reading. → read_file(path: \"a.txt\")");
    assertThat(browser.text(DETAILS))
        .contains(
            "systemBe brief.",
            "userFix a.txt",
            "ThinkingRead first.",
            "Reading.",
            "→ read_file(path: \"a.txt\")")
        .doesNotContain("earlier message");

    open(page, "#e5");
    assertThat(browser.text(SUMMARY)).isEqualTo("Fixed.");
    assertThat(browser.text(DETAILS))
        .contains(
            "continues the prompt of line 3",
            "→ read_file(path: \"a.txt\")",
            "toolread_file",
            "content of a",
            "assistantFixed.")
        .containsPattern("System prompt, unchanged|2 earlier messages")
        .doesNotContain("userFix a.txt", "Be brief.", "messagecontent");
    // the folds have what is not new, and the line as it was recorded
    assertThat(opened())
        .contains("userFix a.txt", "systemBe brief.", "prompt_hash")
        .doesNotContain("prompt_delta", "undefined", "[object");
  }

  @Test
  void the_last_messages_of_long_prompts_are_in_the_page() throws IOException {
    List<JsonValue> messages = new ArrayList<>();
    List<ReplayEvent> events = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      messages.add(JsonObject.of("role", "user", "content", i + " " + "x".repeat(3_000)));
      messages.add(JsonObject.of("role", "user", "content", "question " + i));
      JsonObject prompt = JsonObject.of("messages", JsonArray.copyOf(messages));
      events.addAll(turn("m" + i, prompt, "answer " + i));
    }
    Path page = page("long", events);

    assertThat(page.toFile().length()).isLessThan(1_000_000); // in full they are 10 MB
    open(page, "#e121");
    assertThat(browser.text(DETAILS))
        .contains("118 earlier messages", "question 59", "answer 59")
        .doesNotContain("question 58", "not in this file");
    browser.run("document.querySelector('#details details.part').open = true");
    browser.await(DETAILS + ".includes('question 0')");
  }

  @Test
  void messages_that_are_not_in_the_page_are_counted() throws IOException {
    List<JsonValue> messages = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      messages.add(
          JsonObject.of("role", "user", "content", "question " + i + " " + "x".repeat(900)));
    }
    JsonObject first = JsonObject.of("messages", JsonArray.copyOf(messages));
    List<ReplayEvent> events = new ArrayList<>(turn("1", first, "one"));
    messages.add(JsonObject.of("role", "user", "content", "the new question"));
    JsonObject second = JsonObject.of("messages", JsonArray.copyOf(messages));
    events.addAll(turn("2", second, "two"));
    messages.add(JsonObject.of("role", "user", "content", "the newest question"));
    JsonObject third = JsonObject.of("messages", JsonArray.copyOf(messages));
    events.addAll(turn("3", third, "three"));
    Path page = page("cut", events);

    open(page, "#e3");
    assertThat(browser.text(DETAILS))
        .contains("52 earlier messages", "question 63 ")
        .contains("236 more messages are not in this file")
        .doesNotContain("question 299");
    open(page, "#e5");
    assertThat(browser.text(DETAILS))
        .contains("userthe new question")
        .containsPattern("\\d+ earlier messages, not in this file");
    open(page, "#e7");
    assertThat(browser.text(DETAILS))
        .contains("userthe newest question", "1 earlier message")
        .containsPattern("\\d+ earlier messages, not in this file")
        .doesNotContain("more messages are not", "undefined");
  }

  @Test
  void cut_texts_blocks_tools_and_arguments_say_so() throws IOException {
    List<JsonValue> blocks = new ArrayList<>();
    List<JsonValue> tools = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      blocks.add(JsonObject.of("type", "text", "text", "block " + i + "y".repeat(300)));
      tools.add(JsonObject.of("name", "tool_" + i, "description", "z".repeat(300)));
    }
    JsonValue message = JsonObject.of("role", "user", "content", JsonArray.copyOf(blocks));
    JsonObject prompt =
        JsonObject.of("messages", JsonArray.of(message), "tools", JsonArray.copyOf(tools));
    JsonObject call = JsonObject.of("name", "f", "arguments", "{\"a\":\"" + "w".repeat(200_000));
    JsonObject answer = JsonObject.of("role", "assistant", "tool_calls", JsonArray.of(call));
    List<ReplayEvent> events = new ArrayList<>(turn("1", prompt, answer));
    events.addAll(turn("2", JsonObject.of("messages", JsonArray.of("Go")), "v".repeat(200_000)));
    Path page = page("cuts", events);

    open(page, "#e3");
    assertThat(browser.text(DETAILS))
        .containsPattern("\\d+ more parts are not in this file")
        .containsPattern("\\d+ more tools are not in this file")
        .containsPattern("The text is cut: this file has [\\d,]+ of 200,006 characters");
    open(page, "#e5");
    assertThat(browser.text(DETAILS))
        .containsPattern("The text is cut: this file has [\\d,]+ of 200,000 characters");
  }

  /** The details of a model call with the given answer. */
  private String answered(String name, String answer) throws IOException {
    JsonObject prompt = JsonObject.of("messages", JsonArray.of("Go"));
    open(page(name, turn("1", prompt, JsonText.parse(answer))), "#e3");
    return browser.text(DETAILS);
  }

  @Test
  void answers_lose_no_members_and_no_items() throws IOException {
    assertThat(answered("scored", "{\"text\":\"Berlin\",\"sentiment\":\"positive\",\"score\":0.9}"))
        .contains("textBerlin", "sentimentpositive", "score0.9");
    assertThat(answered(
            "converse",
            "{\"output\":{\"message\":{\"role\":\"assistant\",\"content\":[{\"text\":\"Hi\"}]}}}"))
        .contains("assistantHi");
    assertThat(
            answered(
                "searched",
                "{\"output\":[{\"type\":\"web_search_call\",\"id\":\"ws\",\"status\":\"done\"},"
                    + "{\"type\":\"message\",\"role\":\"assistant\",\"content\":[{\"type\":\"output_text\",\"text\":\"Found.\"}]}]}"))
        .contains("web_search_call", "assistantFound.");
    assertThat(answered(
            "images", "{\"role\":\"assistant\",\"content\":\"See\",\"images\":[\"aW1hZ2U=\"]}"))
        .contains("See", "aW1hZ2U=");
  }

  @Test
  void result_of_a_function_of_gemini_is_a_result() throws IOException {
    JsonValue message = JsonText.parse("{\"role\":\"function\",\"parts\":[{\"functionResponse\":"
        + "{\"name\":\"read_file\",\"response\":{\"result\":\"content of a\"}}}]}");
    JsonObject prompt = JsonObject.of("contents", JsonArray.of(message));
    open(page("function", turn("1", prompt, "ok")), "#e3");
    assertThat(browser.text(DETAILS))
        .contains("toolread_file", "content of a")
        .doesNotContain("no result");
  }

  @Test
  void tools_are_in_a_fold_that_states_whether_they_changed() throws IOException {
    JsonObject read = JsonObject.of("name", "read_file", "description", "Reads a file");
    JsonObject write = JsonObject.of("function", JsonObject.of("name", "write_file"));
    JsonArray messages = JsonArray.of(JsonObject.of("role", "user", "content", "Go"));
    JsonObject first = JsonObject.of("messages", messages, "tools", List.of(read, write));
    List<ReplayEvent> events = new ArrayList<>(turn("1", first, "one"));
    events.addAll(turn("2", first, "two"));
    events.addAll(turn("3", first.with("tools", JsonArray.of(read)), "three"));
    Path page = page("tools", events);

    open(page, "#e3");
    assertThat(browser.text(DETAILS)).contains("2 toolsread_file, write_file");
    open(page, "#e5");
    assertThat(browser.text(DETAILS)).contains("2 tools, unchangedread_file, write_file");
    open(page, "#e7");
    assertThat(browser.text(DETAILS)).contains("1 toolread_file").doesNotContain("unchanged");
    assertThat(opened()).contains("Reads a file");
  }

  @Test
  void search_opens_the_folds_that_have_the_only_hit() throws IOException {
    ChatFormats format = ChatFormats.ANTHROPIC;
    open(page("folds", turn("1", format.first(), format.answer())), "");
    browser.run("const e = document.getElementById('query'); e.value = 'read first.';"
        + "e.dispatchEvent(new Event('change', {bubbles: true}))");
    browser.run("document.querySelector('.row').click()");
    browser.await("document.querySelector('#details details[open] mark.hit')");
  }

  @Test
  void parameters_tokens_and_finish_reason_are_facts() throws IOException {
    JsonObject prompt = JsonObject.of("messages", JsonArray.of("Hello"));
    List<ReplayEvent> events = List.of(
        ModelCall.of("1", "m", new Prompt(prompt))
            .withParameters(
                Parameters.NONE.withTemperature(0.3).withTopP(0.9).withMaxTokens(4_096)),
        ModelResult.of("1", "Hi")
            .withFinish(Completion.of("length"))
            .withTokens(TokenCounts.of(12_345, 67))
            .withLatencyMillis(5L));

    open(page("facts", events), "#e3");
    assertThat(browser.text("document.querySelector('#details dl').textContent"))
        .contains(
            "temperature0.3",
            "top p0.9",
            "max tokens4096",
            "finish reasonlength",
            "tokens12,345 → 67");
  }

  @Test
  void call_without_an_answer_shows_its_last_message_and_a_structured_answer_its_value()
      throws IOException {
    JsonObject prompt = JsonObject.of("messages", JsonArray.of("first", "last words"));
    JsonObject answer = JsonObject.of("score", 0.5, "labels", List.of("a", "b"));
    List<ReplayEvent> events = new ArrayList<>(turn("1", prompt, answer));
    events.add(ModelCall.of("2", "m", new Prompt(prompt)));
    Path page = page("open", events);

    open(page, "#e3");
    assertThat(browser.text(SUMMARY)).contains("score: 0.5", "labels: [a, b]");
    assertThat(browser.text(DETAILS)).contains("score: 0.5");
    open(page, "#e5");
    assertThat(browser.text(SUMMARY)).isEqualTo("the messages of line 3");
    open(page("alone", events.subList(2, 3)), "#e3");
    assertThat(browser.text(SUMMARY)).isEqualTo("last words");
  }

  @Test
  void messages_of_unknown_or_hostile_form_are_shown_as_values() throws IOException {
    String html = "<img src=x onerror='window.pwned=1'>";
    JsonValue strange =
        JsonText.parse("[{\"role\": \"constructor\", \"content\": \"a\"}, {\"role\": "
            + "\"__proto__\", \"content\": [{\"type\": \"__proto__\", \"text\": 1}]}, 17, null, [], {}, "
            + "{\"type\": \"AI\", \"toolExecutionRequests\": [null, {\"name\": 3}]}, "
            + "{\"role\": \"tool\", \"content\": {\"a\": [1]}}, {\"role\": \"user\", \"content\": null}, "
            + "{\"type\": \"image_url\", \"image_url\": {\"url\": \"javascript:alert(1)\"}}]");
    JsonArray messages = JsonArray.of(
        JsonObject.of("role", html, "name", html, "content", html),
        JsonObject.of("role", "tool", "tool_call_id", html, "content", html));
    List<ReplayEvent> events =
        new ArrayList<>(turn("1", JsonObject.of("messages", messages), html));
    events.addAll(turn("2", JsonObject.of("messages", strange, "tools", strange), strange));
    Path page = page("strange", events);

    for (String line : List.of("#e3", "#e5")) {
      open(page, line);
      assertThat(opened()).doesNotContain("undefined", "[object");
    }
    open(page, "#e3");
    assertThat(opened()).contains(html);
    assertThat(browser.text("window.pwned")).isEqualTo("undefined");
    assertThat(browser.text("document.querySelectorAll('#details img').length")).isEqualTo("0");
  }
}
