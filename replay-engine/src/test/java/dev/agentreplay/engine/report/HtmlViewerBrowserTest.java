package dev.agentreplay.engine.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.diff.rule.ComparisonRule;
import dev.agentreplay.engine.diff.rule.Ignore;
import dev.agentreplay.engine.diff.rule.Normalizer;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The page in a browser: headless Chromium, where there is one with its driver. */
class HtmlViewerBrowserTest extends PageBrowserTest {

  private static final String ELEMENTS = "document.querySelectorAll('*').length";
  private static final String ESCAPE = "\ue00c";
  private static final String ENTER = "\ue007";

  private Path small;
  private Path large;
  private Path hostile;
  private Path comparison;

  @BeforeAll
  void start() throws IOException {
    small = page("small", ViewedSessions.calls(25));
    large = page("large", ViewedSessions.calls(5_000));
    hostile = page("hostile", ViewedSessions.hostile());
    comparison = comparison();
  }

  private static Path page(String name, List<ReplayEvent> events) throws IOException {
    return ViewedSessions.page(ViewedSessions.write(home.resolve(name), events));
  }

  /** The page of one call each that returned these, under rules. */
  private static Path comparison(String name, Object before, Object after, ComparisonRule... rules)
      throws IOException {
    Path directory = home.resolve(name);
    Session left = ViewedSessions.write(
        directory.resolve("a"), ViewedSessions.call("1", "t", "p", before, true));
    Session right = ViewedSessions.write(
        directory.resolve("b"), ViewedSessions.call("1", "t", "p", after, true));
    Path page = directory.resolve("page.html");
    try (OutputStream out = Files.newOutputStream(page)) {
      DiffOptions options = DiffOptions.defaults().plus(rules);
      HtmlViewer.render(SessionDiff.between(left, right, options), left, right, out);
    }
    return page;
  }

  private static Path comparison() throws IOException {
    List<ReplayEvent> events = new ArrayList<>(ViewedSessions.calls(12));
    Session left = ViewedSessions.write(home.resolve("left"), events);
    String hostileText = "the <b>slow</b> way \u202e";
    events.set(
        6, ViewedSessions.call("c3", "tool0", "go " + hostileText, "", true).get(0));
    events.addAll(16, ViewedSessions.call("new", "tool0", "extra", "added", true));
    Session right = ViewedSessions.write(home.resolve("right"), events);
    Path page = home.resolve("comparison.html");
    try (OutputStream out = Files.newOutputStream(page)) {
      HtmlViewer.render(SessionDiff.between(left, right), left, right, out);
    }
    return page;
  }

  @Test
  void a_page_loads_itself_and_nothing_else() throws IOException {
    open(small, "");
    assertThat(browser.requests()).singleElement().asString().endsWith("/small/page.html");
    assertThat(browser.text("document.title")).isEqualTo("small");
    assertThat(browser.text("document.getElementById('verdict').textContent"))
        .contains("Ended: Success", "25tool calls", "2failed");
  }

  @Test
  void agents_have_a_lane_a_label_and_a_row_each() throws IOException {
    open(page("agents", ViewedSessions.agents()), "#e5");
    assertThat(browser.text(DETAILS)).startsWith("✓agent <b>0search");
    assertThat(
            browser.text("[...document.querySelectorAll('.lane')].map(l => l.textContent).join()"))
        .contains("main agent,↳ agent <b>0,↳ agent <b>1,↳ agent <b>2");
    assertThat(browser.text(
            "[...document.querySelectorAll('.row .agent')].map(a => a.className).join()"))
        .startsWith("agent agent-0,agent agent-1,agent agent-2,agent agent-0");
    assertThat(browser.text("document.body.textContent"))
        .contains("agenttool callsmodel callsfailed", "main agent100", "agent <b>1301");
  }

  @Test
  void files_that_differ_are_shown_line_by_line_if_they_are_text() throws IOException {
    open(files("file-text", "{\n  \"a\": 1\n}\n", "{\"a\": 1}\n"), "#d1");
    assertThat(browser.text(DETAILS)).contains("the contents of the file");
    assertThat(browser.text(
            "[...document.querySelectorAll('.place del')].map(d => d.textContent)" + ".join('|')"))
        .contains("\n  ");

    open(files("file-binary", "a\0", "b\0"), "#d1");
    assertThat(browser.text(DETAILS))
        .contains("not compared line by line: A: binary, 2 bytes; B: binary, 2 bytes", "sha256:");
  }

