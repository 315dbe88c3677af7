package dev.agentreplay.canonical.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.UnknownEvent;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.json.JsonBoolean;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Findings in a line that lacks a member, or has one of the wrong type. */
class DecodeFindingsTest {

  /** A value of any type is right. */
  private static final Set<String> ANY_TYPE = Set.of(
      "params",
      "output",
      "payload",
      "prompt",
      "answer",
      "value",
      "context",
      "payment_proof",
      "agent",
      "parent");

  static List<PresenceCase> cases() {
    return PresenceCase.all();
  }

  @Test
  void every_kind_of_event_is_among_the_cases_of_every_dialect() {
    for (Dialect dialect : Dialect.values()) {
      assertThat(cases())
          .filteredOn(c -> c.dialect() == dialect)
          .extracting(c -> dialect.codec().kind(c.line()))
          .as(dialect.id())
          .contains(EventKind.values());
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void whole_line_is_read_without_findings(PresenceCase c) {
    Decoded decoded = c.dialect().decode(c.line());

    assertThat(decoded.findings()).isEmpty();
    assertThat(decoded.event().meta().extra().isEmpty()).isTrue();
    assertThat(Lines.encode(c.dialect(), decoded.event())).isEqualTo(Lines.canonical(c.line()));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void member_that_is_absent_is_found_where_it_is_demanded(PresenceCase c) {
    Decoded decoded = c.dialect().decode(c.line().without(c.member()));

    assertThat(decoded.findings()).allMatch(finding -> c.member().equals(finding.member()));
    switch (c.presence()) {
      case "identity" -> {
        assertThat(Lines.texts(decoded.findings()))
            .containsExactly(
                "EVENT_INVALID " + c.member() + " is missing, which identifies the event");
        assertUnknown(c, decoded.event(), c.line().without(c.member()));
      }
      case "required" ->
        assertThat(Lines.texts(decoded.findings()))
            .containsExactly("FIELD_MISSING " + c.member() + " is missing");
      default -> assertThat(decoded.findings()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void member_of_the_wrong_type_is_found_and_kept(PresenceCase c) {
    if (ANY_TYPE.contains(c.member())) {
      return;
    }
    boolean isBoolean = Set.of("ok", "partial", "outcome_known").contains(c.member());
    JsonValue wrong = isBoolean ? JsonString.of("true") : JsonBoolean.TRUE;
    JsonObject line = c.line().with(c.member(), wrong);

    Decoded decoded = c.dialect().decode(line);

    assertThat(decoded.findings()).extracting(Finding::member).containsExactly(c.member());
    assertThat(Lines.texts(decoded.findings()).get(0))
        .startsWith((c.presence().equals("identity") ? "EVENT_INVALID " : "FIELD_INVALID ")
            + c.member()
            + " must be ")
        .endsWith(", found " + wrong.typeName() + " " + wrong);
    assertThat(decoded.event().meta().extra().get(c.member())).isEqualTo(wrong);
    if (c.presence().equals("identity")) {
      assertUnknown(c, decoded.event(), line);
    }
    assertThat(Lines.encode(c.dialect(), decoded.event())).isEqualTo(Lines.canonical(line));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void member_that_is_null_is_found_where_it_is_demanded(PresenceCase c) {
    if (ANY_TYPE.contains(c.member())) {
      return;
    }
    JsonObject line = c.line().with(c.member(), null);

    Decoded decoded = c.dialect().decode(line);

    switch (c.presence()) {
      case "identity" ->
        assertThat(Lines.texts(decoded.findings()))
            .singleElement()
            .asString()
            .startsWith("EVENT_INVALID " + c.member() + " must be ");
      case "required" ->
        assertThat(Lines.texts(decoded.findings()))
            .singleElement()
            .asString()
            .matches("FIELD_(INVALID|MISSING) " + c.member() + ".*");
      default -> assertThat(decoded.findings()).isEmpty();
    }
    assertThat(decoded.event().meta().extra().has(c.member()))
        .isEqualTo(!c.presence().equals("nullable"));
    assertThat(Lines.encode(c.dialect(), decoded.event())).isEqualTo(Lines.canonical(line));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void decoding_never_fails(PresenceCase c) {
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
      JsonObject line = c.line().with(c.member(), value);
      for (String other : c.line().names()) {
        assertThat(c.dialect().decode(line.without(other))).isNotNull();
        assertThat(c.dialect().decode(line.with(other, false))).isNotNull();
      }
    }
  }

  private static void assertUnknown(PresenceCase c, ReplayEvent event, JsonObject line) {
    assertThat(event).isInstanceOf(UnknownEvent.class);
    assertThat(((UnknownEvent) event).type())
        .isEqualTo(line.at("/" + Lines.tagName(c.dialect())).asString());
    assertThat(Lines.encode(c.dialect(), event)).isEqualTo(Lines.canonical(line));
  }

  static List<Arguments> forms() {
    String result = "{\"event\":\"ToolResult\",\"id\":\"c\",\"exit_code\":null,\"latency_ms\":1,"
        + "\"output_hash\":\"" + Lines.OTHER_HASH + "\",\"step_utility\":0.5}";
    return List.of(
        Arguments.of(result, "output_hash", "sha256:abc123..."),
        Arguments.of(result, "output_hash", Lines.OTHER_HASH.toUpperCase(Locale.ROOT)),
        Arguments.of(result, "output_hash", Lines.OTHER_HASH.substring(8)),
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
        .contains("EVENT_INVALID no \"event\", which names the type of the event");
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
  void null_without_meaning_is_not_a_finding_and_is_kept() {
    Decoded decoded = Lines.decode(
        Dialect.TYPE,
        "{\"type\":\"ToolResult\",\"step_id\":\"c\",\"ok\":true,\"error\":null,\"latency_ms\":1,"
            + "\"output_hash\":\"" + Lines.OTHER_HASH + "\",\"side_effects\":[]}");

    assertThat(decoded.findings()).isEmpty();
    assertThat(decoded.event().meta().extra()).isEqualTo(JsonObject.of("error", JsonNull.NULL));
  }
}
