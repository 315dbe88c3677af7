package dev.agentreplay.records.jackson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.jsontype.BasicPolymorphicTypeValidator;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.records.AgentRosterEntry;
import dev.agentreplay.records.EvidenceRecordSummary;
import dev.agentreplay.records.InvalidRecordException;
import dev.agentreplay.records.InvalidRecordException.Problem;
import dev.agentreplay.records.OperatorIntervention;
import dev.agentreplay.records.RecordConstant;
import dev.agentreplay.records.RecordForm;
import dev.agentreplay.records.RecordObject;
import dev.agentreplay.records.RecordReplayReport;
import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.SessionRecords;
import dev.agentreplay.records.TraceMessage;
import dev.agentreplay.testkit.TestData;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SessionRecordModuleTest {

  private static final String COMPLETE = TestData.text("/records/complete.json");

  private static final ObjectMapper MAPPER =
      new ObjectMapper().registerModule(new SessionRecordModule());

  record Archive(String shelf, List<SessionRecord> records, RecordReplayReport.Mode mode) {}

  static Stream<ObjectMapper> mappers() {
    return Stream.of(
        MAPPER,
        JsonMapper.builder()
            .addModule(new SessionRecordModule())
            .findAndAddModules()
            .propertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE)
            .defaultPropertyInclusion(
                JsonInclude.Value.construct(JsonInclude.Include.ALWAYS, JsonInclude.Include.ALWAYS))
            .activateDefaultTyping(
                BasicPolymorphicTypeValidator.builder()
                    .allowIfBaseType(Object.class)
                    .build(),
                ObjectMapper.DefaultTyping.NON_FINAL)
            .build());
  }

  @ParameterizedTest
  @MethodSource("mappers")
  void any_mapper_reads_and_writes_what_the_specification_says(ObjectMapper mapper)
      throws Exception {
    SessionRecord record = SessionRecords.read(JsonText.parse(COMPLETE));

    assertThat(mapper.readValue(COMPLETE, SessionRecord.class)).isEqualTo(record);
    assertThat(mapper.writeValueAsString(record)).isEqualTo(record.toJson().toString());
  }

  @Test
  void record_is_supported_in_the_callers_classes_and_trees() throws Exception {
    SessionRecord record = SessionRecord.createEmpty("s");
    Archive archive = new Archive("top", List.of(record), RecordReplayReport.Mode.TRACE);

    String json = MAPPER.writeValueAsString(archive);

    assertThat(json)
        .isEqualTo("{\"shelf\":\"top\",\"records\":[" + record.toJson() + "],\"mode\":\"trace\"}");
    assertThat(MAPPER.readValue(json, Archive.class)).isEqualTo(archive);
    JsonNode tree = MAPPER.valueToTree(record);
    assertThat(tree.at("/inputs/protocol_versions/delta_format").asText()).isEqualTo("v0.1");
    assertThat(MAPPER.treeToValue(tree, SessionRecord.class)).isEqualTo(record);
  }

  static List<RecordForm<?>> forms() {
    return RecordForm.all();
  }

  @ParameterizedTest
  @MethodSource("forms")
  void every_object_is_read_by_its_form(RecordForm<?> form) {
    List<Problem> problems = form.check(JsonText.parse("[]"));

    assertThatThrownBy(() -> MAPPER.readValue("[]", form.type()))
        .isInstanceOf(JsonMappingException.class)
        .hasMessageStartingWith("invalid ")
        .hasMessageContaining(form.type().getSimpleName() + ": ")
        .cause()
        .isInstanceOfSatisfying(
            InvalidRecordException.class, e -> assertThat(e.problems()).isEqualTo(problems));
  }

  @Test
  void every_object_has_a_form() {
    assertThat(RecordForm.all().stream().map(RecordForm::type).toList())
        .isEqualTo(List.of(RecordObject.class.getPermittedSubclasses()));
  }

  @Test
  void all_problems_of_a_record_are_in_the_cause() {
    String broken = COMPLETE
        .replace("\"BlueLake\"", "\"\"")
        .replace("\"codex-cli\"", "5")
        .replace("\"test_count\": 5", "\"test_count\": -5");

    assertThatThrownBy(() -> MAPPER.readValue(broken, SessionRecord.class))
        .isInstanceOf(JsonMappingException.class)
        .cause()
        .isInstanceOfSatisfying(InvalidRecordException.class, e -> assertThat(e.problems())
            .map(Problem::toString)
            .containsExactly(
                "inputs.agent_roster[0].agent_name: must not be empty: \"\"",
                "inputs.agent_roster[0].program: must be a string, found number 5",
                "trace.rounds[0].messages[1].from: must not be empty: \"\"",
                "outputs.test_count: must not be negative: -5"));
  }

  @Test
  void duplicate_name_is_refused() {
    String twice = COMPLETE.replace("\"theme\"", "\"question\"");

    assertThatThrownBy(() -> MAPPER.readValue(twice, SessionRecord.class))
        .isInstanceOf(JsonMappingException.class)
        .hasMessageContaining("duplicate name: \"question\"");
  }

  @Test
  void every_constant_is_read_and_written_by_its_spelling() throws Exception {
    List<Class<? extends RecordConstant>> types = List.of(
        AgentRosterEntry.Role.class,
        EvidenceRecordSummary.Type.class,
        TraceMessage.Type.class,
        OperatorIntervention.Type.class,
        OperatorIntervention.Severity.class,
        RecordReplayReport.Mode.class,
        RecordReplayReport.Severity.class);
    assertThat(Set.copyOf(types)).isEqualTo(Set.of(RecordConstant.class.getPermittedSubclasses()));
    for (Class<? extends RecordConstant> type : types) {
      for (RecordConstant constant : type.getEnumConstants()) {
        String json = MAPPER.writeValueAsString(constant);

        assertThat(json).isEqualTo("\"" + constant.id() + "\"");
        assertThat(MAPPER.readValue(json, type)).isSameAs(constant);
      }
    }
    assertThatThrownBy(() -> MAPPER.readValue("\"TRACE\"", RecordReplayReport.Mode.class))
        .hasMessageStartingWith(
            "invalid RecordReplayReport.Mode: must be one of verification, comparison, trace:"
                + " \"TRACE\"");
  }

  record Ledger(
      Map<AgentRosterEntry.Role, String> agents, EnumMap<TraceMessage.Type, String> messages) {}

  @ParameterizedTest
  @MethodSource("mappers")
  void constant_that_is_a_key_is_read_and_written_by_its_spelling(ObjectMapper mapper)
      throws Exception {
    Ledger ledger = new Ledger(
        Map.of(AgentRosterEntry.Role.TEST_DESIGNER, "BlueLake"),
        new EnumMap<>(Map.of(TraceMessage.Type.COMPILE, "sent")));

    String json = mapper.writeValueAsString(ledger);

    assertThat(json).contains("\"test_designer\":\"BlueLake\"").contains("\"COMPILE\":\"sent\"");
    assertThat(mapper.readValue(json, Ledger.class)).isEqualTo(ledger);
  }

  @Test
  void key_of_any_kind_of_constant_is_its_spelling() throws Exception {
    for (Class<?> type : RecordConstant.class.getPermittedSubclasses()) {
      for (Object constant : type.getEnumConstants()) {
        String json = MAPPER.writeValueAsString(Map.of(constant, 1));

        assertThat(json).isEqualTo("{\"" + ((RecordConstant) constant).id() + "\":1}");
        JavaType map = MAPPER.getTypeFactory().constructMapType(Map.class, type, Integer.class);
        assertThat(MAPPER.<Object>readValue(json, map)).isEqualTo(Map.of(constant, 1));
      }
    }
  }

  @Test
  void key_other_than_a_constant_is_refused() {
    TypeReference<Map<RecordReplayReport.Mode, Integer>> type = new TypeReference<>() {};

    assertThatThrownBy(() -> MAPPER.readValue("{\"TRACE\":1}", type))
        .isInstanceOf(JsonMappingException.class)
        .hasMessageStartingWith(
            "invalid RecordReplayReport.Mode: must be one of verification, comparison, trace:"
                + " \"TRACE\"")
        .hasCauseInstanceOf(InvalidRecordException.class);
  }

  @Test
  void null_and_lists_are_as_jackson_has_them() throws Exception {
    assertThat(MAPPER.readValue("null", RecordReplayReport.class)).isNull();
    String roster = JsonText.parse(COMPLETE).at("/inputs/agent_roster").toString();

    List<AgentRosterEntry> entries =
        MAPPER.readValue(roster, new TypeReference<List<AgentRosterEntry>>() {});

    assertThat(entries).hasSize(2);
    assertThat(MAPPER.writeValueAsString(entries)).isEqualTo(roster);
  }
}
