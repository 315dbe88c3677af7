package dev.agentreplay.engine.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.agreement.FlakinessReport;
import dev.agentreplay.engine.diff.TestRuns;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.testkit.ReportSchemas;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AgreementReportsTest {

  private static final FlakinessReport MIXED =
      TestRuns.agreement("= ~x - = +n:x ~z!", "= = - > =", "= ~y - = ~z");

  @Test
  void text_has_a_row_for_each_step_that_is_not_stable() {
    assertThat(TextReport.render(MIXED))
        .isEqualTo(
            """
        regression at #2: c is missing in all 3 runs · 50.0% agreement

           - left  7 events
           1 run = ~x - = +n:x ~z!  7 events
           2 run = = - > =  6 events
           3 run = ~y - = ~z  6 events

          #1   b  1 of 3 match  flaky       a = b
          #2   c  0 of 3 match  regression  - - -
          #3   d  2 of 3 match  flaky       = a =
          +#3  n  2 of 3 match  flaky       a = =
          #4   e  1 of 3 match  flaky       a = a

          6 steps: 1 stable, 4 flaky, 0 unstable, 1 regression
          = matches the first session, - missing, same letter: same variant
          differences of run 1: replay diff left run = ~x - = +n:x ~z!
        """);
  }

  @Test
  void runs_that_agree_are_reported_in_few_lines() {
    assertThat(TextReport.render(TestRuns.agreement("= =", "= =")))
        .isEqualTo(
            """
        stable · 100.0% agreement

           - left  4 events
           1 run = =  4 events
           2 run = =  4 events

          2 steps: 2 stable, 0 flaky, 0 unstable, 0 regression
        """);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void hostile_names_are_shown_harmlessly_and_lines_fit(boolean color) {
    String name = "\u001b[2J\u202e</script>\r\n" + "x".repeat(300);
    FlakinessReport renamed = FlakinessReport.of(Stream.of("+" + name + ":x =", "=")
        .map(run -> TestRuns.run(run).withNames(name, name))
        .toList());

    String text =
        TextReport.render(renamed, TextOptions.defaults().withWidth(80).withColor(color));

    assertThat(text.replaceAll("\u001b\\[[0-9;]*m", ""))
        .doesNotContain("\u001b", "\u202e", "\r")
        .satisfies(plain ->
            assertThat(plain.lines()).allMatch(line -> line.codePointCount(0, line.length()) <= 80))
        .contains("…", "1 of 2 match  flaky", "a =");
    assertThat(text.contains("\u001b")).isEqualTo(color);
  }

  @Test
  void many_steps_are_cut_unless_all_are_asked_for() {
    String run = String.join(" ", Collections.nCopies(60, "+n:x")) + " =";
    FlakinessReport agreement = TestRuns.agreement(run, "=");

    assertThat(TextReport.render(agreement))
        .contains("  and 20 more\n")
        .contains("+#39")
        .doesNotContain("+#40");
    assertThat(TextReport.render(agreement, TextOptions.defaults().withFull(true)))
        .contains("+#59")
        .doesNotContain("more");
  }

  @Test
  void json_says_the_same() {
    JsonObject json = FlakinessJson.render(MIXED);

    assertThat(json.at("/verdict").asString()).isEqualTo("regression");
    assertThat(json.at("/cause")).isEqualTo(JsonValue.of(1));
    assertThat(json.at("/unstable/1/left/name").asString()).isEqualTo("c");
    assertThat(json.at("/unstable/2/runs/1/relation").asString()).isEqualTo("moved");
    assertThat(json.at("/unstable/3/left").typeName()).isEqualTo("null");
    assertThat(json.at("/unstable/3/runs/0/step/call")).isEqualTo(JsonValue.of(3));
    assertThat(json.at("/steps/flaky")).isEqualTo(JsonValue.of(4));
    assertThat(json.at("/runs/2/name").asString()).isEqualTo("run = ~y - = ~z");
  }

  @Test
  void json_is_what_the_published_schema_says() throws IOException {
    List<FlakinessReport> agreements = List.of(MIXED, TestRuns.agreement("=", "="));
    for (FlakinessReport agreement : agreements) {
      assertThat(ReportSchemas.faults(FlakinessJson.render(agreement))).isEmpty();
    }

    JsonObject json = FlakinessJson.render(MIXED);
    assertThat(ReportSchemas.faults(json.with("news", 1))).hasSize(1);
    assertThat(ReportSchemas.faults(json.without("cause"))).hasSize(1);
    assertThat(ReportSchemas.faults(json.with("verdict", "good"))).hasSize(1);
    assertThat(ReportSchemas.faults(json.with("steps", JsonObject.of("stable", 1))))
        .hasSize(3);
  }
}
