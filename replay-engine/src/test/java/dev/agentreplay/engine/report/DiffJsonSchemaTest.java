package dev.agentreplay.engine.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentreplay.engine.diff.Divergence;
import dev.agentreplay.engine.diff.DivergenceKind;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.diff.StepKind;
import dev.agentreplay.engine.published.TestCopies;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.testkit.ReportSchemas;
import dev.agentreplay.testkit.TestSessions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Comparisons as JSON are what the published schema says. */
class DiffJsonSchemaTest {

  @TempDir
  static Path home;

  private static SessionDiff published() throws IOException {
    Session original = Session.open(TestSessions.bundled("sessions").resolve("task-18_trial-0"));
    Session copy = TestCopies.publish(
        original,
        home.resolve("copy"),
        "custom",
        Map.of("4/params", TestCopies.WITHHOLD, "5/output", TestCopies.replace("x", "path")));
    return SessionDiff.between(copy, original);
  }

  static Stream<SessionDiff> diffs() throws IOException {
    return Stream.of(
        published(),
        TestDiffs.identical(),
        TestDiffs.mixed(),
        TestDiffs.hostile(),
        TestDiffs.of("t", TestDiffs.change(DivergenceKind.PARAMS, "/params/a~1b", null, 1)));
  }

  @ParameterizedTest
  @MethodSource("diffs")
  void report_fits_the_schema_and_has_no_member_that_is_not_in_it(SessionDiff diff)
      throws IOException {
    assertThat(ReportSchemas.faults(DiffJson.render(diff))).isEmpty();
  }

  @Test
  void member_that_is_new_or_gone_or_of_another_type_is_noticed() throws IOException {
    JsonObject report = DiffJson.render(TestDiffs.mixed());

    assertThat(ReportSchemas.faults(report.with("news", 1))).hasSize(1);
    assertThat(ReportSchemas.faults(
            report.with("calls", report.at("/calls").asObject().with("news", 1))))
        .hasSize(1);
    assertThat(ReportSchemas.faults(report.without("similarity"))).hasSize(1);
    assertThat(ReportSchemas.faults(report.with("verdict", "equal"))).hasSize(1);
    assertThat(
            ReportSchemas.faults(report.with("first", JsonObject.of("call", -1, "kind", "TOOL"))))
        .isNotEmpty();
  }

  @Test
  void pointer_of_two_elements_of_an_unordered_array_is_listed_once() {
    JsonObject report = DiffJson.render(TestDiffs.of(
        "t",
        TestDiffs.change(DivergenceKind.OUTPUT, "/output/0", "a", null),
        TestDiffs.change(DivergenceKind.OUTPUT, "/output/0", null, "b")));

    assertThat(report.at("/divergences/0/pointers")).isEqualTo(JsonArray.of("/output/0"));
    assertThat(report.at("/divergences/0/values").asArray().size()).isEqualTo(2);
  }

  @Test
  void schema_knows_every_kind() throws IOException {
    JsonNode definitions = ReportSchemas.read("replay.diff/1").at("/$defs");
    for (DivergenceKind kind : DivergenceKind.values()) {
      assertThat(definitions.at("/kind/enum")).extracting(JsonNode::asText).contains(kind.name());
    }
    for (Divergence.Link link : Divergence.Link.values()) {
      assertThat(definitions.at("/divergence/properties/link/enum"))
          .extracting(JsonNode::asText)
          .contains(link.id());
    }
    for (StepKind kind : StepKind.values()) {
      assertThat(definitions.at("/step/enum")).extracting(JsonNode::asText).contains(kind.id());
    }
  }
}
