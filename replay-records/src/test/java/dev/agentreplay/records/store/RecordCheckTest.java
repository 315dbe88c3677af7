package dev.agentreplay.records.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.records.InterventionSummary;
import dev.agentreplay.records.InvalidRecordException.Problem;
import dev.agentreplay.records.OperatorIntervention;
import dev.agentreplay.records.RecordArbitraries;
import dev.agentreplay.records.RecordHash;
import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.SessionRecords;
import dev.agentreplay.records.SessionTrace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.domains.Domain;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each contradiction in a record is exactly one problem. */
class RecordCheckTest {

  private static final SessionRecord RECORD = SampleRecord.of("RS1");
  private static final String ROUND_0 = "trace.rounds[0]";
  private static final String ROUND_1 = "trace.rounds[1]";

  @Test
  void consistent_record_has_no_problems() throws IOException {
    RecordCheckReport report = RecordCheck.of(RECORD, SampleRecord.texts());

    assertThat(report.problems()).isEmpty();
    assertThat(report.isConsistent()).isTrue();
    assertThat(report.replayObstacles()).isEmpty();
    assertThat(report.presentTexts()).isEqualTo(6);
    assertThat(report.missingTexts()).isEqualTo(1);
    assertThat(report.alteredTexts()).isZero();
    assertThat(report).hasToString("0 problems, 1 notes, 6 texts present, 1 missing, 0 altered");
    assertThat(report.notes())
        .extracting(Problem::toString)
        .containsExactly(ROUND_0
            + ".messages[0].from: Human is an operator: the roster does not have this name");
  }

  @Test
  void record_without_texts_is_consistent() throws IOException {
    RecordCheckReport report = RecordCheck.of(RECORD, RecordTexts.none());

    assertThat(report.isConsistent()).isTrue();
    assertThat(report.missingTexts()).isEqualTo(7);
  }

  @Test
  void empty_record_is_consistent_but_not_replayable() throws IOException {
    SessionRecord empty = SessionRecord.createEmpty("RS1", SampleRecord.time(0));

    RecordCheckReport report = RecordCheck.of(empty, RecordTexts.none());

    assertThat(report.isConsistent()).isTrue();
    assertThat(report.missingTexts()).isZero();
    assertThat(report.replayObstacles())
        .containsExactly(
            "trace.rounds: expected at least one round, found none",
            "inputs.agent_roster: expected at least one agent, found none",
            "outputs.final_artifact_hash: expected a hash, found empty text");
  }

  @ParameterizedTest(name = "{0} = {1}")
  @MethodSource("contradictions")
  void contradiction_is_exactly_one_problem(String path, Object value, String problem)
      throws IOException {
    SessionRecord broken = with(path, value);

    RecordCheckReport report = RecordCheck.of(broken, SampleRecord.texts());

    assertThat(report.problems()).extracting(Problem::toString).containsExactly(problem);
    assertThat(report.isConsistent()).isFalse();
  }

  static Stream<Arguments> contradictions() {
    String summary = "trace.intervention_summary.";
    String lint = "outputs.lint_result.";
    return Stream.of(
        broken(ROUND_0 + ".round_number", 1, "expected 0, found 1"),
        broken(ROUND_1 + ".round_number", 2, "expected 1, found 2"),
        broken(
            ROUND_0 + ".started_at",
            "2026-01-01T11:59:59.5Z",
            "expected a time not before trace.started_at, 2026-01-01T12:00:00Z, found"
                + " 2026-01-01T11:59:59.5Z"),
        broken(
            ROUND_1 + ".ended_at",
            "2026-01-01T12:04:00.5Z",
            "expected a time not after trace.ended_at, 2026-01-01T12:04:00Z, found"
                + " 2026-01-01T12:04:00.5Z"),
        broken(
            ROUND_1 + ".messages[0].timestamp",
            "2026-01-01T12:02:59Z",
            "expected a time not before trace.rounds[1].started_at, 2026-01-01T12:03:00Z, found"
                + " 2026-01-01T12:02:59Z"),
        broken(
            ROUND_0 + ".messages[2].timestamp",
            "2026-01-01T12:02:00.000000001Z",
            "expected a time not after trace.rounds[0].ended_at, 2026-01-01T12:02:00Z, found"
                + " 2026-01-01T12:02:00.000000001Z"),
        broken(
            ROUND_0 + ".duration_ms",
            121_001,
            "expected 120000, the time from start to end, found 121001"),
        broken(
            "trace.total_duration_ms", 0, "expected 240000, the time from start to end, found 0"),
        broken(
            ROUND_0 + ".messages[1].content_length",
            38,
            "expected 36, the bytes of its text in UTF-8, found 38"),
        broken(
            "inputs.agent_roster[1].agent_name",
            "BlueLake",
            "expected a unique name, found BlueLake of inputs.agent_roster[0]"),
        broken("trace.interventions[0].session_id", "RS2", "expected RS1, found RS2"),
        broken(summary + "total_count", 2, "expected 1, found 2"),
        broken(summary + "by_severity.minor", 1, "expected 0, found 1"),
        broken(summary + "by_severity.major", 0, "expected 1, found 0"),
        broken(summary + "by_type.artifact_edit", 0, "expected 1, found 0"),
        broken(summary + "by_type.role_reassignment", 1, "expected 0, found 1"),
        broken(summary + "has_major_interventions", false, "expected true, found false"),
        broken(
            summary + "operators",
            JsonArray.of("A", "Human"),
            "expected [Human], found [A, Human]"),
        broken(
            summary + "last_intervention_at",
            "2026-01-01T12:03:21Z",
            "expected 2026-01-01T12:03:20Z, found 2026-01-01T12:03:21Z"),
        broken(
            "outputs.final_artifact_hash",
            "",
            "expected the last compiled_artifact_hash, "
                + RecordHash.ofContent(SampleRecord.ARTIFACT) + ", found empty text"),
        broken(lint + "valid", false, "expected true with 0 errors, found false"),
        broken(
            lint + "warnings", 0, "expected at least 1, the number of warning_messages, found 0"),
        Arguments.of(
            lint + "error_messages",
            JsonArray.of("a"),
            lint + "errors: expected at least 1, the number of error_messages, found 0"));
  }

