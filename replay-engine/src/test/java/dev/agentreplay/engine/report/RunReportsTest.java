package dev.agentreplay.engine.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.engine.diff.DivergenceKind;
import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.exchange.ExchangeKind;
import dev.agentreplay.engine.exchange.MatchRung;
import dev.agentreplay.engine.exchange.MissKind;
import dev.agentreplay.engine.exchange.ReplayMiss;
import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayMissException;
import dev.agentreplay.engine.replay.ReplayRefusedException;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.ReplayVerdict;
import dev.agentreplay.engine.replay.TestReports;
import dev.agentreplay.engine.replay.execution.Executors;
import dev.agentreplay.engine.replay.policy.OnUnmatched;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.testkit.ReportSchemas;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Golden: each report of a replay that has something of everything; and its schema. */
class RunReportsTest {

  private static final TextOptions TEXT = TextOptions.defaults();

  @TempDir
  static Path directory;

  /** The report on a request of which one parameter differs. */
  private static ReplayMiss miss;

  private static ReplayReport missed;

  private static final Map<String, Function<ReplayReport, String>> REPORTS = Map.of(
      "run.txt", TextReport::render,
      "run-full.txt", report -> TextReport.render(report, TEXT.withFull(true).withWidth(80)),
      "run-color.txt", report -> TextReport.render(report, TEXT.withColor(true)),
      "run.json", report -> JsonText.pretty(RunJson.render(report)) + "\n",
      "run.md", MarkdownReport::render,
      "run.xml", report -> JUnitReport.render(report, DivergenceSeverity.MODERATE));

  static Stream<String> reports() {
    return REPORTS.keySet().stream().sorted();
  }

  @BeforeAll
  static void miss() throws Exception {
    Path recorded = directory.resolve("recorded");
    try (SessionRecorder recorder = SessionRecorder.start(recorded, "s")) {
      AgentScope scope = AgentScope.recording(recorder, Executors.none());
      scope.run("read_file", Map.of("path", "a.txt"), () -> "text");
      scope.run("write_file", Map.of("path", "b.txt"), () -> "text");
    }
    missed = Replay.of(Session.open(recorded))
        .mode(ReplayMode.MOCK)
        .onUnmatched(OnUnmatched.ERROR)
        .run(scope -> scope.call("read_file", Map.of("path", "c.txt")));
    miss = missed.root().miss();
  }

  private static ReplayReport mixed() {
    return TestReports.mixed(TestDiffs.mixed(), miss, "read_file");
  }

  @ParameterizedTest
  @MethodSource("reports")
  void a_report_is_what_was_approved(String name) throws IOException {
    String actual = REPORTS.get(name).apply(mixed());
    Path kept = Path.of("target/reports").resolve(name);
    Files.createDirectories(kept.getParent());
    Files.writeString(kept, actual);

    assertThat(actual)
        .as("to approve it, from replay-engine: cp %s src/test/resources/reports/%s", kept, name)
        .isEqualTo(approved(name));
  }