  /** The page of two sessions in which a file has these contents. */
  private static Path files(String name, String before, String after) throws IOException {
    Path directory = home.resolve(name);
    Session left = FileReportsTest.session(
        directory.resolve("a"), before.getBytes(StandardCharsets.UTF_8), true);
    Session right = FileReportsTest.session(
        directory.resolve("b"), after.getBytes(StandardCharsets.UTF_8), true);
    Path page = directory.resolve("page.html");
    try (OutputStream out = Files.newOutputStream(page)) {
      HtmlViewer.render(SessionDiff.between(left, right), left, right, out);
    }
    return page;
  }

  @Test
  void every_event_that_refers_to_a_blob_shows_its_value() throws IOException {
    Session session = ViewedSessions.withSharedBlob(home.resolve("blobs"), "the kept value");
    Path page = ViewedSessions.page(session);
    for (int line : List.of(3, 5)) {
      open(page, "#e" + line);
      assertThat(browser.text(DETAILS)).contains("blob of ", "the kept value");
    }
  }

  @Test
  void prompt_that_continues_an_earlier_one_shows_what_is_new_and_the_whole() throws IOException {
    open(ViewedSessions.page(ViewedSessions.withPrompts(home.resolve("prompts"))), "#e7");
    assertThat(browser.text(SELECTED + ".textContent")).contains("third answer");
    assertThat(browser.text(DETAILS))
        .contains(
            "continues the prompt of line 5",
            "3 earlier messages",
            "second answer",
            "third question",
            "systembe long")
        .doesNotContain("first question", "second question", "unchanged");
    browser.text("document.querySelector('details.part').open = true");
    browser.await(DETAILS + ".includes('first question')");
    assertThat(browser.text(DETAILS))
        .contains("first question", "second question", "third question");
  }

  @Test
  void failed_call_of_a_model_shows_its_error_in_place_of_an_answer() throws IOException {
    open(ViewedSessions.page(ViewedSessions.withFailedModelCall(home.resolve("failed"))), "#e3");
    assertThat(browser.text(SELECTED + ".textContent")).contains("✕");
    assertThat(browser.text(DETAILS)).contains("Error", "connection reset").doesNotContain("null");
  }

  @Test
  void hostile_texts_are_shown_and_never_run() throws IOException {
    open(hostile, "");
    Opened opened = pressAndOpenFolds("j", ViewedSessions.HOSTILE.size() + 4);
    assertThat(opened.rows()).isGreaterThanOrEqualTo(ViewedSessions.HOSTILE.size());
    assertThat(opened.folds()).isGreaterThanOrEqualTo(ViewedSessions.HOSTILE.size());
    assertNothingRan();
    assertThat(browser.text("document.title")).isEqualTo("hostile");
    for (int i = 0; i < ViewedSessions.HOSTILE.size(); i++) {
      open(hostile, "#e" + (3 + 2 * i));
      String shown = browser.text("document.querySelector('#details h2 .name').textContent");
      String recorded = ViewedSessions.HOSTILE.get(i);
      assertThat(shown).doesNotContain("\u001b", "\u202e", "\u200b", "\ufeff", "\u2028");
      if (recorded.chars().allMatch(c -> c >= ' ' && c < 0x7f)) {
        assertThat(shown).isEqualTo(recorded);
      }
    }
    open(hostile, "#e" + (3 + 2 * 8));
    assertThat(browser.text(DETAILS)).contains("U+202Egnp.exe U+2066 U+200B U+00AD U+FEFF");
    open(hostile, "#e" + (3 + 2 * 7));
    assertThat(browser.text(DETAILS)).contains("\u241b[31mred\u241b]0;title\u2407");
    open(hostile, "#e" + (3 + 2 * 9));
    assertThat(browser.text(DETAILS)).contains("aU+D800", "__proto__");
  }

  @Test
  void the_policy_keeps_what_would_run_from_running() throws IOException {
    open(small, "");
    String outcome = browser
        .run(
            "const image = document.createElement('img');"
                + "image.src = 'http://127.0.0.1:9/x'; document.body.append(image);"
                + "try { document.body.innerHTML = '<b>'; return 'taken'; } catch (e) { return e.name }")
        .asString();
    assertThat(outcome).isEqualTo("TypeError");
    // each attempt is in the logs that every test looks at: here they are read, and so emptied
    assertThat(browser.requests()).anyMatch(address -> address.startsWith("http:"));
    assertThat(browser.console())
        .anyMatch(message -> message.contains("'http://127.0.0.1:9/x' violates"))
        .anyMatch(message -> message.contains("TrustedHTML"));
  }

