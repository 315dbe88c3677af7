package dev.agentreplay.engine.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.engine.diff.AppliedRule;
import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.diff.SeverityRating;
import dev.agentreplay.engine.diff.TestResults;
import dev.agentreplay.io.recording.PendingCall;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelCall.Prompt;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ModelResult.Completion;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.testkit.TestSessions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Golden: each report of one comparison that has something of everything. */
class ReportsTest {

  private static final TextOptions TEXT = TextOptions.defaults();

  private static final Map<String, Function<SessionDiff, String>> REPORTS = Map.of(
      "mixed.txt", TextReport::render,
      "mixed-80.txt", diff -> TextReport.render(diff, TEXT.withWidth(80)),
      "mixed-full.txt", diff -> TextReport.render(diff, TEXT.withFull(true)),
      "mixed-color.txt", diff -> TextReport.render(diff, TEXT.withColor(true)),
      "mixed.json", diff -> JsonText.pretty(DiffJson.render(diff)) + "\n",
      "mixed.md", MarkdownReport::render,
      "mixed.xml", JUnitReport::render);

  static Stream<String> reports() {
    return REPORTS.keySet().stream().sorted();
  }

  @ParameterizedTest
  @MethodSource("reports")
  void a_report_is_what_was_approved(String name) throws IOException {
    String actual = REPORTS.get(name).apply(TestDiffs.mixed());
    Path kept = Path.of("target/reports").resolve(name);
    Files.createDirectories(kept.getParent());
    Files.writeString(kept, actual);

    assertThat(actual)
        .as("to approve it, from replay-engine: cp %s src/test/resources/reports/%s", kept, name)
        .isEqualTo(approved(name));
  }

