package dev.agentreplay.canonical;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.HashExplanation.ProducerConvention;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class HashExplainerTest {

  /** A value, the text that a producer hashed, and the expected explanation. */
  static Stream<Arguments> explained() {
    return Stream.of(
        Arguments.of(
            "{\"a\":[0.5,1e16]}",
            "{\"a\":[0.5,1e16]}",
            ProducerConvention.CANONICALIZATION,
            Canonicalization.SERDE_RYU,
            "/a/1",
            "1e+16",
            "1e16"),
        Arguments.of(
            "{\"a\":1.0}",
            "{\"a\":1}",
            ProducerConvention.CANONICALIZATION,
            Canonicalization.JCS,
            "/a",
            "1.0",
            "1"),
        Arguments.of(
            "1.0", "1", ProducerConvention.CANONICALIZATION, Canonicalization.JCS, "", "1.0", "1"),
        Arguments.of(
            "{\"\ud83d\ude02\":1,\"\ufb33\":2}",
            "{\"\ud83d\ude02\":1,\"\ufb33\":2}",
            ProducerConvention.CANONICALIZATION,
            Canonicalization.JCS,
            "/\ufb33",
            "\"\ufb33\"",
            "\"\ud83d\ude02\""),
        Arguments.of(
            "{\"a\\\"/~\":[2]}",
            "{\"a\"/~\":[2]}",
            ProducerConvention.UNESCAPED_NAMES,
            Canonicalization.SERDE,
            "/a\"~1~0",
            "\"a\\\"/~\"",
            "\"a\"/~\""),
        Arguments.of(
            "{\"a\\n\":1e16}",
            "{\"a\n\":1e16}",
            ProducerConvention.UNESCAPED_NAMES,
            Canonicalization.SERDE_RYU,
            "/a\n",
            "\"a\\n\"",
            "\"a\n\""),
        Arguments.of(
            "[{\"u\":0.800000011920929}]",
            "[{\"u\":0.8}]",
            ProducerConvention.FLOATS_NOT_WIDENED,
            Canonicalization.SERDE,
            "/0/u",
            "0.800000011920929",
            "0.8"),
        Arguments.of(
            "[0.92]",
            "[0.9200000166893005]",
            ProducerConvention.FLOATS_WIDENED,
            Canonicalization.SERDE,
            "/0",
            "0.92",
            "0.9200000166893005"),
        Arguments.of(
            "[333333333.33333329]",
            "[333333333.33333325]",
            ProducerConvention.SERDE_DEFAULT_PARSER,
            Canonicalization.SERDE,
            "/0",
            "333333333.3333333",
            "333333333.33333325"),
        Arguments.of(
            "{\"9\":1,\"10\":2}",
            "{\"9\":1,\"10\":2}",
            ProducerConvention.JAVASCRIPT_OBJECT,
            null,
            "/10",
            "\"10\"",
            "\"9\""),
        Arguments.of(
            "{\"a\":1,\"b\":\"\u00e9\"}",
            "{\"a\": 1, \"b\": \"\\u00e9\"}",
            ProducerConvention.PYTHON,
            null,
            "/a",
            ":",
            ": "),
        Arguments.of(
            "[1,\"\u00e9\"]",
            "[1, \"\u00e9\"]",
            ProducerConvention.PYTHON_UNICODE,
            null,
            "/1",
            ",",
            ", "),
        Arguments.of(
            "[1,\"\u00e9\ud83d\ude02\"]",
            "[1,\"\\u00e9\\ud83d\\ude02\"]",
            ProducerConvention.PYTHON_COMPACT,
            null,
            "/1",
            "\"\u00e9\ud83d\ude02\"",
            "\"\\u00e9\\ud83d\\ude02\""),
        Arguments.of(
            "[0.00001,\"\u00e9\"]",
            "[1e-05,\"\u00e9\"]",
            ProducerConvention.PYTHON_COMPACT_UNICODE,
            null,
            "/0",
            "0.00001",
            "1e-05"));
  }

  @ParameterizedTest
  @MethodSource("explained")
  void convention_is_found_with_the_first_difference(
      String value,
      String hashed,
      ProducerConvention convention,
      Canonicalization base,
      String pointer,
      String canonical,
      String produced) {
    HashExplanation explanation =
        HashExplainer.explain(JsonText.parse(value), hash(hashed), Canonicalization.SERDE);

    assertThat(explanation)
        .isEqualTo(new HashExplanation(convention, base, pointer, canonical, produced));
  }

  @Test
  void integer_that_jcs_refuses_was_rounded_or_kept() {
    JsonValue value = JsonText.parse("{\"id\":9007199254740993,\"z\":1.0}");

    assertThat(HashExplainer.explain(
            value, hash("{\"id\":9007199254740992,\"z\":1}"), Canonicalization.JCS))
        .isEqualTo(new HashExplanation(
            ProducerConvention.ROUNDED_INTEGERS,
            Canonicalization.JCS,
            "/id",
            null,
            "9007199254740992"))
        .hasToString("the hash fits integers rounded to doubles, canonicalization jcs: first"
            + " difference at \"/id\", `9007199254740992` instead of an integer that would be"
            + " rounded");
    assertThat(HashExplainer.explain(
            value, hash("{\"id\":9007199254740993,\"z\":1.0}"), Canonicalization.JCS))
        .isEqualTo(new HashExplanation(
            ProducerConvention.CANONICALIZATION,
            Canonicalization.SERDE,
            "/id",
            null,
            "9007199254740993"));
  }

  @Test
  void right_hash_and_unknown_hash_have_no_explanation() {
    JsonValue value = JsonText.parse("{\"a\":1.0}");

    for (Canonicalization canonicalization : Canonicalization.values()) {
      ContentHash right = CanonicalJson.of(canonicalization).hash(value);
      assertThat(HashExplainer.explain(value, right, canonicalization)).isNull();
      assertThat(HashExplainer.explain(value, hash("x"), canonicalization)).isNull();
    }
  }

  @Test
  void explanation_is_a_sentence() {
    assertThat(HashExplainer.explain(
            JsonObject.of("a", 1.0), hash("{\"a\":1}"), Canonicalization.SERDE))
        .hasToString("the hash fits the canonicalization jcs:"
            + " first difference at \"/a\", `1` instead of `1.0`");
    assertThat(HashExplainer.explain(
            JsonObject.of("9", 0, "10", 0), hash("{\"9\":0,\"10\":0}"), Canonicalization.SERDE))
        .hasToString("the hash fits JavaScript's order of members, integer-like names first:"
            + " first difference at \"/10\", `\"9\"` instead of `\"10\"`");
    assertThat(HashExplainer.explain(
            JsonText.parse("[0.8,1e16]"),
            hash("[0.800000011920929,1.0000000272564224e16]"),
            Canonicalization.SERDE))
        .hasToString("the hash fits numbers widened from 32-bit floats, canonicalization serde-ryu:"
            + " first difference at \"/0\", `0.800000011920929` instead of `0.8`");
  }

  private static ContentHash hash(String text) {
    return ContentHash.sha256(text.getBytes(StandardCharsets.UTF_8));
  }
}
