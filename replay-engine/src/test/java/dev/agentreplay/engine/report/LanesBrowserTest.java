package dev.agentreplay.engine.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.report.embedded.ScriptWriter;
import dev.agentreplay.engine.view.Prices;
import dev.agentreplay.engine.view.Prices.Price;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Writer;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Lanes, overlapping calls, sub-agents and totals in a browser, where there is one. */
class LanesBrowserTest extends PageBrowserTest {

  private static final String UP = "\ue013";
  private static final String DOWN = "\ue015";
  private static final String LEFT = "\ue012";
  private static final String RIGHT = "\ue014";
  private static final String SHOWN = "document.getElementById('shown').value";
  private static final String VERDICT = "document.getElementById('verdict').textContent";
  private static final String SELECTED_ROW = SELECTED + ".textContent";

  private Path team;

  @BeforeAll
  void start() throws IOException {
    Path directory = home.resolve("5f0e6c1a-9a52-4c8e-8a16-2b7a9e6d0c31");
    team = ViewedSessions.page(TeamSessions.team(directory));
  }

  private String all(String selector, String property) throws IOException {
    return browser.text("[...document.querySelectorAll('%s')].map((e) => e.%s).join('|')"
        .formatted(selector, property));
  }

  @Test
  void title_is_the_service_the_task_and_the_time_of_a_session_without_a_name_of_its_own()
      throws IOException {
    open(team, "");
    assertThat(browser.text("document.title"))
        .isEqualTo("Coder.improve: Make the slow tests of the build fast, 2026-01-13 10:00 UTC");
    assertThat(browser.text("document.getElementById('title').textContent"))
        .isEqualTo("Coder.improve: Make the slow tests of the build fast 2026-01-13 10:00 UTC");
    assertThat(all("#title [title]", "title")).isEqualTo("5f0e6c1a-9a52-4c8e-8a16-2b7a9e6d0c31");
  }

  @Test
  void verdict_has_the_summary_and_what_took_the_time() throws IOException {
    open(team, "");
    assertThat(browser.text(VERDICT))
        .contains("Ended: Success", "The first of three slow tests shares its fixture now")
        .contains("12tool calls", "6turns", "1failed", "15.3 sin tools", "4.00 sin models")
        .contains("222 msto the first token", "10.6K → 348tokens in, out")
        .doesNotContain("utility");
    assertThat(browser.text("document.getElementById('overview').textContent"))
        .contains("taskMake the slow tests", "environmentstaging", "useru1", "tagsnightly")
        .contains("commit4f1c2d9", "servicedev.example.Coder")
        .contains("small-model604.00 s222 ms10,580348", "researcher-14202,70080")
        .doesNotContain("Step utility");
  }

  private static ViewerOptions priced(String model) {
    Price price = new Price(new BigDecimal("1.25"), BigDecimal.TEN);
    return ViewerOptions.defaults().withPrices(Prices.of(Map.of(model, price)));
  }

  @Test
  void cost_is_shown_if_there_are_prices() throws IOException {
    Session session = TeamSessions.team(home.resolve("priced"));
    Path page = home.resolve("priced.html");
    try (OutputStream out = Files.newOutputStream(page)) {
      HtmlViewer.render(session, priced("small-model"), out);
    }
    open(page, "");
    assertThat(browser.text(VERDICT)).contains("0.01671cost").doesNotContain("as far as known");

    try (OutputStream out = Files.newOutputStream(page)) {
      HtmlViewer.render(session, priced("other"), out);
    }
    open(page, "");
    assertThat(browser.text(VERDICT)).contains("≥ 0cost, as far as known");
    assertThat(browser.text("document.getElementById('title').textContent")).endsWith("priced");
  }

  @Test
  void utilities_are_shown_if_a_step_states_one() throws IOException {
    Session session = ViewedSessions.write(home.resolve("useful"), ViewedSessions.calls(3));
    open(ViewedSessions.page(session), "");
    assertThat(browser.text(VERDICT)).contains("0.50mean utility");
    assertThat(all("#overview h2", "textContent")).contains("Step utility");
  }

  @Test
  void lanes_of_agents_are_below_the_one_that_started_them() throws IOException {
    open(team, "");
    assertThat(all(".timeline .lane", "textContent"))
        .isEqualTo("main agent|↳ researcher-1|↳ researcher-1/reader|↳ researcher-2");
    // main calls two researchers at once, one of which searches three times at once
    assertThat(all(".timeline .lane", "style.height")).isEqualTo("40px|60px|20px|20px");
  }

  @Test
  void steps_of_an_agent_are_listed_below_the_call_that_started_it() throws IOException {
    open(team, "");
    List<String> rows = List.of(all(".row", "textContent").split("\\|"));
    int research = index(rows, "topic: tests");
    assertThat(rows.get(research + 1)).contains("researcher-1");
    int reading = index(rows, "files: 3");
    assertThat(rows.subList(reading + 1, reading + 3))
        .allSatisfy(row -> assertThat(row).contains("researcher-1/reader"));
    assertThat(index(rows, "topic: deps")).isGreaterThan(reading);
    assertThat(browser.text("document.getElementById('list').getAttribute('role')"))
        .isEqualTo("tree");
    String levels = all(".row", "ariaLevel").replace("|", "");
    assertThat(levels.substring(research, reading + 3)).isEqualTo("122222" + "33");
  }