  private static Arguments broken(String path, Object value, String problem) {
    return Arguments.of(path, value, path + ": " + problem);
  }

  @ParameterizedTest
  @CsvSource({
    "trace.rounds[1].started_at, 2026-01-01T13:02:59.9+01:00",
    "trace.rounds[0].duration_ms, 121000",
    "trace.rounds[0].duration_ms, 119000",
    "trace.total_duration_ms, 241000",
    "trace.intervention_summary.first_intervention_at, 2026-01-01T13:03:20+01:00",
    "outputs.lint_result.warnings, 5",
  })
  void values_within_the_limits_agree(String path, String value) throws IOException {
    Object json = value.matches("\\d+") ? Long.valueOf(value) : value;

    assertThat(RecordCheck.of(with(path, json), SampleRecord.texts()).problems())
        .isEmpty();
  }

  @Test
  void rounds_that_overlap_are_a_problem() throws IOException {
    SessionRecord record = with(
        with(RECORD, ROUND_0 + ".ended_at", "2026-01-01T12:03:00.5Z"),
        ROUND_0 + ".duration_ms",
        180_500);

    assertThat(RecordCheck.of(record, SampleRecord.texts()).problems())
        .extracting(Problem::toString)
        .containsExactly(ROUND_1
            + ".started_at: expected a time not before the end of the round before,"
            + " 2026-01-01T12:03:00.5Z, found 2026-01-01T12:03:00Z");
  }

  @Test
  void round_that_starts_before_one_without_an_end_is_a_problem() throws IOException {
    List<SessionTrace.Round> rounds = List.of(
        SessionTrace.Round.of(0, SampleRecord.time(10), List.of()),
        SessionTrace.Round.of(1, SampleRecord.time(5), List.of()));
    SessionRecord record = SessionRecord.createEmpty("RS1", SampleRecord.time(0));

    assertThat(
            RecordCheck.of(record.withTrace(record.trace().withRounds(rounds)), RecordTexts.none())
                .problems())
        .extracting(Problem::toString)
        .containsExactly(ROUND_1
            + ".started_at: expected a time not before the start of the round before,"
            + " 2026-01-01T12:00:10Z, found 2026-01-01T12:00:05Z");
  }

  @Test
  void end_before_the_start_is_a_problem() throws IOException {
    SessionRecord record = with(
        with(RECORD, ROUND_1 + ".messages", JsonArray.EMPTY),
        ROUND_1 + ".ended_at",
        "2026-01-01T12:02:59Z");

    assertThat(RecordCheck.of(record, SampleRecord.texts()).problems())
        .extracting(Problem::toString)
        .containsExactly(ROUND_1
            + ".ended_at: expected a time not before trace.rounds[1].started_at,"
            + " 2026-01-01T12:03:00Z, found 2026-01-01T12:02:59Z");
    assertThat(RecordCheck.of(with("trace.ended_at", "2025-01-01T12:00Z"), RecordTexts.none())
            .problems())
        .contains(new Problem(
            "trace.ended_at",
            "expected a time not before trace.started_at, 2026-01-01T12:00:00Z, found"
                + " 2025-01-01T12:00Z"));
  }

