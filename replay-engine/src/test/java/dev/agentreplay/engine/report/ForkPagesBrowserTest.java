package dev.agentreplay.engine.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.fork.Fork;
import dev.agentreplay.engine.fork.ForkPoints;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The pages of forks in a browser: how each request was answered, and the point of a fork. */
class ForkPagesBrowserTest extends PageBrowserTest {

  private static final String ANSWERS =
      "[...document.querySelectorAll('.row:has(.answer)')].map((row) =>"
          + " row.querySelector('.name').textContent + ' '"
          + " + row.querySelector('.answer').textContent).join('\\n')";
  private static final String MARKED = "[...document.querySelectorAll('.row.forked')].map((row) =>"
      + " row.querySelector('.fork-point').textContent + ' | '"
      + " + row.querySelector('.name').textContent).join('\\n')";
  private static final String POINT =
      "Fork at line 5: set /output/status to \"late\"what is above was served as recorded";
  private static final String LEGEND = "document.querySelector('.timeline .legend').textContent";
  private static final String SHOWN = "document.getElementById('shown').textContent";
  private static final String OPTIONS =
      "[...document.getElementById('answer').options].map((each) => each.textContent).join()";

  private Path shown;
  private Path run;
  private Path recordingOnly;
  private Path diff;
  private Path runs;

  @BeforeAll
  void start() throws Exception {
    Session recording = ForkedRuns.record(home.resolve("recorded"));
    List<Session> forks = new ArrayList<>();
    List<SessionDiff> diffs = new ArrayList<>();
    for (String status : List.of("late", "paid")) {
      Path out = home.resolve("fork-" + status);
      ReplayReport report = ForkedRuns.fork(recording, status, out);
      Session fork = Session.open(out);
      if (forks.isEmpty()) {
        run = page("run", page -> HtmlViewer.render(report, recording, fork, page));
        recordingOnly = page("alone", page -> HtmlViewer.render(report, recording, null, page));
        shown = page("shown", page -> HtmlViewer.render(fork, page));
      }
      forks.add(fork);
      diffs.add(SessionDiff.between(recording, fork).withNames("recorded", "fork-" + status));
    }
    SessionDiff first = diffs.get(0);
    diff = page("diff", page -> HtmlViewer.render(first, recording, forks.get(0), page));
    runs = page("runs", page -> HtmlViewer.render(diffs, recording, forks, page));
  }

  @Test
  void session_of_a_fork_says_how_each_request_was_answered() throws IOException {
    open(shown, "");
    assertThat(browser.text(ANSWERS))
        .isEqualTo(
            """
        get_invoice served
        get_status changed
        notify executed
        archive served""");
    assertThat(browser.text("document.querySelector('.verdict .origin').textContent"))
        .isEqualTo("Fork of invoice at line 5: set /output/status to \"late\"");
    assertThat(browser.text("document.getElementById('overview').innerText"))
        .contains("2 served", "1 changed", "1 executed", "3 exact", "1 none");
    assertThat(browser.text(MARKED)).isEqualTo(POINT + " | get_status");
  }

  @Test
  void what_was_not_matched_exactly_is_filtered_by_the_choice_and_the_legend() throws IOException {
    open(shown, "");
    assertThat(browser.text(OPTIONS))
        .isEqualTo("Any answer,served (2),changed (1),executed (1),match: not exact (1),"
            + "match: exact (3),match: none (1)");
    browser.run("const s = document.getElementById('answer'); s.value = 'match:not exact';"
        + "s.dispatchEvent(new Event('change', { bubbles: true }));");
    assertThat(browser.text(SHOWN)).isEqualTo("1 of 7 steps");
    assertThat(browser.text(ANSWERS)).isEqualTo("notify executed");
    assertThat(browser.text(MARKED)).isEqualTo(POINT + " | notify");
    browser.run("document.getElementById('clear').click()");
    browser.run("[...document.querySelectorAll('.answer-button')]"
        + ".find((button) => button.textContent === '2 served').click()");
    assertThat(browser.text(ANSWERS)).isEqualTo("get_invoice served\narchive served");
    assertThat(browser.text(MARKED)).isEqualTo(POINT + " | archive");
    assertThat(
            browser.text("document.querySelector('.answer-button[aria-pressed=true]').textContent"))
        .isEqualTo("2 served");
  }

