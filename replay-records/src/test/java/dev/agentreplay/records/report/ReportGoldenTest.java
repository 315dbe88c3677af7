package dev.agentreplay.records.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.engine.report.TextOptions;
import dev.agentreplay.records.RecordReplayReport.Severity;
import dev.agentreplay.records.replay.SessionMatrix;
import dev.agentreplay.records.replay.SessionMatrix.Comparison;
import dev.agentreplay.records.replay.SessionReplayResult;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each report is the approved one, byte by byte. */
class ReportGoldenTest {

  private static final Path KEPT = Path.of("target/reports");

  static SessionMatrix matrix() {
    return SessionMatrix.of(List.of(
        new Comparison("new_roster.json", Replays.compared()),
        new Comparison("same_roster.json", Replays.same())));
  }

  static SessionMatrix undecidedMatrix() {
    return SessionMatrix.of(List.of(
        new Comparison("a", Replays.same()), new Comparison("b", Replays.undecidedComparison())));
  }

  private static Map<String, String> reports() throws IOException {
    Map<String, String> reports = new TreeMap<>();
    Map<String, SessionReplayResult> results = Map.of(
        "matched", Replays.matched(),
        "verified", Replays.verified(),
        "undecided", Replays.undecided(),
        "incomplete", Replays.incomplete(),
        "compared", Replays.compared(),
        "altered", Replays.altered());
    for (Map.Entry<String, SessionReplayResult> each : results.entrySet()) {
      SessionReplayResult result = each.getValue();
      reports.put(each.getKey() + ".txt", SessionReplayText.render(result));
      reports.put(each.getKey() + ".md", SessionReplayMarkdown.render(result));
      reports.put(each.getKey() + ".xml", SessionReplayJUnit.render(result, Severity.MODERATE));
      reports.put(
          each.getKey() + ".json", JsonText.pretty(SessionReplayJson.render(result)) + "\n");
    }
    reports.put("traced.txt", SessionReplayText.render(Replays.traced()));
    reports.put(
        "wide-colored.txt",
        SessionReplayText.render(
            Replays.verified(), TextOptions.defaults().withWidth(120).withColor(true)));
    reports.put(
        "limited.txt",
        SessionReplayText.render(
            Replays.verified(), TextOptions.defaults().withWidth(80).withMaxDivergences(2)));
    reports.put("matrix.txt", SessionReplayText.render(matrix()));
    reports.put("matrix.md", SessionReplayMarkdown.render(matrix()));
    reports.put("matrix.json", JsonText.pretty(SessionReplayJson.render(matrix())) + "\n");
    reports.put("undecided-matrix.txt", SessionReplayText.render(undecidedMatrix()));
    return reports;
  }

  static Stream<Map.Entry<String, String>> named() throws IOException {
    Files.createDirectories(KEPT);
    for (Map.Entry<String, SessionReplayResult> page : Map.of(
            "verified", Replays.verified(),
            "compared", Replays.compared(),
            "altered", Replays.altered())
        .entrySet()) {
      try (OutputStream out = Files.newOutputStream(KEPT.resolve(page.getKey() + ".html"))) {
        SessionReplayPage.render(page.getValue(), out);
      }
    }
    return reports().entrySet().stream();
  }

  @ParameterizedTest
  @MethodSource("named")
  void report_is_the_approved_one(Map.Entry<String, String> report) throws IOException {
    Files.writeString(KEPT.resolve(report.getKey()), report.getValue());

    try (InputStream in =
        ReportGoldenTest.class.getResourceAsStream("/reports/" + report.getKey())) {
      assertThat(report.getValue())
          .as(
              "to approve it, from replay-records: cp target/reports/%s src/test/resources/reports/",
              report.getKey())
          .isEqualTo(in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }
}
