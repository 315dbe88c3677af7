package dev.agentreplay.canonical.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.PolicyId;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.UnknownEvent;
import dev.agentreplay.model.Verification;
import dev.agentreplay.model.Verification.CommandRun;
import dev.agentreplay.model.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lines of real logs that differ from the specifications. */
class DialectTest {

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "`{\"event\":\"ReplayHeader\"}`, EVENT",
        "`{\"type\":\"ReplayHeader\"}`, TYPE",
        "`{\"event\":\"Reflection\"}`, EVENT",
        "`{\"type\":\"Reflection\"}`, TYPE",
        "`{\"event\":\"\"}`, EVENT",
        "`{\"event\":\"ReplayHeader\",\"type\":\"ReplayHeader\"}`, EVENT",
        "`{\"event\":\"Reflection\",\"type\":\"ReplayHeader\"}`, TYPE",
        "`{\"event\":\"ReplayHeader\",\"type\":\"Reflection\"}`, EVENT",
        "`{\"event\":\"x\",\"type\":\"y\"}`, EVENT",
        "`{\"event\":1,\"type\":\"y\"}`, TYPE",
        "`{\"event\":null}`,",
        "`{\"type\":[]}`,",
        "`{\"kind\":\"ReplayHeader\"}`,",
        "`{}`,",
      })
  void dialect_is_detected_by_the_tag(String line, Dialect dialect) {
    assertThat(Dialect.detect(Lines.object(line))).isEqualTo(dialect);
  }

  @Test
  void policy_is_read_under_both_names() {
    SessionStart version = start("\"policy_version\":\"v\"");
    SessionStart bundle = start("\"policy_bundle_id\":\"b\"");
    SessionStart both = start("\"policy_version\":\"v\",\"policy_bundle_id\":\"b\"");

    assertThat(version.policy()).isEqualTo(PolicyId.version("v"));
    assertThat(bundle.policy()).isEqualTo(PolicyId.bundle("b"));
    assertThat(both.policy()).isEqualTo(PolicyId.version("v"));
    assertThat(both.meta().extra()).isEqualTo(JsonObject.of("policy_bundle_id", "b"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"policy_version\":\"v\"",
        "\"policy_bundle_id\":\"b\"",
        "\"policy_bundle_id\":\"b\",\"policy_version\":\"v\"",
        "\"policy_bundle_id\":null,\"policy_version\":\"v\"",
        "\"policy_bundle_id\":5,\"policy_version\":\"v\"",
        "\"policy_bundle_id\":\"b\",\"policy_version\":null",
        "\"policy_bundle_id\":\"b\",\"policy_version\":5",
      })
  void policy_is_written_back_as_it_was(String policy) {
    String line =
        "{\"event\":\"SessionStart\",\"issue_number\":null,%s,\"session_id\":\"s\",\"t\":\"%s\"}"
            .formatted(policy, Lines.TIME);

    assertThat(Lines.encode(Dialect.EVENT, Lines.decode(Dialect.EVENT, line).event()))
        .isEqualTo(line);
  }

  private static SessionStart start(String policy) {
    Decoded decoded = Lines.decode(
        Dialect.EVENT, "{\"event\":\"SessionStart\",\"session_id\":\"s\"," + policy + "}");
    assertThat(decoded.findings()).isEmpty();
    return (SessionStart) decoded.event();
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "`[\"a\",\"b\"]`, `[0]`,"
            + " `commands and exit_codes must have the same length, found 2 and 1`",
        "`[]`, `[0]`, `commands and exit_codes must have the same length, found 0 and 1`",
        "`[\"a\"]`, `[]`, `commands and exit_codes must have the same length, found 1 and 0`",
        "`[\"a\"]`, `[4294967296]`, `exit_codes must be 32-bit integers`",
        "`\"a\"`, `[0]`, `commands must be an array, each a string, found string \"a\"`",
        "`[\"a\"]`, `0`, `exit_codes must be an array, each an integer, found number 0`",
        "`[1]`, `[0]`, `commands must be an array, each a string, found array [1]`",
      })
  void commands_that_do_not_fit_their_exit_codes_are_kept(
      String commands, String exitCodes, String message) {
    String line = ("{\"commands\":%s,\"cwd\":\"d\",\"duration_ms\":1,\"event\":\"Verification\","
            + "\"exit_codes\":%s,\"t\":\"%s\",\"verification_delta\":1}")
        .formatted(commands, exitCodes, Lines.TIME);

    Decoded decoded = Lines.decode(Dialect.EVENT, line);

    assertThat(Lines.texts(decoded.findings())).containsExactly("FIELD_INVALID " + message);
    assertThat(((Verification) decoded.event()).commands()).isEmpty();
    assertThat(decoded.event().meta().extra().names()).contains("commands", "exit_codes");
    assertThat(Lines.encode(Dialect.EVENT, decoded.event())).isEqualTo(line);
  }

  @Test
  void directory_of_several_commands_is_kept() {
    String line = ("{\"commands\":[\"a\",\"b\"],\"cwd\":\"d\",\"event\":\"Verification\","
            + "\"exit_codes\":[0,1],\"t\":\"%s\",\"verification_delta\":1}")
        .formatted(Lines.TIME);

    Decoded decoded = Lines.decode(Dialect.EVENT, line);

    assertThat(decoded.findings()).isEmpty();
    assertThat(((Verification) decoded.event()).commands())
        .containsExactly(CommandRun.of("a", 0), CommandRun.of("b", 1));
    assertThat(decoded.event().meta().extra()).isEqualTo(JsonObject.of("cwd", "d"));
    assertThat(Lines.encode(Dialect.EVENT, decoded.event())).isEqualTo(line);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Success", "success", "Failed", "failed", "failure", "FAILURE"})
  void status_is_read_in_any_spelling_in_every_dialect(String spelling) {
    for (Dialect dialect : Dialect.values()) {
      String line = "{\"%s\":\"SessionEnd\",\"%s\":\"%s\",\"confidence\":1,\"total_tool_calls\":0,"
              .formatted(Lines.tagName(dialect), status(dialect), spelling)
          + "\"ended_at\":\"2026-01-13T10:00:00Z\",\"total_latency_ms\":0}";

      Decoded decoded = Lines.decode(dialect, line);

      assertThat(decoded.findings()).isEmpty();
      assertThat(((SessionEnd) decoded.event()).status()).isEqualTo(Status.parse(spelling));
    }
  }

  private static String status(Dialect dialect) {
    return dialect == Dialect.DRAFT ? "outcome" : "status";
  }

  @Test
  void header_of_the_draft_has_its_own_members() {
    String line = "{\"session_id\":\"s\",\"started_at\":\"2026-01-13T10:00:00Z\","
        + "\"type\":\"ReplayHeader\",\"version\":\"1.0.0\"}";

    Decoded decoded = Lines.decode(Dialect.DRAFT, line);

    assertThat(decoded.findings()).isEmpty();
    assertThat(decoded.event())
        .isEqualTo(
            new ReplayHeader("1.0.0", null, null, null, null, null, Lines.AT.withSessionId("s")));
    assertThat(Lines.texts(Lines.decode(Dialect.TYPE, line).findings()))
        .containsExactlyInAnyOrder(
            "FIELD_MISSING replay_version is missing",
            "FIELD_MISSING producer is missing",
            "FIELD_MISSING created_at is missing");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "`1`, `1`, SUPPORTED",
        "`1.0`, `1.0`, SUPPORTED",
        "`1.1`, `1.1`, NEWER",
        "`2`, `2`, UNSUPPORTED",
        "`-1`, ``, UNSUPPORTED",
        "`1e0`, ``, UNSUPPORTED",
        "`\"1\"`, ``, UNSUPPORTED",
        "`true`, ``, UNSUPPORTED",
        "`null`, ``, UNSUPPORTED"
      })
  void version_of_a_header_is_a_number(String json, String version, ReplayHeader.Support support) {
    for (Dialect dialect : List.of(Dialect.EVENT, Dialect.TYPE)) {
      JsonObject line = Lines.object(("{\"created_at\":\"%s\",\"%s\":\"ReplayHeader\","
              + "\"producer\":\"p\",\"replay_version\":%s}")
          .formatted(Lines.TIME, Lines.tagName(dialect), json));

      Decoded decoded = dialect.decode(line);

      assertThat(((ReplayHeader) decoded.event()).version()).isEqualTo(version);
      assertThat(((ReplayHeader) decoded.event()).support()).isEqualTo(support);
      assertThat(decoded.findings()).hasSize(version.isEmpty() ? 1 : 0);
      assertThat(Lines.encode(dialect, decoded.event()))
          .isEqualTo(Lines.canonical(line).replace("1e0", "1.0"));
    }
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "`\"1.0.0\"`, `1.0.0`, SUPPORTED",
        "`\"1.2.0\"`, `1.2.0`, NEWER",
        "`\"2.0.0\"`, `2.0.0`, UNSUPPORTED",
        "`\"one\"`, `one`, UNSUPPORTED",
        "`1`, ``, UNSUPPORTED"
      })
  void version_of_a_header_of_the_draft_is_a_text(
      String json, String version, ReplayHeader.Support support) {
    String line = ("{\"session_id\":\"s\",\"started_at\":\"%s\",\"type\":\"ReplayHeader\","
            + "\"version\":%s}")
        .formatted(Lines.TIME, json);

    Decoded decoded = Lines.decode(Dialect.DRAFT, line);

    assertThat(((ReplayHeader) decoded.event()).version()).isEqualTo(version);
    assertThat(((ReplayHeader) decoded.event()).support()).isEqualTo(support);
    assertThat(decoded.findings()).hasSize(version.isEmpty() ? 1 : 0);
    assertThat(Lines.encode(Dialect.DRAFT, decoded.event())).isEqualTo(line);
  }

  @Test
  void numbers_that_are_floats_may_be_written_as_integers() {
    Decoded decoded = Lines.decode(
        Dialect.EVENT,
        "{\"event\":\"SessionEnd\",\"status\":\"Success\",\"confidence\":1,"
            + "\"total_tool_calls\":2.0,\"total_latency_ms\":1e3}");

    assertThat(decoded.findings()).isEmpty();
    SessionEnd end = (SessionEnd) decoded.event();
    assertThat(end.confidence()).isEqualTo(1.0);
    assertThat(end.totalToolCalls()).isEqualTo(2L);
    assertThat(end.totalLatencyMillis()).isEqualTo(1_000L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"replayheader", "toolcall", "TOOL_CALL", "UnknownEvent", "UNKNOWN"})
  void tag_that_is_not_known_is_an_unknown_event(String tag) {
    String line = "{\"event\":\"%s\",\"id\":7,\"t\":\"%s\"}".formatted(tag, Lines.TIME);

    Decoded decoded = Lines.decode(Dialect.EVENT, line);

    assertThat(decoded.findings()).isEmpty();
    assertThat(decoded.event())
        .isEqualTo(new UnknownEvent(tag, Lines.AT.withExtra(JsonObject.of("id", 7))));
    assertThat(decoded.event().kind()).isEqualTo(EventKind.UNKNOWN);
  }

  @ParameterizedTest
  @EnumSource
  void tag_that_is_empty_is_an_unknown_event_and_kept(Dialect dialect) {
    String line = "{\"%s\":\"\"}".formatted(Lines.tagName(dialect));

    Decoded decoded = Lines.decode(dialect, line);

    assertThat(decoded.findings()).isEmpty();
    assertThat(((UnknownEvent) decoded.event()).type()).isEmpty();
    assertThat(Lines.object(Lines.encode(dialect, decoded.event())).names())
        .contains(Lines.tagName(dialect));
  }

  @Test
  void dialects_have_names_and_versions() {
    assertThat(Dialect.values()).extracting(Dialect::id).containsExactly("event", "type", "draft");
    assertThat(Dialect.values())
        .extracting(Dialect::version)
        .containsExactly("1", "1", "1.0.0")
        .allSatisfy(
            version -> assertThat(ReplayHeader.of("p").withVersion(version).support())
                .isEqualTo(ReplayHeader.Support.SUPPORTED));
  }

  @Test
  void components_are_named_as_the_dialect_does_before_anything_is_read() {
    assertThat(Dialect.DRAFT.nameOf(EventKind.SESSION_START, "policy"))
        .isEqualTo("policy_bundle_id");
    assertThat(Dialect.DRAFT.nameOf(EventKind.SESSION_END, "status")).isEqualTo("outcome");
    assertThat(Dialect.TYPE.nameOf(EventKind.TOOL_CALL, "id")).isEqualTo("step_id");
    assertThat(Dialect.EVENT.nameOf(EventKind.REPLAY_HEADER, "version"))
        .isEqualTo("replay_version");
  }

  @Test
  void differences_of_the_dialects_are_those_of_their_specifications() {
    assertThat(Dialect.values())
        .extracting(Dialect::hasSessionInHeader)
        .containsExactly(false, false, true);
    assertThat(Dialect.values()).extracting(Dialect::hasTotals).containsExactly(true, true, false);
    for (EventKind kind : List.of(EventKind.TOOL_CALL, EventKind.TOOL_RESULT)) {
      assertThat(Dialect.values())
          .extracting(dialect -> dialect.requiresContent(kind))
          .containsExactly(false, false, true);
    }
    for (EventKind kind : List.of(EventKind.MODEL_CALL, EventKind.SESSION_END)) {
      assertThat(Dialect.values()).noneMatch(dialect -> dialect.requiresContent(kind));
    }
    assertThat(Dialect.values())
        .extracting(Dialect::hasSingleCommand)
        .containsExactly(false, true, false);
    assertThat(Dialect.values())
        .extracting(Dialect::policyForm)
        .containsExactly(PolicyId.Form.VERSION, PolicyId.Form.BUNDLE, PolicyId.Form.BUNDLE);
  }

  @Test
  void every_kind_has_a_table_in_every_dialect() {
    for (Dialect dialect : Dialect.values()) {
      for (EventKind kind : EventKind.values()) {
        assertThat(dialect.codec().table(kind).rows()).isNotEmpty();
      }
    }
  }
}
