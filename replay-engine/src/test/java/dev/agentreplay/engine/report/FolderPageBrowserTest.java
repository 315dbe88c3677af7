package dev.agentreplay.engine.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelCall.Prompt;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.SessionStart.Task;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The page of a folder in a browser: headless Chromium, where there is one with its driver. */
class FolderPageBrowserTest extends PageBrowserTest {

  private static final String SHOWN = "document.getElementById('shown').textContent";
  private static final String ROWS = "document.querySelectorAll('.session').length";
  private static final String FIRST = "document.querySelector('.session').innerText";
  private static final String SELECTED_ROW = "document.querySelector('.session.selected')";
  private static final String ESCAPE = "\ue00c";
  private static final String ENTER = "\ue007";
  private static final String DOWN = "\ue015";
  private static final String END = "\ue010";
  private static final int COUNT = 200;

  private Path folder;
  private Path withoutLinks;
  private Path hostile;

  @BeforeAll
  void start() throws IOException {
    Path sessions = home.resolve("sessions");
    FolderPages.write(sessions, COUNT);
    folder = FolderPages.page(sessions, home.resolve("folder.html"), true);
    withoutLinks = FolderPages.page(sessions, home.resolve("without.html"), false);
    Path pages = Files.createDirectories(home.resolve("pages"));
    Files.writeString(pages.resolve("run-00199.html"), "<!DOCTYPE html><title>the page</title>");
    Path texts = home.resolve("hostile");
    for (int i = 0; i < ViewedSessions.HOSTILE.size(); i++) {
      String text = ViewedSessions.HOSTILE.get(i);
      SessionStart start = SessionStart.of(text)
          .withTask(Task.of(text))
          .withTags(text, "it's")
          .withUser(text)
          .withEnvironment(text);
      Path directory = texts.resolve(i + " <b>it's\u202e");
      FolderPages.write(
          directory, start, ViewedSessions.calls(i), null, Instant.parse("2026-01-01T00:00:00Z"));
    }
    hostile = FolderPages.page(texts, home.resolve("hostile.html"), false);
  }

  @Override
  void open(Path page, String fragment) throws IOException {
    browser.open(page, fragment);
    browser.await("document.querySelector('.session, #nothing:not([hidden])')");
  }

  private void choose(String id, String value) throws IOException {
    browser.run(
        "const s = document.getElementById(arguments[0]); s.value = arguments[1];"
            + "s.dispatchEvent(new Event('change', { bubbles: true }));",
        id,
        value);
  }

  @Test
  void page_shows_all_sessions_newest_first_with_the_totals() throws IOException {
    open(folder, "");
    assertThat(browser.text(SHOWN)).isEqualTo("200 sessions");
    assertThat(browser.text(FIRST)).contains("success", "run-00199", "session-199");
    assertThat(browser.text("document.getElementById('verdict').innerText"))
        .contains("200 sessions", "unreadable", "success rate", "cost");
    assertThat(browser.text("document.getElementById('foot').innerText"))
        .contains("total", "200 sessions");
    assertThat(browser.text("document.querySelector('[aria-sort=descending]').textContent"))
        .contains("time (UTC)");
    assertThat(browser.text("document.body.innerText"))
        .doesNotContain("undefined", "null", "NaN", "[object");
    assertThat(Integer.parseInt(browser.text(ROWS))).isBetween(10, 60);
  }

  @Test
  void unreadable_session_is_a_row_with_the_reason() throws IOException {
    open(folder, "#status=unreadable");
    assertThat(browser.text(SHOWN)).isEqualTo("2 of 200 sessions");
    assertThat(browser.text(FIRST)).contains("unreadable", "line 1", "run-00");
  }

  @Test
  void search_marks_hits_in_all_columns_and_says_if_nothing_is_found() throws IOException {
    open(folder, "");
    search("PRODUCTION");
    browser.await(SHOWN + ".startsWith('19 of')");
    assertThat(browser.text("document.querySelector('.session mark').textContent"))
        .isEqualTo("production");
    search("seats if");
    browser.await("document.querySelector('.task mark')?.textContent === 'seats if'");
    assertThat(browser.text("document.querySelector('.task b').textContent")).startsWith("…");
    search("no such text");
    browser.await("!document.getElementById('nothing').hidden");
    assertThat(browser.text("document.getElementById('nothing').innerText"))
        .contains("Nothing found");
    browser.run("document.getElementById('clear-nothing').click()");
    assertThat(browser.text(SHOWN)).isEqualTo("200 sessions");
  }

