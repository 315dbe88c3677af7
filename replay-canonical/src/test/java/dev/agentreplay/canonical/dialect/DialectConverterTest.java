package dev.agentreplay.canonical.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.dialect.ConversionLedger.Action;
import dev.agentreplay.canonical.dialect.ConversionLedger.Entry;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lines that are converted to another dialect, and what the ledger says of them. */
class DialectConverterTest {

  private static final String HEADER =
      "{\"created_at\":\"%s\",\"event\":\"ReplayHeader\",\"producer\":\"p\",\"replay_version\":1}"
          .formatted(Lines.TIME);

  private static Entry entry(Action action, String event, String field, String to, long count) {
    return new Entry(action, event, field, to, null, count);
  }

  private static List<String> convert(DialectConverter converter, String... lines) {
    List<JsonObject> converted = new ArrayList<>();
    for (String line : lines) {
      converted.addAll(converter.convert(Lines.object(line)));
    }
    converted.addAll(converter.finish());
    return converted.stream().map(Lines::canonical).toList();
  }

  private static String back(Dialect from, Dialect to, String line) {
    return convert(DialectConverter.of(from, to), line).get(0);
  }

  @Test
  void commands_become_one_event_each() {
    DialectConverter converter = DialectConverter.of(Dialect.EVENT, Dialect.TYPE);

    List<String> lines = convert(
        converter,
        "{\"commands\":[\"a\",\"b\"],\"event\":\"Verification\",\"exit_codes\":[0,1],\"t\":\"%s\","
                .formatted(Lines.TIME)
            + "\"verification_delta\":3,\"who\":\"x\"}");

    assertThat(lines)
        .containsExactly(
            "{\"command\":\"a\",\"exit_code\":0,\"ts\":\"%s\",\"type\":\"Verification\"}"
                .formatted(Lines.TIME),
            "{\"command\":\"b\",\"exit_code\":1,\"ts\":\"%s\",\"type\":\"Verification\","
                    .formatted(Lines.TIME)
                + "\"verification_delta\":3,\"who\":\"x\"}");
    assertThat(converter.ledger().entries())
        .containsExactly(
            entry(Action.RENAMED, null, "event", "type", 1),
            entry(Action.RENAMED, null, "t", "ts", 1),
            entry(Action.RENAMED, "Verification", "commands", "command", 1),
            entry(Action.RENAMED, "Verification", "exit_codes", "exit_code", 1),
            entry(Action.SPLIT, "Verification", null, null, 1));
  }

  @Test
  void beginning_of_a_part_is_dropped_since_it_states_bytes_of_the_source() {
    DialectConverter converter = DialectConverter.of(Dialect.EVENT, Dialect.TYPE);

    List<String> lines = convert(
        converter,
        "{\"bytes_before\":70,\"event\":\"LogSegment\",\"hash_before\":\"sha256:%s\",\"lines_before\":1,"
                .formatted("ab".repeat(32))
            + "\"segment\":2,\"t\":\"%s\"}".formatted(Lines.TIME));

    assertThat(lines).isEmpty();
    assertThat(converter.ledger().entries())
        .containsExactly(new Entry(
            Action.DROPPED, "LogSegment", null, null, "it states the bytes of the source", 1));
  }

  @Test
  void member_whose_name_is_taken_is_carried_over_and_comes_back() {
    String line =
        "{\"event\":\"Handoff\",\"t\":\"%s\",\"ts\":7,\"type\":\"agent\"}".formatted(Lines.TIME);
    DialectConverter converter = DialectConverter.of(Dialect.EVENT, Dialect.TYPE);

    String there = convert(converter, line).get(0);

    assertThat(there)
        .isEqualTo("{\"carried_over\":{\"event\":{\"ts\":7,\"type\":\"agent\"}},\"ts\":\"%s\","
                .formatted(Lines.TIME)
            + "\"type\":\"Handoff\"}");
    assertThat(converter.ledger().entries())
        .containsExactly(
            entry(Action.RENAMED, null, "event", "type", 1),
            entry(Action.RENAMED, null, "t", "ts", 1),
            entry(Action.RENAMED, "Handoff", "ts", "carried_over.event.ts", 1),
            entry(Action.RENAMED, "Handoff", "type", "carried_over.event.type", 1));
    assertThat(back(Dialect.TYPE, Dialect.EVENT, there)).isEqualTo(line);
  }

