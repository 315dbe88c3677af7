package dev.agentreplay.records;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.records.InvalidRecordException.Problem;
import dev.agentreplay.records.jackson.SessionRecordModule;
import dev.agentreplay.testkit.JsonArbitraries;
import dev.agentreplay.testkit.TestData;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.domains.Domain;
import net.jqwik.api.domains.DomainContext;

@Domain(RecordArbitraries.class)
@Domain(JsonArbitraries.class)
@Domain(DomainContext.Global.class)
class SessionRecordsPropertiesTest {

  private static final ObjectMapper MAPPER =
      new ObjectMapper().registerModule(new SessionRecordModule());

  private static final JsonObject COMPLETE =
      JsonText.parse(TestData.bytes("/records/complete.json")).asObject();

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void record_that_was_written_is_read_as_its_equal(@ForAll SessionRecord record) throws Exception {
    assertThat(record.problems()).isEmpty();
    String text = SessionRecords.write(record);

    assertThat(SessionRecords.read(text.getBytes(StandardCharsets.UTF_8))).isEqualTo(record);
    assertThat(MAPPER.readValue(text, SessionRecord.class)).isEqualTo(record);
    assertThat(JsonText.parse(MAPPER.writeValueAsString(record))).isEqualTo(record.toJson());
  }

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void unknown_member_of_any_object_is_written_back(@ForAll JsonValue value) {
    JsonValue open = everywhere(COMPLETE, value);

    SessionRecord record = SessionRecords.read(open);

    assertThat(record.toJson().equals(open)).isTrue();
    assertThat(record.trace().rounds().get(0).messages().get(0).extra())
        .isEqualTo(JsonObject.of("x-unknown", value));
  }

  @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
  void number_keeps_its_text(@ForAll JsonNumber number) {
    JsonObject outputs = COMPLETE.at("/outputs").asObject().with("scorecard_points", number);
    JsonObject json = COMPLETE.with("outputs", outputs);

    SessionRecord record = SessionRecords.read(json);

    assertThat(record.outputs().scorecard().points()).isEqualTo(number.asDouble());
    assertThat(record.toJson().at("/outputs/scorecard_points")).isEqualTo(number);
  }

  /** A damaged record is either read without problems, or refused with the reason. */
  @Property(edgeCases = EdgeCasesMode.NONE)
  void damaged_record_is_read_or_refused(@ForAll JsonValue damage, @ForAll Random random) {
    JsonValue damaged = damage(COMPLETE, damage, random);
    List<Problem> problems = SessionRecords.validate(damaged);

    try {
      SessionRecord record = SessionRecords.read(damaged);

      assertThat(problems).isEmpty();
      assertThat(holds(record.toJson(), damaged)).isTrue();
    } catch (InvalidRecordException e) {
      assertThat(e.problems()).isEqualTo(problems).isNotEmpty();
    }
  }

  private static JsonValue everywhere(JsonValue json, JsonValue unknown) {
    if (json instanceof JsonArray array) {
      return JsonArray.copyOf(
          array.stream().map(element -> everywhere(element, unknown)).toList());
    }
    if (!(json instanceof JsonObject object)) {
      return json;
    }
    JsonObject.Builder open = JsonObject.builder().add("x-unknown", unknown);
    object.forEach((name, value) -> open.add(name, everywhere(value, unknown)));
    return open.build();
  }

  /** Whether a value differs, except for members that have a default. */
  private static boolean holds(JsonValue written, JsonValue read) {
    if (written instanceof JsonObject all && read instanceof JsonObject some) {
      return some.names().stream()
          .allMatch(name -> all.has(name) && holds(all.at(pointer(name)), some.at(pointer(name))));
    }
    if (written instanceof JsonArray all && read instanceof JsonArray same) {
      return all.size() == same.size()
          && IntStream.range(0, all.size()).allMatch(i -> holds(all.get(i), same.get(i)));
    }
    return written.equals(read);
  }

  private static String pointer(String name) {
    return "/" + name.replace("~", "~0").replace("/", "~1");
  }

  /** The value with places in it replaced. */
  private static JsonValue damage(JsonValue json, JsonValue damage, Random random) {
    if (json instanceof JsonObject object && !object.isEmpty() && random.nextInt(8) > 0) {
      String name = object.name(random.nextInt(object.size()));
      return object.with(name, damage(object.at("/" + name), damage, random));
    }
    if (json instanceof JsonArray array && array.size() > 0 && random.nextInt(8) > 0) {
      List<JsonValue> elements = new ArrayList<>(array.values());
      elements.replaceAll(
          element -> random.nextBoolean() ? damage(element, damage, random) : element);
      return JsonArray.copyOf(elements);
    }
    return damage;
  }
}