  @Test
  void service_is_found_selected_and_kept_in_the_address() throws IOException {
    open(folder, "");
    choose("service", "demo.Coder1");
    assertThat(browser.text(SHOWN)).isEqualTo("33 of 200 sessions");
    assertThat(browser.text(FIRST)).contains("demo.Coder1");
    search("demo.coder0");
    browser.await(SHOWN + ".startsWith('0 of')");
    open(folder, "#service=demo.Coder0");
    assertThat(browser.text(SHOWN)).isEqualTo("34 of 200 sessions");
    browser.run("document.getElementById('clear').click()");
    assertThat(browser.text(SHOWN)).isEqualTo("200 sessions");
  }

  @Test
  void filters_combine_and_the_totals_are_those_of_what_is_shown() throws IOException {
    open(folder, "");
    choose("tag", "ci");
    String tagged = browser.text(SHOWN);
    assertThat(tagged).startsWith("66 of");
    browser.run("document.getElementById('failures').click()");
    assertThat(browser.text(SHOWN)).isNotEqualTo(tagged);
    assertThat(browser.text(
            "[...document.querySelectorAll('.session')].every(s => /✕ \\d/.test(s.innerText))"))
        .isEqualTo("true");
    browser.run("document.getElementById('clear').click()");
    choose("since", "2026-01-18");
    assertThat(Integer.parseInt(browser.text(SHOWN).split(" ")[0])).isEqualTo(21);
    assertThat(browser.text("document.getElementById('foot').innerText"))
        .contains(browser.text(SHOWN).split(" ")[0] + " sessions");
  }

  @Test
  void heading_sorts_and_a_second_time_reverses() throws IOException {
    open(folder, "");
    String heading = "document.querySelector('[data-column=calls]')";
    browser.run("document.querySelector('[data-column=calls] button').focus()");
    browser.type(ENTER);
    assertThat(browser.text(heading + ".getAttribute('aria-sort')")).isEqualTo("descending");
    assertThat(browser.text("document.querySelectorAll('.session .n')[2].firstChild.textContent"))
        .isEqualTo("22");
    assertThat(browser.text("document.activeElement.parentElement.dataset.column"))
        .isEqualTo("calls");
    browser.type(ENTER);
    assertThat(browser.text(heading + ".getAttribute('aria-sort')")).isEqualTo("ascending");
    assertThat(browser.text("document.querySelectorAll('[aria-sort=none]').length"))
        .isEqualTo("12");
    // sessions without a value are last
    browser.run("document.getElementById('grid').focus()");
    browser.type(END);
    assertThat(browser.text(SELECTED_ROW + ".className")).contains("unreadable");
  }

  @Test
  void address_keeps_search_filter_and_order() throws IOException {
    open(folder, "");
    search("flight");
    choose("tag", "ci");
    browser.run("document.querySelector('[data-column=cost] button').click()");
    browser.await("location.hash.includes('sort')");
    String shown = browser.text(SHOWN);
    String hash = browser.text("location.hash");
    assertThat(hash).contains("q=flight", "tag=ci", "sort=-cost");
    open(folder, hash);
    assertThat(browser.text(SHOWN)).isEqualTo(shown);
    assertThat(browser.text("document.getElementById('query').value")).isEqualTo("flight");
    open(folder, "#tag=nowhere");
    assertThat(browser.text("document.getElementById('said').textContent"))
        .isEqualTo("tag nowhere is not in this file");
    assertThat(browser.text(SHOWN)).isEqualTo("200 sessions");
  }

