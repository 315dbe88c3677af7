package dev.agentreplay.canonical;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Timestamp;
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
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.domains.Domain;
import net.jqwik.api.domains.DomainContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that a document parses when they are first used are those of a text parsed at once. */
@Domain(JsonArbitraries.class)
@Domain(DomainContext.Global.class)
class LazyValuesTest {

  /** Makes the text so long that long values before it are parsed later. */
  private static final String REST = "x".repeat(600);

  /** Makes a value so long that it is parsed later. */
  private static final String PADDING = "y".repeat(300);

  @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
  void canonical_texts(@ForAll JsonValue value, @ForAll String text) {
    for (CanonicalJson json : Outcome.ROUNDING) {
      assertSame(json.bytes(JsonObject.of("a", List.of(value, PADDING), "b", text, "r", REST)));
      assertSame(json.bytes(JsonObject.of("a", value, "b", text + PADDING, "r", REST)));
    }
  }

  @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
  void other_texts(@ForAll JsonValue value, @ForAll Random random) {
    JsonObject object = JsonObject.of("a", List.of(value, PADDING), "r", REST);
    assertSame(NoisyJson.print(object, random).getBytes(StandardCharsets.UTF_8));
  }

  @Property(tries = 2_000, edgeCases = EdgeCasesMode.NONE)
  void damaged_texts(@ForAll JsonValue value, @ForAll String text, @ForAll Random random) {
    byte[] json = CanonicalJson.SERDE.bytes(
        JsonObject.of("a", List.of(value, text, PADDING), "b", text, "r", REST));
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

  @Property(edgeCases = EdgeCasesMode.NONE)
  void names_in_any_order(@ForAll("names") List<String> names) {
    String members =
        names.stream().map(name -> "\"" + name + "\":1").collect(Collectors.joining(","));
    assertSame(inLine("{\"\":{" + members + "},\"z\":\"$\"}"));
    assertSame(inLine("[{" + members + "},\"$\"]"));
  }

  @Provide
  Arbitrary<List<String>> names() {
    return Arbitraries.of(
            "", " ", "!", "#", "\\\"", "a", "aa", "ab", "b", "\u00e9", "\\n", "\u007f")
        .list()
        .ofMaxSize(5);
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
        String text = "a".repeat(before) + sequence + "n".repeat(after) + sequence + sequence;
        assertSame(inLine("\"" + text + "\""));
        assertSame(inLine("\"" + text + "$\""));
        assertSame(inLine("\"$" + text + "\""));
        assertSame(inLine("[\"$\",\"" + text + "\"]"));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 15, 16, 17, 32, 33, 998, 999, 1_000, 1_001})
  void nested_values(int depth) {
    assertSame(inLine("[".repeat(depth) + "\"$\"" + "]".repeat(depth)));
    assertSame(inLine("{\"b\":".repeat(depth) + "\"$\"" + "}".repeat(depth)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"sha256:50bca263f9f136121f9a5c0139c3cfff8d0b90c5e51bea777253ed33006137c9\"",
        "\"2026-01-13T10:00:03Z\"",
        "\"$\"",
        "{\"a\":[1,-2,0.5,true,false,null,{},[]],\"b\":\"\\n \u00e9 $\"}",
        "[{\"a\":{\"b\":1,\"c\":2}},{\"a\":3},\"$\"]",
        "\"a text with \\\"quotes\\\", \u00e9 and \\u001b$\""
      })
  void are_parsed_later(String value) {
    assertThat(lazyText(value)).isNotNull();
    assertSame(inLine(value));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1",
        "null",
        "{}",
        "[]",
        "\"a short text\"",
        "[\"a short array\"]",
        "{\"b\":1,\"a\":\"$\"}",
        "{\"!\":1,\"\":\"$\"}",
        "{\"ab\":1,\"a\":\"$\"}",
        "[1, \"$\"]",
        "{\"a\":\"$\",\"\u00e9\":1}",
        "{\"\\n\":\"$\"}",
        "[1e2,\"$\"]",
        "[10000000000000000000.0,\"$\"]",
        "\"a \\/ in a text $\"",
        "\"a \\u000a in a text $\""
      })
  void are_parsed_at_once(String value) {
    assertThat(lazyText(value)).isNull();
    assertSame(inLine(value));
  }

  @Test
  void values_after_one_that_was_checked_in_vain_are_parsed_at_once() {
    byte[] utf8 = ("{\"a\":[1, 2],\"b\":[\"$\"],\"r\":\"" + REST + "\"}")
        .replace("$", PADDING)
        .getBytes(StandardCharsets.UTF_8);
    JsonValue value = JsonDocument.parse(utf8, 0, utf8.length).value();
    assertThat(UncheckedValues.lazyText(value.at("/b"))).isNull();
    assertSame(utf8);
  }

