package dev.agentreplay.jackson;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.core.Base64Variants;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.json.MediaContent;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JacksonBridgeTest {

  private static final JacksonBridge JACKSON = JacksonBridge.defaults();
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  record Move(String piece, int rank, float score) {}

  record Step(String tool, JsonValue params, JsonNumber cost) {}

  record Amount(BigDecimal price, BigInteger id, double ratio, long count) {}

  record Page(@JsonRawValue String json, byte[] bytes) {}

  record Shot(String name, MediaContent png) {}

  static final class Bean {
    public String firstName = "Ada";
    public List<Integer> marks = List.of(1, 2);
  }

  @Test
  void record_becomes_a_value_and_the_record_again() {
    Move move = new Move("rook", 7, 0.8f);

    JsonValue value = JACKSON.toValue(move);

    assertThat(value).hasToString("{\"piece\":\"rook\",\"rank\":7,\"score\":0.800000011920929}");
    assertThat(JACKSON.toObject(value, Move.class)).isEqualTo(move);
  }

  @Test
  void bean_is_written_as_the_callers_mapper_writes_it() {
    ObjectMapper mapper = JsonMapper.builder()
        .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
        .build();

    assertThat(JacksonBridge.of(mapper).toValue(new Bean()))
        .isEqualTo(JsonObject.of("first_name", "Ada", "marks", List.of(1, 2)));
  }

  @Test
  void map_becomes_a_value_as_by_json_value_of() {
    Map<String, Object> map = Map.of(
        "n",
        0.8f,
        "big",
        new BigInteger("123456789012345678901234567890"),
        "price",
        new BigDecimal("1.50"),
        "list",
        Arrays.asList(1L, null, true, 1e16, -0.0),
        "id",
        UUID.fromString("00000000-0000-0000-0000-000000000007"),
        "value",
        JsonNumber.of("1e3"));

    assertThat(JACKSON.toValue(map)).isEqualTo(JsonValue.of(map));
  }

  @Test
  void null_is_the_json_null_and_a_value_is_itself() {
    JsonValue value = JsonObject.of("a", 1);

    assertThat(JACKSON.toValue(null)).isSameAs(JsonNull.NULL);
    assertThat(JACKSON.toValue(value)).isSameAs(value);
  }

  @Test
  void tree_becomes_a_value_with_all_digits() {
    ObjectNode tree = NODES.objectNode();
    tree.put("int", 7).put("long", Long.MIN_VALUE).put("short", (short) -3);
    tree.put("big", new BigInteger("18446744073709551616"));
    tree.put("double", 1e16).put("float", 0.8f).put("decimal", new BigDecimal("1.50"));
    tree.put("text", "\ud83d\ude02").put("no", false).put("bytes", new byte[] {1, (byte) 0xff});
    tree.putPOJO("pojo", new Move("king", 1, 2)).putPOJO("none", null).putNull("null");
    tree.putArray("array").add(1).addArray().addObject();

    assertThat(JACKSON.toValue(tree))
        .hasToString("{\"int\":7,\"long\":-9223372036854775808,\"short\":-3,"
            + "\"big\":18446744073709551616,"
            + "\"double\":1e+16,\"float\":0.800000011920929,\"decimal\":1.50,"
            + "\"text\":\"\ud83d\ude02\",\"no\":false,\"bytes\":\"Af8=\","
            + "\"pojo\":{\"piece\":\"king\",\"rank\":1,\"score\":2.0},\"none\":null,\"null\":null,"
            + "\"array\":[1,[{}]]}");
  }

  @ParameterizedTest
  @CsvSource({
    "0, INT, 0",
    "2147483647, INT, 2147483647",
    "2147483648, LONG, 2147483648",
    "-9223372036854775808, LONG, -9223372036854775808",
    "9223372036854775807, LONG, 9223372036854775807",
    "9223372036854775808, BIG_INTEGER, 9223372036854775808",
    "-9223372036854775809, BIG_INTEGER, -9223372036854775809",
    "0.1, DOUBLE, 0.1",
    "1.0, DOUBLE, 1.0",
    "1e+16, DOUBLE, 1e+16",
    "-0.0, DOUBLE, -0.0",
    "-0, DOUBLE, -0.0",
    "-0.00e7, DOUBLE, -0.0",
    "1.50, BIG_DECIMAL, 1.50",
    "0.00, BIG_DECIMAL, 0.00",
    "1e3, BIG_DECIMAL, 1E+3",
    "10e0, BIG_DECIMAL, 10.0",
    "1.5e1, BIG_DECIMAL, 15.0",
    "1e-400, BIG_DECIMAL, 1E-400",
    "-1e-400, BIG_DECIMAL, -1E-400",
    "0.1000000000000000055511151231257827, BIG_DECIMAL, 0.1000000000000000055511151231257827",
  })
  void number_becomes_the_node_that_loses_nothing(String text, String type, String again) {
    JsonNumber number = JsonNumber.of(text);

    JsonNode node = JACKSON.toNode(number);

    assertThat(node.numberType()).hasToString(type);
    assertThat(JACKSON.toValue(node)).hasToString(again);
    assertThat(CanonicalJson.SERDE.text(JACKSON.toValue(node)))
        .isEqualTo(CanonicalJson.SERDE.text(number));
  }

  @Test
  void value_becomes_the_tree_that_jackson_reads_from_its_text() throws Exception {
    String text = "{\"b\":[1,2.5,\"x\",null,true],\"a\":{\"id\":9007199254740993},\"c\":[]}";

    JsonNode tree = JACKSON.toNode(JsonText.parse(text));

    assertThat(tree).isEqualTo(new ObjectMapper().readTree(text));
    assertThat(tree).hasToString(text);
  }

  @Test
  void value_within_an_object_keeps_the_text_of_its_numbers() {
    Step step = new Step(
        "sum", JsonText.parse("[1e3,1.50,-0,18446744073709551616]"), JsonNumber.of("1E-2"));

    JsonValue value = JACKSON.toValue(step);

    assertThat(value)
        .hasToString(
            "{\"tool\":\"sum\",\"params\":[1e3,1.50,-0,18446744073709551616],\"cost\":1E-2}");
    assertThat(JACKSON.toObject(value, Step.class)).isEqualTo(step);
  }

  @Test
  void number_is_read_as_the_class_has_it() {
    JsonValue value = JsonText.parse(
        "{\"price\":1.10,\"id\":18446744073709551616,\"ratio\":1e3,\"count\":9007199254740993}");

    assertThat(JACKSON.toObject(value, Amount.class))
        .isEqualTo(new Amount(
            new BigDecimal("1.10"),
            new BigInteger("18446744073709551616"),
            1000,
            9007199254740993L));
  }

  @Test
  void map_has_doubles_unless_the_mapper_wants_decimals() {
    JsonValue value = JsonText.parse("{\"a\":1.50,\"b\":7,\"c\":9007199254740993}");
    TypeReference<Map<String, Object>> map = new TypeReference<>() {};
    ObjectMapper decimals = JsonMapper.builder()
        .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
        .build();

    assertThat(JACKSON.toObject(value, map))
        .isEqualTo(Map.of("a", 1.5, "b", 7, "c", 9007199254740993L));
    assertThat(JacksonBridge.of(decimals).toObject(value, map))
        .containsEntry("a", new BigDecimal("1.50"));
  }

  @Test
  void type_with_parameters_is_read() {
    JsonValue value = JsonText.parse("{\"x\":[{\"piece\":\"pawn\",\"rank\":2,\"score\":1}]}");

    assertThat(JACKSON.toObject(value, new TypeReference<Map<String, List<Move>>>() {}))
        .isEqualTo(Map.of("x", List.of(new Move("pawn", 2, 1))));
  }

  @Test
  void value_and_tree_are_types_like_any_other() {
    JsonValue value = JsonText.parse("[1e3,null]");

    assertThat(JACKSON.toObject(value, JsonArray.class)).isEqualTo(value);
    assertThat(JACKSON.toObject(JsonNull.NULL, JsonValue.class)).isEqualTo(JsonNull.NULL);
    assertThat(JACKSON.toObject(value, JsonNode.class)).hasToString("[1000.0,null]");
  }

  @Test
  void raw_json_is_parsed_and_bytes_are_base64_as_the_mapper_has_it() {
    Page page = new Page("{\"n\":1e3}", new byte[] {(byte) 0xfb, (byte) 0xff});
    ObjectMapper url = new ObjectMapper();
    url.setBase64Variant(Base64Variants.MODIFIED_FOR_URL);

    assertThat(JACKSON.toValue(page)).hasToString("{\"json\":{\"n\":1e3},\"bytes\":\"+/8=\"}");
    assertThat(JacksonBridge.of(url).toValue(page).at("/bytes").asString()).isEqualTo("-_8");
  }

  @Test
  void media_content_is_base64_as_in_a_json_value() {
    Shot shot = new Shot("login", MediaContent.of("image/png", new byte[] {(byte) 0xfb, 1}));

    assertThat(JACKSON.toValue(shot))
        .isEqualTo(JsonValue.of(shot))
        .hasToString("{\"name\":\"login\",\"png\":\"+wE=\"}");
  }

  @Test
  void root_is_never_wrapped() {
    ObjectMapper mapper = JsonMapper.builder()
        .enable(SerializationFeature.WRAP_ROOT_VALUE)
        .enable(DeserializationFeature.UNWRAP_ROOT_VALUE)
        .build();
    Move move = new Move("rook", 7, 0.5f);
    JacksonBridge bridge = JacksonBridge.of(mapper);

    assertThat(bridge.toValue(move)).isEqualTo(JACKSON.toValue(move));
    assertThat(bridge.toObject(bridge.toValue(move), Move.class)).isEqualTo(move);
  }

  @Test
  void mapper_of_the_caller_is_copied() throws Exception {
    ObjectMapper mapper = new ObjectMapper();
    JacksonBridge bridge = JacksonBridge.of(mapper);

    mapper.setPropertyNamingStrategy(PropertyNamingStrategies.UPPER_CAMEL_CASE);

    assertThat(bridge.toValue(new Bean()).asObject().has("firstName")).isTrue();
    assertThat(mapper.getRegisteredModuleIds()).isEmpty();
  }

  @Test
  @Tag("slow")
  void number_of_a_million_digits_takes_no_quadratic_time() {
    JsonNumber tenth = JsonNumber.of("0." + "7".repeat(100_000));
    JsonNumber number = JsonNumber.of("0." + "7".repeat(1_000_000));

    double ratio = (double) processorTime(number) / processorTime(tenth);

    assertThat(ratio).isLessThan(70); // 100 with new BigDecimal(String)
    assertThat(JACKSON.toValue(JACKSON.toNode(number))).isEqualTo(number);
  }

  /** The shortest of three times, the first of which includes the compilation of code. */
  private static long processorTime(JsonNumber number) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long shortest = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      long start = threads.getCurrentThreadCpuTime();
      JACKSON.toNode(number);
      shortest = Math.min(shortest, threads.getCurrentThreadCpuTime() - start);
    }
    return shortest;
  }
}