  @Test
  void keys_select_a_session_and_open_its_page() throws IOException {
    open(folder, "");
    browser.run("document.getElementById('grid').focus()");
    browser.type(DOWN + "jk");
    assertThat(browser.text(SELECTED_ROW + ".getAttribute('aria-selected')")).isEqualTo("true");
    assertThat(
            browser.text("document.getElementById('grid').getAttribute('aria-activedescendant')"))
        .isEqualTo(browser.text(SELECTED_ROW + ".id"));
    browser.type("/x" + ESCAPE + ESCAPE);
    assertThat(browser.text("document.activeElement.id")).isEqualTo("grid");
    browser.type(ENTER);
    browser.await("document.title === 'the page'");
  }

  @Test
  void without_pages_a_row_has_the_command_that_shows_the_session() throws IOException {
    open(withoutLinks, "");
    assertThat(browser.text("document.querySelectorAll('.session a').length")).isEqualTo("0");
    browser.run("document.getElementById('grid').focus()");
    browser.type(DOWN + "c");
    browser.await("document.getElementById('said').textContent !== ''");
    assertThat(browser.text("document.getElementById('said').textContent"))
        .contains("replay show " + home.resolve("sessions/run-00199"));
  }

  @Test
  void command_is_quoted_for_the_shell_of_the_reader() throws IOException {
    open(hostile, "");
    String words =
        "['C:\\\\runs\\\\1', \"it's 1\", '-x', '$(a)'].map((word) => quoted(word)).join(' ')";
    assertThat(browser.text(words)).isEqualTo("'C:\\runs\\1' 'it'\\''s 1' ./-x '$(a)'");
    browser.run("Object.defineProperty(navigator, 'userAgentData', { value: null });"
        + "Object.defineProperty(navigator, 'platform', { value: 'Win32' })");
    assertThat(browser.text(words)).isEqualTo("C:\\runs\\1 'it''s 1' .\\-x '$(a)'");
  }

  @Test
  void hostile_texts_are_shown_and_nothing_is_executed() throws IOException {
    open(hostile, "");
    assertThat(browser.text("window.pwned")).isEqualTo("undefined");
    assertThat(browser.text("({}).polluted")).isEqualTo("undefined");
    assertThat(browser.text("document.getElementById('grid').innerText"))
        .contains("<script>window.pwned = 1</script>", "U+202E", "␛[31mred");
    assertThat(
            browser.text("document.querySelectorAll('.grid img, .grid svg, .grid script').length"))
        .isEqualTo("0");
    search("onerror='window");
    browser.await(SHOWN + ".startsWith('1 of')");
    browser.run("document.getElementById('grid').focus()");
    browser.type(DOWN + "c");
    browser.await("document.getElementById('said').textContent !== ''");
    assertThat(browser.text("document.getElementById('said').textContent"))
        .contains("not copied, because of invisible characters", "'\\''s");
    search("");
    browser.await(SHOWN + " === '11 sessions'");
    // each tag selects as many sessions as it states
    String selected = browser
        .run("const tag = document.getElementById('tag');"
            + "return [...tag.options].slice(1).map((option) => { tag.value = option.value;"
            + "tag.dispatchEvent(new Event('change', { bubbles: true }));"
            + "return /(\\d+)\\)$/.exec(option.textContent)[1] + '=' + parseInt(" + SHOWN
            + "); }).sort().join(' ')")
        .asString();
    assertThat(selected).isEqualTo("11=11" + " 1=1".repeat(11));
    assertThat(browser.text("window.pwned")).isEqualTo("undefined");
  }

  @Test
  void only_visible_rows_are_in_the_page_wherever_it_is_scrolled() throws IOException {
    open(folder, "");
    browser.run("document.getElementById('grid').scrollTop = 1e9");
    browser.await(
        "document.querySelector('.session:last-child')?.getAttribute('aria-rowindex') === '201'");
    assertThat(Integer.parseInt(browser.text(ROWS))).isLessThan(60);
    assertThat(browser.text("document.getElementById('grid').getAttribute('aria-rowcount')"))
        .isEqualTo("202");
  }

