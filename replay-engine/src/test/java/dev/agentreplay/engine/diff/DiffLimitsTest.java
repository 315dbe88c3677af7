package dev.agentreplay.engine.diff;

import static dev.agentreplay.engine.diff.TestCalls.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.agentreplay.engine.diff.TestCalls.TestCall;
import dev.agentreplay.engine.diff.ValueChange.Places;
import dev.agentreplay.engine.diff.rule.FuzzyText;
import dev.agentreplay.engine.diff.rule.Normalizer;
import dev.agentreplay.engine.diff.rule.SemanticComparator.Judgment;
import dev.agentreplay.engine.diff.rule.SemanticComparator.Texts;
import dev.agentreplay.engine.diff.rule.SemanticTexts;
import dev.agentreplay.engine.diff.rule.Tolerance;
import dev.agentreplay.engine.diff.rule.UnorderedArray;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A comparison within its limits, and beyond each. */
class DiffLimitsTest {

  @TempDir
  private Path directory;

  @Test
  void session_with_more_steps_is_refused() throws IOException {
    Session few = write("few", TestCalls.distinct("t", 3));
    Session many = write("many", TestCalls.distinct("t", 4));
    assertThat(SessionDiff.between(few, few, limits(3)).isIdentical()).isTrue();
    assertThatThrownBy(() -> SessionDiff.between(few, many, limits(3)))
        .isInstanceOf(DiffLimitException.class)
        .hasMessage(many.log() + ": line 8: the session has more than 3 steps, the limit maxSteps")
        .extracting(e -> ((DiffLimitException) e).maxSteps())
        .isEqualTo(3);
  }

  @Test
  void step_with_a_long_name_counts_for_several() throws IOException {
    Session longName = write("long", List.of(call("t".repeat(3_000), 1, 1)));
    assertThat(SessionDiff.between(longName, longName, limits(4)).isIdentical()).isTrue();
    assertThatThrownBy(() -> SessionDiff.between(longName, longName, limits(3)))
        .isInstanceOf(DiffLimitException.class);
  }

  @Test
  void arrays_with_more_elements_are_compared_as_a_whole_which_the_rules_say() throws IOException {
    JsonValue before = JsonArray.of(1, 2, 3, 4);
    JsonValue after = JsonArray.of(5, 2, 6, 4);
    DiffOptions options =
        DiffOptions.defaults().withLimits(DiffLimits.defaults().withMaxElements(5));
    SessionDiff diff = diff(before, after, options);
    EventChange change = diff.divergences().get(0).changes().get(0);
    assertThat(change.values()).singleElement().satisfies(value -> {
      assertThat(value.pointer()).isEqualTo("/params");
      assertThat(value.before()).isEqualTo(before);
      assertThat(value.after()).isEqualTo(after);
    });
    assertThat(change.patch().get(0).asObject())
        .isEqualTo(JsonObject.of("op", "replace", "path", "/params", "value", after));
    assertThat(diff.rules())
        .containsExactly(
            TestResults.appliedRule("arrays of more than 5 elements compared as a whole", 1, 1));
  }

  @Test
  void unordered_arrays_with_more_elements_are_compared_as_a_whole() throws IOException {
    DiffOptions options = DiffOptions.defaults()
        .plus(UnorderedArray.at("/params"))
        .withLimits(DiffLimits.defaults().withMaxElements(5));
    JsonValue before = JsonArray.of(1, 2, 3);
    SessionDiff diff = diff(before, JsonArray.of(2, 1, 4), options);
    assertThat(diff.divergences().get(0).changes().get(0).values())
        .singleElement()
        .extracting(ValueChange::pointer)
        .isEqualTo("/params");
    assertThat(diff.rules())
        .contains(
            TestResults.appliedRule("arrays of more than 5 elements compared as a whole", 1, 1));
    assertThat(diff(before, JsonArray.of(3, 1, 2), options).isIdentical()).isTrue();
  }

  @Test
  void elements_that_are_equal_at_both_ends_do_not_count() throws IOException {
    int[] elements = IntStream.range(0, 50).toArray();
    JsonValue before = JsonValue.of(elements);
    elements[20] = -1;
    DiffOptions options =
        DiffOptions.defaults().withLimits(DiffLimits.defaults().withMaxElements(2));
    SessionDiff diff = diff(before, JsonValue.of(elements), options);
    EventChange change = diff.divergences().get(0).changes().get(0);
    assertThat(change.values())
        .singleElement()
        .extracting(ValueChange::pointer)
        .isEqualTo("/params/20");
    assertThat(diff.rules()).isEmpty();
  }

  @Test
  void divergences_beyond_the_listed_bytes_are_counted_and_not_listed() throws IOException {
    Session left = write("a", List.of(call("t", "1", 1), call("t", "2", 1), call("t", "3", 1)));
    Session right = write("b", List.of(call("t", "4", 1), call("t", "5", 1), call("t", "6", 1)));
    DiffLimits none = DiffLimits.defaults().withMaxListedBytes(0);
    SessionDiff diff = SessionDiff.between(left, right, DiffOptions.defaults().withLimits(none));
    assertThat(diff.divergences()).hasSize(1);
    assertThat(diff.summary().divergences()).isEqualTo(3);
  }

