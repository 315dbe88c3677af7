package dev.agentreplay.engine.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.exchange.ReplayMiss;
import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayDivergence;
import dev.agentreplay.engine.replay.ReplayMissException;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.TestReports;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.policy.OnUnmatched;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The page of a replay in a browser: headless Chromium, where there is one with its driver. */
class RunPageBrowserTest extends PageBrowserTest {

  private static final String VERDICT = "document.getElementById('verdict').textContent";
  private static final String OVERVIEW = "document.getElementById('overview').textContent";
  private static final String ROWS =
      "[...document.querySelectorAll('.row')].map((row) => row.textContent).join('\\n')";

  private Session recording;
  private Session replayed;
  private ReplayReport missed;
  private Path replay;

  @BeforeAll
  void start() throws Exception {
    try (SessionRecorder recorder = SessionRecorder.start(home.resolve("recorded"), "s")) {
      run(AgentScope.recording(recorder, Executors.none()), "a.txt");
    }
    recording = Session.open(home.resolve("recorded"));
    Path kept = home.resolve("kept");
    missed = Replay.of(recording)
        .mode(ReplayMode.MOCK)
        .onUnmatched(OnUnmatched.ERROR)
        .directory(kept)
        .run(scope -> run(scope, "c.txt"));
    replayed = Session.open(kept);
    replay = page("replay.html", missed, recording, replayed);
  }

  private static void run(AgentScope scope, String path) throws Exception {
    scope.run("list", Map.of("directory", "src"), () -> "a.txt");
    try {
      scope.run("read_file", Map.of("path", path), () -> "text");
    } catch (ReplayMissException miss) {
      return;
    }
    scope.run("write_file", Map.of("path", "b.txt"), () -> "done");
  }

  private static Path page(
      String name, ReplayReport report, Session recording, @Nullable Session compared)
      throws IOException {
    Path page = home.resolve(name);
    try (OutputStream out = Files.newOutputStream(page)) {
      HtmlViewer.render(report, recording, compared, out);
    }
    return page;
  }

  @Test
  void verdict_has_the_first_divergence_and_its_values() throws IOException {
    open(replay, "");
    assertThat(browser.text("document.title")).isEqualTo("Replay of recorded");
    assertThat(browser.text("document.getElementById('title').textContent"))
        .isEqualTo("Arecordingrecorded→Bmock replaykept");
    assertThat(browser.text(VERDICT))
        .contains(
            "Diverged",
            "replayed 1 of 3 exchanges in ",
            "1. MISS at line 5: read_file, not in the recording; 1 divergence"
                + " follows from it /params/path a.txt → c.txt",
            "Incomplete: the recording has no end",
            "3recorded",
            "1served",
            "2unread",
            "1missed")
        .doesNotContain("differs end", "undefined", "null", "NaN");
    assertThat(browser.text(OVERVIEW))
        .contains("Divergences1. MISS read_file", "2. UNREAD", "requests2: 1 exact, 1 missed")
        .contains("Verification of the recording", "outputs match their hash")
        .doesNotContain("undefined", "null", "NaN");
  }

  @Test
  void rows_show_how_each_request_was_answered() throws IOException {
    open(replay, "");
    assertThat(browser.text(ROWS))
        .containsPattern("=#0list.*served")
        .containsPattern("∅#1read_file.*missedmajor")
        .containsPattern("−#2write_file.*not requestedmajor");
    browser.run("const e = document.getElementById('answer'); e.value = 'missed';"
        + "e.dispatchEvent(new Event('change', {bubbles: true}))");
    assertThat(browser.text("document.querySelectorAll('.row').length")).isEqualTo("1");
  }

  @Test
  void details_of_a_miss_name_the_nearest_request_and_a_served_call_its_line() throws IOException {
    open(replay, "#d1");
    assertThat(browser.text(DETAILS))
        .contains(
            "not in the recording",
            "divergence 1 (MISS)",
            "cannot be answered from the recording: it differs from what was recorded",
            "Nearest recorded request: line 5, first difference at /params/path",
            "ARecording",
            "BReplay")
        .doesNotContain("undefined", "NaN");
    open(replay, "#e3");
    assertThat(browser.text(DETAILS)).contains("answerservedexact line 3");
    browser.type("nn");
    assertThat(browser.text("location.hash")).isEqualTo("#d2");
    assertThat(browser.text(DETAILS)).contains("recorded, but not requested");
  }

