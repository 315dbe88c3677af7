package dev.agentreplay.canonical.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Side effects are recorded in many shapes, and keep them. */
class SideEffectShapesTest {

  private static final List<String> SHAPES = List.of(
      "[]",
      "[\"fs_read\"]",
      "[\"fs_read\",\"fs_read\",\"\"]",
      "[{\"path\":\"a\",\"type\":\"fs_write\"}]",
      "[{\"effect_type\":\"fs_write\",\"path\":\"a\"}]",
      "[{\"fs_write\":{\"bytes\":3,\"path\":\"a\"}}]",
      "[{\"fs_write\":\"a\"}]",
      "[\"fs_read\",{\"new\":[1.0,null],\"type\":\"net\",\"url\":\"x\"}]",
      "[{}]");

  static Stream<Arguments> shapes() {
    return Arrays.stream(Dialect.values())
        .flatMap(dialect -> SHAPES.stream().map(shape -> Arguments.of(dialect, shape)));
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void shape_is_read_without_findings_and_written_back(Dialect dialect, String shape) {
    JsonObject line =
        line(dialect).with("side_effects", Lines.object("{\"a\":" + shape + "}").at("/a"));

    Decoded decoded = dialect.decode(line);

    assertThat(decoded.findings()).isEmpty();
    JsonArray effects = line.at("/side_effects").asArray();
    assertThat(((ToolResult) decoded.event()).sideEffects())
        .extracting(effect -> effect.json())
        .containsExactlyElementsOf(effects.stream().toList());
    assertThat(Lines.encode(dialect, decoded.event())).isEqualTo(Lines.canonical(line));
  }

  static Stream<Arguments> invalid() {
    return Arrays.stream(Dialect.values())
        .flatMap(dialect -> Stream.of("[1]", "[\"fs_read\",null]", "[[]]", "\"fs_read\"", "{}")
            .map(shape -> Arguments.of(dialect, shape)));
  }

  @ParameterizedTest
  @MethodSource("invalid")
  void unknown_shape_is_found_and_written_back(Dialect dialect, String shape) {
    JsonValue value = Lines.object("{\"a\":" + shape + "}").at("/a");
    JsonObject line = line(dialect).with("side_effects", value);

    Decoded decoded = dialect.decode(line);

    assertThat(Lines.texts(decoded.findings()))
        .singleElement()
        .asString()
        .startsWith("FIELD_INVALID side_effects must be an array, each a side effect, found ");
    assertThat(((ToolResult) decoded.event()).sideEffects()).isEmpty();
    assertThat(Lines.encode(dialect, decoded.event())).isEqualTo(Lines.canonical(line));
  }

  private static JsonObject line(Dialect dialect) {
    return PresenceCase.all().stream()
        .filter(c -> c.dialect() == dialect)
        .map(PresenceCase::line)
        .filter(line -> line.at("/" + Lines.tagName(dialect)).asString().equals("ToolResult"))
        .findFirst()
        .orElseThrow();
  }
}