  @Test
  void link_in_the_verdict_opens_the_step_after_the_point() throws IOException {
    open(shown, "");
    browser.run("document.querySelector('.verdict .origin button').click()");
    assertThat(browser.text(SELECTED + ".querySelector('.name').textContent"))
        .isEqualTo("get_status");
  }

  @Test
  void replay_and_comparison_with_the_parent_have_the_point() throws IOException {
    open(run, "");
    assertThat(browser.text("document.title")).startsWith("Fork of ");
    assertThat(browser.text(LEGEND)).contains("fork");
    assertThat(browser.text(MARKED)).isEqualTo(POINT + " | get_status");
    assertThat(browser.text(ANSWERS)).contains("get_status changed", "notify executed");
    open(recordingOnly, "");
    assertThat(browser.text(MARKED)).isEqualTo(POINT + " | get_status");
    open(diff, "");
    assertThat(browser.text(MARKED)).isEqualTo(POINT + " | get_status");
    assertThat(browser.text("document.body.innerText"))
        .doesNotContain("undefined", "NaN", "[object");
  }

  @Test
  void runs_are_named_by_their_changes_and_have_their_points() throws IOException {
    browser.open(runs, "");
    browser.await("document.querySelector('.step')");
    assertThat(browser.text("[...document.querySelectorAll('.run-name')]"
            + ".map((name) => name.textContent).join()"))
        .isEqualTo("… \"late\",… \"paid\"");
    assertThat(browser.text("[...document.querySelectorAll('.step .cell.point')]"
            + ".map((cell) => cell.closest('.step').querySelector('.name').textContent"
            + " + ': ' + cell.title).join('\\n')"))
        .isEqualTo("get_status: run 1: changed, variant a; fork at line 5: set /output/status to"
            + " \"late\"\nget_status: run 2: changed, variant b; fork at line 5: set"
            + " /output/status to \"paid\"");
    assertThat(browser.text("document.getElementById('overview').innerText"))
        .contains("fork of invoice at line 5", "the point of a fork");
    browser.run("document.querySelector('[data-run=\"1\"].point').click()");
    assertThat(browser.text("document.querySelector('.pairing .origin').textContent"))
        .isEqualTo("at line 5: set /output/status to \"paid\"");
  }

  @Test
  void fork_of_a_session_whose_id_is_shortened_has_its_point() throws Exception {
    Session recording = ForkedRuns.record(home.resolve("long"), "invoice-" + "7".repeat(300));
    Path out = home.resolve("long-fork");
    long line = ForkPoints.of(recording).possible().get(1).line();
    Replay.of(recording)
        .mode(ReplayMode.MOCK)
        .fork(Fork.at(line))
        .directory(out)
        .run(scope -> scope.call("get_invoice", JsonObject.of("id", 7)));
    Session fork = Session.open(out);
    SessionDiff diff = SessionDiff.between(recording, fork);

    open(page("long-diff", page -> HtmlViewer.render(diff, recording, fork, page)), "");
    assertThat(browser.text(MARKED)).endsWith(" | get_status");

    browser.open(
        page(
            "long-runs",
            page -> HtmlViewer.render(List.of(diff, diff), recording, List.of(fork, fork), page)),
        "");
    browser.await("document.querySelector('.step')");
    assertThat(browser.text("document.querySelectorAll('.step .cell.point').length"))
        .isEqualTo("2");
  }

  @Test
  void trials_of_an_attribution_are_named_by_the_differences_they_take_over() throws Exception {
    Path trials = home.resolve("trials.html");
    Files.writeString(trials, RunsPageTest.page(ForkedRuns.trials(home.resolve("attributed"))));

    browser.open(trials, "");
    browser.await("document.querySelector('.step')");
    assertThat(browser.text("[...document.querySelectorAll('.run-name')]"
            + ".map((name) => name.textContent).join()"))
        .isEqualTo("no change,result at line 3, result at line 5,result,result at line 5");
    assertThat(browser.text("document.querySelectorAll('.step .cell.point').length"))
        .isEqualTo(browser.text("document.querySelectorAll('.run-name').length"));
  }

  @Test
  void answers_from_a_different_recording_are_named() throws Exception {
    List<Session> trials = ForkedRuns.trials(home.resolve("answered"));
    Session last = trials.get(trials.size() - 1);

    open(page("answered", page -> HtmlViewer.render(last, page)), "");

    assertThat(browser.text(ANSWERS)).contains("get_status changed", "notify answered");
    assertThat(browser.text("document.getElementById('overview').innerText"))
        .contains("1 answered", "from a different recording");
  }
}
