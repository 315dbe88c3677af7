package dev.agentreplay.records.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.records.RecordReplayReport;
import dev.agentreplay.records.RecordReplayReport.Mode;
import dev.agentreplay.records.SessionInputs.ProtocolVersions;
import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.SessionRecords;
import dev.agentreplay.records.TraceMessage;
import dev.agentreplay.records.replay.MessageDivergence;
import dev.agentreplay.records.replay.MessageMeasure;
import dev.agentreplay.records.replay.OnInputs;
import dev.agentreplay.records.replay.SessionReplay;
import dev.agentreplay.records.replay.SessionReplayRefusedException;
import dev.agentreplay.records.replay.SessionReplayResult;
import dev.agentreplay.records.replay.SessionReplayVerdict;
import dev.agentreplay.records.store.RecordTexts;
import dev.agentreplay.testkit.ReportSchemas;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reports as JSON are what the published schemas say, and are read as reports of 004. */
class SessionReplayJsonTest {

  static Stream<SessionReplayResult> results() {
    return Stream.of(
        Replays.matched(),
        Replays.verified(),
        Replays.undecided(),
        Replays.incomplete(),
        Replays.compared(),
        Replays.same(),
        Replays.undecidedComparison(),
        Replays.traced(),
        Replays.altered(),
        Replays.hostile(Hostile.TEXTS));
  }

  @ParameterizedTest
  @MethodSource("results")
  void report_fits_its_schema_and_has_no_member_that_is_not_in_it(SessionReplayResult result)
      throws IOException {
    assertThat(ReportSchemas.faults(SessionReplayJson.render(result))).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("results")
  void report_is_read_as_the_report_that_was_rendered(SessionReplayResult result) {
    JsonObject json = SessionReplayJson.render(result);
    RecordReplayReport read =
        SessionRecords.readReport(json.toString().getBytes(StandardCharsets.UTF_8));

    assertThat(read.toJson()).isEqualTo(json);
    assertThat(read.divergences()).hasSameSizeAs(result.divergences());
    assertThat(read.matches()).isEqualTo(result.verdict() == SessionReplayVerdict.MATCHED);
    assertThat(read.roster()).hasSameSizeAs(result.report().roster());
  }

  @Test
  void matrix_fits_its_schema_and_each_comparison_is_read() throws IOException {
    for (JsonObject matrix : new JsonObject[] {
      SessionReplayJson.render(ReportGoldenTest.matrix()),
      SessionReplayJson.render(ReportGoldenTest.undecidedMatrix())
    }) {
      assertThat(ReportSchemas.faults(matrix)).isEmpty();
      JsonArray comparisons = matrix.at("/comparisons").asArray();
      assertThat(comparisons.size()).isEqualTo(matrix.at("/rows").asArray().size());
      for (JsonValue comparison : comparisons) {
        assertThat(ReportSchemas.faults(comparison.asObject())).isEmpty();
        assertThat(SessionRecords.readReport(comparison).toJson()).isEqualTo(comparison);
      }
    }
  }

  @Test
  void member_that_is_new_or_gone_or_of_another_type_is_noticed() throws IOException {
    JsonObject report = SessionReplayJson.render(Replays.compared());
    JsonObject trace = SessionReplayJson.render(Replays.traced());

    assertThat(ReportSchemas.faults(report.with("news", 1))).hasSize(1);
    assertThat(ReportSchemas.faults(report.without("deltas"))).hasSize(1);
    assertThat(ReportSchemas.faults(report.with("verdict", "equal"))).hasSize(1);
    assertThat(ReportSchemas.faults(report.with("artifact_similarity", 101))).hasSize(1);
    assertThat(ReportSchemas.faults(
            report.with("deltas", report.at("/deltas").asObject().without("rounds"))))
        .hasSize(1);
    assertThat(ReportSchemas.faults(trace.without("texts"))).hasSize(1);
    assertThat(
            ReportSchemas.faults(SessionReplayJson.render(Replays.matched()).without("thresholds")))
        .hasSize(1);
  }

  @Test
  void refusal_fits_its_schema() throws Exception {
    SessionRecord record = Replays.matched().original();
    SessionReplay replay = SessionReplay.of(record)
        .against(record, RecordTexts.none())
        .inputs(record
            .inputs()
            .withProtocolVersions(
                new ProtocolVersions(null, "v9", "v9", null, null, JsonObject.EMPTY)))
        .onInputs(OnInputs.REFUSE);
    SessionReplayRefusedException refusal =
        catchThrowableOfType(SessionReplayRefusedException.class, replay::run);

    JsonObject json = SessionReplayJson.refused(record, Mode.VERIFICATION, refusal);

    assertThat(ReportSchemas.faults(json)).isEmpty();
    assertThat(json.at("/inputs").asArray().size()).isGreaterThanOrEqualTo(2);
    JsonNode reasons = ReportSchemas.read("replay.session-refusal/1");
    assertThat(reasons.at("/properties/reason/enum"))
        .extracting(JsonNode::asText)
        .containsExactlyInAnyOrder(Stream.of(SessionReplayRefusedException.Reason.values())
            .map(reason -> reason.name().toLowerCase(Locale.ROOT))
            .toArray(String[]::new));
  }

  @Test
  void schemas_know_every_kind_measure_verdict_and_type() throws IOException {
    for (String name : new String[] {"session-replay", "session-comparison", "session-matrix"}) {
      JsonNode schema = ReportSchemas.read("replay." + name + "/1");
      JsonNode divergence = schema.at("/$defs/divergence/properties");
      for (MessageDivergence.Kind kind : MessageDivergence.Kind.values()) {
        assertThat(divergence.at("/kind/enum")).extracting(JsonNode::asText).contains(kind.id());
      }
      for (MessageMeasure measure : MessageMeasure.values()) {
        assertThat(divergence.at("/measure/enum"))
            .extracting(JsonNode::asText)
            .contains(measure.id());
      }
      for (SessionReplayVerdict verdict : SessionReplayVerdict.values()) {
        assertThat(schema.at("/properties/verdict/enum"))
            .extracting(JsonNode::asText)
            .contains(verdict.id());
      }
    }
    assertThat(SessionReplayJson.render(Replays.compared())
            .at("/by_type")
            .asObject()
            .names())
        .allSatisfy(name -> TraceMessage.Type.valueOf(name));
  }
}
