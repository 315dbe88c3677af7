package dev.agentreplay.publish.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.publish.policy.RemovalLedger.Kind;
import dev.agentreplay.publish.secret.TextScan;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LinePolicyTest {

  private static final String OPEN = "\"base\":\"open_source\"";

  private static JsonObject published(String policy, String line) {
    return Lines.published(Lines.policy(Lines.document(policy)), Lines.json(line));
  }

  private static LinePolicy open() {
    return new LinePolicy(PublicationPolicy.OPEN_SOURCE, Lines.SECRETS, Dialect.EVENT, Lines.KEY);
  }

  @Test
  void a_line_that_is_shown_as_a_whole_is_one_treatment() {
    assertThat(
            open().treat(Lines.json("{\"event\":\"RuntimeEvent\",\"payload\":{\"a\":[1,\"b\"]}}")))
        .isEqualTo(Treatment.SHOW);
  }

  @Test
  void parts_that_are_shown_as_a_whole_are_one_treatment() {
    Treatment treatment = open()
        .treat(
            Lines.json(
                "{\"event\":\"RuntimeEvent\",\"payload\":{\"a\":[1,{\"b\":2}],\"c\":[\"SECRET-1\",[3]]}}"));

    assertThat(treatment.toString())
        .contains("a=Show[]")
        .contains(
            "Elements[elements=[Replace[shown=\"[REDACTED:test]\", rule=secret:test], Show[]]]");
  }

  @Test
  void names_with_secrets_and_users_are_hidden() {
    LinePolicy policy = open();
    JsonObject shown = Lines.published(
        policy,
        Lines.json(
            "{\"event\":\"RuntimeEvent\",\"payload\":{\"a\":1,\"SECRET-7\":2,\"/home/alice\":3,"
                + "\"x\":{\"b@c.example\":4}}}"));

    assertThat(shown.toString())
        .isEqualTo("{\"event\":\"RuntimeEvent\",\"payload\":{\"a\":1,\"x\":{}}}");
    assertThat(policy.ledger().entries())
        .extracting(entry ->
            entry.pointer() + " " + entry.kind() + " " + entry.reason() + " " + entry.count())
        .containsExactly("/payload/* HIDDEN name 2", "/payload/*/* HIDDEN name 1");
  }

  @Test
  void the_ledger_has_no_values_and_no_names_of_the_log() {
    LinePolicy policy = Lines.policy(
        Lines.document(
            OPEN
                + ",\"unknown_members\":[\"extra\"],\"rules\":[{\"id\":\"mine\",\"pattern\":\"zaphod\",\"action\":\"redact\"}]"));
    policy.treat(
        Lines.json("{\"event\":\"Zaphod\",\"zaphod\":1,\"extra\":{\"zaphod2\":\"zaphod\"}}"));
    policy.treat(
        Lines.json("{\"event\":\"RuntimeEvent\",\"payload\":{\"zaphod\":\"SECRET-1 zaphod\"}}"));

    assertThat(policy.ledger().toJson().toString())
        .doesNotContainIgnoringCase("zaphod")
        .contains("custom:1")
        .contains("secret:test");
    assertThat(policy.ledger().count(Kind.REPLACED)).isEqualTo(3);
    assertThat(policy.ledger().lines()).isEqualTo(2);
  }

  @Test
  void an_unknown_event_shows_its_time_only() {
    assertThat(published(OPEN, "{\"event\":\"Mystery\",\"a\":1,\"t\":\"2026-01-13T10:00:02Z\"}")
            .toString())
        .isEqualTo("{\"event\":\"Withheld\",\"t\":\"2026-01-13T10:00:02Z\"}");
  }

  @Test
  void an_unknown_event_whose_name_is_allowed_keeps_it() {
    assertThat(published(
                OPEN + ",\"unknown_events\":[\"Mystery\"],\"unknown_members\":[\"a\"]",
                "{\"event\":\"Mystery\",\"a\":{\"b\":\"/home/alice\"},\"c\":1}")
            .toString())
        .isEqualTo("{\"event\":\"Mystery\",\"a\":{\"b\":\"/home/user\"}}");
  }

  @Test
  void an_event_with_the_tag_of_a_different_dialect_is_unknown() {
    assertThat(published(OPEN, "{\"type\":\"ToolCall\",\"params\":1,\"salt\":\"s\"}"))
        .isEqualTo(JsonObject.EMPTY);
  }

  @Test
  void values_of_a_wrong_form_are_not_shown() {
    assertThat(published(
                OPEN,
                "{\"event\":\"ToolResult\",\"id\":{\"a\":1},\"latency_ms\":\"my secret\",\"ok\":{\"a\":\"b\"},"
                    + "\"exit_code\":\"SECRET-1\",\"t\":\"yesterday\",\"agent\":[1],\"step_utility\":true}")
            .toString())
        .isEqualTo("{\"event\":\"ToolResult\",\"latency_ms\":0,\"step_utility\":0.0}");
  }

  @Test
  void an_id_with_a_secret_or_a_user_is_mapped_wherever_it_is() {
    LinePolicy policy = open();
    JsonObject call = Lines.published(
        policy,
        Lines.json(
            "{\"event\":\"ToolCall\",\"id\":\"SECRET-1\",\"step_id\":\"s\",\"tool\":\"t\"}"));
    JsonObject result =
        Lines.published(policy, Lines.json("{\"event\":\"ToolResult\",\"id\":\"SECRET-1\"}"));

    assertThat(call.get("id").asString())
        .matches("id-[0-9a-f]{32}")
        .isEqualTo(result.get("id").asString());
    assertThat(call.get("step_id").asString()).isEqualTo("s");
  }

  @Test
  void a_mapped_id_depends_on_the_key() {
    byte[] other = new byte[32];
    other[31] = 1;
    JsonObject line = Lines.json("{\"event\":\"ToolResult\",\"id\":\"tc\"}");
    LinePolicy first =
        new LinePolicy(PublicationPolicy.PARANOID, TextScan.NONE, Dialect.EVENT, Lines.KEY);
    LinePolicy second =
        new LinePolicy(PublicationPolicy.PARANOID, TextScan.NONE, Dialect.EVENT, other);

    assertThat(first.treat(line)).isNotEqualTo(second.treat(line));
  }

  @Test
  void a_key_of_a_different_length_is_refused() {
    assertThatThrownBy(() ->
            new LinePolicy(PublicationPolicy.PARANOID, TextScan.NONE, Dialect.EVENT, new byte[31]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("32 bytes, found 31");
  }

  @Test
  void values_of_environment_variables_are_withheld_though_others_are_shown() {
    String line =
        "{\"event\":\"RecordedValue\",\"ordinal\":0,\"source\":\"%s\",\"value\":\"v\",\"environment_value\":1}";

    assertThat(published(OPEN, line.formatted("id")).toString()).contains("\"value\":\"v\"");
    assertThat(published(OPEN, line.formatted("environment:HOME")).toString())
        .contains("\"value\":null")
        .doesNotContain("environment_value");
  }

  @Test
  void companions_of_a_value_that_changed_are_withheld() {
    String line =
        "{\"event\":\"ModelResult\",\"id\":\"m\",\"answer\":\"%s\",\"answer_preview\":\"x\","
            + "\"chunks\":[[1,1]],\"chunks_text\":\"\",\"utf16\":{\"/answer\":\"AGE=\"},"
            + "\"java_types\":{\"/answer\":\"a.B\"},\"media_types\":{\"/answer\":\"image/png\"}}";
    String utf16 = OPEN + ",\"events\":{\"*\":{\"utf16\":\"show\"}}";

    assertThat(published(utf16, line.formatted("x")).names())
        .contains("answer_preview", "chunks", "chunks_text", "utf16", "java_types", "media_types");
    assertThat(published(utf16, line.formatted("SECRET-1")).names())
        .containsExactly("event", "id", "answer");
  }

  @Test
  void a_preview_with_a_secret_of_its_own_is_withheld() {
    assertThat(published(
                OPEN,
                "{\"event\":\"ToolResult\",\"id\":\"a\",\"output\":\"x\",\"stdout_preview\":\"SECRET-1\"}")
            .names())
        .doesNotContain("stdout_preview");
  }

  @Test
  void notes_are_withheld_if_any_text_of_the_line_is() {
    assertThat(published(
                OPEN + ",\"events\":{\"*\":{\"utf16\":\"show\"}}",
                "{\"event\":\"SessionEnd\",\"status\":\"Success\",\"summary\":\"SECRET-1\",\"utf16\":{\"/summary\":\"AGE=\"}}")
            .names())
        .doesNotContain("utf16");
  }

  private static final String FULL =
      "{\"event\":\"ModelCall\",\"id\":\"%s\",\"prompt\":{\"messages\":[\"%s\"]},\"prompt_hash\":\"sha256:"
          + "a".repeat(64) + "\"}";
  private static final String DELTA =
      "{\"event\":\"ModelCall\",\"id\":\"%s\",\"prompt_delta\":{\"base\":\"%s\",\"set\":{\"/a\":\"%s\"}},"
          + "\"prompt_hash\":\"sha256:" + "b".repeat(64) + "\"}";

  @Test
  void a_change_of_shown_prompts_is_shown_without_its_hash() {
    LinePolicy policy = open();
    policy.treat(Lines.json(FULL.formatted("a", "x")));

    assertThat(
            Lines.published(policy, Lines.json(DELTA.formatted("b", "a", "y"))).names())
        .containsExactly("event", "id", "prompt_delta");
    assertThat(
            Lines.published(policy, Lines.json(DELTA.formatted("c", "b", "y"))).names())
        .contains("prompt_delta");
  }

  @ParameterizedTest
  @CsvSource({"SECRET-1,a,a,y", "x,a,z,y", "x,a,a,SECRET-2", "x,SECRET-3,SECRET-3,y"})
  void a_change_of_a_prompt_that_is_not_shown_unchanged_is_withheld(
      String text, String id, String base, String set) {
    LinePolicy policy = open();
    policy.treat(Lines.json(FULL.formatted(id, text)));

    JsonObject second = Lines.published(policy, Lines.json(DELTA.formatted("b", base, set)));
    JsonObject third = Lines.published(policy, Lines.json(DELTA.formatted("c", "b", "y")));

    assertThat(second.names()).doesNotContain("prompt_delta").contains("prompt_hash");
    assertThat(third.names()).doesNotContain("prompt_delta");
  }

  @Test
  void a_base_is_the_last_call_with_its_id_among_the_last_256_ids() {
    LinePolicy policy = open();
    policy.treat(Lines.json(FULL.formatted("a", "x")));
    policy.treat(Lines.json(FULL.formatted("a", "SECRET-1")));
    assertThat(
            Lines.published(policy, Lines.json(DELTA.formatted("b", "a", "y"))).has("prompt_delta"))
        .isFalse();

    policy.treat(Lines.json(FULL.formatted("c", "x")));
    for (int i = 0; i < 256; i++) {
      policy.treat(Lines.json(FULL.formatted("d" + i, "x")));
    }
    assertThat(
            Lines.published(policy, Lines.json(DELTA.formatted("e", "c", "y"))).has("prompt_delta"))
        .isFalse();
  }

  @Test
  void a_total_is_that_of_the_shown_latencies() {
    LinePolicy policy = Lines.policy(
        Lines.document(
            OPEN
                + ",\"rules\":[{\"id\":\"a\",\"event\":\"ToolResult\",\"pointer\":\"/latency_ms\",\"tool\":\"slow\",\"action\":\"withhold\"}]"));
    policy.treat(Lines.json("{\"event\":\"ToolCall\",\"id\":\"1\",\"tool\":\"slow\"}"));
    policy.treat(Lines.json("{\"event\":\"ToolCall\",\"id\":\"2\",\"tool\":\"fast\"}"));

    assertThat(Lines.published(
                policy, Lines.json("{\"event\":\"ToolResult\",\"id\":\"1\",\"latency_ms\":40}"))
            .get("latency_ms")
            .asLong())
        .isEqualTo(0);
    assertThat(Lines.published(
                policy, Lines.json("{\"event\":\"ToolResult\",\"id\":\"2\",\"latency_ms\":5}"))
            .get("latency_ms")
            .asLong())
        .isEqualTo(5);
    assertThat(Lines.published(
                policy,
                Lines.json(
                    "{\"event\":\"SessionEnd\",\"status\":\"Success\",\"total_latency_ms\":45}"))
            .get("total_latency_ms")
            .asLong())
        .isEqualTo(5);
  }

  private static final String SHELL =
      "{\"event\":\"ToolCall\",\"id\":\"1\",\"tool\":\"shell\",\"params\":"
          + "{\"path\":\"/home/alice/x\",\"token\":\"SECRET-1\",\"n\":[1,\"ACME-7\"],\"o\":{\"path\":2}}}";

  private static String rules(String base, String rules) {
    return "\"base\":\"" + base + "\",\"rules\":[" + rules + "]";
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "private_repo|'pointer':'/params/path','action':'show'|{'path':'/home/user/x'}",
        "private_repo|'pointer':'/params/*/path','action':'show'|{'o':{'path':2}}",
        "private_repo|'pointer':'/params/**/path','action':'show'|{'path':'/home/user/x','o':{'path':2}}",
        "private_repo|'pointer':'/params/n','action':'show'|{'n':[1,'ACME-7']}",
        "private_repo|'pointer':'/params/n/1','action':'show'|{'n':[null,'ACME-7']}",
        "private_repo|'pointer':'/params/token','action':'show'|{'token':'[REDACTED:test]'}",
        "private_repo|'pointer':'/params/**','pattern':'ACME-[0-9]','action':'show'|{'n':[null,'ACME-7']}",
        "private_repo|'pointer':'/params/x','action':'show'|",
        "private_repo|'tool':'other','pointer':'/params/path','action':'show'|",
        "open_source|'tool':'shell','pointer':'/params/n','action':'withhold'|{'path':'/home/user/x','token':'[REDACTED:test]','o':{'path':2}}",
        "open_source|'pointer':'/params/n/*','action':'redact'|{'path':'/home/user/x','token':'[REDACTED:test]','n':[null,'[REDACTED:custom:1]'],'o':{'path':2}}",
        "open_source|'pattern':'ACME-[0-9]+','action':'redact'|{'path':'/home/user/x','token':'[REDACTED:test]','n':[1,'[REDACTED:custom:1]'],'o':{'path':2}}",
        "open_source|'pattern':'ACME','action':'withhold'|{'path':'/home/user/x','token':'[REDACTED:test]','n':[1,null],'o':{'path':2}}",
        "open_source|'pattern':'/home/.*','action':'show'|{'path':'/home/alice/x','token':'[REDACTED:test]','n':[1,'ACME-7'],'o':{'path':2}}",
        "open_source|'pattern':'.*SECRET.*','action':'show'|{'path':'/home/user/x','token':'[REDACTED:test]','n':[1,'ACME-7'],'o':{'path':2}}",
        "open_source|'pointer':'/params/o','pattern':'x','action':'withhold'|{'path':'/home/user/x','token':'[REDACTED:test]','n':[1,'ACME-7'],'o':{'path':2}}",
      })
  void a_custom_rule_decides_on_the_places_and_texts_that_it_names(
      String base, String rule, String expected) {
    JsonObject shown = published(
        rules(base, "{'id':'r',".replace('\'', '"') + rule.replace('\'', '"') + "}"), SHELL);

    assertThat(shown.has("params") ? shown.get("params").toString() : null)
        .isEqualTo(expected == null ? null : expected.replace('\'', '"'));
  }

  @Test
  void the_first_rule_for_a_place_decides() {
    String show = "{\"id\":\"a\",\"pointer\":\"/params/path\",\"action\":\"show\"}";
    String withhold = "{\"id\":\"b\",\"pointer\":\"/params/**\",\"action\":\"withhold\"}";

    assertThat(published(rules("open_source", show + "," + withhold), SHELL).get("params"))
        .isNull(); // ** also matches params itself
    assertThat(published(rules("open_source", show + "," + withhold.replace("**", "*")), SHELL)
            .get("params")
            .toString())
        .isEqualTo("{\"path\":\"/home/user/x\"}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/**", "/*", "/*/*"})
  void no_rule_shows_what_the_format_withholds(String pointer) {
    LinePolicy policy = Lines.policy(Lines.document(rules(
        "open_source", "{\"id\":\"a\",\"pointer\":\"" + pointer + "\",\"action\":\"show\"}")));
    for (JsonObject line : Lines.of(Dialect.EVENT)) {
      assertThat(Lines.published(policy, line).names())
          .doesNotContain(
              "salt",
              "bundle",
              "carried_over",
              "disclosure",
              "published",
              "forked_from",
              "replay_of",
              "replayed",
              "params_ref",
              "output_ref",
              "prompt_ref",
              "answer_ref",
              "payload_ref",
              "signature");
    }
  }

  @Test
  void no_rule_shows_the_hash_of_a_workspace() {
    JsonObject shown = published(
        rules(
            "private_repo", "{\"id\":\"a\",\"pointer\":\"/values/workspace\",\"action\":\"show\"}"),
        "{\"event\":\"Settings\",\"values\":{\"workspace\":{\"value\":{\"hash\":\"sha256:1\",\"location\":\"s\"}}}}");

    assertThat(shown.get("values").toString())
        .isEqualTo("{\"workspace\":{\"value\":{\"location\":\"s\"}}}");
  }

  @Test
  void decisions_on_parts_of_a_content_open_it() {
    JsonObject shown = published(
        "\"base\":\"private_repo\",\"events\":{\"ModelCall\":{\"prompt/messages/*/role\":\"text\"}}",
        "{\"event\":\"ModelCall\",\"id\":\"a\",\"prompt\":{\"system\":\"s\",\"messages\":[{\"role\":\"user\",\"content\":\"c\"}]}}");

    assertThat(shown.get("prompt").toString()).isEqualTo("{\"messages\":[{\"role\":\"user\"}]}");
  }

  @Test
  void decisions_on_parts_of_a_content_close_them() {
    JsonObject shown = published(
        OPEN + ",\"events\":{\"ToolCall\":{\"params/o\":\"hide\",\"params/n/*\":\"withhold\"}}",
        SHELL);

    assertThat(shown.get("params").toString())
        .isEqualTo("{\"path\":\"/home/user/x\",\"token\":\"[REDACTED:test]\",\"n\":[null,null]}");
  }

  @Test
  void the_results_of_a_tool_are_those_of_its_calls_in_their_lane() {
    LinePolicy policy = Lines.policy(
        Lines.document(
            rules(
                "private_repo",
                "{\"id\":\"a\",\"event\":\"ToolResult\",\"tool\":\"shell\",\"pointer\":\"/output\",\"action\":\"show\"}")));
    policy.treat(
        Lines.json("{\"event\":\"ToolCall\",\"id\":\"1\",\"tool\":\"shell\",\"agent\":\"a\"}"));
    policy.treat(Lines.json("{\"event\":\"ToolCall\",\"id\":\"1\",\"tool\":\"mail\"}"));

    assertThat(Lines.published(
                policy, Lines.json("{\"event\":\"ToolResult\",\"id\":\"1\",\"output\":\"x\"}"))
            .has("output"))
        .isFalse();
    assertThat(Lines.published(
                policy,
                Lines.json(
                    "{\"event\":\"ToolResult\",\"id\":\"1\",\"output\":\"x\",\"agent\":\"a\"}"))
            .has("output"))
        .isTrue();
  }

  @Test
  void two_lines_of_one_tool_share_their_rules() {
    LinePolicy policy = Lines.policy(Lines.document(rules(
        "private_repo",
        "{\"id\":\"a\",\"tool\":\"shell\",\"pointer\":\"/params/path\",\"action\":\"show\"}")));

    assertThat(List.of(
            Lines.published(policy, Lines.json(SHELL)), Lines.published(policy, Lines.json(SHELL))))
        .allMatch(line -> line.has("params"));
  }
}
