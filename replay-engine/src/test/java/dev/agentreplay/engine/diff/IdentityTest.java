package dev.agentreplay.engine.diff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Values that differ between two runs with equal behavior. */
class IdentityTest {

  private static final DiffOptions STRICT = DiffOptions.defaults().withStrict(true);

  @TempDir
  private Path directory;

  // types, member, its other value; strict divergence: kind, place
  @ParameterizedTest(name = "{0} {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
      ToolCall ToolResult   | id              | "x" | IDENTITY | /id
      ModelCall ModelResult | id              | "x" | IDENTITY | /id
      ToolCall              | step_id         | "x" | IDENTITY | /step_id
      ToolCall              | tool_call_id    | "x" | IDENTITY | /tool_call_id
      ModelResult           | response_id     | "x" | IDENTITY | /response_id
      StepComplete          | step_id         | "x" | IDENTITY | /step_id
      SessionStart          | session_id      | "x" | IDENTITY | /session_id
      SessionStart          | tags            | ["x"] | IDENTITY | /tags
      SessionStart          | user            | "x" | IDENTITY | /user
      SessionStart          | environment     | "x" | IDENTITY | /environment
      Payment               | payment_proof   | "x" | IDENTITY | /payment_proof
      Payment               | job_hash        | "x" | IDENTITY | /job_hash
      RuntimeEvent          | seq             | 2   | IDENTITY | /seq
      RuntimeEvent          | idempotency_key | "x" | IDENTITY | /idempotency_key
      RecordedValue         | value           | 18  | IDENTITY | /value
      ToolResult            | latency_ms      | 41  | TIMING   | /latency_ms
      ModelResult           | latency_ms      | 31  | TIMING   | /latency_ms
      """)
  void identity_is_compared_only_when_strict(
      String types, String member, String value, DivergenceKind kind, String pointer)
      throws IOException {
    TestEvents changed = TestEvents.EVERY;
    for (String type : types.split(" ")) {
      changed = changed.with(type, member, JsonText.parse(value));
    }

    SessionDiff diff = compare(changed, DiffOptions.defaults());
    assertIdentical(diff);
    boolean isCounted = !member.equals("value");
    assertThat(diff.summary().identities())
        .as("ids; recorded values are no steps unless it is strict")
        .isEqualTo(kind == DivergenceKind.IDENTITY && isCounted ? 1 : 0);
    assertThat(diff.summary().timings()).isEqualTo(kind == DivergenceKind.TIMING ? 1 : 0);
    assertStrict(changed, kind, pointer);
  }

  @ParameterizedTest
  @MethodSource("stepTypes")
  void time_is_compared_only_when_strict(String type) throws IOException {
    TestEvents changed = TestEvents.EVERY.with(type, "t", JsonValue.of("2026-01-14T10:00:00Z"));

    SessionDiff diff = compare(changed, DiffOptions.defaults());
    assertIdentical(diff);
    assertThat(diff.summary().timings()).isEqualTo(type.equals("RecordedValue") ? 0 : 1);
    assertThat(diff.summary().identities()).isZero();
    assertStrict(changed, DivergenceKind.TIMING, "/t");
  }

  @ParameterizedTest
  @MethodSource("stepTypes")
  void session_is_compared_only_when_strict(String type) throws IOException {
    TestEvents changed = TestEvents.EVERY.with(type, "session_id", JsonValue.of("s2"));

    SessionDiff diff = compare(changed, DiffOptions.defaults());
    assertIdentical(diff);
    assertThat(diff.summary().identities()).isEqualTo(type.equals("RecordedValue") ? 0 : 1);
    assertThat(diff.summary().timings()).isZero();
    assertStrict(changed, DivergenceKind.IDENTITY, "/session_id");
  }

  static List<String> stepTypes() {
    return TestEvents.EVERY.types().stream()
        .filter(type -> !type.equals("ReplayHeader") && !type.equals("Checkpoint"))
        .toList();
  }

  @ParameterizedTest
  @CsvSource({
    "ReplayHeader,producer,'\"p@2\"'",
    "ReplayHeader,created_at,'\"2026-01-14T10:00:00Z\"'",
    "ReplayHeader,policy_bundle_id,'\"b2\"'",
    "ReplayHeader,foreign,1",
    "Checkpoint,tree_size,17",
    "Checkpoint,foreign,1",
    "SessionEnd,total_tool_calls,2",
    "SessionEnd,total_latency_ms,41",
  })
  void what_follows_from_the_run_is_not_compared(String type, String member, String value)
      throws IOException {
    SessionDiff diff =
        compare(TestEvents.EVERY.with(type, member, JsonText.parse(value)), DiffOptions.defaults());

    assertIdentical(diff);
    assertThat(diff.summary().identities()).isZero();
    assertThat(diff.summary().timings()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"RecordedValue", "Checkpoint"})
  void event_that_is_not_a_step_may_be_missing(String type) throws IOException {
    assertIdentical(compare(TestEvents.EVERY.without(type), DiffOptions.defaults()));
  }

  @Test
  void circumstances_are_compared_only_when_strict() throws IOException {
    TestEvents changed = TestEvents.EVERY.with(
        "Settings",
        "values",
        JsonText.parse(
            """
            {"depth":{"source":"file","value":3},"locale":{"value":"de"},"mode":{"value":"replay"}}
            """));

    SessionDiff diff = compare(changed, DiffOptions.defaults());
    assertIdentical(diff);
    assertThat(diff.summary().identities()).isEqualTo(1);
    assertThat(compare(changed, STRICT).divergences())
        .extracting(Divergence::kind)
        .containsExactly(DivergenceKind.SETTINGS);
  }

  @Test
  void event_of_circumstances_only_is_a_step_only_when_strict() throws IOException {
    TestEvents circumstances = TestEvents.EVERY.with(
        "Settings", "values", JsonText.parse("{\"time_zone\":{\"value\":\"UTC\"}}"));
    Session left = circumstances.write(directory.resolve("left"));
    Session right = circumstances.without("Settings").write(directory.resolve("right"));

    assertIdentical(SessionDiff.between(left, right, DiffOptions.defaults()));
    assertThat(SessionDiff.between(left, right, STRICT).divergences())
        .extracting(Divergence::kind)
        .containsExactly(DivergenceKind.MISSING);
  }

  @Test
  void same_session_is_identical_when_strict() throws IOException {
    assertIdentical(compare(TestEvents.EVERY, STRICT));
  }

  @Test
  void details_of_tokens_are_an_assessment_that_is_compared_only_when_strict() throws IOException {
    TestEvents changed = TestEvents.EVERY.with(
        "ModelResult", "token_details", JsonText.parse("{\"cachedTokens\":8}"));

    SessionDiff diff = compare(changed, DiffOptions.defaults());
    assertIdentical(diff);
    assertThat(diff.summary().identities()).isZero();
    assertThat(compare(changed, STRICT).divergences())
        .extracting(Divergence::kind, Divergence::rating)
        .containsExactly(tuple(
            DivergenceKind.ASSESSMENT, new SeverityRating(DivergenceSeverity.MINOR, "assessment")));
  }

  @Test
  void exception_whose_text_the_model_got_is_compared_only_when_strict() throws IOException {
    TestEvents changed = TestEvents.EVERY.with(
        "ToolResult", "exception", JsonText.parse("{\"name\":\"IOException\"}"));

    assertIdentical(compare(changed, DiffOptions.defaults()));
    assertThat(compare(changed, STRICT).isIdentical()).isFalse();
  }

  @Test
  void other_conduct_and_another_id_are_one_divergence_when_strict() throws IOException {
    TestEvents changed = TestEvents.EVERY
        .with("ToolCall", "step_id", JsonValue.of("x"))
        .with("ToolCall", "params", JsonValue.of(1));

    Divergence one = compare(changed, STRICT).divergences().get(0);
    assertThat(one.rating()).isEqualTo(new SeverityRating(DivergenceSeverity.MODERATE, "content"));
    assertThat(one.changes().get(0).values())
        .extracting(ValueChange::kind)
        .containsExactly(DivergenceKind.PARAMS, DivergenceKind.IDENTITY);
  }

  @Test
  void assessment_and_another_time_are_an_assessment_when_strict() throws IOException {
    TestEvents changed = TestEvents.EVERY
        .with("ToolResult", "step_utility", JsonValue.of(0.25))
        .with("ToolResult", "latency_ms", JsonValue.of(1));

    assertThat(compare(changed, STRICT).divergences())
        .extracting(Divergence::rating)
        .containsExactly(new SeverityRating(DivergenceSeverity.MINOR, "assessment"));
  }

  private void assertStrict(TestEvents changed, DivergenceKind kind, String pointer)
      throws IOException {
    SessionDiff diff = compare(changed, STRICT);
    assertThat(diff.isIdentical()).isFalse();
    assertThat(diff.divergences()).hasSize(1);
    Divergence one = diff.divergences().get(0);
    assertThat(one.kind()).isEqualTo(kind);
    assertThat(one.rating()).isEqualTo(new SeverityRating(DivergenceSeverity.MINOR, "strict"));
    assertThat(one.changes())
        .allSatisfy(change ->
            assertThat(change.values()).extracting(ValueChange::pointer).containsExactly(pointer));
    assertThat(diff.first()).isNull();
    OneEditTest.assertPatches(one);
  }

  private static void assertIdentical(SessionDiff diff) {
    assertThat(diff.divergences()).isEmpty();
    assertThat(diff.isIdentical()).isTrue();
    assertThat(diff.similarity()).isEqualTo(100);
  }

  private SessionDiff compare(TestEvents changed, DiffOptions options) throws IOException {
    return SessionDiff.between(
        TestEvents.EVERY.write(directory.resolve("left")),
        changed.write(directory.resolve("right")),
        options);
  }
}