  @Test
  void intervention_outside_the_session_is_a_problem() throws IOException {
    List<OperatorIntervention> interventions =
        List.of(SampleRecord.intervention("RS1", SampleRecord.time(241)));
    SessionRecord record = RECORD.withTrace(RECORD
        .trace()
        .withInterventions(interventions)
        .withInterventionSummary(InterventionSummary.of(interventions)));

    assertThat(RecordCheck.of(record, SampleRecord.texts()).problems())
        .extracting(Problem::toString)
        .containsExactly("trace.interventions[0].timestamp: expected a time not after"
            + " trace.ended_at, 2026-01-01T12:04:00Z, found 2026-01-01T12:04:01Z");
  }

  @Test
  void altered_text_is_a_problem_at_its_first_message() throws IOException {
    RecordHash altered = RecordHash.ofContent(SampleRecord.DELTA);
    RecordTexts refusing = hash -> {
      if (hash.equals(altered)) {
        throw new AlteredTextException("content/x", hash);
      }
      return SampleRecord.texts().text(hash);
    };
    RecordTexts different =
        hash -> hash.equals(altered) ? "different" : SampleRecord.texts().text(hash);

    for (RecordTexts texts : List.of(refusing, different)) {
      RecordCheckReport report = RecordCheck.of(RECORD, texts);
      assertThat(report.problems())
          .extracting(Problem::toString)
          .singleElement()
          .asString()
          .startsWith(ROUND_0 + ".messages[1].content_hash: ")
          .endsWith("the text was altered: its SHA-256 is not " + altered);
      assertThat(report.alteredTexts()).isEqualTo(1);
      assertThat(report.presentTexts()).isEqualTo(5);
    }
  }

  @Test
  void hash_of_a_different_form_is_noted() throws IOException {
    RecordCheckReport report = RecordCheck.of(
        with(ROUND_0 + ".messages[1].content_hash", "sha1:abc"), SampleRecord.texts());

    assertThat(report.isConsistent()).isTrue();
    assertThat(report.missingTexts()).isEqualTo(2);
    assertThat(report.notes())
        .extracting(Problem::path)
        .contains(ROUND_0 + ".messages[1].content_hash");
  }

  @Test
  void sender_without_a_role_and_a_different_thread_are_noted() throws IOException {
    SessionRecord record = with(
        with(RECORD, ROUND_1 + ".messages[1].from", "\u202eGhost"),
        "inputs.kickoff.thread_id",
        "RS2");

    RecordCheckReport report = RecordCheck.of(record, SampleRecord.texts());

    assertThat(report.isConsistent()).isTrue();
    assertThat(report.notes())
        .extracting(Problem::toString)
        .containsExactly(
            "inputs.kickoff.thread_id: expected the session_id, RS1, found RS2",
            ROUND_0 + ".messages[0].from: Human is an operator: the roster does not have this name",
            ROUND_1 + ".messages[1].from: \\u202eGhost is neither in the roster nor an operator");
  }

  @Test
  void text_that_cannot_be_read_is_a_problem_and_the_others_are_checked() {
    RecordTexts failing = hash -> {
      throw new IOException("disk");
    };

    assertThat(RecordCheck.of(RECORD, failing).problems())
        .hasSizeGreaterThan(1)
        .allSatisfy(problem -> assertThat(problem.message()).contains("disk"));
  }

  @Property(tries = 200)
  @Domain(RecordArbitraries.class)
  void every_record_is_checked(@ForAll SessionRecord record) throws IOException {
    RecordCheckReport report = RecordCheck.of(record, RecordTexts.none());

    assertThat(report.replayObstacles().isEmpty()).isEqualTo(record.isReplayable());
    assertThat(report.problems()).doesNotHaveDuplicates();
  }

  private static SessionRecord with(String path, Object value) {
    return with(RECORD, path, value);
  }

  private static SessionRecord with(SessionRecord record, String path, Object value) {
    return SessionRecords.read(
        changed(record.toJson(), path.split("[.\\[]"), 0, JsonValue.of(value)));
  }

  private static JsonValue changed(JsonValue json, String[] path, int at, JsonValue value) {
    if (at == path.length) {
      return value;
    }
    if (json instanceof JsonArray array) {
      int index = Integer.parseInt(path[at].replace("]", ""));
      List<JsonValue> elements = new ArrayList<>(array.values());
      elements.set(index, changed(elements.get(index), path, at + 1, value));
      return JsonArray.copyOf(elements);
    }
    JsonObject object = json.asObject();
    return object.with(path[at], changed(object.get(path[at]), path, at + 1, value));
  }
}
