package dev.agentreplay.canonical.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.dialect.ReceiptCodec.DecodedReceipt;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.receipt.DraftReceipt;
import dev.agentreplay.model.receipt.Receipt;
import dev.agentreplay.model.receipt.TrajectoryReceipt;
import dev.agentreplay.testkit.TestData;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The receipt of specification 002, and what receipts of all forms have. */
class ReceiptFormsTest {

  private static final String ROOT = "sha256:" + "5".repeat(64);

  private static final String DRAFT =
      """
      {"schema_version":"1.0.0","session_id":"s-1","policy_bundle_id":"p-1",\
      "started_at":"2026-01-13T10:00:00Z","ended_at":"2026-01-13T10:05:00Z",\
      "verification":{"tests_before":3,"tests_after":5,"verification_delta":2,"ci_status":"green"},\
      "costs":{"total_tokens":12,"total_sats":1.5},\
      "tool_calls":[{"id":"c-1","tool":"read","params_hash":"%1$s","output_hash":"%1$s",\
      "step_utility":0.5,"latency_ms":7,"side_effects":["fs_read"]}],\
      "replay_hash":"%1$s"}"""
          .formatted(Lines.OTHER_HASH);

  private static JsonObject receipt(Receipt.Form form) {
    return switch (form) {
      case SESSION -> Lines.object(TestData.text("/sessions/task-18_trial-1/RECEIPT.json"));
      case OPENAGENTS_V1 -> Lines.object(TestData.text("/sessions/20251223-125618/RECEIPT.json"));
      case DRAFT -> Lines.object(DRAFT);
    };
  }

  private static DecodedReceipt decode(JsonObject object) {
    return Objects.requireNonNull(ReceiptCodec.decode(object));
  }

  @Test
  void draft_is_read_whole_and_written_back() {
    DecodedReceipt decoded = decode(Lines.object(DRAFT));
    DraftReceipt receipt = (DraftReceipt) decoded.receipt();

    assertThat(decoded.findings()).isEmpty();
    assertThat(receipt.schemaVersion()).isEqualTo("1.0.0");
    assertThat(receipt.sessionId()).isEqualTo("s-1");
    assertThat(receipt.policyBundleId()).isEqualTo("p-1");
    assertThat(receipt.startedAt()).isEqualTo(Timestamp.parse("2026-01-13T10:00:00Z"));
    assertThat(receipt.endedAt()).isEqualTo(Timestamp.parse("2026-01-13T10:05:00Z"));
    assertThat(receipt.verification()).isEqualTo(new DraftReceipt.Checks(3L, 5L, 2L, "green"));
    assertThat(receipt.costs()).hasToString("{\"total_tokens\":12,\"total_sats\":1.5}");
    assertThat(receipt.toolCalls()).singleElement().satisfies(call -> {
      assertThat(call.id()).isEqualTo("c-1");
      assertThat(call.stepUtility()).isEqualTo(0.5);
    });
    assertThat(receipt.replayHash()).isEqualTo(ContentHash.parse(Lines.OTHER_HASH));
    assertThat(receipt.extra()).isEqualTo(JsonObject.EMPTY);
    assertThat(ReceiptCodec.encode(receipt)).hasToString(DRAFT);
  }