  @Test
  void a_small_value_does_not_keep_a_long_text() {
    byte[] utf8 = ("{\"a\":[\"$\"],\"r\":\"" + "x".repeat(2_000) + "\"}")
        .replace("$", PADDING)
        .getBytes(StandardCharsets.UTF_8);
    JsonValue value = JsonDocument.parse(utf8, 0, utf8.length).value();
    assertThat(UncheckedValues.lazyText(value.at("/a"))).isNull();
    assertThat(UncheckedValues.lazyText(value.at("/r"))).isNotNull();
  }

  @Test
  void a_time_keeps_no_text_of_more_than_4_kib() {
    for (int length : new int[] {4_096, 4_097}) {
      String begin = "{\"a\":\"2026-01-13T10:00:03Z\",\"r\":\"";
      byte[] utf8 = (begin + "x".repeat(length - begin.length() - 2) + "\"}")
          .getBytes(StandardCharsets.UTF_8);
      JsonValue time = JsonDocument.parse(utf8, 0, utf8.length).value().at("/a");
      assertThat(UncheckedValues.lazyText(time) != null).isEqualTo(length == 4_096);
      assertSame(utf8);
    }
  }

  @Test
  void the_text_is_dropped_when_the_value_is_used() {
    JsonValue value = document("[1,\"$\"]").value().at("/a");
    CanonicalText text = (CanonicalText) UncheckedValues.lazyText(value);
    String json = "[1,\"" + PADDING + "\"]";
    assertThat(text.writeTo(new CanonicalWriter(Canonicalization.SERDE))).isTrue();
    assertThat(CanonicalJson.SERDE.text(value)).isEqualTo(json);
    assertThat(text.writeTo(new CanonicalWriter(Canonicalization.SERDE))).isTrue();
    assertThat(value.asArray().size()).isEqualTo(2);
    assertThat(text.writeTo(new CanonicalWriter(Canonicalization.SERDE))).isFalse();
    assertThat(CanonicalJson.SERDE.text(value)).isEqualTo(json);
    assertThat(value.asArray().get(0)).isSameAs(value.asArray().get(0));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-01-13T10:00:03Z",
        "2026-01-13T10:00:03.120+01:00",
        "2026-01-13T10:00:03\\u001b",
        "2026-01-13T10:00:03Z\u00e9",
        "2026-02-30T10:00:03Z",
        "sha256:50bca263f9f136121f9a5c0139c3cfff8d0b90c5e51bea777253ed33006137c9",
        "sha256:50BCA263f9f136121f9a5c0139c3cfff8d0b90c5e51bea777253ed33006137c9",
        "sha256:50bca263f9f136121f9a5c0139c3cfff8d0b90c5e51bea777253ed33006137\\n",
        "$",
        "\\\"$"
      })
  void times_and_hashes_are_read_as_from_strings(String text) {
    JsonValue lazy = document("\"" + text + "\"").value();
    JsonValue known = JsonText.parse(inLine("\"" + text + "\""));
    JsonString string = (JsonString) known.at("/a");
    assertThat(JsonText.findTime((JsonString) lazy.at("/a")))
        .isEqualTo(Timestamp.tryParse(string.value()));
    assertThat(JsonText.findHash((JsonString) lazy.at("/a")))
        .isEqualTo(ContentHash.tryParseAnyForm(string.value()));
    assertThat(lazy.at("/a")).isEqualTo(string);
    assertThat(JsonText.findTime((JsonString) lazy.at("/a")))
        .isEqualTo(Timestamp.tryParse(string.value()));
  }

  @Test
  void an_extra_member_does_not_keep_the_line() {
    String line =
        "{\"event\":\"ToolCall\",\"id\":\"c\",\"modified\":\"2026-01-13T10:00:03Z\",\"tool\":\""
            + REST + "\"}";
    byte[] utf8 = line.getBytes(StandardCharsets.UTF_8);
    JsonValue value = JsonDocument.parse(utf8, 0, utf8.length).value();
    assertThat(UncheckedValues.lazyText(value.at("/modified"))).isNotNull();
    JsonObject extra = Dialect.EVENT.decode(value.asObject()).event().meta().extra();
    CanonicalText text = (CanonicalText) UncheckedValues.lazyText(extra.at("/modified"));
    assertThat(text.writeTo(new CanonicalWriter(Canonicalization.SERDE))).isFalse();
  }

  @Test
  void a_text_beyond_the_limit_is_refused() {
    byte[] text = new byte[JsonLimits.defaults().maxBytes() + 1];
    assertThatThrownBy(() -> JsonDocument.parse(text, 0, text.length))
        .isInstanceOf(JsonSyntaxException.class)
        .hasMessageContaining("text is longer than 67108864 bytes");
  }

  private static LazyText lazyText(String value) {
    return UncheckedValues.lazyText(document(value).value().at("/a"));
  }

  private static JsonDocument document(String value) {
    byte[] utf8 = inLine(value);
    return JsonDocument.parse(utf8, 0, utf8.length);
  }

  /** A line with a value, in which a dollar sign stands for the padding. */
  private static byte[] inLine(String value) {
    return "{\"a\":%s,\"r\":\"%s\"}"
        .formatted(value.replace("$", PADDING), REST)
        .getBytes(StandardCharsets.UTF_8);
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
