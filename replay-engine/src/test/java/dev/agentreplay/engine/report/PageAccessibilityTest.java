package dev.agentreplay.engine.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.policy.OnUnmatched;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Accessibility of each kind of page, as axe-core checks it in a browser, where there is one. */
class PageAccessibilityTest extends PageBrowserTest {

  /** Returns the serious violations, each as its rule, what is wrong, and the first elements. */
  private static final String CHECK =
      """
      return axe.run(document, { resultTypes: ['violations'], ...arguments[0] }).then((results) => results.violations
        .filter((found) => ['serious', 'critical'].includes(found.impact))
        .map((found) => found.id + ': ' + found.nodes.slice(0, 4)
          .map((node) => node.html.slice(0, 200) + ' ' + node.failureSummary).join('; ')));
      """;

  private static final JsonObject ALL = JsonObject.EMPTY;

  /** The colors, which are the slowest to check, and the only ones that depend on the theme. */
  private static final JsonObject COLORS = JsonObject.of("runOnly", List.of("color-contrast"));

  private static final JsonObject NO_COLORS =
      JsonObject.of("rules", JsonObject.of("color-contrast", JsonObject.of("enabled", false)));

  private String axe;

  @BeforeAll
  void start() throws IOException {
    try (InputStream in = getClass().getResourceAsStream("/axe.min.js")) {
      axe = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** A page of each kind, with the addresses of details to open. */
  private static Map<Path, List<String>> pages() throws Exception {
    Session team = TeamSessions.team(home.resolve("team"));
    Session calls = ViewedSessions.write(home.resolve("calls"), ViewedSessions.calls(12));
    Session fewer = ViewedSessions.write(home.resolve("fewer"), ViewedSessions.calls(10));
    Path kept = home.resolve("kept");
    var report = Replay.of(calls)
        .mode(ReplayMode.MOCK)
        .onUnmatched(OnUnmatched.STOP)
        .directory(kept)
        .run(
            scope -> scope.run("tool0", Map.of("path", "src/other.rs", "limit", 20), () -> "text"));
    Map<Path, List<String>> pages = new LinkedHashMap<>();
    pages.put(page("session", out -> HtmlViewer.render(team, out)), List.of("", "#e5", "#e4"));
    pages.put(
        page(
            "diff", out -> HtmlViewer.render(SessionDiff.between(calls, fewer), calls, fewer, out)),
        List.of("", "#d1"));
    Session replayed = Session.open(kept);
    pages.put(
        page("run", out -> HtmlViewer.render(report, calls, replayed, out)), List.of("", "#d1"));
    pages.put(
        page("conversation", out -> HtmlViewer.render(TestConversations.compared(), out)),
        List.of("#r0m2"));
    Path folder = home.resolve("folder");
    FolderPages.write(folder, 15);
    pages.put(
        FolderPages.page(folder, home.resolve("folder.html"), true), List.of("", "#q=flight"));
    Path forks = ForkedFolders.small(home.resolve("forks"));
    pages.put(
        FolderPages.page(forks, home.resolve("forks.html"), true),
        List.of("#sort=task", "#q=open"));
    Session invoice = ForkedRuns.record(home.resolve("invoice"));
    List<Session> made = new ArrayList<>();
    List<SessionDiff> diffs = new ArrayList<>();
    for (String status : List.of("late", "paid")) {
      ForkedRuns.fork(invoice, status, home.resolve(status));
      made.add(Session.open(home.resolve(status)));
      diffs.add(SessionDiff.between(invoice, made.get(made.size() - 1)));
    }
    pages.put(page("fork", out -> HtmlViewer.render(made.get(0), out)), List.of(""));
    pages.put(page("fork-runs", out -> HtmlViewer.render(diffs, invoice, made, out)), List.of(""));
    Path runs = home.resolve("runs.html");
    Files.writeString(runs, RunsPageTest.page(RunsPageTest.trials()));
    pages.put(runs, List.of("", "#s5r2"));
    return pages;
  }

  @Test
  void no_page_has_a_serious_violation() throws Exception {
    List<String> found = new ArrayList<>();
    for (var page : pages().entrySet()) {
      for (String address : page.getValue()) {
        browser.resize(1440, 900);
        browser.emulate("", "light");
        open(page.getKey(), address);
        browser.run(axe);
        check(ALL, "light, wide " + page.getKey() + address, found);
        browser.emulate("", "dark");
        check(COLORS, "dark, wide " + page.getKey() + address, found);
        browser.resize(420, 900);
        check(NO_COLORS, "narrow " + page.getKey() + address, found);
      }
    }
    assertThat(found).isEmpty();
  }

  @Override
  void open(Path page, String fragment) throws IOException {
    browser.open(page, fragment);
    browser.await("document.querySelector('.row, .message .body, .session, .step')");
  }

  private void check(JsonObject rules, String page, List<String> found) throws IOException {
    for (JsonValue violation : browser.run(CHECK, rules).asArray()) {
      found.add(page + ": " + violation.asString());
    }
  }
}
