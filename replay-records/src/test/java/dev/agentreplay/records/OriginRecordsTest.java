package dev.agentreplay.records;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.testkit.TestData;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The expectations of the tests of the program behind specification 004: see the README there. */
class OriginRecordsTest {

  static Stream<Named<JsonObject>> cases() {
    return new String(TestData.bytes("/records/origin.jsonl"), StandardCharsets.UTF_8)
        .lines()
        .map(line -> JsonText.parse(line).asObject())
        .map(one -> Named.of(one.at("/test").asString(), one));
  }

  static Stream<Named<JsonObject>> forms() {
    return cases().filter(one -> one.getPayload().has("form"));
  }

  static Stream<Named<JsonObject>> calls() {
    return cases().filter(one -> one.getPayload().has("call"));
  }

  @ParameterizedTest
  @MethodSource("forms")
  void value_is_valid_or_not_as_for_the_schema_and_is_written_back_as_it_was(JsonObject one) {
    RecordForm<?> form = RecordForm.all().stream()
        .filter(known -> known
            .type()
            .getSimpleName()
            .replaceFirst("^Record(?=Replay)", "")
            .replaceFirst("^Round$", "TraceRound")
            .replaceFirst("^Target$", "InterventionTarget")
            .equals(one.at("/form").asString()))
        .findFirst()
        .orElseThrow();
    JsonObject value = one.at("/value").asObject();

    assertThat(form.check(value).isEmpty())
        .as("%s", form.check(value))
        .isEqualTo(one.at("/valid").asBoolean());
    if (form.check(value).isEmpty()) {
      RecordObject read = form.read(value);
      JsonObject written = read.toJson();
      value.forEach((name, member) -> assertThat(written.get(name)).isEqualTo(member));
    }
    if (one.has("warnings")) {
      assertThat(form.warnings(value)).hasSize((int) one.at("/warnings").asLong());
    }
  }

  @ParameterizedTest
  @MethodSource("calls")
  void function_has_the_same_result(JsonObject one) {
    JsonArray arguments = one.at("/arguments").asArray();
    JsonValue first = arguments.get(0);
    Object found =
        switch (one.at("/call").asString()) {
          case "isMatch" -> {
            RecordReplayReport report = SessionRecords.readReport(first);
            yield arguments.size() == 1
                ? report.isMatch()
                : report.isMatch(arguments.get(1).asDouble(), arguments.get(2).asLong());
          }
          case "createId" ->
            OperatorIntervention.createId(
                first.asString(), (int) arguments.get(1).asLong());
          case "severity" ->
            OperatorIntervention.Severity.of(
                    RecordConstant.read(OperatorIntervention.Type.class, first),
                    RecordForm.of(OperatorIntervention.Target.class).read(arguments.get(1)))
                .id();
          case "isClean" -> RecordForm.of(InterventionSummary.class).read(first).isClean();
          case "isReplayable" -> RecordForm.of(SessionRecord.class).read(first).isReplayable();
          default -> throw new AssertionError(one);
        };

    assertThat(JsonValue.of(found)).isEqualTo(one.get("expected"));
  }
}
