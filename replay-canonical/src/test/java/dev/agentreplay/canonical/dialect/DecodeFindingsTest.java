package dev.agentreplay.canonical.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.UnknownEvent;
import dev.agentreplay.model.json.JsonBoolean;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a reader finds in a line that lacks a member, or has one of the wrong type. */
class DecodeFindingsTest {

  /** A value of any type is right. */
  private static final Set<String> ANY_TYPE = Set.of("params", "output", "payload");

  /**
   * For every kind a line with all its members, then those that identify the event, those that are
   * required and those that may be null.
   */
  private static final String EVENT_TABLE =
      """
      {"event":"ReplayHeader","created_at":"T","producer":"p","replay_version":1,"policy_bundle_id":"b","canonicalization":"serde","session_id":"s"} | | created_at,producer,replay_version |
      {"event":"SessionStart","t":"T","session_id":"s","issue_number":1,"policy_version":"v","repo":{},"lane":"l","task":"k"} | | session_id,policy_version | issue_number
      {"event":"PlanStart","t":"T","session_id":"s","plan_hash":"H","step_count":1} | | plan_hash,step_count |
      {"event":"ToolCall","t":"T","session_id":"s","id":"c","tool":"x","params":{"path":"src/auth.rs"},"params_hash":"P","step_id":"s"} | id,tool | params_hash,step_id |
      {"event":"ToolResult","t":"T","session_id":"s","id":"c","ok":true,"exit_code":0,"output":"fn main() {}","output_hash":"O","output_ref":{"blob":"H","bytes":1},"output_preview":"f","error":{},"step_utility":0.5,"latency_ms":1,"side_effects":["x"]} | id | output_hash,step_utility,latency_ms | exit_code
      {"event":"StepComplete","t":"T","session_id":"s","step_id":"s","status":"Success","iterations":1} | step_id | status,iterations |
      {"event":"Verification","t":"T","session_id":"s","commands":["a"],"exit_codes":[0],"verification_delta":1,"cwd":"d","duration_ms":1,"tests_before":1,"tests_after":2,"ci_status":"x"} | | commands,exit_codes,verification_delta |
      {"event":"Payment","t":"T","session_id":"s","rail":"r","asset_id":"a","amount_msats":1,"payment_proof":"p","job_hash":"j","status":"Success"} | | amount_msats |
      {"event":"RuntimeEvent","t":"T","session_id":"s","seq":1,"runtime_event_type":"x","payload":{"path":"src/auth.rs"},"payload_hash":"P","idempotency_key":"k"} | | |
      {"event":"SessionEnd","t":"T","session_id":"s","status":"Success","confidence":0.5,"total_tool_calls":1,"total_latency_ms":1,"summary":"x","error_message":"e"} | status | confidence,total_tool_calls,total_latency_ms |
      {"event":"Reflection","t":"T","session_id":"s"} | | |
      """;

  private static final String TYPE_TABLE =
      """
      {"type":"ReplayHeader","created_at":"T","producer":"p","replay_version":1,"policy_bundle_id":"b","canonicalization":"serde","session_id":"s"} | | created_at,producer,replay_version |
      {"type":"SessionStart","ts":"T","session_id":"s","issue_number":1,"policy_bundle_id":"v","repo":{},"lane":"l","task":"k"} | | session_id,policy_bundle_id |
      {"type":"PlanStart","ts":"T","session_id":"s","plan_hash":"H","step_count":1} | | plan_hash,step_count |
      {"type":"ToolCall","ts":"T","session_id":"s","tool":"x","params":{"path":"src/auth.rs"},"params_hash":"P","step_id":"s"} | step_id,tool | params_hash |
      {"type":"ToolResult","ts":"T","session_id":"s","step_id":"c","ok":true,"exit_code":0,"output":"fn main() {}","output_hash":"O","output_ref":{"blob":"H","bytes":1},"output_preview":"f","error":{},"step_utility":0.5,"latency_ms":1,"side_effects":["x"]} | step_id | ok,output_hash,latency_ms,side_effects |
      {"type":"StepComplete","ts":"T","session_id":"s","step_id":"s","status":"success","iterations":1} | step_id | status,iterations |
      {"type":"Verification","ts":"T","session_id":"s","command":"a","exit_code":0,"verification_delta":1,"cwd":"d","duration_ms":1,"tests_before":1,"tests_after":2,"ci_status":"x"} | | command,exit_code |
      {"type":"Payment","ts":"T","session_id":"s","rail":"r","asset_id":"a","amount_msats":1,"payment_proof":"p","job_hash":"j","status":"success"} | | amount_msats |
      {"type":"RuntimeEvent","ts":"T","session_id":"s","seq":1,"runtime_event_type":"x","payload":{"path":"src/auth.rs"},"payload_hash":"P","idempotency_key":"k"} | | |
      {"type":"SessionEnd","ts":"T","session_id":"s","status":"success","confidence":0.5,"total_tool_calls":1,"total_latency_ms":1,"summary":"x","error_message":"e"} | status | confidence |
      {"type":"Reflection","ts":"T","session_id":"s"} | | |
      """;