  @Test
  void call_that_started_a_step_without_an_agent_is_not_that_of_the_next_steps()
      throws IOException {
    List<ReplayEvent> events = new ArrayList<>(ViewedSessions.call("root", "plan", "p", "o", true));
    for (ReplayEvent event : ViewedSessions.call("below", "search", "p", "o", true)) {
      events.add(event.withMeta(event.meta().withParent("root")));
    }
    events.addAll(ViewedSessions.call("next", "search", "p", "o", true));
    open(ViewedSessions.page(ViewedSessions.write(home.resolve("below"), events)), "");
    assertThat(all(".row", "ariaLevel")).isEqualTo("1|1|1|2|1|1");
  }

  @Test
  void tool_with_a_hidden_character_is_filtered_by_its_name_and_its_lane() throws IOException {
    List<ReplayEvent> events = new ArrayList<>(ViewedSessions.call("1", "other", "p", "o", true));
    events.addAll(ViewedSessions.call("2", "search\u00a0web", "p", "o", true));
    open(ViewedSessions.page(ViewedSessions.write(home.resolve("unseen"), events)), "");
    browser.run("const tool = document.getElementById('tool'); tool.selectedIndex = 2;"
        + "tool.dispatchEvent(new Event('change', { bubbles: true }))");
    assertThat(browser.text(SHOWN)).isEqualTo("1 of 5 steps");
    String lane = "[...document.querySelectorAll('.timeline button.lane')]"
        + ".find((lane) => lane.textContent.includes('web'))";
    assertThat(browser.text(lane + ".ariaPressed")).isEqualTo("true");
    browser.run(lane + ".click()");
    assertThat(browser.text(SHOWN)).isEqualTo("5 steps");
    browser.run(lane + ".click()");
    assertThat(browser.text(SHOWN)).isEqualTo("1 of 5 steps");
  }

  @Test
  void lane_of_an_agent_beyond_those_that_are_listed_filters() throws IOException {
    List<ReplayEvent> events = new ArrayList<>();
    for (int i = 0; i < 502; i++) {
      String parent = i == 501 ? "c0" : null;
      for (ReplayEvent event : ViewedSessions.call("c" + i, "search", i, "o", true)) {
        events.add(event.withMeta(event.meta().withAgent("agent-" + i).withParent(parent)));
      }
    }
    open(ViewedSessions.page(ViewedSessions.write(home.resolve("many"), events)), "");
    String lane = "[...document.querySelectorAll('.timeline button.lane')]"
        + ".find((lane) => lane.textContent.includes('agent-501'))";
    browser.run(lane + ".click()");
    assertThat(browser.text(SHOWN)).isEqualTo("1 of 505 steps");
    assertThat(browser.text(lane + ".ariaPressed")).isEqualTo("true");
  }

  private static Path comparison(String name, List<ReplayEvent> before, List<ReplayEvent> after)
      throws IOException {
    Session left = ViewedSessions.write(home.resolve(name + "/a"), before);
    Session right = ViewedSessions.write(home.resolve(name + "/b"), after);
    Path page = home.resolve(name + ".html");
    try (OutputStream out = Files.newOutputStream(page)) {
      HtmlViewer.render(SessionDiff.between(left, right), left, right, out);
    }
    return page;
  }

  /** Calls of 201 tools, one of which takes less time than the others. */
  private static List<ReplayEvent> tools(int fast) {
    List<ReplayEvent> events = new ArrayList<>();
    for (int i = 0; i < 201; i++) {
      events.add(ToolCall.of("c" + i, "tool-%03d".formatted(i), JsonObject.of("n", i)));
      events.add(ToolResult.of("c" + i, "o").withLatencyMillis(i == fast ? 3L : 40L));
    }
    return events;
  }

  @Test
  void comparison_has_the_tools_that_only_one_session_lists() throws IOException {
    open(comparison("tools", tools(200), tools(0)), "");
    List<String> rows =
        List.of(all("#overview .scroll-x tbody tr", "textContent").split("\\|"));
    assertThat(rows.get(index(rows, "tool-000"))).endsWith("A: 40 ms · 40 msB: 3 ms · 3 ms");
    assertThat(rows.get(index(rows, "tool-200"))).endsWith("A: 3 ms · 3 msB: 40 ms · 40 ms");
    assertThat(all("#overview .scroll-x", "ariaLabel")).isEqualTo("Tools");
  }

  @Test
  void comparison_has_the_agents_of_each_session() throws IOException {
    open(comparison("agents", ViewedSessions.agents(), ViewedSessions.calls(3)), "");
    assertThat(all("[aria-label=Agents] tbody tr", "textContent"))
        .isEqualTo(
            "A agent <b>0300|A agent <b>1301|A agent <b>2300|A main agent100" + "|B main agent300");
  }

