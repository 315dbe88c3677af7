package dev.agentreplay.engine.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.engine.agreement.FlakinessReport;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.diff.TestRuns;
import dev.agentreplay.engine.report.embedded.ScriptWriter;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The data of the page of several runs. */
class RunsPageTest {

  @TempDir
  Path home;

  /** The page of trials of one task, the first of which the others are compared with. */
  static String page(List<Session> sessions) throws IOException {
    List<SessionDiff> diffs = new ArrayList<>();
    for (int i = 1; i < sessions.size(); i++) {
      diffs.add(
          SessionDiff.between(sessions.get(0), sessions.get(i)).withNames("trial-0", "trial-" + i));
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    HtmlViewer.render(diffs, sessions.get(0), sessions.subList(1, sessions.size()), out);
    return out.toString(StandardCharsets.UTF_8);
  }

  static List<Session> trials() throws IOException {
    List<Session> sessions = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      sessions.add(Session.open(Path.of("src/test/resources/sessions/task-18_trial-" + i)));
    }
    return sessions;
  }

  @Test
  void report_in_a_page_is_the_approved_one() throws IOException {
    JsonObject data = PageData.of(page(trials()));

    PageData.assertApproved(data.at("/report").asObject(), "runs-page.json");
  }

  @Test
  void page_has_the_events_and_the_comparison_of_each_run() throws IOException {
    JsonObject data = PageData.of(page(trials()));

    assertThat(data.at("/sessions").asArray().size()).isEqualTo(4);
    assertThat(data.at("/comparisons").asArray().size()).isEqualTo(3);
    for (JsonValue comparison : data.at("/comparisons").asArray()) {
      assertThat(comparison.at("/diff/schema").asString()).isEqualTo("replay.diff/1");
      assertThat(comparison.at("/diff/left/name").asString()).isEqualTo("trial-0");
      assertThat(comparison.at("/alignment").asArray().size()).isPositive();
    }
  }

  @Test
  void page_runs_its_own_script_only_and_hostile_texts_are_data() throws Exception {
    Session left = ViewedSessions.write(home.resolve("a<b>"), ViewedSessions.hostile());
    Session right = ViewedSessions.write(home.resolve("b"), ViewedSessions.calls(3));

    PageData.assertLockedWithImages(page(List.of(left, right, left)));
  }

  @Test
  void same_runs_make_the_same_page() throws IOException {
    assertThat(page(trials())).isEqualTo(page(trials()));
  }

  @Test
  void of_more_steps_than_the_limit_the_number_is_stated() throws IOException {
    FlakinessReport report = TestRuns.agreement("= ~x - =", "= = - =");
    StringWriter text = new StringWriter();
    new RunsReport(report, 2).write(new ScriptWriter(text));

    JsonObject data = JsonText.parse(text.toString()).asObject();

    assertThat(data.at("/steps").asArray().size()).isEqualTo(2);
    assertThat(data.at("/omitted").asLong()).isEqualTo(2);
    assertThat(data.at("/cause").typeName()).isEqualTo("null");
    assertThat(data.at("/verdict").asString()).isEqualTo("regression");
  }

  @Test
  void events_are_cut_to_a_limit_that_the_sessions_share() throws IOException {
    Session left = ViewedSessions.write(home.resolve("a"), ViewedSessions.calls(60));
    List<Session> sessions = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      sessions.add(left);
    }
    List<SessionDiff> diffs =
        List.of(SessionDiff.between(left, left), SessionDiff.between(left, left));
    StringWriter text = new StringWriter();
    new ViewerData(new ScriptWriter(text), ViewerOptions.defaults(), 50)
        .write(FlakinessReport.of(diffs), diffs, sessions.subList(0, 3));

    JsonObject data = JsonText.parse(text.toString()).asObject();

    assertThat(data.at("/sessions/2/events").asArray().size()).isEqualTo(50);
    assertThat(data.at("/sessions/2/lines").asLong()).isEqualTo(123);
  }

  @Test
  void number_of_sessions_must_be_that_of_the_comparisons() throws IOException {
    List<Session> trials = trials();
    SessionDiff diff = SessionDiff.between(trials.get(0), trials.get(1));
    ByteArrayOutputStream out = new ByteArrayOutputStream();

    assertThatThrownBy(
            () -> HtmlViewer.render(List.of(diff, diff), trials.get(0), trials.subList(1, 2), out))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("expected a session for each of 2 comparisons: 1");
    assertThat(out.size()).isZero();
  }
}