  private static String approved(String name) throws IOException {
    try (InputStream in = RunReportsTest.class.getResourceAsStream("/reports/" + name)) {
      return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void identical_replay_is_a_few_lines_without_a_hint() {
    assertThat(TextReport.render(TestReports.identical()))
        .isEqualTo(
            """
            identical  replayed 10 exchanges in 0.05 s (recorded: 41 s, 12,300 tokens)
              session     fix-auth, mode tools-live
              exchanges   10 recorded: 10 served
              requests    10: 10 exact
            """);
    assertThat(MarkdownReport.render(TestReports.identical())).startsWith("**Identical** · `");
  }

  @Test
  void agent_that_was_stopped_is_named_as_such() throws Exception {
    Path recorded = directory.resolve("ended");
    try (SessionRecorder recorder = SessionRecorder.start(recorded, "s")) {
      AgentScope scope = AgentScope.recording(recorder, Executors.none());
      scope.run("read_file", Map.of("path", "a.txt"), () -> "text");
      scope.end(SessionEnd.of(Status.SUCCESS));
    }
    ReplayReport stopped = Replay.of(Session.open(recorded))
        .mode(ReplayMode.MOCK)
        .run(scope -> {
          try {
            scope.call("read_file", Map.of("path", "c.txt"));
          } catch (ReplayMissException e) {
            scope.call("read_file", Map.of("path", "a.txt"));
          }
        });

    assertThat(TextReport.render(stopped))
        .contains("\n  stopped     the replay was stopped: ")
        .doesNotContain("\n  agent");
    assertThat(MarkdownReport.render(stopped)).contains("\n- stopped: `the replay was stopped: ");
  }

  @Test
  void miss_is_shown_with_the_nearest_request_and_what_can_be_done() {
    assertThat(missed.verdict()).isEqualTo(ReplayVerdict.DIVERGED);
    assertThat(TextReport.render(missed))
        .startsWith("diverged  replayed 0 of 2 exchanges in ")
        .contains(
            "  1. MISS  read_file  major, root",
            "       nearest recorded request: line 3, first difference at /params/path\n"
                + "       - recorded  \"a.txt\"\n"
                + "       + actual    \"c.txt\"\n",
            "UNREAD  write_file",
            "  next        record the session again if the change is intended");
    assertThat(JUnitReport.render(missed, DivergenceSeverity.MINOR))
        .contains("nearest recorded request: line 3", "failures=\"");
    assertThat(MarkdownReport.render(missed)).contains("nearest recorded request: line 3");
  }

  @Test
  void counts_close_and_numbers_are_those_of_the_report() {
    JsonObject report = RunJson.render(missed);

    assertThat(number(report, "/exchanges/recorded"))
        .isEqualTo(number(report, "/exchanges/served")
            + number(report, "/exchanges/executed")
            + number(report, "/exchanges/unread"));
    long requests = number(report, "/requests/missed");
    for (MatchRung rung : MatchRung.values()) {
      requests += number(report, "/requests/" + rung.id());
    }
    assertThat(number(report, "/requests/total")).isEqualTo(requests);
    JsonArray divergences = report.at("/divergences").asArray();
    for (int i = 0; i < divergences.size(); i++) {
      JsonObject divergence = divergences.get(i).asObject();
      assertThat(divergence.get("number")).isEqualTo(JsonValue.of(i));
      JsonValue cause = divergence.get("cause");
      assertThat(cause == null || cause instanceof JsonNull || cause.asLong() < divergences.size())
          .isTrue();
    }
    assertThat(report.at("/divergences/0/kind").asString()).isEqualTo("MISS");
    assertThat(report.at("/divergences/0/miss/nearest/pointer").asString())
        .isEqualTo("/params/path");
    assertThat(report.at("/divergences/1/cause").asLong()).isZero();
  }

  private static long number(JsonObject report, String pointer) {
    return report.at(pointer).asLong();
  }

  @Test
  void recorded_text_creates_no_markup() throws Exception {
    ReplayReport report = TestReports.mixed(TestDiffs.hostile(), miss, TestDiffs.HOSTILE);

    assertThat(TextReport.render(report)).doesNotContain("\u001b", "\u202e");
    assertThat(MarkdownCode.removedFrom(MarkdownReport.render(report)))
        .doesNotContain("<script", "alert(1)");
    String xml = JUnitReport.render(report, DivergenceSeverity.MINOR);
    DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void no_line_of_a_text_is_wider_than_requested() {
    for (int width : new int[] {80, 100, 120}) {
      String text = TextReport.render(
          TestReports.mixed(TestDiffs.hostile(), miss, TestDiffs.HOSTILE.repeat(5)),
          TEXT.withWidth(width));
      assertThat(text.lines()).allMatch(line -> line.codePointCount(0, line.length()) <= width);
    }
  }

  @Test
  void report_fits_the_schema_and_has_no_member_that_is_not_in_it() throws IOException {
    for (ReplayReport report : new ReplayReport[] {TestReports.identical(), mixed(), missed}) {
      assertThat(ReportSchemas.faults(RunJson.render(report))).isEmpty();
    }
  }

  @Test
  void member_that_is_new_or_gone_or_of_another_type_is_noticed() throws IOException {
    JsonObject report = RunJson.render(mixed());

    assertThat(ReportSchemas.faults(report.with("news", 1))).hasSize(1);
    assertThat(ReportSchemas.faults(report.without("requests"))).hasSize(1);
    assertThat(ReportSchemas.faults(report.with("verdict", "equal"))).hasSize(1);
    assertThat(ReportSchemas.faults(report.with("exchanges", JsonObject.of("recorded", 1))))
        .hasSize(3);
  }

  @Test
  void refusal_fits_the_schema() throws IOException {
    for (ReplayRefusedException.Reason reason : ReplayRefusedException.Reason.values()) {
      JsonObject refused = RunJson.refused(
          "sessions/fix-auth", ReplayMode.MOCK, new ReplayRefusedException(reason, "no"));

      assertThat(ReportSchemas.faults(refused)).isEmpty();
      assertThat(refused.at("/verdict").asString()).isEqualTo("unverified");
    }
  }

  @Test
  void schema_knows_every_kind() throws IOException {
    JsonNode definitions = ReportSchemas.read("replay.run/1").at("/$defs");
    for (DivergenceKind kind : DivergenceKind.values()) {
      assertThat(definitions.at("/run_kind/enum")).extracting(JsonNode::asText).contains(kind.id());
    }
    for (MissKind kind : MissKind.values()) {
      assertThat(definitions.at("/miss/properties/class/enum"))
          .extracting(JsonNode::asText)
          .contains(kind.id());
    }
    for (ExchangeKind kind : ExchangeKind.values()) {
      assertThat(definitions.at("/miss/properties/exchange/enum"))
          .extracting(JsonNode::asText)
          .contains(kind.id());
    }
  }
}
