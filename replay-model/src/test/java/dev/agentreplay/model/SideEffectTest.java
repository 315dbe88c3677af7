package dev.agentreplay.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SideEffectTest {

  static List<Arguments> shapes() {
    return List.of(
        Arguments.of(JsonValue.of("fs_write"), "fs_write", null),
        Arguments.of(JsonObject.of("type", "fs_write", "path", "a.txt"), "fs_write", "a.txt"),
        Arguments.of(JsonObject.of("effect_type", "net", "host", "x"), "net", null),
        Arguments.of(JsonObject.of("type", "a", "effect_type", "b"), "a", null),
        Arguments.of(JsonObject.of("type", 1, "effect_type", "b"), "b", null),
        Arguments.of(JsonObject.of("type", "fs_read", "path", null), "fs_read", null),
        Arguments.of(JsonObject.of("type", "fs_write"), "fs_write", null),
        Arguments.of(JsonObject.of("path", "a.txt"), null, "a.txt"),
        Arguments.of(
            JsonObject.of("FileWrite", JsonObject.of("path", "a.txt")), "FileWrite", "a.txt"),
        Arguments.of(JsonObject.of("FileWrite", "a.txt"), "FileWrite", "a.txt"),
        Arguments.of(JsonObject.of("Network", JsonObject.of("host", "x")), "Network", null),
        Arguments.of(JsonObject.of("Clock", null), "Clock", null),
        Arguments.of(JsonObject.of("kind", "x", "host", "y"), null, null),
        Arguments.of(JsonObject.EMPTY, null, null),
        Arguments.of(JsonValue.of(7), null, null),
        Arguments.of(JsonValue.of(List.of("fs_read")), null, null),
        Arguments.of(JsonNull.NULL, null, null));
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void type_and_path_are_read_where_they_are_specified(JsonValue json, String type, String path) {
    SideEffect effect = new SideEffect(json);

    assertThat(effect.type()).isEqualTo(type);
    assertThat(effect.path()).isEqualTo(path);
    assertThat(effect.json()).isEqualTo(json);
  }

  @Test
  void factories_make_the_shapes_of_the_specifications() {
    assertThat(SideEffect.of("fs_write").json()).hasToString("\"fs_write\"");
    assertThat(SideEffect.of("fs_write", "a.txt").json())
        .hasToString("{\"type\":\"fs_write\",\"path\":\"a.txt\"}");
  }

  @Test
  void null_is_refused() {
    assertThatThrownBy(() -> new SideEffect(null)).isInstanceOf(NullPointerException.class);
  }
}
