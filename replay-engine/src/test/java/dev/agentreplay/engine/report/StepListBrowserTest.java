package dev.agentreplay.engine.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ModelCall.Prompt;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The list of a long session in a browser, and what its rows open. */
class StepListBrowserTest extends PageBrowserTest {

  private static final int TURNS = 400;
  private static final String PAGE_UP = "\ue00e";
  private static final String PAGE_DOWN = "\ue00f";
  private static final String END = "\ue010";
  private static final String HOME = "\ue011";

  private Path calls;
  private Path turns;

  @BeforeAll
  void start() throws IOException {
    calls = page("calls", 500);
    turns = turns();
  }

  private static Path page(String name, int count) throws IOException {
    return ViewedSessions.page(
        ViewedSessions.write(home.resolve(name), ViewedSessions.calls(count)));
  }

  /** A session of model turns, the prompt of each of which continues the one before it. */
  private static Path turns() throws IOException {
    Path directory = home.resolve("turns");
    List<JsonValue> messages = new ArrayList<>();
    try (SessionRecorder recorder = SessionRecorder.start(directory, "turns")) {
      for (int i = 0; i < TURNS; i++) {
        messages.add(JsonObject.of("role", "user", "content", "question-" + i));
        recorder.modelCall("m", Prompt.of(JsonArray.copyOf(messages))).answer("answer-" + i);
        messages.add(JsonObject.of("role", "assistant", "content", "answer-" + i));
      }
    }
    return ViewedSessions.page(Session.open(directory));
  }

  private static String selected(String attribute) {
    return SELECTED + ".getAttribute('" + attribute + "')";
  }

  @Test
  void keys_move_the_selection_by_pages_and_to_the_ends() throws IOException {
    open(calls, "");
    browser.run("document.getElementById('list').focus()");
    browser.type(END);
    assertThat(browser.text(selected("aria-posinset"))).isEqualTo("503");
    assertThat(browser.text("document.getElementById('list').getAttribute('aria-activedescendant')"
            + " === " + SELECTED + ".id"))
        .isEqualTo("true");
    browser.type(PAGE_UP);
    int above = Integer.parseInt(browser.text(selected("aria-posinset")));
    assertThat(above).isBetween(460, 499);
    browser.type(HOME);
    assertThat(browser.text(selected("aria-posinset"))).isEqualTo("1");
    browser.type(PAGE_DOWN);
    int below = Integer.parseInt(browser.text(selected("aria-posinset")));
    assertThat(below).isBetween(504 - above - 2, 504 - above + 2);
    browser.type(PAGE_UP + PAGE_UP);
    assertThat(browser.text(selected("aria-posinset"))).isEqualTo("1");
  }

  @Test
  void rows_state_their_place_among_all_rows() throws IOException {
    open(calls, "#e900");
    assertThat(browser.text(selected("aria-setsize"))).isEqualTo("503");
    assertThat(Integer.parseInt(browser.text("document.querySelectorAll('.row').length")))
        .isLessThan(80);
    browser.run("document.getElementById('outcome').value = 'failed';"
        + "document.getElementById('filter').dispatchEvent(new Event('change'))");
    assertThat(browser.text("document.querySelector('.row').getAttribute('aria-setsize')"))
        .isEqualTo("50");
  }

  @Test
  void rows_of_a_tree_state_their_place_among_those_of_one_parent() throws IOException {
    open(
        ViewedSessions.page(ViewedSessions.write(home.resolve("agents"), ViewedSessions.agents())),
        "");
    // log, start, plan and end; below plan nine calls
    assertThat(browser.text("[...document.querySelectorAll('[role=treeitem]')].map((row) =>"
            + "['level', 'posinset', 'setsize'].map((name) => row.getAttribute('aria-' + name))"
            + ".join('/')).join(' ')"))
        .startsWith("1/1/4 1/2/4 1/3/4 2/1/9 2/2/9")
        .endsWith("2/9/9 1/4/4");
  }