  @Test
  void agent_without_a_step_in_the_file_is_named() throws IOException {
    List<ReplayEvent> events = new ArrayList<>();
    for (int i = 0; i < 99; i++) {
      String agent = i == 50 ? "gone" : "kept";
      for (ReplayEvent event : ViewedSessions.call("c" + i, "search", i, "o", true)) {
        events.add(event.withMeta(event.meta().withAgent(agent)));
      }
    }
    Path page = home.resolve("gone.html");
    try (Writer out = Files.newBufferedWriter(page)) {
      out.write(ViewerPage.SESSION.head() + "gone" + ViewerPage.SESSION.middle());
      new ViewerData(new ScriptWriter(out), ViewerOptions.defaults(), 50)
          .write(ViewedSessions.write(home.resolve("gone"), events));
      out.write(ViewerPage.SESSION.tail());
    }
    open(page, "");
    assertThat(all("[aria-label=Agents] .agent", "className")).isEqualTo("agent agent-0|agent");
  }

  private static int index(List<String> rows, String text) {
    return IntStream.range(0, rows.size())
        .filter(i -> rows.get(i).contains(text))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void steps_of_an_agent_are_folded_with_the_mouse_and_the_keyboard() throws IOException {
    open(team, "");
    assertThat(browser.text(SHOWN)).isEqualTo("21 steps");
    browser.run("document.querySelector('.twig').click()");
    assertThat(browser.text(SHOWN)).isEqualTo("13 of 21 steps");
    assertThat(browser.text(SELECTED)).isEqualTo("null");

    browser.run("document.getElementById('list').focus()");
    browser.type("jjjj");
    assertThat(browser.text(SELECTED + ".ariaExpanded")).isEqualTo("false");
    browser.type(RIGHT);
    assertThat(browser.text(SELECTED + ".ariaExpanded")).isEqualTo("true");
    assertThat(browser.text(SHOWN)).isEqualTo("21 steps");
    browser.type("j" + LEFT);
    assertThat(browser.text(SELECTED_ROW)).contains("topic: tests");
    browser.type(LEFT);
    assertThat(browser.text(SHOWN)).isEqualTo("13 of 21 steps");

    // a search finds what is folded, and an address opens it
    browser.type("/SecondTest");
    browser.await(SHOWN + " === '1 of 21 steps'");
    open(team, "#e5");
    browser.run("document.getElementById('list').focus()");
    browser.type(LEFT);
    browser.run("location.hash = '#e19'");
    browser.await(SELECTED + "?.ariaLevel === '3'");
    assertThat(browser.text(SHOWN)).isEqualTo("21 steps");
  }

  @Test
  void lane_filters_the_list() throws IOException {
    open(team, "");
    String lane = "document.querySelectorAll('.timeline .lane')[3]";
    browser.run(lane + ".click()");
    assertThat(browser.text(SHOWN)).isEqualTo("2 of 21 steps");
    assertThat(browser.text(lane + ".ariaPressed")).isEqualTo("true");
    assertThat(browser.text("document.getElementById('agent').selectedOptions[0].textContent"))
        .isEqualTo("researcher-2");
    browser.run(lane + ".click()");
    assertThat(browser.text(SHOWN)).isEqualTo("21 steps");
  }

  @Test
  void arrow_keys_go_through_the_timeline_and_tell_the_step() throws IOException {
    open(team, "#e5");
    browser.run("document.querySelector('.timeline canvas').focus()");
    String told = "document.querySelector('.timeline [role=status]').textContent";
    browser.type(RIGHT);
    assertThat(browser.text(SELECTED_ROW)).contains("topic: deps");
    browser.type(LEFT + DOWN);
    assertThat(browser.text(told)).isEqualTo("researcher-1: small-model, 600 ms, line 7");
    browser.type(DOWN + DOWN + UP);
    assertThat(browser.text(told)).startsWith("researcher-1/reader: read_file");
    browser.type("++");
    assertThat(all(".timeline .heading button:not([hidden])", "textContent")).startsWith("Whole");
    browser.type("0");
    assertThat(all(".timeline .heading button:not([hidden])", "textContent")).startsWith("By time");
  }

  @Test
  void session_that_is_cut_has_its_status_and_its_totals() throws IOException {
    Session session = TeamSessions.large(home.resolve("large"), 100);
    Path page = home.resolve("cut.html");
    try (Writer out = Files.newBufferedWriter(page)) {
      out.write(ViewerPage.SESSION.head() + "cut" + ViewerPage.SESSION.middle());
      new ViewerData(new ScriptWriter(out), ViewerOptions.defaults(), 50).write(session);
      out.write(ViewerPage.SESSION.tail());
    }
    open(page, "");
    assertThat(browser.text(VERDICT))
        .contains("Ended: Success", "223events", "100tool calls", "3.00 sin models")
        .contains("Of large the first and last 50 of 223 events are in this file.");
    assertThat(all("#overview tbody tr", "textContent")).contains("tool_0150685 ms");
  }
}