  @Test
  void member_of_the_wrong_type_is_kept_under_its_name() {
    String line = "{\"event\":\"ToolCall\",\"id\":\"c\",\"params\":{},\"params_hash\":5,"
        + "\"step_id\":[],\"t\":\"%s\",\"tool\":\"t\"}".formatted(Lines.TIME);
    DialectConverter converter = DialectConverter.of(Dialect.EVENT, Dialect.TYPE);

    String there = convert(converter, line).get(0);

    assertThat(there)
        .contains("\"params_hash\":5")
        .contains("\"carried_over\":{\"event\":{\"step_id\":[]}}");
    assertThat(back(Dialect.TYPE, Dialect.EVENT, there)).isEqualTo(line);
  }

  @Test
  void hash_that_does_not_fit_is_kept() {
    String line = "{\"event\":\"ToolCall\",\"id\":\"c\",\"params\":{},\"params_hash\":\"%s\","
            .formatted(Lines.OTHER_HASH)
        + "\"step_id\":\"s\",\"t\":\"%s\",\"tool\":\"t\"}".formatted(Lines.TIME);

    for (Dialect to : List.of(Dialect.TYPE, Dialect.DRAFT)) {
      String there = back(Dialect.EVENT, to, line);

      assertThat(there).contains(Lines.OTHER_HASH);
      assertThat(back(to, Dialect.EVENT, there)).isEqualTo(line);
    }
  }

  @Test
  void hashes_totals_and_times_are_made_of_a_draft() {
    DialectConverter converter = DialectConverter.of(Dialect.DRAFT, Dialect.EVENT);

    List<String> lines = convert(
        converter,
        "{\"policy_bundle_id\":\"p\",\"session_id\":\"s\",\"started_at\":\"%s\","
                .formatted(Lines.TIME)
            + "\"type\":\"ReplayHeader\",\"version\":\"1.0.0\"}",
        "{\"context\":{},\"task\":\"do\",\"type\":\"SessionStart\"}",
        "{\"id\":\"c\",\"params\":{\"path\":\"src/auth.rs\"},\"tool\":\"t\",\"type\":\"ToolCall\"}",
        "{\"id\":\"c\",\"latency_ms\":7,\"output\":\"fn main() {}\",\"type\":\"ToolResult\"}",
        "{\"ended_at\":\"2026-01-13T11:00:00Z\",\"outcome\":\"timeout\",\"type\":\"SessionEnd\"}");

    assertThat(lines)
        .containsExactly(
            "{\"created_at\":\"%s\",\"event\":\"ReplayHeader\",\"producer\":\"unknown\","
                    .formatted(Lines.TIME)
                + "\"replay_version\":1}",
            "{\"context\":{},\"event\":\"SessionStart\",\"issue_number\":null,"
                + "\"policy_version\":\"p\",\"session_id\":\"s\",\"t\":\"%s\",\"task\":\"do\"}"
                    .formatted(Lines.TIME),
            "{\"event\":\"ToolCall\",\"id\":\"c\",\"params\":{\"path\":\"src/auth.rs\"},"
                + "\"params_hash\":\"%s\",\"step_id\":\"c\",\"t\":\"%s\",\"tool\":\"t\"}"
                    .formatted(Lines.PARAMS_HASH, Lines.TIME),
            "{\"event\":\"ToolResult\",\"exit_code\":null,\"id\":\"c\",\"latency_ms\":7,"
                + "\"output\":\"fn main() {}\",\"output_hash\":\"%s\",\"step_utility\":0.0,"
                    .formatted(Lines.OUTPUT_HASH)
                + "\"t\":\"%s\"}".formatted(Lines.TIME),
            "{\"confidence\":0.5,\"event\":\"SessionEnd\",\"status\":\"Timeout\","
                + "\"t\":\"2026-01-13T11:00:00Z\",\"total_latency_ms\":7,\"total_tool_calls\":1}");
    assertThat(converter.ledger().entries())
        .containsExactly(
            entry(Action.INVENTED, "ReplayHeader", "producer", null, 1),
            entry(Action.INVENTED, "SessionEnd", "confidence", null, 1),
            entry(Action.INVENTED, "SessionStart", "t", null, 1),
            entry(Action.INVENTED, "ToolCall", "step_id", null, 1),
            entry(Action.INVENTED, "ToolCall", "t", null, 1),
            entry(Action.INVENTED, "ToolResult", "step_utility", null, 1),
            entry(Action.INVENTED, "ToolResult", "t", null, 1),
            entry(Action.COMPUTED, "SessionEnd", "total_latency_ms", null, 1),
            entry(Action.COMPUTED, "SessionEnd", "total_tool_calls", null, 1),
            entry(Action.COMPUTED, "ToolCall", "params_hash", null, 1),
            entry(Action.COMPUTED, "ToolResult", "output_hash", null, 1),
            entry(Action.RENAMED, null, "type", "event", 5),
            entry(Action.RENAMED, "ReplayHeader", "started_at", "created_at", 1),
            entry(Action.RENAMED, "SessionEnd", "ended_at", "t", 1),
            entry(Action.RESPELLED, "ReplayHeader", "version", "replay_version", 1),
            entry(Action.RESPELLED, "SessionEnd", "outcome", "status", 1),
            entry(
                Action.MOVED, "ReplayHeader", "policy_bundle_id", "SessionStart.policy_version", 1),
            entry(Action.MOVED, "ReplayHeader", "session_id", "SessionStart.session_id", 1),
            entry(Action.ADDITIONAL, "SessionStart", "context", null, 1),
            entry(Action.ADDITIONAL, "SessionStart", "task", null, 1),
            entry(Action.ADDITIONAL, "ToolResult", "output", null, 1));
  }

