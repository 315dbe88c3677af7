package dev.agentreplay.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.commitment.Opening;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The replacements that a published line may have. */
class ReplacementRulesTest {

  private static final String TEXT = "A".repeat(43);
  private static final String SEED = '"' + TEXT + '"';
  private static final ReplacementRules RULES = new ReplacementRules("event");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "output | `\"withheld\"` | policy",
        "t | `\"2026-01-13T00:00:00Z\"` | policy",
        "total_latency_ms | `12` | policy",
        "params | `{}` | policy",
        "tags | `[]` | policy",
        "params_hash | `\"sha256:x\"` | commitment",
        "output | `\"a [REDACTED:aws] b\"` | secret:aws-key",
        "output | `\"[REDACTED:1]\"` | custom:1",
        "cwd | `\"/home/user\"` | path",
        "output | `\"…\"` | size",
        "author | `\"x@example.org\"` | email",
        "id | `\"id-0123456789abcdef0123456789abcdef\"` | id",
        "event | `\"Withheld\"` | policy"
      })
  void replacement_of_a_rule_in_its_form_is_valid(String member, String shown, String rule) {
    assertThat(fault(member, shown, rule)).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "event | `\"ToolCall\"` | policy | /event: the type of the event must be shown unchanged",
        "event | `\"Withheld\"` | size | /event: the type of the event must be shown unchanged",
        "status | `\"Success\"` | policy | /status: must be shown unchanged or withheld",
        "outcome | `{}` | policy | /outcome: must be shown unchanged or withheld",
        "exact_status | `\"x\"` | policy | /exact_status: must be shown unchanged or withheld",
        "ok | `true` | policy | /ok: must be shown unchanged or withheld",
        "exit_code | `0` | recomputed | /exit_code: must be shown unchanged or withheld",
        "exit_codes | `[0]` | policy | /exit_codes: must be shown unchanged or withheld",
        "partial | `true` | policy | /partial: must be shown unchanged or withheld",
        "outcome_known | `true` | policy | /outcome_known: must be shown unchanged or withheld",
        "canonicalization | `\"jcs\"` | policy | /canonicalization: must be shown unchanged",
        "replay_version | `1` | policy | /replay_version: must be shown unchanged or withheld",
        "version | `\"1\"` | policy | /version: must be shown unchanged or withheld",
        "output | `{\"stdout\":\"forged\"}` | policy | /output: the rule policy does not allow",
        "output | `\"forged\"` | policy | /output: the rule policy does not allow",
        "verification_delta | `424242` | policy | /verification_delta: the rule policy does not",
        "tool | `\"forged\"` | recomputed | /tool: the rule recomputed does not allow",
        "tree_root | `\"x\"` | recomputed | /tree_root: the rule recomputed does not allow",
        "params_hash | `\"x\"` | recomputed | /params_hash: the rule recomputed does not allow",
        "output | `\"x\"` | other | /output: the rule other is not known",
        "output | `\"x\"` | secret: | /output: the rule secret: is not known",
        "output | `\"x\"` | secret:aws | /output: a replacement of the rule secret:aws has a mark",
        "output | `\"x\"` | custom:1 | /output: a replacement of the rule custom:1 has a mark",
        "output | `{\"a\":\"[REDACTED:x]\"}` | secret:aws | /output: the rule secret:aws replaces texts",
        "output | `[]` | size | /output: the rule size replaces texts only",
        "output | `7` | path | /output: the rule path replaces texts only",
        "output | `null` | email | /output: the rule email replaces texts only",
        "id | `\"c-1\"` | id | /id: a replaced id has the form id- and 32 hexadecimal digits",
        "id | `\"id-0123456789ABCDEF0123456789abcdef\"` | id | /id: a replaced id has the form id-"
      })
  void replacement_of_another_member_rule_or_form_is_a_fault(
      String member, String shown, String rule, String fault) {
    assertThat(fault(member, shown, rule)).startsWith(fault);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`{\"members\":{\"a\":$W},\"others\":[],\"blinding\":$S}` | `{\"a\":1}` | /params/a: the rule size",
        "`{\"elements\":[$S,$W],\"blinding\":$S}` | `[0,{}]` | /params/1: the rule size replaces texts"
      })
  void replacement_within_a_value_is_checked(String opening, String shown, String fault)
      throws Exception {
    String withheld = "{\"commitment\":\"%s\",\"rule\":\"size\"}".formatted(TEXT);
    Opening read = Opening.fromJson(
        JsonText.parse("{\"blinding\":%s,\"members\":{\"event\":%s,\"params\":%s},\"others\":[]}"
            .formatted(SEED, SEED, opening.replace("$W", withheld).replace("$S", SEED))));

    assertThat(
            RULES.fault(JsonObject.of("event", "ToolCall", "params", JsonText.parse(shown)), read))
        .startsWith(fault);
  }

  @Test
  void replacement_below_an_outcome_is_a_fault() throws Exception {
    String codes = "{\"blinding\":%s,\"elements\":[{\"commitment\":%s,\"rule\":\"policy\"}]}";
    Opening read = Opening.fromJson(JsonText.parse(
        ("{\"blinding\":%s,\"members\":{\"event\":%s,\"exit_codes\":" + codes + "},\"others\":[]}")
            .formatted(SEED, SEED, SEED, SEED)));

    assertThat(RULES.fault(
            JsonObject.of("event", "Verification", "exit_codes", JsonText.parse("[0]")), read))
        .startsWith("/exit_codes: must be shown unchanged or withheld");
  }

  @Test
  void line_that_is_shown_as_a_whole_has_no_replacements() throws Exception {
    assertThat(RULES.fault(JsonObject.EMPTY, Opening.fromJson(JsonText.parse(SEED))))
        .isNull();
  }

  private static String fault(String member, String shown, String rule) {
    JsonObject line = JsonObject.of("event", "ToolCall").with(member, JsonText.parse(shown));
    JsonObject withheld = JsonObject.of("commitment", TEXT, "rule", rule);
    JsonObject members = JsonObject.of("event", TEXT).with(member, withheld);
    try {
      return RULES.fault(
          line,
          Opening.fromJson(
              JsonObject.of("blinding", TEXT, "members", members, "others", JsonArray.EMPTY)));
    } catch (DocumentFormatException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