  @Test
  void what_a_rule_made_equal_is_not_marked_and_shown_as_recorded() throws IOException {
    String marked = "[...document.querySelectorAll('.place del, .place ins')]"
        + ".map((e) => e.textContent).join(' ')";
    String places = "[...document.querySelectorAll('.place')].map((e) => e.textContent).join(' ')";
    String ids = "{\"%s\": {\"id\": \"%s\"}, \"log\": \"%s\\nload %d\\n\"}";
    String id = "c41e0f7a-91d2-4c55-8f10-2b7a9e6d0c31";
    String other = "98f0b3de-1c44-4a8f-b7d3-5e02c9a1f6d8";

    open(
        comparison(
            "json",
            ids.formatted(id, id, id, 71),
            ids.formatted(other, other, other, 93),
            Ignore.ids()),
        "#e3");
    assertThat(browser.text(marked)).isEqualTo("71 93");
    assertThat(browser.text(places)).contains(id, other).doesNotContain("\ue000", "<id>");
    assertThat(browser.text("document.querySelector('.row .change').textContent"))
        .contains("71", "93");

    String long1 = "at %s\n".formatted(id).repeat(1_000);
    String long2 = "at %s\n".formatted(other).repeat(1_000);
    open(
        comparison("text", long1 + "load 71\n" + long1, long2 + "load 93\n" + long2, Ignore.ids()),
        "#e3");
    assertThat(browser.text(marked)).isEqualTo("71 93");
    assertThat(browser.text("document.querySelector('.row .change').textContent"))
        .contains("71", "93");
  }

  @Test
  void words_that_were_added_or_removed_are_marked() throws IOException {
    String added = "[...document.querySelectorAll('.place ins')].map((e) => e.textContent).join()";
    String removed = added.replace(" ins", " del");
    open(comparison("added", "load 71", "load 71 and more"), "#e3");
    assertThat(browser.text(added)).isEqualTo(" and more");
    assertThat(browser.text(removed)).isEmpty();
    open(comparison("removed", "load 71 and more", "load 71"), "#e3");
    assertThat(browser.text(removed)).isEqualTo(" and more");

    String before = "load 71 of one server at 10.0.0.1 and 12 others, all of them in one rack";
    String after =
        "load 72 of one server at 10.0.0.2 and all of 13 others, all of them in one rack";
    ComparisonRule loads = Normalizer.pattern("loads", "load [0-9]+|[0-9.]{6,}", "N");
    open(comparison("both", before, after, loads), "#e3");
    assertThat(browser.text(removed)).isEqualTo("12");
    assertThat(browser.text(added)).isEqualTo("all of 13");
    assertThat(browser.text(DETAILS)).contains(before, after).doesNotContain("NaN");
  }

  @Test
  void row_shows_a_cut_text_as_recorded() throws IOException {
    ComparisonRule ids = Normalizer.pattern("ids", "id-[0-9]+", "REPLACED-BY-A-LONG-WORD");
    String text = "x".repeat(3_985);
    open(comparison("row", text + "a id-1 id-2 end", text + "b id-3 id-4 end", ids), "#e3");

    assertThat(browser.text("document.querySelector('.row .change').textContent"))
        .contains("xa id-1 id-2", "xb id-3 id-4")
        .doesNotContain("REPLACED");
  }

  @Test
  void values_compared_as_a_whole_show_the_places_that_differ() throws IOException {
    JsonObject.Builder before = JsonObject.builder();
    JsonObject.Builder after = JsonObject.builder();
    for (int i = 0; i < 100; i++) {
      before.add("m" + i, JsonObject.of("etag", i, "load", i));
      after.add("m" + i, JsonObject.of("etag", -i, "load", i + 1));
    }
    String name = "n".repeat(3_000);
    open(
        comparison(
            "places",
            JsonObject.of(name, before.build()),
            JsonObject.of(name, after.build()),
            Ignore.at("/output/*/*/etag")),
        "#e3");

    assertThat(browser.text("document.querySelectorAll('.place').length")).isEqualTo("20");
    assertThat(browser.text(DETAILS)).contains("80 more places of this value differ");
  }