  @Test
  void divergences_that_only_the_ledger_has_are_at_the_recorded_lines() throws IOException {
    ReplayMiss miss = missed.root().miss();
    Session left = ViewedSessions.write(home.resolve("left"), ViewedSessions.calls(12));
    Path page =
        page("mixed.html", TestReports.mixed(TestDiffs.mixed(), miss, "read_file"), left, left);
    open(page, "");
    assertThat(browser.text(OVERVIEW))
        .contains("MISS", "UNREAD", "TIMEOUT", "REFUSED", "DRIFT", "UNDECIDED", "NOT_REEXECUTED")
        .contains("versions.runtime differs from the recording", "1 exchange timed out")
        .doesNotContain("undefined", "NaN");
    assertThat(browser.text(VERDICT)).contains("Incomplete: 1 exchange timed out");
    for (Map.Entry<Integer, String> kind : Map.of(
            7, "UNREAD", 8, "TIMEOUT", 10, "DRIFT", 11, "UNDECIDED", 12, "NOT_REEXECUTED")
        .entrySet()) {
      open(page, "#d" + kind.getKey());
      assertThat(browser.text(DETAILS)).contains(kind.getValue());
    }
    open(page, "#d8");
    assertThat(browser.text(SELECTED + ".textContent")).contains("timed out");
  }

  @Test
  void what_is_accepted_is_in_the_verdict_and_marked_in_the_details() throws Exception {
    Path place = home.resolve("ended");
    try (SessionRecorder recorder = SessionRecorder.start(place, "ended")) {
      runToEnd(AgentScope.recording(recorder, Executors.none()), "a.txt");
    }
    Session ended = Session.open(place);
    ReplayReport before = Replay.of(ended)
        .mode(ReplayMode.MOCK)
        .onUnmatched(OnUnmatched.POSITION)
        .run(scope -> runToEnd(scope, "c.txt"));
    DiffOptions accepting = DiffOptions.defaults()
        .accepting(before.divergences().stream()
            .map(ReplayDivergence::fingerprint)
            .collect(Collectors.toSet()));
    Path out = home.resolve("accepted");
    ReplayReport after = Replay.of(ended)
        .mode(ReplayMode.MOCK)
        .onUnmatched(OnUnmatched.POSITION)
        .comparison(accepting)
        .directory(out)
        .run(scope -> runToEnd(scope, "c.txt"));
    Session accepted = Session.open(out);
    SessionDiff diff = SessionDiff.between(ended, accepted, accepting);

    String badge = "document.querySelector('#details .badge.none').textContent";
    open(page("accepted.html", after, ended, accepted), "#d1");
    assertThat(browser.text(VERDICT)).contains("Identical, but 1 accepted");
    assertThat(browser.text(badge)).isEqualTo("accepted");
    open(page("accepted-diff", page -> HtmlViewer.render(diff, ended, accepted, page)), "#d1");
    assertThat(browser.text(VERDICT))
        .contains("Identical, but 1 accepted", "All other divergences have severity none.");
    assertThat(browser.text(badge)).isEqualTo("accepted");
  }

  private static void runToEnd(AgentScope scope, String path) throws Exception {
    run(scope, path);
    scope.end(SessionEnd.of(Status.SUCCESS));
  }

  @Test
  void session_of_a_replay_shows_its_answers() throws IOException {
    open(ViewedSessions.page(replayed), "");
    assertThat(browser.text(ROWS)).containsPattern("#0list.*served").containsPattern("#1.*missed");
    assertThat(browser.text(VERDICT)).contains("Mock replay of s");
    assertThat(browser.text(OVERVIEW))
        .contains("1 servedas recorded", "1 missednothing in the recording answers it");
    open(ViewedSessions.page(replayed), "#e3");
    assertThat(browser.text(DETAILS)).contains("answerservedexact line 3 of the recording");
  }

