package dev.agentreplay.canonical.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.dialect.ConversionLedger.Action;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.Outcome;
import dev.agentreplay.model.PlanStart;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.Verification;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The shapes and widths of members that the specifications define beyond a JSON type. */
class RestrictionTest {

  private static final String U64 = "18446744073709551615";

  static Stream<JsonValue> notObjects() {
    return Stream.of(
        JsonValue.of("x"),
        JsonValue.of(1),
        JsonValue.of(List.of(1)),
        JsonValue.of(true),
        JsonNull.NULL);
  }

  @ParameterizedTest
  @MethodSource("notObjects")
  void params_of_the_dialect_type_are_an_object(JsonValue params) {
    JsonObject line =
        JsonObject.of("type", "ToolCall", "step_id", "c", "tool", "t", "params", params);
    line = line.with("params_hash", CanonicalJson.SERDE.hash(params).toString());

    Decoded decoded = Dialect.TYPE.decode(line);

    assertThat(Lines.texts(decoded.findings()))
        .containsExactly(
            "FIELD_INVALID params must be an object in the dialect type, found " + params);
    // the value is kept, so that its hash is checked
    assertThat(((ToolCall) decoded.event()).params().value()).isEqualTo(params);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Lines.encode(Dialect.TYPE, decoded.event()))
        .withMessage("ToolCall params must be an object in the dialect type, found " + params);
    for (Dialect other : List.of(Dialect.EVENT, Dialect.DRAFT)) {
      assertThat(Lines.decode(other, Lines.encode(other, decoded.event())).findings())
          .isEmpty();
    }
  }

  @Test
  void conversion_to_type_lists_params_that_are_not_an_object() {
    JsonObject line = JsonObject.of(
        "event",
        "ToolCall",
        "id",
        "c",
        "tool",
        "t",
        "params",
        "x",
        "step_id",
        "c",
        "t",
        "2026-01-13T10:00:00Z");
    DialectConverter converter = DialectConverter.of(Dialect.EVENT, Dialect.TYPE);

    JsonObject converted = converter.convert(line).get(0);

    assertThat(converted.at("/params").asString()).isEqualTo("x");
    assertThat(converter.ledger().entries())
        .filteredOn(entry -> entry.action() == Action.INVALID)
        .extracting(ConversionLedger.Entry::field)
        .containsExactly("params");
  }

  @ParameterizedTest
  @EnumSource
  void repository_names_its_parts_with_texts(Dialect dialect) {
    for (String part : List.of("remote", "branch", "commit")) {
      for (JsonValue value : notObjects().toList()) {
        JsonObject repository = JsonObject.of("dirty", true, part, value);
        SessionStart start = SessionStart.of("s").withRepository(repository);
        boolean isValid = value == JsonNull.NULL || value.equals(JsonValue.of("x"));

        check(
            dialect,
            start,
            JsonObject.of("repo", repository),
            isValid
                ? null
                : "FIELD_INVALID repo must be an object in which remote, branch, commit"
                    + " are strings, found " + repository);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void error_describes_itself_with_texts(Dialect dialect) {
    for (String part : List.of("name", "message", "stack")) {
      for (JsonValue value : notObjects().toList()) {
        JsonObject error = JsonObject.of("cause", JsonObject.EMPTY, part, value);
        ToolResult result = ToolResult.of("c", "x")
            .withLatencyMillis(1L)
            .withOutcome(Outcome.failed(new Failure(error)));
        boolean isValid = value == JsonNull.NULL || value.equals(JsonValue.of("x"));

        check(
            dialect,
            result,
            JsonObject.of("error", error),
            isValid
                ? null
                : "FIELD_INVALID error must be an object in which name, message, stack"
                    + " are strings, found " + error);
      }
    }
  }

  /** Checks that reading reports a fault and that writing refuses it; null for a valid event. */
  private static void check(
      Dialect dialect, ReplayEvent event, JsonObject member, @Nullable String fault) {
    String name = member.name(0);
    JsonObject line = JsonObject.of(
            Lines.tagName(dialect), event.kind().id(), name, member.value(0))
        .with("id", "c")
        .with("step_id", "c");
    List<String> found = Lines.texts(dialect.decode(line).findings().stream()
        .filter(finding -> name.equals(finding.member()))
        .toList());
    if (fault == null) {
      assertThat(found).isEmpty();
      assertThat(Lines.object(Lines.encode(dialect, event)).get(name)).isEqualTo(member.value(0));
    } else {
      assertThat(found).containsExactly(fault);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Lines.encode(dialect, event))
          .withMessage(event.kind().id() + fault.substring("FIELD_INVALID".length()));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {Integer.MAX_VALUE + 1L, Integer.MIN_VALUE - 1L, 1L << 40, Long.MIN_VALUE})
  void delta_of_the_dialect_event_has_32_bits(long delta) {
    Verification verification = Verification.of().withDelta(delta);
    JsonObject line = JsonObject.of(
        "event",
        "Verification",
        "t",
        "2026-01-13T10:00:00Z",
        "commands",
        List.of(),
        "exit_codes",
        List.of(),
        "verification_delta",
        delta);

    assertThat(Lines.texts(Dialect.EVENT.decode(line).findings()))
        .containsExactly(
            "VALUE_OUT_OF_RANGE verification_delta must be a 32-bit integer, found " + delta);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Lines.encode(Dialect.EVENT, verification))
        .withMessage("Verification verification_delta must be a 32-bit integer, found " + delta);
    // 002 does not limit it
    assertThat(Lines.object(Lines.encode(Dialect.DRAFT, verification)).at("/delta"))
        .hasToString(Long.toString(delta));
  }

  @ParameterizedTest
  @ValueSource(longs = {Integer.MAX_VALUE, Integer.MIN_VALUE, 0})
  void delta_of_32_bits_is_read_and_written(long delta) {
    String line = Lines.encode(Dialect.EVENT, Verification.of().withDelta(delta));

    assertThat(Lines.decode(Dialect.EVENT, line).findings()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"9223372036854775808", "10000000000000000000", U64})
  void unsigned_number_beyond_a_long_is_kept_and_reported_for_information(String number) {
    for (Dialect dialect : Dialect.values()) {
      for (String name :
          List.of("latency_ms", "total_latency_ms", "total_tool_calls", "step_count")) {
        JsonObject line = Lines.object(line(dialect, name).replace("N", number));

        Decoded decoded = dialect.decode(line);

        assertThat(decoded.findings())
            .extracting(Finding::code)
            .as("%s in %s", name, dialect)
            .containsExactly(FindingCode.NUMBER_TOO_LARGE);
        assertThat(Lines.texts(decoded.findings()))
            .containsExactly(
                "NUMBER_TOO_LARGE %s is larger than 2^63-1: it is kept, but not computed with"
                    .formatted(name));
        assertThat(Lines.object(Lines.encode(dialect, decoded.event())).at("/" + name))
            .hasToString(number);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "18446744073709551616",
        "99999999999999999999",
        "-1e20",
        "9223372036854775808.5",
        "-9223372036854775809"
      })
  void number_beyond_64_bits_is_invalid(String number) {
    JsonObject line = Lines.object(line(Dialect.EVENT, "latency_ms").replace("N", number));

    assertThat(Dialect.EVENT.decode(line).findings())
        .extracting(Finding::code)
        .containsExactly(FindingCode.FIELD_INVALID);
  }

  @Test
  void conversion_keeps_an_unsigned_number() {
    for (Dialect from : Dialect.values()) {
      for (Dialect to : Dialect.values()) {
        if (from != to) {
          DialectConverter converter = DialectConverter.of(from, to);
          JsonObject line = Lines.object(line(from, "latency_ms").replace("N", U64));

          JsonObject converted = converter.convert(line).get(0);

          assertThat(converted.at("/latency_ms")).hasToString(U64);
          assertThat(converter.ledger().count(Action.INVALID)).isZero();
        }
      }
    }
  }

  private static String line(Dialect dialect, String name) {
    String time = dialect == Dialect.EVENT ? "t" : "ts";
    return switch (name) {
      case "latency_ms" ->
        ("{\"%s\":\"ToolResult\",\"id\":\"c\",\"step_id\":\"c\",\"ok\":true,"
                + "\"output\":\"fn main() {}\",\"output_hash\":\"%s\",\"exit_code\":null,"
                + "\"step_utility\":0.5,\"side_effects\":[],\"latency_ms\":N,\"%s\":\"%s\"}")
            .formatted(Lines.tagName(dialect), Lines.OUTPUT_HASH, time, Lines.TIME);
      case "step_count" ->
        "{\"%s\":\"PlanStart\",\"plan_hash\":\"%s\",\"step_count\":N,\"%s\":\"%s\"}"
            .formatted(Lines.tagName(dialect), Lines.OTHER_HASH, time, Lines.TIME);
      default ->
        ("{\"%s\":\"SessionEnd\",\"status\":\"success\",\"outcome\":\"success\","
                + "\"confidence\":0.5,\"ended_at\":\"%s\",%s\"%s\":N,\"%s\":\"%s\"}")
            .formatted(
                Lines.tagName(dialect),
                Lines.TIME,
                name.equals("total_tool_calls")
                    ? "\"total_latency_ms\":0,"
                    : "\"total_tool_calls\":0,",
                name,
                time,
                Lines.TIME);
    };
  }

  @Test
  void members_within_their_width_have_no_findings() {
    Meta meta = Meta.at(Lines.TIME);
    assertThat(Lines.decode(
                Dialect.EVENT,
                Lines.encode(
                    Dialect.EVENT,
                    SessionEnd.of(Status.SUCCESS)
                        .withTotals(Long.MAX_VALUE, Long.MAX_VALUE)
                        .withMeta(meta)))
            .findings())
        .isEmpty();
    assertThat(Lines.decode(
                Dialect.EVENT,
                Lines.encode(
                    Dialect.EVENT,
                    new PlanStart(Lines.hash(Lines.OTHER_HASH), Long.MAX_VALUE, meta)))
            .findings())
        .isEmpty();
  }
}
