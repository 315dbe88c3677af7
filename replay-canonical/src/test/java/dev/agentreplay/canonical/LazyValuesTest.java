package dev.agentreplay.canonical;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.json.LazyText;
import dev.agentreplay.model.json.UncheckedValues;
import dev.agentreplay.testkit.JsonArbitraries;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.domains.Domain;
import net.jqwik.api.domains.DomainContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that a document parses when they are first used are those of a text parsed at once. */
@Domain(JsonArbitraries.class)
@Domain(DomainContext.Global.class)
class LazyValuesTest {

  /** Makes the text so long that values before it are parsed later. */
  private static final String REST = "x".repeat(300);

  @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
  void canonical_texts(@ForAll JsonValue value, @ForAll String text) {
    for (CanonicalJson json : Outcome.ROUNDING) {
      assertSame(json.bytes(JsonObject.of("a", value, "b", text, "r", REST)));
    }
  }

  @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
  void other_texts(@ForAll JsonValue value, @ForAll Random random) {
    JsonObject object = JsonObject.of("a", value, "r", REST);
    assertSame(NoisyJson.print(object, random).getBytes(StandardCharsets.UTF_8));
  }

  @Property(tries = 2_000, edgeCases = EdgeCasesMode.NONE)
  void damaged_texts(@ForAll JsonValue value, @ForAll String text, @ForAll Random random) {
    byte[] json =
        CanonicalJson.SERDE.bytes(JsonObject.of("a", List.of(value, text), "b", text, "r", REST));
    int at = random.nextInt(json.length - REST.length());
    byte[] likely =
        "\"\\{}[]:,0e-.un/ \u001f\u007f\u00c3\u00a9".getBytes(StandardCharsets.ISO_8859_1);
    switch (random.nextInt(3)) {
      case 0 -> json[at] = likely[random.nextInt(likely.length)];
      case 1 -> json[at] = (byte) random.nextInt(256);
      default -> System.arraycopy(json, at + 1, json, at, json.length - at - 1);
    }
    assertSame(json);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 8, 9, 15, 16, 17, 40})
  void strings_with_escape_sequences_at_any_place(int before) {
    String[] sequences = {
      "\\\"", "\\\\", "\\\\\\\"", "\\\\\\\\\\\"", "\\n", "\\t", "\\u001b", "\\u0000", "\\u000a",
      "\\u001B", "\\/", "\\u0041", "\\ud83d\\ude02", "\\ud83d", "\\x", "\\", "\\u12", "\u00e9",
      "\ud83d\ude02", "\u007f", "\u001f", "\\\"\\n", "\\n\\\\n", "\\\\n"
    };
    for (String sequence : sequences) {
      for (int after : new int[] {0, 1, 6, 7, 8, 20}) {
        String string = "a".repeat(before) + sequence + "n".repeat(after) + sequence + sequence;
        String text = "{\"a\":\"%s\",\"r\":\"%s\"}".formatted(string, REST);
        assertSame(text.getBytes(StandardCharsets.UTF_8));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 15, 16, 17, 32, 33, 998, 999, 1_000, 1_001})
  void nested_values(int depth) {
    String rest = ",\"r\":\"" + REST + "\"}";
    assertSame(("{\"a\":" + "[".repeat(depth) + "]".repeat(depth) + rest)
        .getBytes(StandardCharsets.UTF_8));
    assertSame(("{\"a\":" + "{\"b\":".repeat(depth) + "[1]" + "}".repeat(depth) + rest)
        .getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"sha256:50bca263f9f136121f9a5c0139c3cfff8d0b90c5e51bea777253ed33006137c9\"",
        "\"2026-01-13T10:00:03Z\"",
        "{\"a\":[1,-2,0.5,true,false,null,{}],\"b\":\"\\n \u00e9\"}",
        "[{\"a\":{\"b\":1,\"c\":2}},{\"a\":3}]",
        "\"a text with \\\"quotes\\\", \u00e9 and \\u001b\""
      })
  void are_parsed_later(String value) {
    assertThat(lazyText(value, REST)).isNotNull();
    assertSame("{\"a\":%s,\"r\":\"%s\"}".formatted(value, REST).getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1",
        "null",
        "{}",
        "[]",
        "\"a short text\"",
        "{\"b\":1,\"a\":2}",
        "{\"a\":1,\"a\":2}",
        "{\"!\":1,\"\":2}",
        "{\"ab\":1,\"a\":2}",
        "[1, 2]",
        "{\"\u00e9\":1}",
        "{\"\\n\":1}",
        "[1e2]",
        "[10000000000000000000.0]",
        "\"a \\/ in a text\"",
        "\"a \\u000a in a text\""
      })
  void are_parsed_at_once(String value) {
    String text = "{\"a\":%s,\"r\":\"%s\"}".formatted(value, REST);
    if (!value.contains("\"a\":1,\"a\":2")) {
      assertThat(lazyText(value, REST)).isNull();
    }
    assertSame(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void a_small_value_does_not_keep_a_long_text() {
    String value = "{\"a\":[1,2,3],\"b\":\"" + REST + "\"}";
    assertThat(lazyText(value, "x".repeat(3 * value.length()))).isNotNull();
    assertThat(lazyText(value, "x".repeat(5_000))).isNull();
  }

  @Test
  void the_text_is_dropped_when_the_value_is_used() {
    JsonValue value = document("[1,2]", REST).value().at("/a");
    LazyText text = UncheckedValues.lazyText(value);
    assertThat(text).isNotNull();
    assertThat(text.bytes()).isNotNull();
    assertThat(CanonicalJson.SERDE.text(value)).isEqualTo("[1,2]");
    assertThat(text.bytes()).isNotNull();
    assertThat(value.asArray().size()).isEqualTo(2);
    assertThat(text.bytes()).isNull();
    assertThat(CanonicalJson.SERDE.text(value)).isEqualTo("[1,2]");
    assertThat(value.asArray().get(0)).isSameAs(value.asArray().get(0));
  }

  private static LazyText lazyText(String value, String rest) {
    return UncheckedValues.lazyText(document(value, rest).value().at("/a"));
  }

  private static JsonDocument document(String value, String rest) {
    byte[] utf8 = "{\"a\":%s,\"r\":\"%s\"}".formatted(value, rest).getBytes(StandardCharsets.UTF_8);
    return JsonDocument.parse(utf8, 0, utf8.length);
  }

  /** Asserts that a text is read the same whether its values are parsed later or at once. */
  private static void assertSame(byte[] utf8) {
    byte[] padded = new byte[utf8.length + 6];
    Arrays.fill(padded, (byte) '"');
    System.arraycopy(utf8, 0, padded, 3, utf8.length);
    assertThat(outcome(() -> JsonDocument.parse(padded, 3, 3 + utf8.length)))
        .as(new String(utf8, StandardCharsets.UTF_8))
        .isEqualTo(outcome(() -> JsonDocument.parse(utf8, 0, utf8.length, JsonLimits.defaults())));
  }

  private interface Parsing {
    JsonDocument parse();
  }

  private static List<Object> outcome(Parsing parsing) {
    List<Object> outcome = new ArrayList<>();
    JsonDocument document;
    try {
      document = parsing.parse();
    } catch (JsonSyntaxException e) {
      return List.of(e.offset(), e.reason(), e.detail());
    }
    for (CanonicalJson json : Outcome.ROUNDING) {
      outcome.add(document.isCanonical(json));
      outcome.add(document.hash(document.value(), json));
      if (document.value() instanceof JsonObject object) {
        object.forEach((name, member) -> {
          outcome.add(document.hash(member, json));
          outcome.add(json.text(member));
          outcome.add(json.form(member).isPortable());
          outcome.add(member.depth());
        });
      }
    }
    // uses the values
    outcome.add(document.value().toString());
    outcome.add(document.value().hashCode());
    if (document.value() instanceof JsonObject object) {
      object.forEach((name, member) -> {
        outcome.add(member instanceof JsonString string ? string.value() : member);
        outcome.add(CanonicalJson.SERDE.text(member));
      });
    }
    return outcome;
  }
}
