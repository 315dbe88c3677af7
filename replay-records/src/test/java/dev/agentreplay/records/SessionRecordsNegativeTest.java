package dev.agentreplay.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.JsonSyntaxException;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.records.InvalidRecordException.Problem;
import dev.agentreplay.testkit.TestData;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every constraint, broken alone and together. */
class SessionRecordsNegativeTest {

  private static final JsonValue RECORD = JsonText.parse(TestData.bytes("/records/complete.json"));

  private static final JsonValue REPORT = JsonText.parse(TestData.bytes("/records/report.json"));

  /** One of the ways to read text. */
  private interface TextReader {
    Object call(byte[] utf8) throws IOException;
  }

  private static final List<TextReader> READERS = List.of(
      SessionRecords::read,
      SessionRecords::readReport,
      SessionRecords::readRoster,
      utf8 -> SessionRecords.read(new ByteArrayInputStream(utf8)),
      utf8 -> SessionRecords.readReport(new ByteArrayInputStream(utf8)),
      utf8 -> SessionRecords.readRoster(new ByteArrayInputStream(utf8)));

  @ParameterizedTest
  @CsvSource(
      delimiterString = " | ",
      quoteCharacter = '`',
      textBlock =
          """
          /id | "RS20260101" | id: must match ^REC-[A-Za-z0-9][\\w-]*-\\d+$: "RS20260101"
          /id | "REC--a-1" | id: must match ^REC-[A-Za-z0-9][\\w-]*-\\d+$: "REC--a-1"
          /id | "REC-a.b-1" | id: must match ^REC-[A-Za-z0-9][\\w-]*-\\d+$: "REC-a.b-1"
          /id | "REC-a-1\\n" | id: must match ^REC-[A-Za-z0-9][\\w-]*-\\d+$: "REC-a-1\\n"
          /id | "REC-a-٣" | id: must match ^REC-[A-Za-z0-9][\\w-]*-\\d+$: "REC-a-٣"
          /session_id | "" | session_id: must not be empty: ""
          /session_id | null | session_id: must be a string, found null
          /created_at | "2026-01-01T12:00:00" | created_at: must be an ISO 8601 time with offset: "2026-01-01T12:00:00"
          /created_at | 1767268800 | created_at: must be a string, found number 1767268800
          /schema_version | 0.1 | schema_version: must be a string, found number 0.1
          /inputs | [] | inputs: must be an object, found array []
          /inputs/kickoff/thread_id | "" | inputs.kickoff.thread_id: must not be empty: ""
          /inputs/kickoff/question | 42 | inputs.kickoff.question: must be a string, found number 42
          /inputs/kickoff/operator_selection/primary | "a" | inputs.kickoff.operator_selection.primary: must be an array, found string "a"
          /inputs/kickoff/operator_selection/primary | ["a",null] | inputs.kickoff.operator_selection.primary[1]: must be a string, found null
          /inputs/external_evidence | null | inputs.external_evidence: must be an array, found null
          /inputs/external_evidence/0/type | "book" | inputs.external_evidence[0].type: must be one of paper, preprint, dataset, experiment, observation, prior_session, expert_opinion, code_artifact: "book"
          /inputs/external_evidence/0/excerpt_count | -1 | inputs.external_evidence[0].excerpt_count: must not be negative: -1
          /inputs/agent_roster/1 | null | inputs.agent_roster[1]: must be an object, found null
          /inputs/agent_roster/0/agent_name | "" | inputs.agent_roster[0].agent_name: must not be empty: ""
          /inputs/agent_roster/0/program | "" | inputs.agent_roster[0].program: must not be empty: ""
          /inputs/agent_roster/0/model | "" | inputs.agent_roster[0].model: must not be empty: ""
          /inputs/agent_roster/0/role | "CRITIC" | inputs.agent_roster[0].role: must be one of hypothesis_generator, test_designer, adversarial_critic: "CRITIC"
          /inputs/agent_roster/0/temperature | 3.5 | inputs.agent_roster[0].temperature: must be between 0 and 2: 3.5
          /inputs/agent_roster/1/temperature | -0.1 | inputs.agent_roster[1].temperature: must be between 0 and 2: -0.1
          /inputs/agent_roster/1/temperature | "1" | inputs.agent_roster[1].temperature: must be a number, found string "1"
          /inputs/protocol_versions/delta_format | 1 | inputs.protocol_versions.delta_format: must be a string, found number 1
          /trace/rounds | {} | trace.rounds: must be an array, found object {}
          /trace/total_duration_ms | -1 | trace.total_duration_ms: must not be negative: -1
          /trace/total_duration_ms | 1.5 | trace.total_duration_ms: must be a 64-bit integer, found number 1.5
          /trace/total_duration_ms | 9223372036854775808 | trace.total_duration_ms: must be a 64-bit integer, found number 9223372036854775808
          /trace/started_at | "2026-02-30T12:00:00Z" | trace.started_at: must be an ISO 8601 time with offset: "2026-02-30T12:00:00Z"
          /trace/rounds/0/round_number | -1 | trace.rounds[0].round_number: must not be negative: -1
          /trace/rounds/0/ended_at | "later" | trace.rounds[0].ended_at: must be an ISO 8601 time with offset: "later"
          /trace/rounds/0/duration_ms | -1 | trace.rounds[0].duration_ms: must not be negative: -1
          /trace/rounds/0/messages/1/message_id | 0 | trace.rounds[0].messages[1].message_id: must be positive: 0
          /trace/rounds/0/messages/1/from | "" | trace.rounds[0].messages[1].from: must not be empty: ""
          /trace/rounds/0/messages/1/type | "delta" | trace.rounds[0].messages[1].type: must be one of KICKOFF, DELTA, CRITIQUE, ACK, EVIDENCE, RESULT, ADMIN, COMPILE, PUBLISH: "delta"
          /trace/rounds/0/messages/1/content_length | -1 | trace.rounds[0].messages[1].content_length: must not be negative: -1
          /trace/rounds/0/messages/1/acknowledged | "yes" | trace.rounds[0].messages[1].acknowledged: must be a boolean, found string "yes"
          /trace/interventions/0/id | "INT-a-1" | trace.interventions[0].id: must match ^INT-[A-Za-z0-9][\\w.-]*-\\d{3}$|^INT\\d+$: "INT-a-1"
          /trace/interventions/0/id | "INT1x" | trace.interventions[0].id: must match ^INT-[A-Za-z0-9][\\w.-]*-\\d{3}$|^INT\\d+$: "INT1x"
          /trace/interventions/0/session_id | "" | trace.interventions[0].session_id: must not be empty: ""
          /trace/interventions/0/operator_id | "" | trace.interventions[0].operator_id: must not be empty: ""
          /trace/interventions/0/type | "edit" | trace.interventions[0].type: must be one of artifact_edit, delta_exclusion, delta_injection, decision_override, session_control, role_reassignment: "edit"
          /trace/interventions/0/severity | "none" | trace.interventions[0].severity: must be one of minor, moderate, major, critical: "none"
          /trace/interventions/0/target | "H1" | trace.interventions[0].target: must be an object, found string "H1"
          /trace/interventions/0/target/message_id | 0 | trace.interventions[0].target.message_id: must be positive: 0
          /trace/interventions/0/target/artifact_version | -1 | trace.interventions[0].target.artifact_version: must not be negative: -1
          /trace/interventions/0/rationale | "too short" | trace.interventions[0].rationale: must have at least 10 characters: "too short"
          /trace/interventions/0/reversible | null | trace.interventions[0].reversible: must be a boolean, found null
          /trace/interventions/0/reversed_at | "never" | trace.interventions[0].reversed_at: must be an ISO 8601 time with offset: "never"
          /trace/intervention_summary/total_count | -1 | trace.intervention_summary.total_count: must not be negative: -1
          /trace/intervention_summary/by_severity/major | -1 | trace.intervention_summary.by_severity.major: must not be negative: -1
          /trace/intervention_summary/by_type/delta_exclusion | -1 | trace.intervention_summary.by_type.delta_exclusion: must not be negative: -1
          /trace/intervention_summary/operators | [1] | trace.intervention_summary.operators[0]: must be a string, found number 1
          /trace/intervention_summary/first_intervention_at | "" | trace.intervention_summary.first_intervention_at: must be an ISO 8601 time with offset: ""
          /outputs/final_artifact_hash | null | outputs.final_artifact_hash: must be a string, found null
          /outputs/lint_result/errors | -1 | outputs.lint_result.errors: must not be negative: -1
          /outputs/lint_result/valid | 1 | outputs.lint_result.valid: must be a boolean, found number 1
          /outputs/hypothesis_count | -1 | outputs.hypothesis_count: must not be negative: -1
          /outputs/test_count | -1 | outputs.test_count: must not be negative: -1
          /outputs/assumption_count | -1 | outputs.assumption_count: must not be negative: -1
          /outputs/anomaly_count | -1 | outputs.anomaly_count: must not be negative: -1
          /outputs/critique_count | -1 | outputs.critique_count: must not be negative: -1
          /outputs/scorecard_points | "81" | outputs.scorecard_points: must be a number, found string "81"
          """)
  void broken_constraint_is_reported_at_its_path(String pointer, String value, String problem) {
    JsonValue broken = replace(RECORD, pointer, JsonText.parse(value));

    assertThat(SessionRecords.validate(broken)).map(Problem::toString).containsExactly(problem);
    assertThatThrownBy(() -> SessionRecords.read(broken))
        .isInstanceOf(InvalidRecordException.class)
        .hasMessage("invalid SessionRecord: " + problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " | ",
      quoteCharacter = '`',
      textBlock =
          """
          /mode | "verify" | mode: must be one of verification, comparison, trace: "verify"
          /replayed_at | "now" | replayed_at: must be an ISO 8601 time with offset: "now"
          /roster/0/temperature | 2.01 | roster[0].temperature: must be between 0 and 2: 2.01
          /matches | null | matches: must be a boolean, found null
          /similarity_percentage | 100.1 | similarity_percentage: must be between 0 and 100: 100.1
          /similarity_percentage | -1 | similarity_percentage: must be between 0 and 100: -1
          /artifact_similarity | 101 | artifact_similarity: must be between 0 and 100: 101
          /rounds_completed | -1 | rounds_completed: must not be negative: -1
          /rounds_expected | -1 | rounds_expected: must not be negative: -1
          /messages_matched | -1 | messages_matched: must not be negative: -1
          /messages_expected | -1 | messages_expected: must not be negative: -1
          /divergences/0/round_number | -1 | divergences[0].round_number: must not be negative: -1
          /divergences/0/message_index | -1 | divergences[0].message_index: must not be negative: -1
          /divergences/0/severity | "critical" | divergences[0].severity: must be one of none, minor, moderate, major: "critical"
          """)
  void broken_constraint_of_a_report_is_reported(String pointer, String value, String problem) {
    JsonValue broken = replace(REPORT, pointer, JsonText.parse(value));

    assertThat(RecordForm.of(RecordReplayReport.class).check(broken))
        .map(Problem::toString)
        .containsExactly(problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " | ",
      quoteCharacter = '`',
      textBlock =
          """
          /id | "REC-0--_-0"
          /session_id | "any text ☃"
          /created_at | "2026-01-01T12:00:00-18:00"
          /inputs/agent_roster/0/temperature | 0
          /inputs/agent_roster/0/temperature | 2.0
          /trace/rounds/0/messages/0/message_id | 1
          /trace/rounds/0/messages/0/content_length | 9223372036854775807
          /trace/rounds/0/ended_at | "1999-01-01T00:00:00Z"
          /trace/rounds/0/round_number | 0
          /trace/interventions/0/id | "INT7"
          /trace/interventions/0/id | "INT-a.b-c-007"
          /trace/interventions/0/rationale | "ten chars."
          /trace/interventions/0/target | {}
          /trace/intervention_summary/total_count | 7
          /outputs/scorecard_points | -1e300
          """)
  void value_at_the_edge_of_what_is_allowed_is_none(String pointer, String value) {
    JsonValue edge = replace(RECORD, pointer, JsonText.parse(value));

    assertThat(SessionRecords.validate(edge)).isEmpty();
  }

  /** Every object, and the members that it may lack. */
  static Stream<Arguments> objects() {
    return Stream.of(
        Arguments.of("", "schema_version"),
        Arguments.of("/inputs", "external_evidence"),
        Arguments.of(
            "/inputs/kickoff", "question excerpt theme domain operator_selection kickoff_body_md"),
        Arguments.of("/inputs/kickoff/operator_selection", "secondary forbidden"),
        Arguments.of("/inputs/external_evidence/0", "content_hash"),
        Arguments.of("/inputs/agent_roster/0", "model_version temperature"),
        Arguments.of(
            "/inputs/protocol_versions",
            "role_prompts delta_format artifact_schema evaluation_rubric evidence_pack"),
        Arguments.of("/trace", "interventions intervention_summary ended_at"),
        Arguments.of("/trace/rounds/0", "ended_at compiled_artifact_hash duration_ms"),
        Arguments.of("/trace/rounds/0/messages/0", "message_id subject acknowledged"),
        Arguments.of("/trace/interventions/0", "state_change reversible reversed_at reversed_by"),
        Arguments.of(
            "/trace/interventions/0/target",
            "message_id artifact_version item_id item_type agent_name role"),
        Arguments.of("/trace/interventions/0/state_change", "before after before_hash after_hash"),
        Arguments.of("/trace/intervention_summary", "first_intervention_at last_intervention_at"),
        Arguments.of("/trace/intervention_summary/by_severity", ""),
        Arguments.of("/trace/intervention_summary/by_type", ""),
        Arguments.of(
            "/outputs",
            "assumption_count anomaly_count critique_count scorecard_grade scorecard_points"),
        Arguments.of("/outputs/lint_result", "error_messages warning_messages"));
  }

  @ParameterizedTest
  @MethodSource("objects")
  void member_that_is_missing_is_reported_where_it_is_required(String pointer, String optional) {
    JsonObject object = RECORD.at(pointer).asObject();
    List<String> reported = new ArrayList<>();
    for (String name : object.names()) {
      List<Problem> found = SessionRecords.validate(replace(RECORD, pointer, object.without(name)));
      found.forEach(problem -> reported.add(problem.toString()));
    }

    assertThat(reported)
        .isEqualTo(object.names().stream()
            .filter(name -> !List.of(optional.split(" ")).contains(name))
            .map(name -> path(pointer + "/" + name) + ": is missing")
            .toList());
  }

  @Test
  void all_that_is_wrong_is_reported_in_the_order_of_the_specification() {
    JsonValue broken = RECORD;
    broken = replace(broken, "/outputs/lint_result/errors", JsonValue.of(-1));
    broken = replace(broken, "/inputs/agent_roster/1/temperature", JsonValue.of(9));
    broken = replace(broken, "/inputs/agent_roster/0", JsonValue.of("BlueLake"));
    broken = replace(broken, "/trace", JsonObject.EMPTY);
    broken = replace(broken, "/id", JsonValue.of(null));
    JsonValue value = broken;

    assertThatThrownBy(() -> SessionRecords.read(value))
        .isInstanceOfSatisfying(InvalidRecordException.class, e -> assertThat(e.problems())
            .isEqualTo(SessionRecords.validate(value))
            .map(Problem::toString)
            .containsExactly(
                "id: must be a string, found null",
                "inputs.agent_roster[0]: must be an object, found string \"BlueLake\"",
                "inputs.agent_roster[1].temperature: must be between 0 and 2: 9",
                "trace.rounds: is missing",
                "trace.total_duration_ms: is missing",
                "trace.started_at: is missing",
                "outputs.lint_result.errors: must not be negative: -1"));
  }

  @Test
  void message_lists_the_first_problems_and_counts_the_others() {
    assertThatThrownBy(() -> RecordForm.of(RecordReplayReport.class).read(JsonObject.EMPTY))
        .hasMessageStartingWith(
            "invalid RecordReplayReport: original_session_id: is missing; mode: is")
        .hasMessageEndingWith("messages_expected: is missing; and 2 more");
  }

  @Test
  void value_other_than_an_object_has_a_problem_without_a_path() {
    assertThat(SessionRecords.validate(JsonValue.of(List.of())))
        .containsExactly(new Problem("", "must be an object, found array []"))
        .map(Problem::toString)
        .containsExactly("must be an object, found array []");
  }

  @Test
  void problem_in_a_roster_begins_with_the_number_of_its_entry() {
    byte[] roster = "[{\"agent_name\":\"a\",\"role\":\"test_designer\",\"program\":\"p\"}, 5]"
        .getBytes(StandardCharsets.UTF_8);

    assertThatThrownBy(() -> SessionRecords.readRoster(roster))
        .hasMessage("invalid AgentRosterEntry: [0].model: is missing; "
            + "[1]: must be an object, found number 5");
    assertThatThrownBy(() -> RecordForm.of(AgentRosterEntry.class).readList(JsonObject.EMPTY))
        .hasMessageEndingWith("must be an array, found object {}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"id":1,"id":2} | DUPLICATE_KEY | duplicate name "id" at byte 8
          {"id":1} x      | SYNTAX        | expected nothing more after the value, found 'x' at byte 9
          {"id":"\\ud800"} | ENCODING     | lone surrogate U+D800 at byte 7
          {               | SYNTAX        | expected a name in quotes, found the end at byte 1
          ''              | SYNTAX        | expected a JSON value, found the end at byte 0
          """)
  void text_that_is_not_strict_json_is_refused_and_has_a_problem(
      String text, JsonSyntaxException.Reason reason, String message) throws IOException {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);

    assertThat(READERS).allSatisfy(reader -> assertThatThrownBy(() -> reader.call(utf8))
        .isInstanceOfSatisfying(
            JsonSyntaxException.class, e -> assertThat(e.reason()).isEqualTo(reason))
        .hasMessage(message));
    assertThat(SessionRecords.validate(utf8)).containsExactly(new Problem("", message));
    assertThat(SessionRecords.validate(new ByteArrayInputStream(utf8)))
        .isEqualTo(SessionRecords.validate(utf8));
  }

  @Test
  void stream_is_not_read_beyond_the_longest_text() throws IOException {
    assertThatThrownBy(() -> SessionRecords.read(new Endless()))
        .isInstanceOfSatisfying(JsonSyntaxException.class, e -> assertThat(e.reason())
            .isEqualTo(JsonSyntaxException.Reason.LIMIT));
    assertThat(SessionRecords.validate(new Endless()))
        .containsExactly(new Problem("", "text is longer than 67108864 bytes at byte 0"));
  }

  @Test
  void record_in_memory_is_held_to_the_same_constraints() {
    SessionRecord record = SessionRecords.read(RECORD);
    AgentRosterEntry entry = record.inputs().agentRoster().get(0).withTemperature(3.5);
    SessionRecord broken =
        record.withInputs(record.inputs().withAgentRoster(List.of(entry, entry)));

    assertThat(broken.problems())
        .map(Problem::toString)
        .containsExactly(
            "inputs.agent_roster[0].temperature: must be between 0 and 2: 3.5",
            "inputs.agent_roster[1].temperature: must be between 0 and 2: 3.5");
  }

  /** {@code a.b[0].c} for {@code /a/b/0/c}. */
  private static String path(String pointer) {
    return pointer.substring(1).replaceAll("/(\\d+)", "[$1]").replace('/', '.');
  }

  private static JsonValue replace(JsonValue value, String pointer, JsonValue replacement) {
    if (pointer.isEmpty()) {
      return replacement;
    }
    int end = pointer.indexOf('/', 1) < 0 ? pointer.length() : pointer.indexOf('/', 1);
    String step = pointer.substring(1, end);
    String rest = pointer.substring(end);
    if (value instanceof JsonObject object) {
      JsonValue old = Objects.requireNonNullElse(object.get(step), JsonNull.NULL);
      return object.with(step, replace(old, rest, replacement));
    }
    List<JsonValue> elements = new ArrayList<>(value.asArray().values());
    int index = Integer.parseInt(step);
    elements.set(index, replace(elements.get(index), rest, replacement));
    return JsonValue.of(elements);
  }

  /** Nothing but spaces. */
  private static final class Endless extends InputStream {
    @Override
    public int read() {
      return ' ';
    }

    @Override
    public int read(byte[] bytes, int from, int length) {
      Arrays.fill(bytes, from, from + length, (byte) ' ');
      return length;
    }
  }
}
