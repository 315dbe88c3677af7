package dev.agentreplay.canonical;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** A parser that knows the shapes of earlier objects reads each text as a new parser does. */
class ObjectShapeTest {

  @Property
  void texts_are_read_as_by_a_new_parser(@ForAll("texts") List<String> texts) {
    JsonParser used = new JsonParser(JsonLimits.defaults());
    for (String text : texts) {
      assertThat(read(used, text)).isEqualTo(read(new JsonParser(JsonLimits.defaults()), text));
    }
  }

  /** Objects of few names, some of which begin like others, in any order, and cut short. */
  @Provide
  Arbitrary<List<String>> texts() {
    Arbitrary<String> name = Arbitraries.of(
        "a",
        "b",
        "ab",
        "a\\u0062",
        "",
        "é",
        "a\\\"",
        "a\\\\",
        "\u007f",
        "names that differ 1",
        "names that differ 2",
        "a name that is longer than any that is compared by its bytes",
        "x".repeat(80));
    Arbitrary<String> member = name.map(each -> "\"" + each + "\":")
        .flatMap(text -> Arbitraries.of("1", "{}", "{\"a\":2,\"b\":3}", " 4", "[{\"b\":5}]")
            .map(value -> text + value));
    Arbitrary<String> object = member.list().ofMaxSize(5).map(members -> members.stream()
        .collect(Collectors.joining(",", "{", "}")));
    return Arbitraries.frequencyOf(
            net.jqwik.api.Tuple.of(6, object),
            net.jqwik.api.Tuple.of(1, object.flatMap(text -> Arbitraries.integers()
                .between(1, text.length())
                .map(length -> text.substring(0, length)))))
        .list()
        .ofMaxSize(12);
  }

  /** The value, what is known about its text, or the refusal. */
  private static String read(JsonParser parser, String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    try {
      JsonValue value = parser.parse(utf8, 0, utf8.length);
      String names = value instanceof JsonObject object
          ? object.names() + " " + Arrays.toString(parser.nameOffsets(object, 0))
          : "";
      return "%s %s %s %s %s"
          .formatted(value, value.depth(), parser.isCanonical(), parser.isPortable(), names);
    } catch (JsonSyntaxException e) {
      return e.offset() + " " + e.reason() + " " + e.detail();
    } finally {
      parser.release();
    }
  }

  @Test
  void objects_with_the_same_names_share_them() {
    JsonParser parser = new JsonParser(JsonLimits.defaults());
    assertThat(read(parser, "{\"a\":1,\"b\":2}")).isEqualTo(read(parser, "{\"a\":1,\"b\":2}"));

    ObjectShape root = ObjectShape.root();
    ObjectShape shape = root.with("a").with("b");

    assertThat(shape.names()).isSameAs(root.with("a").with("b").names()).containsExactly("a", "b");
    assertThat(shape.ascends).isTrue();
    assertThat(root.with("b").with("a").ascends).isFalse();
  }

  @Test
  void tree_is_bounded() {
    ObjectShape root = ObjectShape.root();
    int found = 0;
    for (int i = 0; i < 100; i++) {
      ObjectShape shape = root;
      for (int j = 0; j < 1_000 && shape != null; j++) {
        shape = shape.with("name" + i + j);
        found += shape == null ? 0 : 1;
      }
    }

    assertThat(found).isEqualTo(ObjectShape.MAX_NODES - 1);
    assertThat(root.with("x".repeat(65))).isNull();
  }

  @Test
  void object_whose_names_are_in_no_tree_is_read() {
    JsonParser parser = new JsonParser(JsonLimits.defaults());
    for (int round = 0; round < 20; round++) {
      int first = round;
      String text = IntStream.range(0, 1_000)
          .mapToObj(i -> "\"%04d-%d\":%d".formatted(i, first, i))
          .collect(Collectors.joining(",", "{", "}"));
      byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);

      assertThat(parser.parse(utf8, 0, utf8.length).toString()).isEqualTo(text);
      assertThat(parser.isCanonical()).isTrue();
      parser.release();
    }
  }

  @Test
  void repeated_name_is_refused_after_its_object_is_known() {
    JsonParser parser = new JsonParser(JsonLimits.defaults());
    read(parser, "{\"a\":1,\"b\":{\"a\":1}}");

    byte[] utf8 = "{\"a\":1,\"b\":{\"a\":1,\"a\":2}}".getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> parser.parse(utf8, 0, utf8.length))
        .hasMessageContaining("duplicate name \"a\"");
  }
}