  @Test
  void narrow_page_needs_no_horizontal_scrolling() throws IOException {
    browser.resize(420, 800);
    open(folder, "");
    assertThat(browser.text("document.documentElement.scrollWidth <= innerWidth"))
        .isEqualTo("true");
    assertThat(
            browser.text(
                "document.getElementById('grid').scrollWidth <= document.getElementById('grid').clientWidth"))
        .isEqualTo("true");
    choose("order", "-tokens");
    assertThat(browser.text(FIRST)).contains("run-00197", "892.1K");
    choose("order", "tokens");
    assertThat(browser.text(FIRST)).doesNotContain("run-00197");
    browser.await("location.hash === '#sort=tokens'");
  }

  @Test
  void small_screen_scrolls_to_rows_that_fill_it() throws IOException {
    String visible = "(() => { document.getElementById('grid').scrollIntoView();"
        + "const foot = document.getElementById('foot').getBoundingClientRect().top;"
        + "return [...document.querySelectorAll('.session')].map((row) => row.getBoundingClientRect())"
        + ".filter((row) => row.top >= 0 && row.bottom <= Math.min(foot, innerHeight)).length; })()";
    browser.resize(420, 600);
    open(folder, "");
    assertThat(Integer.parseInt(browser.text(visible))).isGreaterThanOrEqualTo(4);
    browser.resize(800, 360);
    open(folder, "");
    assertThat(Integer.parseInt(browser.text(visible))).isGreaterThanOrEqualTo(4);
    search("no such text");
    browser.await("!document.getElementById('nothing').hidden");
    assertThat(browser.text("document.getElementById('grid').clientHeight < 120"))
        .isEqualTo("true");
  }

  @Test
  void small_amount_keeps_its_digits_and_an_incomplete_one_is_the_least() throws IOException {
    Path cheap = home.resolve("cheap");
    for (String model : List.of("large", "other")) {
      List<ReplayEvent> turn = List.of(
          ModelCall.of("m", model, Prompt.of("question")),
          ModelResult.of("m", "answer").withTokens(TokenCounts.of(4L, 0L)));
      FolderPages.write(
          cheap.resolve(model),
          SessionStart.of(model),
          turn,
          null,
          Instant.parse("2026-01-01T00:00:00Z"));
    }
    open(FolderPages.page(cheap, home.resolve("cheap.html"), false), "");
    assertThat(browser.text("document.getElementById('verdict').textContent"))
        .endsWith("≥ 0.00004cost");
    assertThat(browser.text("document.getElementById('foot').textContent")).contains("≥ 0.00004");
  }

  @Test
  void time_that_cannot_be_read_is_reported() throws IOException {
    open(folder, "");
    String note = "document.getElementById('since-invalid').checkVisibility()";
    assertThat(browser.text(note)).isEqualTo("false");
    for (String text : List.of("yesterday", "2026-13-01", "2026-02-31")) {
      choose("since", text);
      assertThat(browser.text(note)).isEqualTo("true");
      assertThat(browser.text("document.getElementById('since').ariaInvalid")).isEqualTo("true");
    }
    choose("since", "2026-01-18");
    assertThat(browser.text(note)).isEqualTo("false");
  }

  @Test
  void link_to_the_sessions_keeps_the_filter() throws IOException {
    open(folder, "");
    choose("tag", "ci");
    browser.await("location.hash === '#tag=ci'");
    browser.run("window.addEventListener('hashchange', () => { window.skipped = true; });"
        + "document.querySelector('.skip').click()");
    browser.await("window.skipped");
    assertThat(browser.text(SHOWN)).startsWith("66 of");
    browser.await("location.hash === '#tag=ci'");
  }

  @Test
  void keys_act_where_the_focus_is_and_leave_it_there() throws IOException {
    open(folder, "");
    browser.run("document.getElementById('grid').focus()");
    browser.type(DOWN);
    // a key that the page uses is not left to the browser
    String isLeft = browser.text("document.getElementById('failures').dispatchEvent("
        + "new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))");
    assertThat(isLeft).isEqualTo("true");
    browser.type("/run-0019" + ENTER);
    assertThat(browser.text("document.activeElement.id")).isEqualTo("grid");
    browser.await(SHOWN + ".startsWith('10 of')");
    browser.type(ESCAPE);
    assertThat(browser.text("document.activeElement.id")).isEqualTo("grid");
    assertThat(browser.text(SHOWN)).isEqualTo("200 sessions");
  }
}