  @Test
  void prompt_of_any_turn_is_put_together_once() throws IOException {
    open(turns, "");
    browser.run("const { changed } = JoinedPrompt.prototype; window.changes = 0;"
        + "JoinedPrompt.prototype.changed = function (delta) {"
        + "  window.changes++; return changed.call(this, delta); };");
    browser.run("location.hash = '#e" + (2 * TURNS + 1) + "'");
    browser.await(DETAILS + ".includes('question-" + (TURNS - 1) + "')");
    browser.type("kkkkk");
    assertThat(browser.text(DETAILS))
        .contains("question-" + (TURNS - 6), 2 * (TURNS - 6) - 1 + " earlier messages")
        .doesNotContain("question-" + (TURNS - 5));
    // once as the full prompt, and once as far as it is in the file
    assertThat(Integer.parseInt(browser.text("window.changes"))).isBetween(TURNS / 2, 2 * TURNS);

    browser.run("document.querySelector('#details details.part').open = true");
    browser.await("document.querySelectorAll('#details article').length > 50");
    assertThat(browser.text("document.querySelectorAll('#details .part article').length"))
        .isEqualTo("100");
    assertThat(browser.text("document.querySelector('#details .part .more').textContent"))
        .isEqualTo(2 * (TURNS - 6) - 101 + " more");
    assertThat(browser.text("document.querySelector('#details .part article').textContent"))
        .contains("question-0");
  }

  @Test
  void button_for_more_moves_the_focus_to_the_first_of_what_it_shows() throws IOException {
    List<Integer> numbers = IntStream.range(0, 250).boxed().toList();
    List<JsonObject> objects =
        numbers.stream().map(number -> JsonObject.of("number", number)).toList();
    String focused = "document.activeElement.textContent";
    String click = "const more = document.querySelector('#details .members .more');"
        + "more.focus(); more.click()";
    open(more("numbers", numbers), "#e3");
    browser.run(click);
    assertThat(browser.text(focused)).isEqualTo("100100");
    open(more("objects", objects), "#e3");
    browser.run(click);
    assertThat(browser.text("document.activeElement.tagName")).isEqualTo("SUMMARY");
    assertThat(browser.text(focused)).startsWith("100").contains("number: 100");
    open(more("text", List.of("x".repeat(3_000))), "#e3");
    browser.run(click);
    assertThat(browser.text(focused)).isEqualTo("x".repeat(1_000));
  }

  /** The page of a call with this output. */
  private static Path more(String name, Object output) throws IOException {
    return ViewedSessions.page(ViewedSessions.write(
        home.resolve(name), ViewedSessions.call("1", "read", "p", output, true)));
  }

  @Test
  void wide_page_is_as_high_as_the_window() throws IOException {
    Session left = ViewedSessions.write(home.resolve("compared/a"), ViewedSessions.calls(9));
    Session right = ViewedSessions.write(home.resolve("compared/b"), ViewedSessions.calls(8));
    Path page = home.resolve("compared.html");
    try (OutputStream out = Files.newOutputStream(page)) {
      HtmlViewer.render(SessionDiff.between(left, right), left, right, out);
    }
    browser.resize(1440, 600);
    open(page, "");
    // the overview, whose texts for screen readers have places of their own, scrolls within it
    assertThat(browser.text("document.getElementById('overview').scrollHeight"
            + " > document.getElementById('overview').clientHeight"))
        .isEqualTo("true");
    assertThat(browser.text("document.documentElement.scrollHeight <= innerHeight"))
        .isEqualTo("true");
  }

  @Test
  void pointer_and_keys_find_steps_of_a_long_lane() throws IOException {
    open(turns, "#e801");
    browser.run("document.querySelector('#timeline canvas').focus()");
    browser.type("\ue012");
    assertThat(browser.text("location.hash")).isEqualTo("#e799");
    browser.type("\ue014\ue014");
    assertThat(browser.text("location.hash")).isEqualTo("#e801");
    browser.run("document.querySelector('[data-axis=order]').click();"
        + "const box = document.querySelector('#timeline canvas');"
        + "const { left, top, width } = box.getBoundingClientRect();"
        + "box.dispatchEvent(new PointerEvent('pointermove', { clientX: left + width - 1,"
        + " clientY: top + 30 }))");
    assertThat(browser.text("document.querySelector('#timeline .note').textContent"))
        .contains("m, ", "line 801");
  }
}