  @Test
  void keys_go_through_steps_and_failures() throws IOException {
    open(small, "");
    browser.type("jjj");
    assertThat(browser.text(SELECTED + ".id")).isEqualTo("row-2");
    browser.type("k");
    assertThat(browser.text(SELECTED + ".id")).isEqualTo("row-1");
    browser.type("n");
    assertThat(browser.text(SELECTED + ".textContent")).contains("#9", "✕");
    browser.type("n");
    assertThat(browser.text(SELECTED + ".textContent")).contains("#19");
    browser.type("N");
    assertThat(browser.text(SELECTED + ".textContent")).contains("#9");
    browser.type("/");
    assertThat(browser.text("document.activeElement.id")).isEqualTo("query");
    browser.type(ESCAPE + ENTER);
    assertThat(browser.text("document.activeElement.id")).isEqualTo("details");
    browser.type("?");
    assertThat(browser.text("document.getElementById('keys').open")).isEqualTo("true");
    browser.type("j" + ESCAPE);
    assertThat(browser.text("document.getElementById('keys').open")).isEqualTo("false");
    assertThat(browser.text(SELECTED + ".textContent")).contains("#9");
    browser.type(ESCAPE);
    assertThat(browser.text(SELECTED)).isEqualTo("null");
    assertThat(browser.text("document.getElementById('overview').hidden")).isEqualTo("false");
  }

  @Test
  void an_address_opens_a_step_and_survives_a_reload() throws IOException {
    open(small, "#e8"); // the result of call 2
    assertThat(browser.text(SELECTED + ".textContent")).contains("#2", "src/file2.rs");
    assertThat(browser.text(DETAILS)).contains("output 2");
    browser.type("j");
    assertThat(browser.text("location.hash")).isEqualTo("#e9");
    browser.reload();
    browser.await(SELECTED);
    assertThat(browser.text(SELECTED + ".textContent")).contains("#3");
    open(small, "#e999");
    assertThat(browser.text("document.getElementById('said').textContent")).contains("#e999");
  }

  @Test
  void filters_and_search_leave_what_matches() throws IOException {
    open(small, "");
    filter("tool", "tool1");
    assertThat(browser.text("document.getElementById('shown').value")).isEqualTo("8 of 28 steps");
    filter("outcome", "failed");
    assertThat(browser.text("document.getElementById('shown').value")).isEqualTo("1 of 28 steps");
    browser.run("document.getElementById('clear').click()");
    assertThat(browser.text("document.getElementById('shown').value")).isEqualTo("28 steps");
    browser.type("/OUTPUT 24");
    browser.await("document.getElementById('shown').value === '1 of 28 steps'");
    assertThat(browser.text("document.querySelector('.row').textContent")).contains("#24");
    browser.type(ESCAPE);
    browser.await("document.getElementById('shown').value === '28 steps'");
  }

  @Test
  void row_shows_the_recorded_text_unless_its_name_or_summary_has_the_hit() throws IOException {
    open(small, "");
    browser.type("/40"); // which is also the latency of each call
    browser.await("document.getElementById('shown').value.startsWith('25 of')");
    assertThat(browser.text("[...document.querySelectorAll('.row .summary')]"
            + ".every((summary) => summary.querySelector('mark'))"))
        .isEqualTo("true");
  }

  private void filter(String id, String value) throws IOException {
    browser.run(
        "const e = document.getElementById(arguments[0]); e.value = arguments[1];"
            + "e.dispatchEvent(new Event('change', {bubbles: true}))",
        id,
        value);
  }

  @Test
  void ten_thousand_events_scroll_in_a_small_page() throws IOException {
    open(large, "");
    assertThat(browser.text("document.getElementById('shown').value")).isEqualTo("5,003 steps");
    browser.run("document.getElementById('list').scrollTop = 1e9");
    browser.await("document.querySelector('#row-5002')");
    assertThat(browser.text("document.querySelector('#row-5002').textContent")).contains("end");
    assertThat(Integer.parseInt(browser.text(ELEMENTS))).isLessThan(2_000);
    open(large, "#e9001");
    browser.await("document.querySelector('#row-4501')");
    assertThat(Integer.parseInt(browser.text(ELEMENTS))).isLessThan(2_000);
  }