  @Test
  void verification_without_a_comparison_marks_the_lines_of_its_findings() throws Exception {
    Path directory = Files.createDirectories(home.resolve("changed"));
    String log = Files.readString(recording.log());
    Files.writeString(directory.resolve(Session.LOG_NAME), log.replace("b.txt", "B.txt"));
    Session changed = Session.open(directory);
    open(page("changed.html", Replay.of(changed).run(), changed, null), "");
    assertThat(browser.text(VERDICT)).contains("Invalid", "PARAMS_HASH_MISMATCH", "2findings");
    browser.type("n");
    assertThat(browser.text(SELECTED + ".textContent")).contains("write_file", "⚠");
    assertThat(browser.text(DETAILS)).contains("⚠ PARAMS_HASH_MISMATCH");
  }

  @Test
  void miss_is_paired_with_the_nearest_request_of_several_that_were_not_made() throws Exception {
    try (SessionRecorder recorder = SessionRecorder.start(home.resolve("many"), "s")) {
      many(AgentScope.recording(recorder, Executors.none()), List.of("0", "1", "2", "3", "4"));
    }
    Session many = Session.open(home.resolve("many"));
    Path kept = home.resolve("many-replayed");
    ReplayReport report = Replay.of(many)
        .mode(ReplayMode.MOCK)
        .onUnmatched(OnUnmatched.ERROR)
        .directory(kept)
        .run(scope -> many(scope, List.of("0", "1", "2x")));
    assertThat(report.divergences().stream().filter(each -> each.miss() != null))
        .singleElement()
        .matches(each -> each.recordedLine() == each.miss().nearest().line());
    open(page("many.html", report, many, Session.open(kept)), "");
    assertThat(browser.text(VERDICT))
        .contains(". MISS at line", "/params/path module2.py → module2x.py");
  }

  private static void many(AgentScope scope, List<String> names) throws Exception {
    for (String name : names) {
      scope.run("read_file", Map.of("path", "module" + name + ".py"), () -> "text " + name);
    }
  }

  @Test
  void page_without_the_session_of_the_replay_has_the_divergences_at_the_recording()
      throws IOException {
    Path page = page("alone.html", missed, recording, null);
    open(page, "");
    assertThat(browser.text(VERDICT)).contains("Diverged", "1. MISS at line 5: read_file");
    browser.type("n");
    assertThat(browser.text("location.hash")).isEqualTo("#d1");
    assertThat(browser.text(SELECTED + ".textContent")).startsWith("∅#1read_file");
    assertThat(browser.text(DETAILS)).contains("Nearest recorded request: line 5");
  }

  @Test
  void hostile_texts_are_shown_and_never_run() throws IOException {
    Session hostile = ViewedSessions.write(home.resolve("hostile"), ViewedSessions.hostile());
    for (String text : ViewedSessions.HOSTILE) {
      ReplayReport report = TestReports.mixed(TestDiffs.hostile(), missed.root().miss(), text);
      open(page("hostile.html", report, hostile, hostile), "");
      Opened opened = pressAndOpenFolds("n", 12);
      assertThat(opened.rows()).isGreaterThan(5);
      assertThat(opened.folds()).isGreaterThan(5);
      assertNothingRan();
      assertThat(browser.text(OVERVIEW))
          .doesNotContain("\u001b", "\u202e", "\u200b", "\ufeff", "\u2028");
    }
  }

  @Test
  void on_paper_and_on_a_narrow_screen_the_verdict_is_whole() throws IOException {
    open(replay, "");
    browser.emulate("print", "light");
    browser.await("document.querySelector('#paper .row')");
    assertThat(browser.text("document.getElementById('paper').innerText"))
        .contains("Diverged", "1. MISS at line 5", "not in the recording", "/params/path");
    browser.emulate("", "dark");
    browser.resize(360, 740);
    open(replay, "");
    String overhang = "document.documentElement.scrollWidth > document.documentElement.clientWidth";
    assertThat(browser.text(overhang)).isEqualTo("false");
  }
}
