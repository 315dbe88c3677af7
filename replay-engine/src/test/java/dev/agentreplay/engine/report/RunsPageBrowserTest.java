package dev.agentreplay.engine.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ReplayEvent;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The page of several runs in a browser: headless Chromium, where there is one with its driver. */
class RunsPageBrowserTest extends PageBrowserTest {

  private static final String SHOWN = "document.getElementById('shown').textContent";
  private static final String CURRENT = "document.querySelector('.cell.current').id";
  private static final String ESCAPE = "\ue00c";
  private static final String ENTER = "\ue007";
  private static final String RIGHT = "\ue014";
  private static final String DOWN = "\ue015";

  private Path trials;
  private Path hostile;

  @BeforeAll
  void start() throws IOException {
    trials = home.resolve("trials.html");
    Files.writeString(trials, RunsPageTest.page(RunsPageTest.trials()));
    List<ReplayEvent> events = new ArrayList<>(ViewedSessions.hostile());
    Session left = ViewedSessions.write(home.resolve("hostile/a <b>"), events);
    events.remove(0);
    events.remove(0);
    Session right = ViewedSessions.write(home.resolve("hostile/b"), events);
    hostile = home.resolve("hostile.html");
    Files.writeString(hostile, RunsPageTest.page(List.of(left, right, left)));
  }

  @Override
  void open(Path page, String fragment) throws IOException {
    browser.open(page, fragment);
    browser.await("document.querySelector('.step, #nothing:not([hidden])')");
  }

  private static String cell(int step, int run) {
    return "document.getElementById('cell-s%dr%d')".formatted(step, run);
  }

  @Test
  void page_shows_the_verdict_and_a_cell_for_each_step_and_run() throws IOException {
    open(trials, "");
    assertThat(browser.text("document.title")).isEqualTo("trial-0 and 3 runs");
    assertThat(browser.text("document.getElementById('verdict').innerText"))
        .contains("unstable", "#2 transfer_to_human_agents", "differs in all 3 runs, 3 variants")
        .contains("71.4%", "0 of 3");
    assertThat(browser.text(SHOWN)).isEqualTo("7 steps");
    assertThat(browser.text("document.querySelectorAll('.step .cell[data-run]').length"))
        .isEqualTo("21");
    assertThat(browser.text(cell(3, 1) + ".textContent")).isEqualTo("=");
    assertThat(browser.text(cell(3, 2) + ".textContent")).isEqualTo("−");
    assertThat(browser.text(cell(3, 2) + ".getAttribute('aria-label')"))
        .isEqualTo("run 2: missing");
    assertThat(browser.text(cell(5, 3) + ".textContent")).isEqualTo("≠ c");
    assertThat(browser.text("document.getElementById('overview').innerText"))
        .contains("trial-3", "4 of 7", "#0 get_user_details");
    assertThat(browser.text("document.body.innerText"))
        .doesNotContain("undefined", "null", "NaN", "[object");
  }

  @Test
  void cell_opens_the_difference_side_by_side() throws IOException {
    open(trials, "");
    browser.run("return void " + cell(5, 2) + ".click()");
    assertThat(browser.text(DETAILS))
        .contains("trial-0", "run 2, trial-2", "changed, variant b", "transfer_to_human_agents");
    assertThat(browser.text("document.querySelectorAll('#details del').length + '-'"))
        .isNotEqualTo("0-");
    assertThat(browser.text("document.querySelectorAll('#details ins').length + '-'"))
        .isNotEqualTo("0-");
    assertThat(browser.text("location.hash")).isEqualTo("#s5r2");
    browser.run("return void " + cell(3, 3) + ".click()");
    assertThat(browser.text(DETAILS)).contains("missing", "same in run 2", "get_user_details");
  }

