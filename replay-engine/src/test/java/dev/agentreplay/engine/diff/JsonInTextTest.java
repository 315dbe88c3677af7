package dev.agentreplay.engine.diff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.engine.diff.rule.Closeness;
import dev.agentreplay.engine.diff.rule.ComparisonRule;
import dev.agentreplay.engine.diff.rule.FuzzyText;
import dev.agentreplay.engine.diff.rule.Ignore;
import dev.agentreplay.engine.diff.rule.Normalizer;
import dev.agentreplay.engine.diff.rule.Tolerance;
import dev.agentreplay.engine.diff.rule.UnorderedArray;
import dev.agentreplay.engine.diff.value.Side;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pointers of rules continue into texts that hold a JSON object or array. */
class JsonInTextTest {

  private static final String BEFORE = "{\"ok\":true,\"load\":0.93}";
  private static final String AFTER = "{\"ok\":true,\"load\":0.95}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          /output/load   | {"ok":true,"load":1}        | {"ok":true,"load":2}
          /output/load   | {"ok":true,"load":1}        | { "load": 2, "ok": true }
          /output/load   | {"ok":true,"load":1}        | {"ok":true}
          /output/load   | {"ok":true,"load":1}        | { "ok": true }
          /output/load   | {"lo\\u0061d":1}            | {}
          /output/load   | {"load":1,"at":1.50}        | {"load":2,"at":15e-1}
          /**/load       | [{"a":{"load":1}}]          | [{"a":{"load":2}}]
          /output/*/load | [{"load":1},{"load":3}]     | [{"load":2},{"load":4}]
          /output/0      | [1,2]                       | [3,2]
          /output/*      | {"a":1}                     | {"b":1}
          /output/a/load | {"a":"{\\"load\\":1}"}      | {"a":"{\\"load\\":2}"}
          /output/a/load | {"a":"{\\"load\\":1}"}      | {"a":" {} "}
          /**/load       | {"a":"[{\\"load\\":1}]"}    | { "a":"[{\\"load\\":2}]"}
          """)
  void ignored_place_in_a_text_is_not_compared(String pattern, String left, String right)
      throws IOException {
    assertThat(outputs(left, right)).hasSize(1);
    assertThat(outputs(left, right, Ignore.at(pattern))).isEmpty();
    assertThat(outputs(right, left, Ignore.at(pattern))).isEmpty();
  }

  @Test
  void places_that_differ_in_a_text_have_pointers_that_continue_into_it() throws IOException {
    String left = "{\"load\":1,\"a/b\":[1,\"{\\\"x\\\":1,\\\"load\\\":1}\"]}";
    String right = "{\"load\":2,\"a/b\":[0,1,\"{\\\"x\\\":2,\\\"load\\\":1}\"]}";

    assertThat(outputs(left, right, Ignore.at("/output/**/load")))
        .containsExactly(
            "/output/a~1b/0 /output/a~1b/0 null -> 0", "/output/a~1b/1/x /output/a~1b/2/x 1 -> 2");
  }

  @Test
  void without_a_rule_that_selects_something_in_it_the_exact_text_is_compared() throws IOException {
    String spaced = "{ \"ok\":true, \"load\":0.93}";
    for (ComparisonRule rule : List.of(
        Ignore.at("/output/etag"),
        Ignore.at("/output/ok/load"),
        Ignore.at("/**/etag"),
        Ignore.at("/params/load"),
        Ignore.ids(),
        Ignore.timestamps(),
        Normalizer.uuids(),
        Tolerance.parse("/output/ok=1"),
        Tolerance.parse("/output=1"),
        UnorderedArray.at("/output"),
        FuzzyText.atLeast(1).at("/output/load"))) {
      assertThat(outputs(BEFORE, spaced, rule))
          .as(rule.description())
          .containsExactly(
              "/output /output %s -> %s".formatted(JsonValue.of(BEFORE), JsonValue.of(spaced)));
    }
    assertThat(outputs(BEFORE, spaced, Ignore.at("/output/load"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          not JSON: a comma too many        | {"load":1,}                 | {"load":2,}
          not JSON: a duplicate name        | {"load":1,"load":1}         | {"load":2,"load":2}
          not JSON: text after it           | {"load":1} ok               | {"load":2} ok
          not JSON: text before it          | load: {"load":1}            | load: {"load":2}
          not JSON: single quotes           | {'load':1}                  | {'load':2}
          not JSON: NaN                     | {"load":NaN,"a":1}          | {"load":NaN,"a":2}
          not JSON: a comment               | {"load":1/*x*/}             | {"load":2/*x*/}
          not JSON: cut                     | {"load":1,"a":              | {"load":2,"a":
          not JSON: a no-break space        | `\u00a0{"load":1}`          | `\u00a0{"load":2}`
          not JSON: a byte order mark       | `\ufeff{"load":1}`          | `\ufeff{"load":2}`
          only the left text is JSON        | {"load":1}                  | {"load":1
          only the right text is JSON       | [{"load":1}                 | [{"load":1}]
          an object and an array            | {"load":1}                  | [{"load":1}]
          """)
  void texts_are_compared_as_texts_if_not_both_are_json(String reason, String left, String right)
      throws IOException {
    assertThat(outputs(left, right, Ignore.at("/output/**/load")))
        .as(reason)
        .containsExactly(
            "/output /output %s -> %s".formatted(JsonValue.of(left), JsonValue.of(right)));
  }

  @Test
  void scalar_in_a_text_stays_a_text() throws IOException {
    assertThat(outputs("12", "13", Tolerance.parse("/output=5"), Tolerance.parse("/output/**=5")))
        .hasSize(1);
    assertThat(outputs("\"a\"", " \"a\"", Ignore.at("/output/*"))).hasSize(1);
    assertThat(outputs("null", "true", Ignore.at("/output/*"))).hasSize(1);
  }

  @Test
  void text_and_the_value_that_it_holds_differ() throws IOException {
    JsonValue value = JsonText.parse(BEFORE);
    for (ComparisonRule rule : List.of(Ignore.at("/output/load"), Ignore.at("/output/*"))) {
      assertThat(compare(JsonValue.of(BEFORE), value, rule)).hasSize(1);
      assertThat(compare(value, JsonValue.of(BEFORE), rule)).hasSize(1);
      assertThat(hash(JsonValue.of(BEFORE), rule)).isNotEqualTo(hash(value, rule));
    }
    assertThat(compare(
            JsonArray.of("[]", 1), JsonArray.of(JsonArray.EMPTY, 1), UnorderedArray.at("/**")))
        .isNotEmpty();
    assertThat(compare(
            JsonArray.of("[1]", 1),
            JsonArray.of(JsonArray.of(1), 1),
            Tolerance.parse("/output/**=1")))
        .hasSize(1);
  }

  @Test
  void text_that_is_too_deep_together_with_what_is_around_it_stays_a_text() throws IOException {
    Ignore load = Ignore.at("/**/load");
    String left = "{\"load\":1,\"a\":%s%s}".formatted("[".repeat(998), "]".repeat(998));
    String right = left.replace("1", "2");
    assertThat(outputs(left, right, load)).isEmpty();
    assertThat(compare(JsonArray.of(left), JsonArray.of(right), load)).hasSize(1);
    String deeper = "{\"load\":1,\"a\":%s%s}".formatted("[".repeat(1000), "]".repeat(1000));
    assertThat(outputs(deeper, deeper.replace("1", "2"), load)).hasSize(1);
  }

  @Test
  void deeply_nested_texts_are_compared() throws IOException {
    JsonValue left = JsonValue.of("{\"load\":1}");
    JsonValue right = JsonValue.of("{\"load\":2}");
    for (int i = 0; i < 12; i++) {
      left = JsonValue.of(JsonObject.of("a", left).toString());
      right = JsonValue.of(JsonObject.of("a", right).toString());
    }
    assertThat(compare(left, right, Ignore.at("/**/load"))).isEmpty();
    assertThat(compare(left, right, Ignore.at("/output" + "/a".repeat(12) + "/load")))
        .isEmpty();
    assertThat(compare(left, right, Ignore.at("/output" + "/a".repeat(11) + "/load")))
        .hasSize(1);
  }

  @Test
  void tolerance_and_similarity_apply_in_a_text() throws IOException {
    assertThat(outputs(BEFORE, AFTER, Tolerance.parse("/output/load=0.02"))).isEmpty();
    assertThat(outputs(BEFORE, AFTER, Tolerance.parse("/output/load=0.01")))
        .containsExactly("/output/load /output/load 0.93 -> 0.95");
    assertThat(outputs("[[5,6],[6,7]]", "[[6,5],[5,6]]", Tolerance.parse("/output/**=1")))
        .isEmpty();
    assertThat(compare(
            JsonArray.of("[5,6]", "[6,7]"),
            JsonArray.of("[6,5]", "[5,6]"),
            Tolerance.parse("/output/**=1")))
        .isEmpty();
    assertThat(compare(
            JsonValue.of("{\"m\":\"abcd\",\"n\":\"abcd\"}"),
            JsonValue.of("{\"m\":\"abce\",\"n\":\"abce\"}"),
            FuzzyText.atLeast(0.75).at("/output/m")))
        .extracting(ValueChange::pointer, ValueChange::closeness)
        .containsExactly(
            tuple("/output/m", new Closeness("fuzzy", 0.75, null)), tuple("/output/n", null));
  }

  @Test
  void similarity_of_the_text_itself_does_not_make_it_a_value() throws IOException {
    for (FuzzyText fuzzy : List.of(
        FuzzyText.atLeast(0.8),
        FuzzyText.atLeast(0.8).at("/output"),
        FuzzyText.atLeast(0.8).at("/output/**"))) {
      assertThat(compare(JsonValue.of(BEFORE), JsonValue.of(AFTER), fuzzy))
          .extracting(ValueChange::pointer, change -> change.closeness() != null)
          .containsExactly(tuple("/output", true));
    }
  }

  @Test
  void unordered_array_may_be_the_text_or_in_it() throws IOException {
    assertThat(outputs("[1,2,2]", "[2, 1, 2]", UnorderedArray.at("/output"))).isEmpty();
    assertThat(outputs("{\"a\":[1,2]}", "{\"a\":[2,1]}", UnorderedArray.at("/output/a")))
        .isEmpty();
    assertThat(outputs("{\"a\":[1,2]}", "{\"a\":[2,1]}", UnorderedArray.at("/output")))
        .hasSize(1);
    assertThat(outputs(
            "[{\"id\":1,\"a\":1},{\"id\":2}]",
            "[{\"id\":2},{\"id\":1,\"a\":2}]",
            UnorderedArray.at("/output").keyedBy("id")))
        .containsExactly("/output/0/a /output/1/a 1 -> 2");
  }

  @Test
  void key_of_an_element_may_be_in_a_text() throws IOException {
    JsonArray left = JsonArray.of("{\"id\":1,\"a\":1}", "{\"id\":2,\"a\":1}");
    JsonArray right = JsonArray.of("{\"id\":3,\"a\":1}", "{\"id\":1,\"a\":2}");
    UnorderedArray byId = UnorderedArray.at("/output").keyedBy("id");

    assertThat(compare(left, right, byId, Ignore.at("/output/*/a")))
        .extracting(ValueChange::pointer)
        .containsExactly("/output/1", "/output/0");
    assertThat(compare(left, right, byId))
        .extracting(ValueChange::pointer)
        .containsExactly("/output/0", "/output/1", "/output/0");
  }

  @Test
  void rules_for_texts_apply_to_the_texts_in_the_value() throws IOException {
    String left = "{\"load\":1,\"at\":\"2026-01-13T10:00:00Z\",\"took_ms\":4}";
    String right = "{\"load\":2,\"at\":\"2026-01-14T11:00:00Z\",\"took_ms\":5}";
    Ignore load = Ignore.at("/output/load");

    assertThat(outputs(left, right, load, Ignore.timestamps()))
        .containsExactly("/output/took_ms /output/took_ms 4 -> 5");
    assertThat(outputs(left, right, load, Ignore.timestamps(), Ignore.durations()))
        .isEmpty();
  }

  @Test
  void rules_are_counted_where_they_applied() {
    CompiledRules rules = CompiledRules.of(
        List.of(
            Ignore.at("/output/**/etag"),
            Ignore.timestamps(),
            UnorderedArray.at("/output/items"),
            Ignore.at("/output/text/nowhere"),
            Ignore.at("/output/text/etag/x")),
        CanonicalJson.SERDE);
    rules.normalize(
        view(
            JsonValue.of(
                "{\"items\":[{\"etag\":1},\"at Nov 21 08:17\"],\"text\":\"{\\\"etag\\\":\\\"2\\\"}\"}")),
        Side.LEFT);
    rules.normalize(view(JsonValue.of("{\"etag\":\"Nov 21 08:17\"}")), Side.RIGHT);
    rules.normalize(view(JsonValue.of("{\"tag\":\"Nov 21 08:17\"}")), Side.RIGHT);

    assertThat(rules.applied())
        .containsExactly(
            TestResults.appliedRule("ignore /output/**/etag", 2, 1),
            TestResults.appliedRule("ignore timestamps", 1, 1),
            TestResults.appliedRule("unordered /output/items", 1, 0),
            TestResults.appliedRule("ignore /output/text/nowhere", 0, 0),
            TestResults.appliedRule("ignore /output/text/etag/x", 0, 0));
  }

  private static List<String> outputs(String left, String right, ComparisonRule... rules)
      throws IOException {
    return compare(JsonString.of(left), JsonString.of(right), rules).stream()
        .map(change -> change.pointer() + " " + change.rightPointer() + " " + change.before()
            + " -> " + change.after())
        .toList();
  }

  private static List<ValueChange> compare(JsonValue left, JsonValue right, ComparisonRule... rules)
      throws IOException {
    return CompiledRules.of(List.of(rules), CanonicalJson.SERDE)
        .compare(TestValues.STEP, view(left), view(right), name -> DivergenceKind.OUTPUT);
  }

  private static JsonObject hash(JsonValue value, ComparisonRule rule) {
    return CompiledRules.of(List.of(rule), CanonicalJson.SERDE).normalize(view(value), null);
  }

  private static JsonObject view(JsonValue value) {
    return JsonObject.of("output", value);
  }
}
