package dev.agentreplay.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.records.InterventionSummary.SeverityCounts;
import dev.agentreplay.records.InvalidRecordException.Problem;
import dev.agentreplay.records.SessionOutputs.Counts;
import dev.agentreplay.records.SessionOutputs.Scorecard;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Members without a component, and their round trip. */
class RecordExtraTest {

  private static final RecordTime NOON = RecordTime.parse("2026-01-01T12:00:00Z");

  private static final AgentRosterEntry ENTRY =
      AgentRosterEntry.of("a", AgentRosterEntry.Role.TEST_DESIGNER, "program", "model");

  @ParameterizedTest
  @CsvSource({
    "0.7, 0.7, false",
    "0.70, 0.7, true",
    "7e-1, 0.7, true",
    "1, 1.0, false",
    "1.0, 1.0, true",
    "-0, -0.0, true",
    "-0.0, -0.0, false",
    "0.1000000000000000055511151231257827, 0.1, true"
  })
  void number_spelled_otherwise_keeps_its_spelling(String text, double value, boolean kept) {
    JsonObject json = ENTRY.toJson().with("temperature", JsonNumber.of(text));

    AgentRosterEntry read = read(json);

    assertThat(read.temperature()).isEqualTo(value);
    assertThat(read.extra().has("temperature")).isEqualTo(kept);
    assertThat(read.toJson()).isEqualTo(json);
  }

  @Test
  void component_that_changed_goes_before_the_old_spelling() {
    AgentRosterEntry read =
        read(ENTRY.toJson().with("temperature", JsonNumber.of("0.70"))).withTemperature(0.5);

    assertThat(read.toJson().at("/temperature")).isEqualTo(JsonNumber.of("0.5"));
  }

  @Test
  void old_spelling_counts_again_when_the_component_is_that_number() {
    AgentRosterEntry read = read(ENTRY.toJson().with("temperature", JsonNumber.of("0.70")));

    assertThat(read.withTemperature(0.5).withTemperature(0.7).toJson()).isEqualTo(read.toJson());
  }

  @ParameterizedTest
  @MethodSource
  <T extends RecordObject> void number_that_was_cleared_is_not_written(
      T before, String name, UnaryOperator<T> clear) {
    @SuppressWarnings("unchecked") // the class of an object is that of its type
    RecordForm<T> form = RecordForm.of((Class<T>) before.getClass());
    JsonNumber respelled = JsonNumber.of("1.0");
    T read = form.read(before.toJson().with(name, respelled));

    T cleared = clear.apply(read);

    assertThat(read.extra()).isEqualTo(JsonObject.of(name, respelled));
    assertThat(cleared.toJson()).isEqualTo(before.toJson());
    assertThat(cleared.problems()).isEmpty();
  }

  static Stream<Arguments> number_that_was_cleared_is_not_written() {
    TraceMessage message = TraceMessage.of(NOON, "a", TraceMessage.Type.DELTA, "text");
    SessionTrace.Round round = SessionTrace.Round.of(0, NOON, List.of());
    return Stream.of(
        cleared(ENTRY, "temperature", e -> e.withTemperature(null)),
        cleared(message, "message_id", m -> m.withMessageId(null)),
        cleared(round, "duration_ms", r -> r.withDurationMillis(null)),
        cleared(SessionOutputs.EMPTY, "assumption_count", o -> o.withCounts(Counts.of(0, 0))),
        cleared(SessionOutputs.EMPTY, "anomaly_count", o -> o.withCounts(Counts.of(0, 0))),
        cleared(SessionOutputs.EMPTY, "critique_count", o -> o.withCounts(Counts.of(0, 0))),
        cleared(SessionOutputs.EMPTY, "scorecard_points", o -> o.withScorecard(Scorecard.NONE)));
  }

  private static <T extends RecordObject> Arguments cleared(
      T before, String name, UnaryOperator<T> clear) {
    return Arguments.of(before, name, clear);
  }

  @Test
  void spelling_that_is_kept_is_a_part_of_equality() {
    AgentRosterEntry made = ENTRY.withTemperature(1.0);
    AgentRosterEntry read = read(made.toJson().with("temperature", JsonNumber.of("1.0")));

    assertThat(read.temperature()).isEqualTo(made.temperature());
    assertThat(read).isNotEqualTo(made);
    assertThat(read(made.toJson())).isEqualTo(made);
  }

  @Test
  void null_of_an_optional_member_is_refused() {
    JsonObject json = ENTRY.toJson().with("model_version", null).with("temperature", null);
    assertThat(RecordForm.of(AgentRosterEntry.class).check(json))
        .map(Problem::toString)
        .containsExactly(
            "model_version: must be a string, found null",
            "temperature: must be a number, found null");
  }

  @Test
  void members_are_in_the_order_of_the_specification_and_then_as_they_were_read() {
    JsonObject json = JsonObject.of(
        "z",
        1,
        "model",
        "m",
        "a",
        2,
        "temperature",
        1,
        "program",
        "p",
        "role",
        "test_designer",
        "agent_name",
        "n");

    assertThat(read(json).toJson().names())
        .containsExactly("agent_name", "role", "program", "model", "temperature", "z", "a");
  }

  @Test
  void known_member_among_the_unknown_ones_is_not_written() {
    JsonObject extra = JsonObject.of("temperature", "hot", "model", "other", "unknown", true);
    AgentRosterEntry entry = new AgentRosterEntry(
        "a", AgentRosterEntry.Role.TEST_DESIGNER, "program", "model", null, null, extra);

    assertThat(entry.toJson()).isEqualTo(ENTRY.toJson().with("unknown", true));
  }

  @Test
  void number_may_be_an_integer_with_a_fraction_of_zero() {
    JsonObject json = JsonObject.of(
        "minor", JsonNumber.of("2.0"), "major", JsonNumber.of("1e2"), "critical", 0, "moderate", 0);

    SeverityCounts counts = RecordForm.of(SeverityCounts.class).read(json);

    assertThat(counts.minor()).isEqualTo(2);
    assertThat(counts.major()).isEqualTo(100);
    assertThat(counts.toJson()).isEqualTo(json);
  }

  @Test
  void record_that_json_cannot_hold_is_refused_and_has_a_problem() {
    AgentRosterEntry endless = ENTRY.withTemperature(Double.NaN);
    AgentRosterEntry lone = ENTRY.withModelVersion("\udc00");

    assertThatThrownBy(endless::toJson)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("JSON has no number for NaN");
    assertThat(endless.problems()).containsExactly(new Problem("", "JSON has no number for NaN"));
    assertThat(lone.problems())
        .containsExactly(new Problem("", "text has a lone surrogate U+DC00 at index 0"));
  }

  @Test
  void interface_of_all_objects_has_no_form() {
    assertThatThrownBy(() -> RecordForm.of(RecordObject.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("not the class of a record: " + RecordObject.class.getName());
  }

  private static AgentRosterEntry read(JsonObject json) {
    return RecordForm.of(AgentRosterEntry.class).read(json);
  }
}
