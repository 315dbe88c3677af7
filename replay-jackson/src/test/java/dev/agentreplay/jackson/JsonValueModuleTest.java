package dev.agentreplay.jackson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.jsontype.BasicPolymorphicTypeValidator;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonBoolean;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonValueModuleTest {

  private static final ObjectMapper MAPPER =
      JsonMapper.builder().addModule(new JsonValueModule()).build();

  private static final String EVERY =
      "{\"value\":{\"id\":9007199254740993,\"n\":[1.0,1.50,1e3,-0]},\"object\":{},"
          + "\"array\":[[]],\"text\":\"x\",\"number\":18446744073709551616,\"bool\":true,\"none\":null}";

  record Every(
      JsonValue value,
      JsonObject object,
      JsonArray array,
      JsonString text,
      JsonNumber number,
      JsonBoolean bool,
      JsonNull none) {}

  record Holder(JsonValue value) {}

  record ObjectHolder(JsonObject object) {}

  static final class Open {
    final Map<String, JsonValue> members = new LinkedHashMap<>();

    @JsonAnySetter
    void set(String name, JsonValue value) {
      members.put(name, value);
    }
  }

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "event")
  @JsonSubTypes(@JsonSubTypes.Type(value = Call.class, name = "call"))
  interface Event {}

  record Call(JsonValue params) implements Event {}

  @Test
  void every_kind_is_written_and_read_as_the_json_it_is() throws Exception {
    Every every = MAPPER.readValue(EVERY, Every.class);

    assertThat(every.value()).hasToString("{\"id\":9007199254740993,\"n\":[1.0,1.50,1e3,-0]}");
    assertThat(every.number()).isEqualTo(JsonNumber.of("18446744073709551616"));
    assertThat(every.none()).isEqualTo(JsonNull.NULL);
    assertThat(MAPPER.writeValueAsString(every)).isEqualTo(EVERY);
    assertThat(new String(MAPPER.writeValueAsBytes(every), StandardCharsets.UTF_8))
        .isEqualTo(EVERY);
    assertThat(MAPPER.readValue(EVERY.getBytes(StandardCharsets.UTF_8), Every.class))
        .isEqualTo(every);
  }

  @Test
  void text_of_numbers_survives_the_buffer_of_a_polymorphic_type() throws Exception {
    // the tag is last, so that Jackson buffers the members before it
    String json = "{\"params\":[1.50,1e3,1.0,-0.0,9007199254740993],\"event\":\"call\"}";

    Event event = MAPPER.readValue(json, Event.class);

    assertThat(event).isEqualTo(new Call(JsonText.parse("[1.50,1e3,1.0,-0.0,9007199254740993]")));
    assertThat(MAPPER.readValue(MAPPER.writeValueAsString(event), Event.class)).isEqualTo(event);
  }

  @Test
  void value_is_converted_to_and_from_other_types() {
    JsonValue value =
        JsonText.parse("{\"a\":9007199254740993,\"b\":1.50,\"c\":18446744073709551616}");

    assertThat(MAPPER.convertValue(value, JsonValue.class)).isEqualTo(value);
    assertThat((Object) MAPPER.convertValue(value, Map.class))
        .hasToString("{a=9007199254740993, b=1.5, c=18446744073709551616}");
    assertThat(MAPPER.convertValue(
            Map.of("a", new byte[] {1}, "f", 0.8f, "d", new BigDecimal("1E+3")), JsonValue.class))
        .isEqualTo(JsonObject.of("a", "AQ==", "f", 0.8f, "d", new BigDecimal("1E+3")));
    assertThat(MAPPER.convertValue(new Holder(value), Holder.class)).isEqualTo(new Holder(value));
  }

  @Test
  void value_is_read_from_a_tree_and_written_to_one() throws Exception {
    JsonValue value = JsonText.parse("{\"a\":[9007199254740993,0.5,\"x\",false,null]}");

    JsonNode tree = MAPPER.valueToTree(value);

    assertThat(tree).hasToString(value.toString());
    assertThat(MAPPER.treeToValue(tree, JsonValue.class)).isEqualTo(value);
  }

  @Test
  void raw_json_in_a_buffer_is_parsed() throws Exception {
    try (TokenBuffer buffer = new TokenBuffer(MAPPER, false)) {
      buffer.writeStartArray();
      buffer.writeRawValue("{\"n\":1e3}");
      buffer.writeEndArray();

      assertThat(MAPPER.readValue(buffer.asParser(), JsonValue.class)).hasToString("[{\"n\":1e3}]");
    }
  }

  @Test
  void format_without_text_gets_the_number() throws Exception {
    List<String> calls = new ArrayList<>();
    JsonGenerator binary = new RecordingGenerator(calls);

    MAPPER.writeValue(
        binary, JsonText.parse("[1,9007199254740993,18446744073709551616,0.5,1.50,-0]"));

    assertThat(calls)
        .containsExactly(
            "Integer 1",
            "Long 9007199254740993",
            "BigInteger 18446744073709551616",
            "Double 0.5",
            "BigDecimal 1.50",
            "Double -0.0");
  }

  @Test
  void any_setter_and_collections_take_values() throws Exception {
    Open open = MAPPER.readValue("{\"a\":1.0,\"b\":null,\"c\":[]}", Open.class);

    assertThat(open.members)
        .isEqualTo(Map.of("a", JsonNumber.of("1.0"), "b", JsonNull.NULL, "c", JsonArray.EMPTY));
  }

  @Test
  void null_is_the_json_null_where_any_value_is_allowed_and_absence_is_not() throws Exception {
    assertThat(MAPPER.readValue("{\"value\":null}", Holder.class).value()).isEqualTo(JsonNull.NULL);
    assertThat(MAPPER.readValue("{}", Holder.class).value()).isNull();
    assertThat(MAPPER.readValue("{\"object\":null}", ObjectHolder.class).object())
        .isNull();
  }

  @Test
  void no_types_are_written_whatever_the_default_typing() throws Exception {
    ObjectMapper typing = JsonMapper.builder()
        .addModule(new JsonValueModule())
        .activateDefaultTyping(
            BasicPolymorphicTypeValidator.builder()
                .allowIfBaseType(Object.class)
                .build(),
            ObjectMapper.DefaultTyping.NON_FINAL)
        .build();
    Holder holder = new Holder(JsonObject.of("a", JsonArray.of(1)));

    assertThat(typing.writeValueAsString(JsonArray.of(holder.value()))).isEqualTo("[{\"a\":[1]}]");
    assertThat(typing.readValue("[{\"a\":[1]}]", JsonValue.class))
        .isEqualTo(JsonArray.of(holder.value()));
  }

  @Test
  void numbers_as_strings_are_the_mappers_choice() throws Exception {
    ObjectMapper strings = JsonMapper.builder()
        .addModule(new JsonValueModule())
        .enable(JsonWriteFeature.WRITE_NUMBERS_AS_STRINGS)
        .build();

    assertThat(strings.writeValueAsString(JsonText.parse("[1,1.50]")))
        .isEqualTo("[\"1\",\"1.50\"]");
  }

  @Test
  void other_spellings_of_numbers_are_read_by_their_value() throws Exception {
    ObjectMapper lenient = JsonMapper.builder()
        .addModule(new JsonValueModule())
        .enable(JsonReadFeature.ALLOW_LEADING_ZEROS_FOR_NUMBERS)
        .enable(JsonReadFeature.ALLOW_LEADING_DECIMAL_POINT_FOR_NUMBERS)
        .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
        .build();

    assertThat(lenient.readValue("[007,.5,00.50]", JsonValue.class)).hasToString("[7,0.5,0.50]");
    assertThatThrownBy(() -> lenient.readValue("[NaN]", JsonValue.class))
        .isInstanceOf(JsonMappingException.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'a':[1,{'b':1,'b':2}]}  | duplicate name: \"b\", at /a/1/b",
        "[1e400]                  | number is beyond the range of a double: 1E+400, at /0",
        "['\\ud800']              | text has a lone surrogate U+D800 at index 0, at /0",
      })
  void what_a_value_cannot_be_is_refused(String json, String message) {
    assertThatThrownBy(() -> MAPPER.readValue(json.replace('\'', '"'), JsonValue.class))
        .isInstanceOf(JsonMappingException.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void unfinished_buffer_is_refused() throws Exception {
    try (TokenBuffer buffer = new TokenBuffer(MAPPER, false)) {
      buffer.writeStartObject();
      buffer.writeNumberField("a", 1);

      assertThatThrownBy(() -> MAPPER.readValue(buffer.asParser(), JsonValue.class))
          .isInstanceOf(JsonMappingException.class)
          .hasMessageStartingWith("expected a value, found");
    }
  }

  @Test
  void other_kind_than_the_class_says_is_refused() {
    assertThatThrownBy(() -> MAPPER.readValue("{\"object\":[]}", ObjectHolder.class))
        .isInstanceOf(MismatchedInputException.class)
        .hasMessageStartingWith("not a JsonObject: array");
  }
}