  private static String approved(String name) throws IOException {
    try (InputStream in = ReportsTest.class.getResourceAsStream("/reports/" + name)) {
      return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void divergence_graver_than_the_first_one_is_reported_at_the_beginning() throws IOException {
    Path sessions = TestSessions.bundled("sessions");
    SessionDiff diff = SessionDiff.between(
        Session.open(sessions.resolve("task-01_trial-0")),
        Session.open(sessions.resolve("task-01_trial-1")));

    assertThat(TextReport.render(diff)).contains("\n  7 major\n");
    assertThat(MarkdownReport.render(diff))
        .contains("StepComplete` at line 4 had a different outcome")
        .doesNotContain("failed differently");
    assertThat(TextReport.render(TestDiffs.mixed())).contains("; first major divergence: ");
  }

  @Test
  void headline_names_the_line_that_differs_and_not_the_first_of_its_step(@TempDir Path home)
      throws IOException {
    SessionDiff diff =
        SessionDiff.between(asked(home.resolve("a"), "yes"), asked(home.resolve("b"), "no"));

    assertThat(TextReport.render(diff)).startsWith("diverged at line 4: ").contains("line 4 ");
    assertThat(MarkdownReport.render(diff)).contains("line 4").doesNotContain("line 3");
  }

  @Test
  void divergence_that_does_not_matter_is_listed_in_full_only(@TempDir Path home)
      throws IOException {
    SessionDiff diff = SessionDiff.between(
        asked(home.resolve("a"), "yes"),
        asked(home.resolve("b"), "no"),
        DiffOptions.defaults()
            .withSeverity(change -> new SeverityRating(DivergenceSeverity.NONE, "free")));

    assertThat(TextReport.render(diff))
        .contains("\n  1 of the severity none, not listed\n")
        .doesNotContain("rule: free");
    assertThat(TextReport.render(diff, TEXT.withFull(true)))
        .contains("rule: free")
        .doesNotContain("not listed");
  }

  @Test
  void model_call_is_summarized_by_its_answer(@TempDir Path home) throws IOException {
    JsonObject call = JsonObject.of("name", "read_file", "arguments", "{\"path\": \"a.txt\"}");
    JsonObject answer = JsonObject.of("content", "Reading.", "tool_calls", JsonArray.of(call));
    assertThat(summaries(home, ModelResult.of("m", answer)))
        .isNotEmpty()
        .allMatch(summary -> summary.equals("Reading.  → read_file(path: \"a.txt\")"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"''", "' '", "{'role': 'assistant', 'content': ''}"})
  void model_call_with_an_empty_answer_is_summarized_by_its_last_message(
      String answer, @TempDir Path home) throws IOException {
    ModelResult result = ModelResult.of("m", JsonText.parse(answer.replace('\'', '"')));
    assertThat(summaries(home, result)).isNotEmpty().allMatch("Why?"::equals);
  }

  @Test
  void model_call_without_an_answer_is_summarized_by_its_last_message(@TempDir Path home)
      throws IOException {
    ModelResult failed = ModelResult.of("m", null).withFinish(Completion.failed("Timeout", "30 s"));
    assertThat(summaries(home, failed)).isNotEmpty().allMatch(summary -> summary.equals("Why?"));
  }

  /** The summaries of the steps with a model call that only one of two sessions has. */
  private static List<String> summaries(Path home, ModelResult result) throws IOException {
    Path one = home.resolve("one");
    try (SessionRecorder session = SessionRecorder.start(one, "s")) {
      Prompt prompt = Prompt.of("Why?").withContext(JsonObject.of("tools", "many"));
      session.emit(ModelCall.of("m", "scripted", prompt));
      session.emit(result);
      session.end(Status.SUCCESS, 1.0);
    }
    Path none = home.resolve("none");
    try (SessionRecorder session = SessionRecorder.start(none, "s")) {
      session.end(Status.SUCCESS, 1.0);
    }
    SessionDiff diff = SessionDiff.between(Session.open(none), Session.open(one));
    return diff.divergences().stream().map(each -> each.step().summary()).toList();
  }

  private static Session asked(Path directory, String answer) throws IOException {
    try (SessionRecorder session = SessionRecorder.start(directory, "s")) {
      session.emit(ModelCall.of("m", "scripted", Prompt.of("?")));
      session.emit(ModelResult.of("m", answer));
      session.end(Status.SUCCESS, 1.0);
    }
    return Session.open(directory);
  }

  @Test
  void call_is_reported_before_the_divergence_of_its_lane_that_it_follows_from(@TempDir Path home)
      throws IOException {
    SessionDiff diff =
        SessionDiff.between(found(home.resolve("a"), "yes"), found(home.resolve("b"), "no"));

    assertThat(TextReport.render(diff))
        .startsWith("diverged at call #1: search ")
        .containsSubsequence("1. OUTPUT", "follows from 2", "2. OUTPUT", "root");
    assertThat(MarkdownReport.render(diff)).contains("| follows from 2 |");
    assertThat(JUnitReport.render(diff)).contains("follows from 2").contains("diverged at call #1");
    JsonObject call = DiffJson.render(diff).at("/divergences/0").asObject();
    assertThat(call.get("cause")).isEqualTo(JsonValue.of(1));
    assertThat(call.get("link")).isEqualTo(JsonValue.of("lane"));
  }

  private static Session found(Path directory, String found) throws IOException {
    try (SessionRecorder session = SessionRecorder.start(directory, "s")) {
      PendingCall call = session.call("ask_agent", 7);
      session.agent("sub", call.id()).call("search", 8).result(found);
      call.result("it says: " + found);
      session.end(Status.SUCCESS, 1.0);
    }
    return Session.open(directory);
  }

  @Test
  void long_rules_are_wrapped_and_not_cut() {
    List<AppliedRule> rules = IntStream.range(0, 9)
        .mapToObj(i -> TestResults.appliedRule("ignore durations " + i, 10, 20))
        .toList();
    String text = TextReport.render(TestDiffs.identical(rules));

    for (int i = 0; i < 9; i++) {
      assertThat(text).contains("ignore durations " + i + " at 10 and 20 places");
    }
    assertThat(text.lines()).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(100));
  }

  @Test
  void divergence_below_the_requested_severity_is_not_a_failure() {
    SessionDiff diff = TestDiffs.mixed();

    assertThat(JUnitReport.render(diff, DivergenceSeverity.MAJOR))
        .contains("<failure")
        .doesNotContain("(moderate)\">");
    assertThat(JUnitReport.render(diff, DivergenceSeverity.MINOR)).contains("(moderate)\">");
  }

  @Test
  void identical_sessions_are_one_line_and_what_was_not_compared() {
    assertThat(TextReport.render(TestDiffs.identical()))
        .isEqualTo(
            """
            identical  2 calls, 1 other step
              (not compared: ids differ in 2 pairs, times differ in 1 pair)
            """);
    assertThat(MarkdownReport.render(TestDiffs.identical())).startsWith("**Identical**\n");
    assertThat(JUnitReport.render(TestDiffs.identical())).contains("failures=\"0\"");
  }

  @ParameterizedTest
  @ValueSource(ints = {80, 93, 100, 120})
  void no_line_is_wider_than_the_width(int width) {
    for (SessionDiff diff : new SessionDiff[] {TestDiffs.mixed(), TestDiffs.hostile()}) {
      assertThat(TextReport.render(diff, TEXT.withWidth(width).withFull(true)).lines())
          .allMatch(line -> line.codePointCount(0, line.length()) <= width);
    }
  }

  @Test
  void colors_change_nothing_but_colors() {
    Pattern sgr = Pattern.compile("\u001b\\[[0-9;]+m");
    for (SessionDiff diff : new SessionDiff[] {TestDiffs.mixed(), TestDiffs.hostile()}) {
      String colored = TextReport.render(diff, TEXT.withColor(true));
      assertThat(colored).contains("\u001b[");
      // blanks may be colored at the end of a line
      assertThat(sgr.matcher(colored).replaceAll("").replaceAll("(?m) +$", ""))
          .isEqualTo(TextReport.render(diff));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {79, 121})
  void width_outside_of_its_range_is_refused(int width) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TEXT.withWidth(width))
        .withMessage("width must be from 80 to 120: " + width);
  }
}