  @Test
  void the_page_is_dark_where_that_is_preferred_or_asked_for() throws IOException {
    open(small, "");
    String background = "getComputedStyle(document.body).backgroundColor";
    String light = browser.text(background);
    browser.emulate("", "dark");
    String dark = browser.text(background);
    assertThat(dark).isNotEqualTo(light);
    browser.run("document.getElementById('theme').click()");
    assertThat(browser.text(background)).isEqualTo(light);
    browser.run("document.getElementById('theme').click()");
    assertThat(browser.text(background)).isEqualTo(dark);
  }

  @Test
  void on_paper_all_steps_are_text_without_controls() throws IOException {
    open(comparison, "");
    browser.emulate("print", "light");
    browser.await("document.querySelector('#paper .row')");
    String controls = "[...document.querySelectorAll('button, input, select, canvas')]"
        + ".filter(e => e.checkVisibility()).length";
    assertThat(browser.text(controls)).isEqualTo("0");
    assertThat(browser.text("document.querySelectorAll('#paper .row').length")).isEqualTo("16");
    assertThat(browser.text("document.getElementById('paper').innerText"))
        .contains(
            "Diverged", "They diverge at call #3", "tool0", "/params", "go the <b>slow</b> way");
  }

  @Test
  void sides_have_other_names_wherever_they_are_named() throws IOException {
    Path directory = home.resolve("sides");
    Session left = ViewedSessions.write(
        directory.resolve("a"), ViewedSessions.call("1", "t", "p", "before", true));
    Session right = ViewedSessions.write(
        directory.resolve("b"), ViewedSessions.call("1", "t", "p", "after", true));
    Path page = directory.resolve("page.html");
    SessionDiff diff =
        SessionDiff.between(left, right, DiffOptions.defaults().plus(Ignore.timestamps()));
    try (OutputStream out = Files.newOutputStream(page)) {
      ViewerOptions options =
          ViewerOptions.defaults().withSides(new SideNames("recorded", "actual"));
      HtmlViewer.render(diff, left, right, options, out);
    }
    open(page, "");
    assertThat(browser.text("document.getElementById('title').textContent"))
        .containsSubsequence("recorded", "and", "actual");
    assertThat(browser.text("document.body.innerText"))
        .contains("missing in actual", "added in actual", "recorded above, actual below")
        .doesNotContain(" in B");
    assertThat(browser.text("[...document.querySelectorAll('.side-name, th')]"
            + ".filter((e) => /^[−+]? ?[AB]$/.test(e.textContent)).length"))
        .isEqualTo("0");
    assertThat(browser.text("document.querySelectorAll('.side-name.side-b').length"))
        .isNotEqualTo("0");
  }

  @Test
  void a_comparison_shows_where_the_sessions_part() throws IOException {
    open(comparison, "");
    String verdict = browser.text("document.getElementById('verdict').textContent");
    assertThat(verdict).contains("Diverged", "1 major", "1 moderate", "They diverge at call #3");
    browser.type("n");
    assertThat(browser.text("location.hash")).isEqualTo("#d1");
    assertThat(browser.text(DETAILS))
        .contains("different parameters", "/params", "file3.rs", "<b>slow");
    assertThat(browser.text("document.querySelectorAll('#details del').length")).isNotEqualTo("0");
    assertThat(browser.text("document.querySelectorAll('#details ins').length")).isNotEqualTo("0");
    browser.type("n");
    assertThat(browser.text(SELECTED + ".className")).contains("added");
    assertThat(browser.text(DETAILS)).contains("added in B", "extra");
    browser.type("n");
    assertThat(browser.text("document.getElementById('said').textContent"))
        .isEqualTo("No more below");
    browser.run("document.getElementById('changed').click()");
    assertThat(browser.text("document.getElementById('shown').value")).isEqualTo("2 of 16 steps");
    open(comparison, "#d2");
    assertThat(browser.text(SELECTED + ".className")).contains("added");
  }

  @Test
  void on_a_narrow_screen_details_cover_the_list_and_can_be_left() throws IOException {
    browser.resize(360, 740);
    open(comparison, "");
    String overhang = "document.documentElement.scrollWidth > document.documentElement.clientWidth";
    assertThat(browser.text(overhang)).isEqualTo("false");
    browser.run("document.querySelectorAll('.row')[1].click()");
    browser.await("document.getElementById('back').checkVisibility({visibilityProperty: true})");
    browser.run("document.getElementById('back').click()");
    browser.await("!document.getElementById('pane').classList.contains('open')");
  }
}
