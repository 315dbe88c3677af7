package dev.agentreplay.records;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.records.InterventionSummary.SeverityCounts;
import dev.agentreplay.records.InterventionSummary.TypeCounts;
import dev.agentreplay.records.OperatorIntervention.Reversal;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class InterventionSummaryTest {

  @Test
  void session_without_interventions_has_an_empty_summary() {
    InterventionSummary summary = InterventionSummary.of(List.of());

    assertThat(summary)
        .isEqualTo(new InterventionSummary(
            0,
            new SeverityCounts(0, 0, 0, 0, JsonObject.EMPTY),
            new TypeCounts(0, 0, 0, 0, 0, 0, JsonObject.EMPTY),
            false,
            List.of(),
            null,
            null,
            JsonObject.EMPTY));
    assertThat(summary.toJson().has("first_intervention_at")).isFalse();
  }

  @Test
  void interventions_are_counted_and_operators_sorted() {
    InterventionSummary summary = InterventionSummary.of(List.of(
        of("zoe", "2026-01-01T12:00:00Z", "DELTA_EXCLUSION", "MODERATE"),
        of("Ann", "2026-01-01T11:00:00Z", "DELTA_EXCLUSION", "MINOR"),
        of("bob", "2026-01-01T13:00:00Z", "SESSION_CONTROL", "CRITICAL"),
        of("Ann", "2026-01-01T12:30:00Z", "DELTA_EXCLUSION", "MODERATE")));

    assertThat(summary)
        .isEqualTo(new InterventionSummary(
            4,
            new SeverityCounts(1, 2, 0, 1, JsonObject.EMPTY),
            new TypeCounts(0, 3, 0, 0, 1, 0, JsonObject.EMPTY),
            true,
            List.of("Ann", "bob", "zoe"),
            RecordTime.parse("2026-01-01T11:00:00Z"),
            RecordTime.parse("2026-01-01T13:00:00Z"),
            JsonObject.EMPTY));
    assertThat(summary.problems()).isEmpty();
  }

  @Test
  void times_are_compared_whatever_their_offset() {
    InterventionSummary summary = InterventionSummary.of(List.of(
        of("a", "2026-01-01T12:00:00Z", "ARTIFACT_EDIT", "MINOR"),
        of("a", "2026-01-01T13:30:00+02:00", "ARTIFACT_EDIT", "MINOR"),
        of("a", "2026-01-01T11:00:00-02:00", "ARTIFACT_EDIT", "MINOR")));

    assertThat(summary.firstInterventionAt()).hasToString("2026-01-01T13:30:00+02:00");
    assertThat(summary.lastInterventionAt()).hasToString("2026-01-01T11:00:00-02:00");
  }

  @Test
  void of_several_at_one_time_the_first_is_named() {
    InterventionSummary summary = InterventionSummary.of(List.of(
        of("a", "2026-01-01T12:00:00Z", "ARTIFACT_EDIT", "MINOR"),
        of("a", "2026-01-01T12:00:00.0Z", "ARTIFACT_EDIT", "MINOR")));

    assertThat(summary.firstInterventionAt()).hasToString("2026-01-01T12:00:00Z");
    assertThat(summary.lastInterventionAt()).hasToString("2026-01-01T12:00:00Z");
  }

  @ParameterizedTest
  @CsvSource({"MINOR, false", "MODERATE, false", "MAJOR, true", "CRITICAL, true"})
  void intervention_is_major_from_that_severity_on(String severity, boolean major) {
    InterventionSummary summary =
        InterventionSummary.of(List.of(of("a", "2026-01-01T12:00:00Z", "ARTIFACT_EDIT", severity)));

    assertThat(summary.hasMajorInterventions()).isEqualTo(major);
  }

  @ParameterizedTest
  @EnumSource
  void each_severity_has_its_count(OperatorIntervention.Severity severity) {
    SeverityCounts counts = SeverityCounts.of(List.of(severity, severity));

    assertThat(counts.toJson().at("/" + severity.id()).asLong()).isEqualTo(2);
    assertThat(Arrays.stream(OperatorIntervention.Severity.values())
            .mapToLong(counts::count)
            .sum())
        .isEqualTo(2);
    assertThat(counts.count(severity)).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource
  void each_type_has_its_count(OperatorIntervention.Type type) {
    TypeCounts counts = TypeCounts.of(List.of(type, type));

    assertThat(counts.toJson().at("/" + type.id()).asLong()).isEqualTo(2);
    assertThat(Arrays.stream(OperatorIntervention.Type.values())
            .mapToLong(counts::count)
            .sum())
        .isEqualTo(2);
    assertThat(counts.count(type)).isEqualTo(2);
  }

  private static OperatorIntervention of(
      String operator, String time, String type, String severity) {
    return new OperatorIntervention(
        "INT1",
        "s",
        RecordTime.parse(time),
        operator,
        OperatorIntervention.Type.valueOf(type),
        OperatorIntervention.Severity.valueOf(severity),
        OperatorIntervention.Target.SESSION,
        null,
        "long enough",
        Reversal.POSSIBLE,
        JsonObject.EMPTY);
  }
}