  @Test
  void address_opens_a_cell() throws IOException {
    open(trials, "#s5r3");
    assertThat(browser.text(CURRENT)).isEqualTo("cell-s5r3");
    assertThat(browser.text(DETAILS)).contains("run 3, trial-3");
    open(trials, "#s50r3");
    assertThat(browser.text("document.getElementById('said').textContent"))
        .isEqualTo("#s50r3 is not in this file");
  }

  @Test
  void keys_go_through_steps_runs_and_differences() throws IOException {
    open(trials, "");
    browser.type("n");
    assertThat(browser.text(CURRENT)).isEqualTo("cell-s3r2");
    browser.type("n");
    assertThat(browser.text(CURRENT)).isEqualTo("cell-s4r3");
    browser.run("document.getElementById('grid').focus()");
    browser.type(DOWN);
    assertThat(browser.text(CURRENT)).isEqualTo("cell-s5r3");
    browser.type("h" + RIGHT + "h");
    assertThat(browser.text(CURRENT)).isEqualTo("cell-s5r2");
    assertThat(
            browser.text("document.getElementById('grid').getAttribute('aria-activedescendant')"))
        .isEqualTo("cell-s5r2");
    browser.type("N");
    assertThat(browser.text(CURRENT)).isEqualTo("cell-s4r3");
    browser.type(ESCAPE);
    assertThat(browser.text("document.querySelectorAll('.cell.current').length + location.hash"))
        .isEqualTo("0");
  }

  @Test
  void filters_show_the_steps_that_are_not_stable_or_differ_in_a_run() throws IOException {
    open(trials, "");
    browser.run("document.getElementById('changed').click()");
    assertThat(browser.text(SHOWN)).isEqualTo("3 of 7 steps");
    browser.run("document.getElementById('run').value = '1';"
        + "document.getElementById('filter').dispatchEvent(new Event('change'));");
    assertThat(browser.text(SHOWN)).isEqualTo("1 of 7 steps");
    browser.run("document.getElementById('clear').click()");
    browser.type("/Amelia Rossi");
    browser.await(
        "document.querySelector('.step mark')?.textContent.toLowerCase()" + " === 'amelia rossi'");
    assertThat(browser.text(SHOWN)).startsWith("1 of");
    browser.run("return void " + cell(5, 1) + ".click()");
    browser.await("document.querySelector('#details mark')");
  }

  @Test
  void focus_stays_on_what_opens_a_run_or_goes_to_what_it_opened() throws IOException {
    open(trials, "#s5r2");
    String focused = "document.activeElement.textContent";
    browser.run("const next = [...document.querySelectorAll('.run-button')].at(-1);"
        + "next.focus(); next.click()");
    assertThat(browser.text(focused)).isEqualTo("← run"); // there is no other one
    browser.type(ENTER);
    assertThat(browser.text(CURRENT)).isEqualTo("cell-s5r2");
    assertThat(browser.text(focused)).isEqualTo("← run");
    browser.run("document.getElementById('show-overview').click();"
        + "const link = document.querySelector('#overview .link'); link.focus(); link.click()");
    assertThat(browser.text("document.activeElement.id")).isEqualTo("details");
  }

  @Test
  void print_has_a_table_of_the_steps() throws IOException {
    open(trials, "");
    browser.run("window.dispatchEvent(new Event('beforeprint'))");
    assertThat(browser.text(
            "[...document.querySelectorAll('#paper th')].map(h => h.textContent).join()"))
        .endsWith(",step,agreement,1,2,3");
    assertThat(browser.text(
            "[...document.querySelectorAll('#paper table')].at(-1).tBodies[0].rows.length"
                + " === Number(document.getElementById('shown').textContent.match(/\\d+/)[0])"))
        .isEqualTo("true");
    browser.run("window.dispatchEvent(new Event('afterprint'))");
    assertThat(browser.text("document.getElementById('paper').childElementCount"))
        .isEqualTo("0");
  }