  /** A line of a dialect, and how it demands one of its members. */
  private record Case(Dialect dialect, JsonObject line, String member, String presence) {
    @Override
    public String toString() {
      return dialect.id() + " " + line.at("/" + dialect.id()) + " " + member + " " + presence;
    }
  }

  static List<Case> cases() {
    List<Case> cases = new ArrayList<>();
    addCases(cases, Dialect.EVENT, EVENT_TABLE);
    addCases(cases, Dialect.TYPE, TYPE_TABLE);
    return cases;
  }

  private static void addCases(List<Case> cases, Dialect dialect, String table) {
    for (String row : table.lines().toList()) {
      String[] columns = row.split(" \\|", -1);
      JsonObject line = Lines.object(columns[0]
          .replace("\"T\"", "\"2026-01-13T10:00:00Z\"")
          .replace("\"H\"", "\"" + Lines.OTHER_HASH + "\"")
          .replace("\"P\"", "\"" + Lines.PARAMS_HASH + "\"")
          .replace("\"O\"", "\"" + Lines.OUTPUT_HASH + "\""));
      for (String member : line.names()) {
        if (!member.equals(dialect.id())) {
          String presence = has(columns[1], member)
              ? "identity"
              : has(columns[2], member)
                  ? "required"
                  : has(columns[3], member) ? "nullable" : "optional";
          cases.add(new Case(dialect, line, member, presence));
        }
      }
    }
  }

