package dev.agentreplay.engine.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.diff.AlignedStep;
import dev.agentreplay.engine.diff.AlignedStep.Relation;
import dev.agentreplay.engine.diff.Divergence;
import dev.agentreplay.engine.diff.Divergence.Role;
import dev.agentreplay.engine.diff.DivergenceKind;
import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.diff.SeverityRating;
import dev.agentreplay.engine.diff.Step;
import dev.agentreplay.engine.diff.StepCounts;
import dev.agentreplay.engine.diff.TestResults;
import dev.agentreplay.engine.diff.ToolCounts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Reports stay readable however much differs, and say what they leave out. */
class ReportLimitsTest {

  private static final int STEPS = 300;
  private static final int LISTED = 100;

  private static final SessionDiff LARGE = large();

  /** Many calls that all differ in many long lines, a third of them listed. */
  private static SessionDiff large() {
    List<Divergence> all = new ArrayList<>();
    List<AlignedStep> alignment = new ArrayList<>();
    Map<String, ToolCounts> tools = new HashMap<>();
    for (int i = 0; i < STEPS; i++) {
      Step step = TestDiffs.call(i, "tool-%03d-%s".formatted(i, "x".repeat(200)), "y".repeat(500));
      String text = ("`".repeat(i % 7) + "line of text ").repeat(20) + "\n";
      all.add(TestDiffs.divergence(
          i,
          DivergenceKind.OUTPUT,
          new SeverityRating(DivergenceSeverity.MODERATE, "content"),
          step,
          step,
          TestDiffs.event(
              5,
              5,
              TestDiffs.change(
                  DivergenceKind.OUTPUT, "/output", text.repeat(50), "other\n".repeat(50)))));
      alignment.add(TestResults.alignedStep(Relation.CHANGED, step, step, i));
      tools.put(step.name(), TestDiffs.tools(1, 1, 0, 1, 0, 0, 0, 0));
    }
    StepCounts counts = TestResults.stepCounts(STEPS, STEPS, 0, STEPS, 0, 0, 0);
    return TestDiffs.diff(
        TestResults.comparedSession("a".repeat(500), null, 600, 1),
        TestResults.comparedSession("b", null, 600, 1),
        TestDiffs.summary(counts, counts, tools, all, 0, 0),
        all.subList(0, LISTED),
        alignment,
        List.of());
  }

  @Test
  void markdown_has_at_most_60_000_characters_and_says_what_is_left_out() {
    String report = MarkdownReport.render(LARGE);

    assertThat(report.length()).isBetween(40_000, MarkdownReport.MAX_LENGTH);
    assertThat(report)
        .contains("250 more, not listed; total: 300 moderate")
        .containsPattern(
            "\n[0-9]+ of 100 divergences shown: a report has at most 60,000" + " characters\\.\n");
    assertThat(report.split("<details>", -1)).hasSameSizeAs(report.split("</details>", -1));
    assertThat(MarkdownCode.removedFrom(report)).doesNotContain("`", "line of text");
  }

  @Test
  void text_says_how_many_divergences_and_tools_there_are_more() {
    String report = TextReport.render(LARGE, TextOptions.defaults().withMaxDivergences(LISTED));

    assertThat(report)
        .contains("  200 more, not listed; total: 300 moderate\n", "  and 280 more\n")
        .contains("…" + "a".repeat(90));
    assertThat(report.lines()).allMatch(line -> line.codePointCount(0, line.length()) <= 100);
  }

  @Test
  void text_lists_20_divergences_and_root_causes_first() {
    List<Divergence> all = new ArrayList<>();
    for (int i = 1; i <= 10; i++) {
      all.add(divergence(i, Role.INDEPENDENT, DivergenceSeverity.NONE));
    }
    for (int i = 11; i <= 20; i++) {
      all.add(divergence(i, Role.DOWNSTREAM, DivergenceSeverity.MODERATE));
    }
    for (int i = 21; i <= 30; i++) {
      all.add(divergence(i, Role.INDEPENDENT, DivergenceSeverity.MODERATE));
    }
    all.add(divergence(0, Role.ROOT, DivergenceSeverity.MODERATE));
    SessionDiff diff = TestDiffs.diff(
        LARGE.left(), LARGE.right(), LARGE.summary(), all, LARGE.alignment(), List.of());

    String report = TextReport.render(diff);

    // numbers in reports begin with 1
    List<String> expected = new ArrayList<>(List.of("1"));
    IntStream.rangeClosed(22, 31).mapToObj(String::valueOf).forEach(expected::add);
    IntStream.rangeClosed(12, 20).mapToObj(String::valueOf).forEach(expected::add);
    assertThat(report
            .lines()
            .filter(line -> line.matches(" *[0-9]+\\. OUTPUT .*"))
            .map(line -> line.substring(0, line.indexOf('.')).strip()))
        .containsExactlyElementsOf(expected);
    assertThat(report).contains("280 more, not listed");
  }

  private static Divergence divergence(int number, Role role, DivergenceSeverity severity) {
    Step step = TestDiffs.call(number, "tool", "{}");
    return TestResults.divergence(
        number,
        DivergenceKind.OUTPUT,
        new SeverityRating(severity, "content"),
        TestResults.cause(role, role == Role.DOWNSTREAM ? 0 : null, null, 0),
        step,
        step,
        1,
        List.of(
            TestDiffs.event(5, 5, TestDiffs.change(DivergenceKind.OUTPUT, "/output", "a", "b"))));
  }

  @Test
  void xml_fails_also_for_a_divergence_that_is_not_listed() {
    assertThat(JUnitReport.render(LARGE))
        .contains("tests=\"300\" failures=\"300\"")
        .contains("<failure type=\"CHANGED\" message=\"divergence not listed: the limit of listed"
            + " divergences is reached\"/>");
  }

  @Test
  void json_reports_omitted_items() {
    assertThat(DiffJson.render(LARGE).at("/divergences_truncated").asBoolean()).isTrue();
    assertThat(DiffJson.render(LARGE).at("/divergence_counts/by_kind/OUTPUT").asLong())
        .isEqualTo(300);
    assertThat(DiffJson.render(TestDiffs.mixed()).at("/divergences_truncated").asBoolean())
        .isFalse();
  }
}