  @Test
  void known_replacements_count_as_listed_bytes() throws IOException {
    String text = "1 ".repeat(3_000);
    List<TestCall> before = List.of(call("t", text + "a", 1), call("t", text + "b", 1));
    List<TestCall> after = List.of(call("t", text + "c", 1), call("t", text + "d", 1));
    Session left = write("a", before);
    Session right = write("b", after);
    DiffOptions options =
        DiffOptions.defaults().withLimits(DiffLimits.defaults().withMaxListedBytes(100_000));
    assertThat(SessionDiff.between(left, right, options).divergences()).hasSize(2);
    DiffOptions digits = options.plus(Normalizer.pattern("digits", "[0-9]", "N"));
    assertThat(SessionDiff.between(left, right, digits).divergences()).hasSize(1);
  }

  @Test
  void replacements_are_reported_only_for_listed_divergences() throws IOException {
    Session left = write("a", List.of(call("t", "1 a", 1), call("t", "2 b", 1)));
    Session right = write("b", List.of(call("t", "1 c", 1), call("t", "2 d", 1)));
    List<ValueChange> judged = new ArrayList<>();
    DiffOptions options = DiffOptions.defaults()
        .plus(Normalizer.pattern("digits", "[0-9]", "N"))
        .withMaxDivergences(1)
        .withSeverity(change -> {
          judged.addAll(change.values());
          return SeverityPolicy.defaults().judge(change);
        });

    SessionDiff.between(left, right, options);

    assertThat(judged).extracting(change -> change.detail() != null).containsExactly(true, false);
  }

  @Test
  void arrays_compared_as_a_whole_are_not_judged_and_count_no_rule() throws IOException {
    List<Texts> asked = new ArrayList<>();
    DiffOptions options = DiffOptions.defaults()
        .plus(
            Tolerance.parse("/params/**=0.1"),
            FuzzyText.atLeast(0.1),
            SemanticTexts.judgedBy(pair -> {
              asked.add(pair);
              return new Judgment(true, null, null);
            }))
        .withLimits(DiffLimits.defaults().withMaxElements(5));
    SessionDiff diff = diff(
        JsonArray.of(1.0, JsonArray.of(1.0, "the text a", "x", "y"), 3, 4),
        JsonArray.of(1.01, JsonArray.of(1.01, "the text b", "p", "q"), 5, 6),
        options);

    assertThat(diff.divergences().get(0).changes().get(0).values().get(0).detail())
        .isInstanceOfSatisfying(Places.class, places -> assertThat(places.first())
            .extracting(ValueChange::pointer, ValueChange::closeness)
            .containsExactly(tuple("/params/1/1", null)));
    assertThat(asked).isEmpty();
    assertThat(diff.rules()).extracting(AppliedRule::left).containsExactly(0L, 0L, 0L, 1L);
  }

  @Test
  void arrays_within_arrays_that_are_equal_within_a_tolerance_count_none() throws IOException {
    DiffOptions options = DiffOptions.defaults()
        .plus(Tolerance.parse("/params/**=0.1"))
        .withLimits(DiffLimits.defaults().withMaxElements(2));
    SessionDiff diff = diff(
        JsonArray.of(JsonArray.of(1.0), 3, 4), JsonArray.of(JsonArray.of(1.01), 5, 6), options);

    assertThat(diff.rules()).extracting(AppliedRule::left).containsExactly(0L, 1L);
  }

  @Test
  void places_of_values_within_values_are_no_more_than_their_maximum() throws IOException {
    JsonObject.Builder before = JsonObject.builder();
    JsonObject.Builder after = JsonObject.builder();
    for (int i = 0; i < 100; i++) {
      before.add("m" + i, JsonValue.of(i));
      after.add("m" + i, JsonValue.of(i + 1));
    }
    String name = "n".repeat(3_000);
    SessionDiff diff = diff(
        JsonArray.of(JsonObject.of("a", 1, name, before.build()), 2, 3),
        JsonArray.of(JsonObject.of("a", 2, name, after.build()), 4, 5),
        DiffOptions.defaults().withLimits(DiffLimits.defaults().withMaxElements(2)));

    assertThat(diff.divergences().get(0).changes().get(0).values().get(0).detail())
        .isInstanceOfSatisfying(
            Places.class, places -> assertThat(places.first()).hasSize(20));
  }

  @Test
  void negative_limit_is_refused() {
    assertThatThrownBy(() -> DiffLimits.defaults().withMaxSteps(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("maximum of steps must not be negative: -1");
  }

  private SessionDiff diff(JsonValue before, JsonValue after, DiffOptions options)
      throws IOException {
    return SessionDiff.between(
        write("a", List.of(call("t", before, 1))),
        write("b", List.of(call("t", after, 1))),
        options);
  }

  private static DiffOptions limits(int maxSteps) {
    return DiffOptions.defaults().withLimits(DiffLimits.defaults().withMaxSteps(maxSteps));
  }

  private Session write(String name, List<TestCall> calls) throws IOException {
    return TestCalls.write(directory.resolve(name), calls);
  }
}
