package dev.agentreplay.engine.diff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.Provenance;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The provenance of the events of a replay is never compared. */
class ProvenanceDiffTest {

  private static final DiffOptions STRICT = DiffOptions.defaults().withStrict(true);

  private static final Provenance SERVED = new Provenance(Provenance.SERVED, Provenance.EXACT, 12L);
  private static final Provenance EXECUTED = new Provenance(Provenance.EXECUTED, null, null);

  @TempDir
  private Path directory;

  static List<String> types() {
    return TestEvents.EVERY.types();
  }

  @ParameterizedTest
  @MethodSource("types")
  void event_that_differs_only_in_its_provenance_is_identical(String type) throws IOException {
    for (DiffOptions options : List.of(DiffOptions.defaults(), STRICT)) {
      assertSame(TestEvents.EVERY, of(type, SERVED), options);
      assertSame(of(type, EXECUTED), of(type, SERVED), options);
    }
  }

  @Test
  void logs_that_differ_only_in_provenance_are_identical() throws IOException {
    TestEvents replayed = TestEvents.EVERY.with(
        "ReplayHeader",
        "replay_of",
        JsonText.parse("{\"mode\":\"mock\",\"session_id\":\"s1\",\"tree_root\":\"sha256:%s\","
                .formatted("b".repeat(64))
            + "\"tree_size\":18}"));
    for (String type : types()) {
      replayed = replayed.with(type, "replayed", SERVED.json());
    }

    assertSame(TestEvents.EVERY, replayed, DiffOptions.defaults());
    assertSame(TestEvents.EVERY, replayed, STRICT);
  }

  @Test
  void fingerprints_and_summaries_of_steps_do_not_contain_it() throws IOException {
    List<Step> plain = steps(TestEvents.EVERY.with("Weather", "sky", JsonString.of("gray")));
    List<Step> replayed =
        steps(of("Weather", SERVED).with("Weather", "sky", JsonString.of("gray")));

    assertThat(replayed).extracting(Step::summary).isEqualTo(List.of("{\"sky\":\"gray\"}"));
    assertThat(replayed)
        .extracting(Step::fingerprint)
        .isEqualTo(plain.stream().map(Step::fingerprint).toList());
  }

  /** The steps of the right session that differ from those of the left. */
  private List<Step> steps(TestEvents right) throws IOException {
    return compare(TestEvents.EVERY, right, STRICT).divergences().stream()
        .map(Divergence::right)
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "\"served\"", "{}", "{\"action\":1}"})
  void member_of_the_same_name_and_a_different_form_is_compared(String value) throws IOException {
    JsonValue foreign = JsonText.parse(value);
    TestEvents changed = TestEvents.EVERY.with("ToolCall", "replayed", foreign);

    assertThat(compare(TestEvents.EVERY, changed, DiffOptions.defaults()).isIdentical())
        .isFalse();
    assertSame(changed, changed, STRICT);
  }

  private static TestEvents of(String type, Provenance provenance) {
    return TestEvents.EVERY.with(type, "replayed", provenance.json());
  }

  private void assertSame(TestEvents left, TestEvents right, DiffOptions options)
      throws IOException {
    SessionDiff diff = compare(left, right, options);
    assertThat(diff.divergences()).isEmpty();
    assertThat(diff.isIdentical()).isTrue();
    assertThat(diff.similarity()).isEqualTo(100);
    assertThat(diff.summary().identities()).isZero();
  }

  private SessionDiff compare(TestEvents left, TestEvents right, DiffOptions options)
      throws IOException {
    return SessionDiff.between(
        left.write(directory.resolve("left")), right.write(directory.resolve("right")), options);
  }
}