  @ParameterizedTest
  @EnumSource
  void receipt_knows_its_form(Receipt.Form form) {
    assertThat(decode(receipt(form)).receipt().form()).isEqualTo(form);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"started_at", "ended_at", "verification", "costs", "tool_calls", "replay_hash"})
  void member_that_a_draft_lacks_is_missed(String member) {
    assertThat(Lines.texts(decode(Lines.object(DRAFT).without(member)).findings()))
        .containsExactly("FIELD_MISSING " + member + " is missing");
  }

  @ParameterizedTest
  @ValueSource(strings = {"session_id", "policy_bundle_id"})
  void draft_need_not_name_its_session_or_policy(String member) {
    JsonObject object = Lines.object(DRAFT).without(member);

    assertThat(decode(object).findings()).isEmpty();
    assertThat(ReceiptCodec.encode(decode(object).receipt())).isEqualTo(object);
  }

  @Test
  void draft_of_a_session_that_did_not_end_says_so_with_null() {
    JsonObject object = Lines.object(DRAFT).with("ended_at", null);

    assertThat(decode(object).findings()).isEmpty();
    assertThat(ReceiptCodec.encode(decode(object).receipt())).isEqualTo(object);
  }

  @ParameterizedTest
  @CsvSource({
    "session_id, 1",
    "policy_bundle_id, 1",
    "started_at, yesterday",
    "ended_at, 1",
    "verification, 3",
    "costs, 5",
    "tool_calls, x",
    "tool_calls, [1]",
    "replay_hash, abc",
    "signature, 1",
    "tree_size, x",
    "tree_root, abc",
  })
  void malformed_member_of_a_draft_is_found_and_kept(String member, String value) {
    JsonObject changed = Lines.object(DRAFT).with(member, JsonText.parseOrString(value));

    DecodedReceipt decoded = decode(changed);

    assertThat(Lines.texts(decoded.findings())).singleElement().satisfies(text -> assertThat(text)
        .startsWith("FIELD_INVALID " + member + " must be "));
    assertThat(decoded.receipt().extra().names()).containsExactly(member);
    assertThat(ReceiptCodec.encode(decoded.receipt())).isEqualTo(changed);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "{} | 0",
        "{\"tests_before\":1,\"tests_after\":2,\"verification_delta\":null,\"ci_status\":null} | 0",
        "{\"tests_before\":1,\"tests_after\":2,\"verification_delta\":1,\"new\":1} | 0",
        "{\"tests_before\":\"x\",\"tests_after\":2,\"verification_delta\":1,\"ci_status\":\"red\"} | 1",
      })
  void verification_of_a_draft_is_written_back_as_it_was(String json, int findings) {
    JsonObject object = Lines.object(DRAFT).with("verification", JsonText.parse(json));

    assertThat(decode(object).findings()).hasSize(findings);
    assertThat(ReceiptCodec.encode(decode(object).receipt())).isEqualTo(object);
  }

  @ParameterizedTest
  @EnumSource
  void tree_is_read_and_written_back(Receipt.Form form) {
    JsonObject object = receipt(form).with("tree_size", 12).with("tree_root", ROOT);

    DecodedReceipt decoded = decode(object);

    TreeHead tree = new TreeHead(12, ContentHash.parse(ROOT));
    assertThat(decoded.findings()).isEmpty();
    assertThat(decoded.receipt().tree()).isEqualTo(tree);
    assertThat(decoded.receipt().extra()).isEqualTo(JsonObject.EMPTY);
    assertThat(ReceiptCodec.encode(decoded.receipt())).isEqualTo(object);
    assertThat(decode(receipt(form)).receipt().withTree(tree).tree()).isEqualTo(tree);
  }

  @ParameterizedTest
  @CsvSource({
    "SESSION, tree_size, 12, tree_root",
    "SESSION, tree_root, "
        + "sha256:5555555555555555555555555555555555555555555555555555555555555555" + ", tree_size",
    "OPENAGENTS_V1, tree_size, 12, tree_root",
    "DRAFT, tree_size, 12, tree_root",
  })
  void half_a_tree_is_missed_the_other_half(
      Receipt.Form form, String member, String value, String missed) {
    JsonObject object = receipt(form).with(member, JsonText.parseOrString(value));

    DecodedReceipt decoded = decode(object);

    assertThat(Lines.texts(decoded.findings()))
        .containsExactly("FIELD_MISSING " + missed + " is missing");
    assertThat(decoded.receipt().tree()).isNull();
    assertThat(decoded.receipt().extra().names()).containsExactly(member);
    assertThat(ReceiptCodec.encode(decoded.receipt())).isEqualTo(object);
  }

  @ParameterizedTest
  @CsvSource({"-1", "x", "1.5"})
  void tree_of_a_size_that_is_none_is_invalid(String size) {
    JsonObject object = receipt(Receipt.Form.SESSION)
        .with("tree_size", JsonText.parseOrString(size))
        .with("tree_root", ROOT);

    DecodedReceipt decoded = decode(object);

    assertThat(Lines.texts(decoded.findings())).singleElement().satisfies(text -> assertThat(text)
        .startsWith("FIELD_INVALID tree_size must "));
    assertThat(decoded.receipt().tree()).isNull();
    assertThat(ReceiptCodec.encode(decoded.receipt())).isEqualTo(object);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "\"ed25519:k:AA==\"",
        "{\"algorithm\":\"secp256k1_schnorr\",\"value\":\"ab\"}",
        "[{\"sig\":\"ab\"}]"
      })
  void signature_of_any_producer_is_kept_as_it_is(String json) {
    JsonValue signature = JsonText.parse(json);
    for (Receipt.Form form : Receipt.Form.values()) {
      JsonObject object = receipt(form).with("signature", signature);

      assertThat(decode(object).findings()).isEmpty();
      assertThat(decode(object).receipt().signature()).isEqualTo(signature);
      assertThat(ReceiptCodec.encode(decode(object).receipt())).isEqualTo(object);
    }
  }

  @ParameterizedTest
  @EnumSource
  void receipt_whose_signature_is_null_or_malformed_can_be_signed(Receipt.Form form) {
    JsonValue signature = JsonString.of("ed25519:k:AA==");
    for (JsonValue before : new JsonValue[] {JsonText.parse("null"), JsonText.parse("1")}) {
      Receipt receipt = decode(receipt(form).with("signature", before)).receipt();

      assertThat(ReceiptCodec.encode(receipt.withSignature(signature)).get("signature"))
          .isEqualTo(signature);
    }
  }

  @Test
  void digest_covers_the_tree() {
    JsonObject object = receipt(Receipt.Form.OPENAGENTS_V1);
    TrajectoryReceipt receipt = (TrajectoryReceipt) decode(object).receipt();
    TrajectoryReceipt withTree = receipt.withTree(new TreeHead(5, ContentHash.parse(ROOT)));

    JsonObject encoded = ReceiptCodec.encode(withTree);

    assertThat(encoded.at("/canonical_json_sha256"))
        .isNotEqualTo(object.at("/canonical_json_sha256"));
    assertThat(encoded.at("/canonical_json_sha256").asString())
        .isEqualTo(ReceiptCodec.digest(encoded).hex());
  }

  @Test
  void repository_is_read_and_written_back() {
    JsonObject repo = JsonObject.of("remote", "origin", "branch", "main");
    JsonObject object = receipt(Receipt.Form.OPENAGENTS_V1).with("repo", repo);

    assertThat(((TrajectoryReceipt) decode(object).receipt()).repo()).isEqualTo(repo);
    assertThat(ReceiptCodec.encode(decode(object).receipt())).isEqualTo(object);
  }

  @Test
  void metrics_that_say_more_are_read_all_the_same() {
    JsonObject object = receipt(Receipt.Form.OPENAGENTS_V1);
    JsonObject metrics = object.at("/metrics").asObject().with("new", 1);
    JsonObject changed = object.with("metrics", metrics);

    TrajectoryReceipt receipt = (TrajectoryReceipt) decode(changed).receipt();

    assertThat(Objects.requireNonNull(receipt.metrics()).toolCalls()).isEqualTo(1);
    assertThat(ReceiptCodec.encode(receipt)).isEqualTo(changed);
  }

  @Test
  void findings_say_what_is_expected_what_was_found_and_of_which_call() {
    JsonObject call = Lines.object(DRAFT).at("/tool_calls/0").asObject();
    JsonObject changed = Lines.object(DRAFT)
        .without("costs")
        .with("started_at", "soon")
        .with("tool_calls", List.of(call.with("latency_ms", "x")));

    assertThat(decode(changed).findings())
        .extracting(Finding::id, Finding::expected, Finding::found)
        .containsExactlyInAnyOrder(
            tuple(null, "an ISO 8601 time with offset", "\"soon\""),
            tuple(null, "an object", null),
            tuple("c-1", "an integer", "\"x\""));
  }
}