  @Test
  void first_session_has_the_name_of_its_side() throws IOException {
    List<Session> sessions = RunsPageTest.trials().subList(0, 2);
    List<SessionDiff> diffs = List.of(SessionDiff.between(sessions.get(0), sessions.get(1)));
    Path page = home.resolve("sides.html");
    try (OutputStream out = Files.newOutputStream(page)) {
      ViewerOptions options =
          ViewerOptions.defaults().withSides(new SideNames("baseline", "trial"));
      HtmlViewer.render(diffs, sessions.get(0), sessions.subList(1, 2), options, out);
    }
    open(page, "#s1r1");
    assertThat(browser.text("document.querySelector('.head .cell.first').textContent"))
        .isEqualTo("baseline");
    assertThat(browser.text("document.querySelector('table.runs th[scope=row]').textContent"))
        .isEqualTo("baseline");
    assertThat(browser.text("document.querySelector('.pairing').textContent"))
        .contains("baseline", "trial");
  }

  @Test
  void hostile_texts_are_shown_and_nothing_is_executed() throws IOException {
    open(hostile, "#s2r1");
    browser.type("n");
    assertThat(browser.text("window.pwned")).isEqualTo("undefined");
    assertThat(browser.text("document.getElementById('grid').innerText"))
        .contains("<script>window.pwned = 1</script>", "U+202E");
    assertThat(browser.text("document.querySelectorAll('main img, main svg, main script').length"))
        .isEqualTo("0");
    assertThat(browser.text("({}).polluted")).isEqualTo("undefined");
  }

  @Test
  void only_visible_columns_are_in_the_page_and_an_opened_one_becomes_visible() throws IOException {
    List<Session> sessions = new ArrayList<>(RunsPageTest.trials());
    for (int i = 0; sessions.size() < 81; i++) {
      sessions.add(sessions.get(1 + i % 3));
    }
    Path page = home.resolve("many.html");
    Files.writeString(page, RunsPageTest.page(sessions));
    open(page, "");
    String drawn = "document.querySelectorAll('.step:first-child [data-run]').length";
    assertThat(Integer.parseInt(browser.text(drawn))).isBetween(5, 40);
    assertThat(browser.text("document.getElementById('grid').getAttribute('aria-colcount')"))
        .isEqualTo("83");
    browser.run("document.getElementById('grid').scrollLeft = 1e6");
    browser.await(cell(1, 80));
    assertThat(browser.text(cell(1, 80) + ".getAttribute('aria-colindex')")).isEqualTo("83");
    assertThat(browser.text("document.querySelectorAll('.head [aria-colindex=\"83\"]').length"))
        .isEqualTo("1");
    assertThat(Integer.parseInt(browser.text(drawn))).isBetween(5, 40);
    String isVisible =
        "(() => { const box = document.getElementById('grid').getBoundingClientRect();"
            + "const fixed = document.querySelector('.head .what').getBoundingClientRect().right;"
            + "const cell = " + CURRENT.replace(".id", "") + ".getBoundingClientRect();"
            + "return cell.left >= fixed && cell.right <= box.right; })()";
    for (String address : List.of("#s2r1", "#s2r40", "#s2r80", "#s2r79")) {
      browser.run("location.hash = '" + address + "'");
      browser.await(CURRENT.replace(".id", "?.id") + " === 'cell-" + address.substring(1) + "'");
      assertThat(browser.text(isVisible)).as(address).isEqualTo("true");
    }
  }

  @Test
  void narrow_page_needs_no_horizontal_scrolling() throws IOException {
    browser.resize(420, 800);
    open(trials, "");
    assertThat(browser.text("document.documentElement.scrollWidth <= innerWidth"))
        .isEqualTo("true");
    browser.run("return void " + cell(5, 2) + ".click()");
    assertThat(browser.text("document.getElementById('pane').classList.contains('open')"))
        .isEqualTo("true");
    browser.type(ESCAPE);
    assertThat(browser.text("document.getElementById('pane').classList.contains('open')"))
        .isEqualTo("false");
  }
}