  @Test
  void member_that_cannot_be_generated_is_missing() {
    DialectConverter converter = DialectConverter.of(Dialect.EVENT, Dialect.DRAFT);

    convert(
        converter,
        "{\"event\":\"ToolCall\",\"id\":\"c\",\"params_hash\":\"%s\",\"step_id\":\"s\",\"tool\":\"t\"}"
            .formatted(Lines.OTHER_HASH));

    assertThat(converter.ledger().entries())
        .contains(entry(Action.MISSING, "ToolCall", "params", null, 1));
  }

  @ParameterizedTest
  @CsvSource({"1.1", "2", "\"v7\"", "null"})
  void version_that_the_dialect_does_not_have_is_carried_over(String version) {
    String header = Lines.canonical(
        Lines.object(HEADER.replace("\"replay_version\":1", "\"replay_version\":" + version)));

    String there = back(Dialect.EVENT, Dialect.DRAFT, header);

    assertThat(there).contains("\"version\":\"1.0.0\"", "\"replay_version\":" + version);
    assertThat(back(Dialect.DRAFT, Dialect.EVENT, there)).contains("\"replay_version\":" + version);
  }

  @Test
  void header_alone_is_converted_at_the_end() {
    DialectConverter converter = DialectConverter.of(Dialect.EVENT, Dialect.TYPE);

    assertThat(converter.convert(Lines.object(HEADER))).isEmpty();
    assertThat(converter.finish()).hasSize(1);
    assertThat(converter.finish()).isEmpty();
  }

  @Test
  void integer_beyond_a_double_is_kept_in_a_log_of_jcs() {
    String header = HEADER.replace("{", "{\"canonicalization\":\"jcs\",");
    String line = "{\"event\":\"X\",\"n\":9007199254740993,\"t\":\"%s\"}".formatted(Lines.TIME);

    List<String> lines = convert(DialectConverter.of(Dialect.EVENT, Dialect.TYPE), header, line);

    assertThat(lines.get(1)).contains("9007199254740993");
  }

  @Test
  void number_that_its_canonical_form_cannot_hold_is_listed() {
    DialectConverter converter = DialectConverter.of(Dialect.EVENT, Dialect.TYPE);

    convert(
        converter,
        "{\"event\":\"X\",\"a\":{\"b\":[340282366920938463463374607431768211455]},\"c\":1e2,"
            + "\"d\":0.12345678901234567890123,\"e\":18446744073709551615}");

    assertThat(converter.ledger().entries())
        .containsExactly(
            entry(Action.RENAMED, null, "event", "type", 1),
            entry(Action.RESPELLED, "X", "c", null, 1),
            entry(Action.ROUNDED, "X", "a", null, 1),
            entry(Action.ROUNDED, "X", "d", null, 1));
  }

