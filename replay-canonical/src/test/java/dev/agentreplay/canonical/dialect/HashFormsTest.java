package dev.agentreplay.canonical.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.dialect.ReceiptCodec.DecodedReceipt;
import dev.agentreplay.model.Payment;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The forms of hashes, and of proofs of payment, that other producers write. */
class HashFormsTest {

  private static final String BARE = Lines.PARAMS_HASH.substring("sha256:".length());

  private static final String CALL = "{\"event\":\"ToolCall\",\"id\":\"c\",\"params\":"
      + "{\"path\":\"src/auth.rs\"},\"params_hash\":\"%s\",\"step_id\":\"s\",\"t\":\"%s\","
          .formatted(BARE, Lines.TIME)
      + "\"tool\":\"read\"}";

  private static final String RESULT = "{\"event\":\"ToolResult\",\"exit_code\":null,\"id\":\"c\","
      + "\"latency_ms\":1,\"output_hash\":\"%s\",\"step_utility\":0.0,\"t\":\"%s\"}";

  @Test
  void digits_without_prefix_are_read_compared_by_digest_and_written_back_as_they_are() {
    Decoded decoded = Dialect.EVENT.decode(Lines.object(CALL));

    assertThat(decoded.findings()).isEmpty();
    ToolCall call = (ToolCall) decoded.event();
    assertThat(call.params().hash()).isEqualTo(Lines.hash(Lines.PARAMS_HASH));
    assertThat(call.params().hash()).hasToString(Lines.PARAMS_HASH);
    assertThat(Lines.encode(Dialect.EVENT, call)).isEqualTo(CALL);
  }

  @Test
  void digits_without_prefix_are_kept_in_a_conversion_and_back() {
    DialectConverter there = DialectConverter.of(Dialect.EVENT, Dialect.TYPE);
    DialectConverter back = DialectConverter.of(Dialect.TYPE, Dialect.EVENT);

    JsonObject type = there.convert(Lines.object(CALL)).get(0);

    assertThat(type.at("/params_hash").asString()).isEqualTo(BARE);
    assertThat(back.convert(type)).extracting(Lines::canonical).containsExactly(CALL);
  }

  @ParameterizedTest
  @ValueSource(strings = {"EVENT", "TYPE"})
  void hash_that_the_producer_does_not_know_is_unverifiable_and_kept(Dialect to) {
    String line = RESULT.formatted("sha256:unknown", Lines.TIME);
    Decoded decoded = Dialect.EVENT.decode(Lines.object(line));
    DialectConverter converter = DialectConverter.of(Dialect.EVENT, to);

    List<JsonObject> converted = converter.convert(Lines.object(line));

    assertThat(decoded.findings())
        .extracting(Finding::code)
        .containsExactly(FindingCode.HASH_UNVERIFIABLE);
    assertThat(((ToolResult) decoded.event()).output().hash()).isNull();
    assertThat(Lines.encode(Dialect.EVENT, decoded.event())).isEqualTo(line);
    assertThat(converted.get(0).at("/output_hash").asString()).isEqualTo("sha256:unknown");
    assertThat(converter.ledger().entries())
        .noneMatch(entry -> "output_hash".equals(entry.field()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "unknown",
        "sha256:",
        "sha256:Unknown",
        "sha1:unknown",
        "2432E75FCDC5B53E0C60FC6D1514682A9EB0C5B5FD4FAEFBA9F8D6FCFEF7D5FD",
        "2432e75fcdc5b53e0c60fc6d1514682a9eb0c5b5fd4faefba9f8d6fcfef7d5f",
        "sha512:2432e75fcdc5b53e0c60fc6d1514682a9eb0c5b5fd4faefba9f8d6fcfef7d5fd"
      })
  void other_text_is_invalid_and_the_hint_says_what_is_read(String text) {
    assertThat(Dialect.EVENT
            .decode(Lines.object(RESULT.formatted(text, Lines.TIME)))
            .findings())
        .singleElement()
        .satisfies(finding -> {
          assertThat(finding.code()).isEqualTo(FindingCode.FIELD_INVALID);
          assertThat(finding.hint()).contains("64 digits alone", "sha256:unknown");
        });
  }

  @Test
  void entry_of_a_receipt_may_have_either_form() {
    JsonObject receipt = JsonObject.of(
        "schema",
        "openagents.receipt.v1",
        "session_id",
        "s",
        "trajectory_hash",
        BARE,
        "policy_bundle_id",
        "p",
        "tool_calls",
        JsonArray.of(JsonObject.of(
            "tool",
            "read",
            "params_hash",
            BARE,
            "output_hash",
            "sha256:unknown",
            "latency_ms",
            1,
            "side_effects",
            JsonArray.EMPTY)));

    DecodedReceipt decoded = ReceiptCodec.decode(receipt);

    assertThat(decoded.findings())
        .extracting(Finding::code, Finding::message)
        .containsExactly(tuple(
            FindingCode.HASH_UNVERIFIABLE,
            "tool_calls[0]: output_hash is not known to the producer: \"sha256:unknown\""));
    assertThat(ReceiptCodec.encode(decoded.receipt()).without("canonical_json_sha256"))
        .isEqualTo(receipt);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"null", "\"preimage\"", "7", "[1]", "{\"provider_id\":\"p\",\"type\":\"ledger\"}"})
  void proof_of_payment_is_any_value(String proof) {
    String line = "{\"amount_msats\":1,\"event\":\"Payment\",\"payment_proof\":%s,\"t\":\"%s\"}"
        .formatted(proof, Lines.TIME);
    Decoded decoded = Dialect.EVENT.decode(Lines.object(line));

    assertThat(decoded.findings()).isEmpty();
    assertThat(((Payment) decoded.event()).proof())
        .isEqualTo(JsonText.parse(proof))
        .isInstanceOf(JsonValue.class);
    assertThat(Lines.encode(Dialect.EVENT, decoded.event())).isEqualTo(line);
  }
}
