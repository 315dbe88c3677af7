package dev.agentreplay.engine.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelCall.Prompt;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Steps that differ between two sessions, in a browser, in the form that single events have. */
class ComparedChatsBrowserTest extends PageBrowserTest {

  private static final String FOLD = "[...document.querySelectorAll('#details details.whole')]"
      + ".find((each) => each.firstChild.textContent === '%s')";

  private static Path page(String name, List<ReplayEvent> before, List<ReplayEvent> after)
      throws IOException {
    Path directory = home.resolve(name);
    Session left = ViewedSessions.write(directory.resolve("a"), before);
    Session right = ViewedSessions.write(directory.resolve("b"), after);
    Path page = directory.resolve("page.html");
    try (OutputStream out = Files.newOutputStream(page)) {
      HtmlViewer.render(SessionDiff.between(left, right), left, right, out);
    }
    return page;
  }

  private static List<ReplayEvent> turn(String question, Object answer) {
    JsonObject prompt = JsonObject.of(
        "system",
        "Be brief.",
        "messages",
        JsonArray.of(JsonObject.of("role", "user", "content", question)));
    return List.of(
        ModelCall.of("1", "m", new Prompt(prompt)),
        ModelResult.of("1", answer).withLatencyMillis(5L));
  }

  /** The text of each side of a fold, which is opened. */
  private List<String> sides(String title) throws IOException {
    String fold = FOLD.formatted(title);
    browser.await("!!" + fold);
    browser.run(fold + ".open = true");
    List<String> sides = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      sides.add(browser.text(fold + ".querySelectorAll('.chats > .side')[" + i + "].textContent"));
    }
    return sides;
  }

  private boolean exists(String title) throws IOException {
    return browser.text("!!" + FOLD.formatted(title)).equals("true");
  }

  @Test
  void prompts_and_answers_that_differ_are_chats_side_by_side() throws IOException {
    JsonObject call = JsonObject.of(
        "role",
        "assistant",
        "content",
        JsonArray.of(
            JsonObject.of("type", "text", "text", "Reading."),
            JsonObject.of(
                "type",
                "tool_use",
                "id",
                "t1",
                "name",
                "read_file",
                "input",
                JsonObject.of("path", "b.txt"))));
    open(page("turns", turn("Fix a.txt", "Fixed."), turn("Fix b.txt", call)), "#d1");

    assertThat(sides("Both prompts as chats"))
        .satisfiesExactly(
            left -> assertThat(left).contains("systemBe brief.", "userFix a.txt"),
            right -> assertThat(right).contains("systemBe brief.", "userFix b.txt"));
    assertThat(sides("Both answers as chats"))
        .satisfiesExactly(
            left -> assertThat(left).contains("assistantFixed."),
            right -> assertThat(right).contains("Reading.", "→ read_file(path: \"b.txt\")"));
    assertThat(exists("Both events as recorded") || exists("Both calls as recorded"))
        .isTrue();
  }

  @Test
  void edits_that_differ_are_diffs_of_lines_side_by_side() throws IOException {
    List<List<ReplayEvent>> edits = new ArrayList<>();
    for (String text : List.of("two", "three")) {
      JsonObject params = JsonObject.of(
          "path", "a.txt", "old_string", "one\nsame\n", "new_string", text + "\nsame\n");
      edits.add(ViewedSessions.call("1", "edit_file", params, "ok", true));
    }
    open(page("edits", edits.get(0), edits.get(1)), "#d1");

    assertThat(sides("Both edits"))
        .satisfiesExactly(
            left -> assertThat(left).contains("one", "two").doesNotContain("three"),
            right -> assertThat(right).contains("one", "three").doesNotContain("two"));
    assertThat(browser.text("document.querySelectorAll('.chats .line-diff').length"))
        .isEqualTo("2");
    // what only screen readers read does not make the page longer than the window
    browser.resize(1440, 620);
    assertThat(browser.text("document.documentElement.scrollHeight <= innerHeight"))
        .isEqualTo("true");
  }

  @Test
  void steps_without_a_form_of_their_own_are_only_as_recorded() throws IOException {
    List<ReplayEvent> before = ViewedSessions.call("1", "search", "one", "none", true);
    List<ReplayEvent> after = ViewedSessions.call("1", "search", "two", "none", true);
    open(page("plain", before, after), "#d1");

    assertThat(exists("Both calls as recorded")).isTrue();
    assertThat(exists("Both edits")).isFalse();
    assertThat(browser.text("document.querySelectorAll('.chats').length")).isEqualTo("0");
  }
}
