package dev.agentreplay.model.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Collections;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class JsonConversionTest {

  static List<Arguments> conversions() {
    Map<Object, Object> map = new LinkedHashMap<>();
    map.put("b", List.of(1, 2));
    map.put("a", null);
    return List.of(
        Arguments.of(null, "null"),
        Arguments.of("x", "\"x\""),
        Arguments.of(new StringBuilder("x"), "\"x\""),
        Arguments.of('x', "\"x\""),
        Arguments.of(true, "true"),
        Arguments.of((byte) -1, "-1"),
        Arguments.of((short) 2, "2"),
        Arguments.of(3, "3"),
        Arguments.of(Long.MAX_VALUE, "9223372036854775807"),
        Arguments.of(0.8, "0.8"),
        Arguments.of(0.8f, "0.800000011920929"),
        Arguments.of(1e16, "1e+16"),
        Arguments.of(new BigInteger("18446744073709551615"), "18446744073709551615"),
        Arguments.of(new BigDecimal("1.500"), "1.500"),
        Arguments.of(new AtomicInteger(7), "7"),
        Arguments.of(DayOfWeek.MONDAY, "\"MONDAY\""),
        Arguments.of(map, "{\"b\":[1,2],\"a\":null}"),
        Arguments.of(Arrays.asList(1, null, List.of()), "[1,null,[]]"),
        Arguments.of(new int[] {1, 2}, "[1,2]"),
        Arguments.of(new Object[] {"x", new boolean[] {true}}, "[\"x\",[true]]"),
        Arguments.of(new byte[] {1, -1}, "\"Af8=\""),
        Arguments.of(ByteBuffer.wrap(new byte[] {0, 1, -1}).position(1), "\"Af8=\""),
        Arguments.of(new char[] {'a', 'b'}, "\"ab\""),
        Arguments.of(Duration.ofSeconds(90), "\"PT1M30S\""),
        Arguments.of(ZoneId.of("Europe/Berlin"), "\"Europe/Berlin\""),
        Arguments.of(new Date(0), "\"1970-01-01T00:00:00Z\""),
        Arguments.of(Optional.of("x"), "\"x\""),
        Arguments.of(Optional.empty(), "null"),
        Arguments.of(OptionalInt.of(1), "1"),
        Arguments.of(OptionalLong.empty(), "null"),
        Arguments.of(OptionalDouble.of(0.5), "0.5"),
        Arguments.of(
            new Point(1, List.of(new Point(2, null))), "{\"x\":1,\"y\":[{\"x\":2,\"y\":null}]}"),
        Arguments.of(Map.of(1, "x"), "{\"1\":\"x\"}"),
        Arguments.of(Map.of(DayOfWeek.MONDAY, true), "{\"MONDAY\":true}"),
        Arguments.of(JsonObject.of("a", 1), "{\"a\":1}"));
  }

  private record Point(int x, Object y) {}

  private record Broken(Object x) {
    @Override
    public Object x() {
      throw new IllegalStateException("broken");
    }
  }

  @ParameterizedTest
  @MethodSource("conversions")
  void java_value_becomes_json(Object value, String json) {
    assertThat(JsonValue.of(value)).hasToString(json);
  }

  @Test
  void json_value_is_returned_as_it_is() {
    JsonValue value = JsonArray.of(1);

    assertThat(JsonValue.of(value) == value).isTrue();
  }

  @Test
  void types_without_json_form_are_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JsonValue.of(new Broken(1)))
        .withMessageMatching("no JSON form for .*Broken: x\\(\\) throws .*broken");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JsonValue.of(List.of(new Object())))
        .withMessage("no JSON form for java.lang.Object");
  }

  @Test
  void paths_times_and_ids_are_their_text() {
    UUID id = UUID.randomUUID();

    assertThat(JsonValue.of(List.of(Path.of("src", "a.rs"), Instant.EPOCH, URI.create("a:b"), id)))
        .isEqualTo(JsonArray.of(
            Path.of("src", "a.rs").toString(), "1970-01-01T00:00:00Z", "a:b", id.toString()));
  }

  @Test
  void values_without_json_form_are_refused() {
    assertThatIllegalArgumentException().isThrownBy(() -> JsonValue.of(Double.NaN));
    assertThatIllegalArgumentException().isThrownBy(() -> JsonValue.of(Float.POSITIVE_INFINITY));
    assertThatIllegalArgumentException().isThrownBy(() -> JsonValue.of('\ud800'));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JsonValue.of(Map.of(new Object(), "x")))
        .withMessage("no JSON form for java.lang.Object");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JsonValue.of(Collections.singletonMap(null, "x")))
        .withMessage("not a name: null");
    assertThatIllegalArgumentException().isThrownBy(() -> JsonValue.of(Map.of(1, "x", "1", "y")));
  }

  @Test
  void key_of_any_type_with_a_json_form_is_a_name() {
    Map<Object, Object> map = new LinkedHashMap<>();
    map.put(new Key("a", 1), 1);
    map.put(List.of(1, "b"), 2);
    map.put(Optional.of("c"), 3);
    map.put(JsonString.of("d"), 4);
    map.put(Duration.ofSeconds(5), 5);
    map.put(new byte[] {6}, 6);
    map.put(1.0, 7);

    assertThat(JsonValue.of(map))
        .isEqualTo(JsonObject.of(
            "{\"name\":\"a\",\"number\":1}", 1,
            "[1,\"b\"]", 2,
            "c", 3,
            "d", 4,
            "PT5S", 5,
            "Bg==", 6,
            "1.0", 7));
  }

  private record Key(String name, int number) {}
}
