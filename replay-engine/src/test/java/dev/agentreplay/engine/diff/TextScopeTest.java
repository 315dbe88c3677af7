package dev.agentreplay.engine.diff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.canonical.dialect.EventMember;
import dev.agentreplay.engine.diff.pattern.TextScope;
import dev.agentreplay.engine.diff.rule.ComparisonRule;
import dev.agentreplay.engine.diff.rule.FuzzyText;
import dev.agentreplay.engine.diff.rule.Ignore;
import dev.agentreplay.engine.diff.rule.Normalizer;
import dev.agentreplay.engine.diff.rule.SemanticComparator.Judgment;
import dev.agentreplay.engine.diff.rule.SemanticTexts;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In which members of an event rules for texts hold. */
class TextScopeTest {

  private static final List<ComparisonRule> GREEDY = List.of(
      Ignore.timestamps(),
      Ignore.durations(),
      Ignore.ids(),
      Normalizer.uuids(),
      Normalizer.pattern("all", ".+", "x"));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tool",
        "model",
        "path",
        "status",
        "source",
        "ok",
        "runtime_event_type",
        "finish_reason",
        "ci_status",
        "policy_version",
        "plan_hash",
        "output_hash",
        "hash_before",
        "hash_after",
        "exit_code",
        "exit_codes",
        "asset_id",
        "lane",
        "mode",
        "rail",
      })
  void what_an_event_is_is_compared_exactly(String member) throws IOException {
    assertThat(compare(member, JsonValue.of("call_A1b2C3d4E5f6"), JsonValue.of("b"), GREEDY))
        .extracting(ValueChange::closeness)
        .containsOnlyNulls()
        .hasSize(1);
    assertThat(compare(member, JsonArray.of("1 s", "a"), JsonArray.of("2 s", "a"), GREEDY))
        .hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "params",
        "output",
        "prompt",
        "answer",
        "payload",
        "parameters",
        "error",
        "error_message",
        "summary",
        "commands",
        "cwd",
        "task",
        "context",
        "instructions",
        "repo",
        "values",
        "side_effects",
        "reason",
        "of_another_format",
      })
  void content_is_compared_under_the_rules(String member) throws IOException {
    assertThat(compare(member, JsonValue.of("a"), JsonValue.of("b"), GREEDY)).isEmpty();
    JsonObject left = JsonObject.of("tool", "a", "path", "/x");
    JsonObject right = JsonObject.of("tool", "b", "path", "/y");
    assertThat(compare(member, left, right, GREEDY)).isEmpty();
  }

  /** A new member is in one of these lists, so that its scope is a decision. */
  @Test
  void all_other_members_are_content() {
    assertThat(Stream.of(EventKind.values())
            .flatMap(kind -> Dialect.EVENT.members(kind).stream())
            .map(EventMember::name)
            .filter(name -> TextScope.of(name) == TextScope.ALL))
        .containsOnly(
            "agent",
            "amount_msats",
            "answer",
            "answer_preview",
            "answer_ref",
            "attempt",
            "bytes",
            "bytes_before",
            "canonicalization",
            "chunks",
            "chunks_text",
            "commands",
            "confidence",
            "context",
            "created_at",
            "cwd",
            "duration_ms",
            "effect_id",
            "environment",
            "error",
            "error_message",
            "event",
            "id",
            "idempotency_key",
            "instructions",
            "issue_number",
            "iterations",
            "latency_ms",
            "lines_before",
            "ordinal",
            "outcome_known",
            "output",
            "output_preview",
            "output_ref",
            "parameters",
            "params",
            "params_preview",
            "params_ref",
            "parent",
            "partial",
            "payload",
            "payload_preview",
            "payload_ref",
            "payment_proof",
            "policy_bundle_id",
            "producer",
            "prompt",
            "prompt_delta",
            "prompt_preview",
            "prompt_ref",
            "reason",
            "replay_of",
            "replay_version",
            "repo",
            "salt",
            "segment",
            "seq",
            "session_id",
            "side_effects",
            "signature",
            "since",
            "stderr_preview",
            "stdout_preview",
            "step_count",
            "step_id",
            "step_utility",
            "summary",
            "t",
            "tags",
            "task",
            "tests_after",
            "tests_before",
            "tokens_in",
            "tokens_out",
            "total_latency_ms",
            "total_tool_calls",
            "tree_root",
            "tree_size",
            "unrecorded_events",
            "user",
            "value",
            "values",
            "verification_delta");
  }

  @Test
  void what_an_event_is_is_never_close() throws IOException {
    List<ComparisonRule> rules = List.of(
        FuzzyText.atLeast(0.1),
        FuzzyText.atLeast(0.1).at("/status"),
        SemanticTexts.judgedBy(texts -> new Judgment(true, 1.0, null)));
    JsonValue left = JsonValue.of("completed");
    JsonValue right = JsonValue.of("incompleted");

    for (String member : List.of("status", "tool", "path", "hash_after")) {
      assertThat(compare(member, left, right, rules))
          .extracting(ValueChange::closeness)
          .containsOnlyNulls()
          .hasSize(1);
    }
    assertThat(compare("answer", left, right, rules))
        .extracting(ValueChange::closeness)
        .doesNotContainNull()
        .hasSize(1);
  }

  @Test
  void folders_are_replaced_in_the_path_of_a_file() throws IOException {
    JsonValue one = JsonValue.of("/home/a/p/x");
    JsonValue other = JsonValue.of("/tmp/r1/x");
    assertThat(compare(
            "path",
            one,
            JsonValue.of("/home/b/p/x"),
            List.of(Normalizer.folder("/home/a/p", "w"), Normalizer.folder("/home/b/p", "w"))))
        .isEmpty();
    List<ComparisonRule> temporary = List.of(Normalizer.temporaryFolders());
    assertThat(compare("path", other, JsonValue.of("/tmp/r2/x"), temporary)).isEmpty();
    assertThat(compare("path", other, JsonValue.of("/tmp/r2/y"), temporary)).hasSize(1);
    assertThat(compare("tool", other, JsonValue.of("/tmp/r2/x"), temporary)).hasSize(1);
  }

  private static List<ValueChange> compare(
      String member, JsonValue left, JsonValue right, List<ComparisonRule> rules)
      throws IOException {
    return CompiledRules.of(rules, CanonicalJson.SERDE)
        .compare(
            TestValues.STEP,
            JsonObject.of(member, left),
            JsonObject.of(member, right),
            name -> DivergenceKind.OTHER);
  }
}