  private static boolean has(String members, String member) {
    return Arrays.asList(members.strip().split(",")).contains(member);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void whole_line_is_read_without_findings(Case c) {
    Decoded decoded = c.dialect.decode(c.line);

    assertThat(decoded.findings()).isEmpty();
    assertThat(decoded.event().meta().extra().isEmpty()).isTrue();
    assertThat(Lines.encode(c.dialect, decoded.event())).isEqualTo(Lines.canonical(c.line));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void member_that_is_absent_is_found_where_it_is_demanded(Case c) {
    Decoded decoded = c.dialect.decode(c.line.without(c.member));

    switch (c.presence) {
      case "identity" -> {
        assertThat(Lines.texts(decoded.findings()))
            .containsExactly(
                "EVENT_INVALID " + c.member + " is missing, which identifies the event");
        assertUnknown(c, decoded.event(), c.line.without(c.member));
      }
      case "required" ->
        assertThat(Lines.texts(decoded.findings()))
            .containsExactly("FIELD_MISSING " + c.member + " is missing");
      default -> assertThat(decoded.findings()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void member_of_the_wrong_type_is_found_and_kept(Case c) {
    if (ANY_TYPE.contains(c.member)) {
      return;
    }
    JsonValue wrong = c.member.equals("ok") ? JsonString.of("true") : JsonBoolean.TRUE;
    JsonObject line = c.line.with(c.member, wrong);

    Decoded decoded = c.dialect.decode(line);

    assertThat(decoded.findings()).hasSize(1);
    assertThat(Lines.texts(decoded.findings()).get(0))
        .startsWith((c.presence.equals("identity") ? "EVENT_INVALID " : "FIELD_INVALID ")
            + c.member
            + " must be ")
        .endsWith(", found " + wrong.typeName() + " " + wrong);
    assertThat(decoded.event().meta().extra().get(c.member)).isEqualTo(wrong);
    if (c.presence.equals("identity")) {
      assertUnknown(c, decoded.event(), line);
    }
    assertThat(Lines.encode(c.dialect, decoded.event())).isEqualTo(Lines.canonical(line));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void member_that_is_null_is_found_where_it_is_demanded(Case c) {
    if (ANY_TYPE.contains(c.member)) {
      return;
    }
    JsonObject line = c.line.with(c.member, null);

    Decoded decoded = c.dialect.decode(line);

    switch (c.presence) {
      case "identity" ->
        assertThat(Lines.texts(decoded.findings()))
            .singleElement()
            .asString()
            .startsWith("EVENT_INVALID " + c.member + " must be ");
      case "required" ->
        assertThat(Lines.texts(decoded.findings()))
            .singleElement()
            .asString()
            .matches("FIELD_(INVALID|MISSING) " + c.member + ".*");
      default -> assertThat(decoded.findings()).isEmpty();
    }
    assertThat(decoded.event().meta().extra().has(c.member))
        .isEqualTo(!c.presence.equals("nullable"));
    assertThat(Lines.encode(c.dialect, decoded.event())).isEqualTo(Lines.canonical(line));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void decoding_never_fails(Case c) {
    for (Object value : new Object[] {
      null,
      true,
      0,
      -1,
      1.5,
      "x",
      "",
      List.of(),
      List.of(1),
      List.of("x"),
      List.of(List.of()),
      JsonObject.EMPTY,
      new BigInteger("18446744073709551616")
    }) {
      JsonObject line = c.line.with(c.member, value);
      for (String other : c.line.names()) {
        assertThat(c.dialect.decode(line.without(other))).isNotNull();
        assertThat(c.dialect.decode(line.with(other, false))).isNotNull();
      }
    }
  }

  private static void assertUnknown(Case c, ReplayEvent event, JsonObject line) {
    assertThat(event).isInstanceOf(UnknownEvent.class);
    assertThat(((UnknownEvent) event).type())
        .isEqualTo(line.at("/" + c.dialect.id()).asString());
    assertThat(Lines.encode(c.dialect, event)).isEqualTo(Lines.canonical(line));
  }

  static List<Arguments> forms() {
    String result = "{\"event\":\"ToolResult\",\"id\":\"c\",\"exit_code\":null,\"latency_ms\":1,"
        + "\"output_hash\":\"" + Lines.OTHER_HASH + "\",\"step_utility\":0.5}";
    return List.of(
        Arguments.of(result, "output_hash", "sha256:abc123..."),
        Arguments.of(result, "output_hash", Lines.OTHER_HASH.toUpperCase(Locale.ROOT)),
        Arguments.of(result, "output_hash", Lines.OTHER_HASH.substring(7)),
        Arguments.of(result, "latency_ms", 1.5),
        Arguments.of(result, "latency_ms", 1e300),
        Arguments.of(result, "exit_code", 4294967296L),
        Arguments.of(result, "t", "2026-01-13 10:00:00"),
        Arguments.of(result, "t", 1768298400),
        Arguments.of(result, "side_effects", List.of("fs_read", 1)),
        Arguments.of(result, "side_effects", "fs_read"),
        Arguments.of(result, "output_ref", JsonObject.of("blob", Lines.OTHER_HASH)),
        Arguments.of(result, "output_ref", JsonObject.of("blob", "x", "bytes", 1)),
        Arguments.of(result, "output_ref", JsonObject.of("blob", Lines.OTHER_HASH, "bytes", 0.5)));
  }

  @ParameterizedTest
  @MethodSource("forms")
  void member_of_the_wrong_form_is_found_and_kept(String line, String member, Object value) {
    JsonObject object = Lines.object(line).with("t", Lines.TIME.text()).with(member, value);

    Decoded decoded = Dialect.EVENT.decode(object);

    assertThat(decoded.findings()).hasSize(1);
    assertThat(Lines.texts(decoded.findings()).get(0))
        .startsWith("FIELD_INVALID " + member + " must be ");
    assertThat(decoded.event().meta().extra().names()).containsExactly(member);
    assertThat(Lines.encode(Dialect.EVENT, decoded.event())).isEqualTo(Lines.canonical(object));
  }

  @Test
  void long_value_is_shortened_in_messages() {
    Decoded decoded =
        Lines.decode(Dialect.EVENT, "{\"event\":\"Reflection\",\"t\":\"" + "9".repeat(500) + "\"}");

    assertThat(Lines.texts(decoded.findings()))
        .containsExactly("FIELD_INVALID t must be an ISO 8601 time with offset, found string \""
            + "9".repeat(59)
            + "...");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{}", "{\"id\":\"c\",\"tool\":\"x\"}", "{\"event\":null}", "{\"event\":1}"})
  void line_without_a_tag_is_an_invalid_event(String line) {
    Decoded decoded = Lines.decode(Dialect.EVENT, line);

    assertThat(Lines.texts(decoded.findings()))
        .contains("EVENT_INVALID no \"event\", which says what event it is");
    assertThat(decoded.event().kind()).isEqualTo(EventKind.UNKNOWN);
    assertThat(((UnknownEvent) decoded.event()).type()).isEmpty();
    assertThat(Lines.encode(Dialect.EVENT, decoded.event()))
        .isEqualTo(Lines.canonical(Lines.object(line).with("t", Lines.NOW.text())));
  }

  @Test
  void line_of_another_dialect_is_an_invalid_event() {
    Decoded decoded =
        Lines.decode(Dialect.EVENT, "{\"type\":\"SessionEnd\",\"status\":\"success\"}");

    assertThat(Lines.texts(decoded.findings()))
        .containsExactly("EVENT_INVALID the tag \"type\":\"SessionEnd\" of the dialect type"
            + " in a log of the dialect event");
    assertThat(decoded.event().kind()).isEqualTo(EventKind.UNKNOWN);
    assertThat(Lines.texts(Lines.decode(Dialect.TYPE, "{\"event\":\"X\"}").findings()))
        .containsExactly("EVENT_INVALID the tag \"event\":\"X\" of the dialect event"
            + " in a log of the dialect type");
  }

  @Test
  void line_with_the_tags_of_both_dialects_is_an_invalid_event() {
    Decoded mixed = Lines.decode(
        Dialect.EVENT,
        "{\"event\":\"StepComplete\",\"iterations\":1,\"status\":\"Success\",\"step_id\":\"s\","
            + "\"type\":\"SessionEnd\"}");
    Decoded additional = Lines.decode(
        Dialect.EVENT,
        "{\"event\":\"StepComplete\",\"iterations\":1,\"status\":\"Success\",\"step_id\":\"s\","
            + "\"type\":\"cleanup\"}");

    assertThat(Lines.texts(mixed.findings()))
        .containsExactly("EVENT_INVALID the tag \"type\":\"SessionEnd\" of the dialect type"
            + " in a log of the dialect event");
    assertThat(additional.findings()).isEmpty();
  }

  @Test
  void null_that_says_nothing_is_no_finding_and_is_kept() {
    Decoded decoded = Lines.decode(
        Dialect.TYPE,
        "{\"type\":\"ToolResult\",\"step_id\":\"c\",\"ok\":true,\"error\":null,\"latency_ms\":1,"
            + "\"output_hash\":\"" + Lines.OTHER_HASH + "\",\"side_effects\":[]}");

    assertThat(decoded.findings()).isEmpty();
    assertThat(decoded.event().meta().extra()).isEqualTo(JsonObject.of("error", JsonNull.NULL));
  }
}