  @Test
  void event_without_identity_gets_none_by_a_name_of_the_other_dialect() {
    String line = "{\"params\":{},\"step_id\":\"S1\",\"tool\":\"t\",\"type\":\"ToolCall\"}";
    DialectConverter converter = DialectConverter.of(Dialect.DRAFT, Dialect.TYPE);

    String there = convert(converter, line).get(0);

    assertThat(there).contains("\"carried_over\":{\"draft\":{\"step_id\":\"S1\"}}");
    assertThat(converter.ledger().entries())
        .contains(entry(Action.MISSING, "ToolCall", "step_id", null, 1));
    assertThat(back(Dialect.TYPE, Dialect.DRAFT, there)).isEqualTo(line);
  }

  @Test
  void what_the_other_dialect_does_not_allow_is_listed_as_invalid() {
    DialectConverter converter = DialectConverter.of(Dialect.TYPE, Dialect.EVENT);

    convert(
        converter,
        "{\"latency_ms\":1.5,\"ok\":true,\"output_hash\":\"%s\",\"side_effects\":[],"
                .formatted(Lines.OTHER_HASH)
            + "\"step_id\":\"c\",\"step_utility\":null,\"type\":\"ToolResult\"}");

    assertThat(converter.ledger().entries())
        .contains(
            new Entry(
                Action.INVALID,
                "ToolResult",
                "latency_ms",
                null,
                "latency_ms must be an integer, found number 1.5",
                1),
            entry(Action.INVENTED, "ToolResult", "step_utility", null, 1));
  }

  @Test
  void second_policy_is_carried_over_and_the_first_comes_back() {
    String start = "{\"event\":\"SessionStart\",\"issue_number\":null,"
        + "\"policy_bundle_id\":\"B\",\"policy_version\":\"A\",\"session_id\":\"s\",\"t\":\"%s\",\"task\":\"\"}"
            .formatted(Lines.TIME);

    for (Dialect to : List.of(Dialect.TYPE, Dialect.DRAFT)) {
      List<String> there = convert(DialectConverter.of(Dialect.EVENT, to), HEADER, start);
      List<String> again =
          convert(DialectConverter.of(to, Dialect.EVENT), there.toArray(String[]::new));

      assertThat(again.get(1)).isEqualTo(start);
    }
  }

  @Test
  void session_start_may_come_later() {
    String settings = "{\"event\":\"Settings\",\"t\":\"%s\",\"values\":{}}".formatted(Lines.TIME);
    String start = "{\"event\":\"SessionStart\",\"issue_number\":null,\"policy_version\":\"A\","
        + "\"session_id\":\"s\",\"t\":\"%s\"}".formatted(Lines.TIME);
    DialectConverter converter = DialectConverter.of(Dialect.EVENT, Dialect.DRAFT);

    List<String> lines = convert(converter, HEADER, settings, start);

    assertThat(lines).hasSize(3);
    assertThat(lines.get(0)).contains("\"session_id\":\"s\"", "\"policy_bundle_id\":\"A\"");
    assertThat(lines.get(2)).doesNotContain("session_id");
    assertThat(converter.ledger().count(Action.MISSING)).isZero();
  }

  @Test
  void output_that_a_draft_must_have_is_taken_from_its_blob() {
    DialectConverter converter = DialectConverter.of(
        Dialect.EVENT, Dialect.DRAFT, content -> JsonString.of("from the blob"));

    List<String> lines = convert(
        converter,
        "{\"event\":\"ToolResult\",\"exit_code\":null,\"id\":\"c\",\"latency_ms\":1,"
            + "\"output_hash\":\"%1$s\",\"output_ref\":{\"blob\":\"%1$s\",\"bytes\":15},"
                .formatted(Lines.OTHER_HASH)
            + "\"step_utility\":0.5}");

    assertThat(lines.get(0)).contains("\"output\":\"from the blob\"").doesNotContain("output_ref");
    assertThat(converter.ledger().entries())
        .contains(
            entry(Action.COMPUTED, "ToolResult", "output", null, 1),
            entry(Action.DROPPED, "ToolResult", "output_ref", null, 1));
  }

  @Test
  void ledger_is_bounded_and_its_counts_are_complete() {
    DialectConverter converter = DialectConverter.of(Dialect.EVENT, Dialect.TYPE);

    for (int i = 0; i < 11_000; i++) {
      converter.convert(Lines.object("{\"event\":\"X%d\",\"n\":1e2}".formatted(i)));
    }

    assertThat(converter.ledger().entries()).hasSizeLessThan(10_100);
    assertThat(converter.ledger().count(Action.RESPELLED)).isEqualTo(11_000);
  }
}
