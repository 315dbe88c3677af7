package dev.agentreplay.canonical.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.agentreplay.canonical.dialect.ConversionLedger.Action;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.Status.Kind;
import dev.agentreplay.model.StepComplete;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The closed lists of statuses of the specifications, read, written and converted. */
class StatusesTest {

  private static final Map<Dialect, Set<Kind>> NAMED = Map.of(
      Dialect.EVENT, Set.of(Kind.SUCCESS, Kind.FAILURE, Kind.CANCELLED, Kind.TIMEOUT),
      Dialect.TYPE, Set.of(Kind.SUCCESS, Kind.FAILURE, Kind.CANCELLED),
      Dialect.DRAFT, Set.of(Kind.SUCCESS, Kind.FAILURE, Kind.TIMEOUT));

  private static final Set<Kind> OF_STEP =
      Set.of(Kind.SUCCESS, Kind.FAILURE, Kind.SKIPPED, Kind.MAX_ITERATIONS_REACHED);

  private static final Set<Kind> OF_SESSION =
      Set.of(Kind.SUCCESS, Kind.FAILURE, Kind.CANCELLED, Kind.TIMEOUT);

  private static final List<String> SPELLINGS = List.of(
      "Success",
      "SUCCESS",
      "Failed",
      "failed",
      "failure",
      "canceled",
      "Cancelled",
      "timeout",
      "Skipped",
      "MaxIterationsReached",
      "max_iterations_reached",
      "Banana",
      "");

  @ParameterizedTest
  @EnumSource
  void status_of_a_session_is_reported_if_the_dialect_does_not_name_it(Dialect dialect) {
    for (String spelling : SPELLINGS) {
      Decoded decoded = dialect.decode(end(dialect, spelling, null));
      Status status = Status.parse(spelling);

      assertThat(((SessionEnd) decoded.event()).status()).isEqualTo(status);
      assertThat(codes(decoded))
          .as("%s %s", dialect, spelling)
          .isEqualTo(
              NAMED.get(dialect).contains(status.kind())
                  ? List.of()
                  : List.of(FindingCode.STATUS_UNKNOWN));
    }
  }

  @ParameterizedTest
  @EnumSource
  void status_of_a_step_is_reported_if_specification_000_does_not_name_it(Dialect dialect) {
    for (String spelling : SPELLINGS) {
      JsonObject step = JsonObject.of(
          Lines.tagName(dialect),
          "StepComplete",
          "step_id",
          "s",
          "status",
          spelling,
          "iterations",
          1);
      Decoded decoded = dialect.decode(step);
      Status status = Status.parse(spelling);

      assertThat(((StepComplete) decoded.event()).status()).isEqualTo(status);
      assertThat(codes(decoded))
          .as("%s %s", dialect, spelling)
          .isEqualTo(
              OF_STEP.contains(status.kind()) ? List.of() : List.of(FindingCode.STATUS_UNKNOWN));
    }
  }

  @Test
  void finding_names_the_statuses_of_the_dialect() {
    assertThat(
            Lines.texts(Dialect.EVENT.decode(end(Dialect.EVENT, "Banana", null)).findings()))
        .containsExactly(
            "STATUS_UNKNOWN status must be Success, Failed, Cancelled or Timeout, found"
                + " \"Banana\"");
    assertThat(Lines.texts(
            Dialect.DRAFT.decode(end(Dialect.DRAFT, "cancelled", null)).findings()))
        .containsExactly(
            "STATUS_UNKNOWN outcome must be success, failure or timeout, found \"cancelled\"");
  }

  @ParameterizedTest
  @EnumSource
  void writer_refuses_a_status_that_no_session_has(Dialect dialect) {
    for (String spelling : SPELLINGS) {
      Status status = Status.parse(spelling);
      SessionEnd end = SessionEnd.of(status).withTotals(0, 0);
      if (OF_SESSION.contains(status.kind())) {
        Decoded back = Lines.decode(dialect, Lines.encode(dialect, end));
        assertThat(back.findings()).isEmpty();
        assertThat(((SessionEnd) back.event()).status().kind()).isEqualTo(status.kind());
      } else {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> Lines.encode(dialect, end))
            .withMessageMatching("SessionEnd (status|outcome) must be \\w.* or \\w+, found \".*\"");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void writer_refuses_a_status_that_no_step_has(Dialect dialect) {
    for (String spelling : SPELLINGS) {
      Status status = Status.parse(spelling);
      StepComplete step = StepComplete.of("s", status, 1);
      if (OF_STEP.contains(status.kind())) {
        Decoded back = Lines.decode(dialect, Lines.encode(dialect, step));
        assertThat(back.findings()).isEmpty();
        assertThat(((StepComplete) back.event()).status().kind()).isEqualTo(status.kind());
      } else {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> Lines.encode(dialect, step))
            .withMessageMatching("StepComplete status must be \\w.* or \\w+, found \".*\"");
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "TYPE, Timeout, status, timeout",
    "TYPE, TIMEOUT, status, timeout",
    "DRAFT, Cancelled, outcome, cancelled",
    "DRAFT, canceled, outcome, cancelled"
  })
  void status_of_another_specification_is_written_as_a_failure_next_to_the_exact_one(
      Dialect dialect, String spelling, String member, String exact) {
    SessionEnd end = SessionEnd.of(Status.parse(spelling)).withTotals(0, 0);

    JsonObject line = Lines.object(Lines.encode(dialect, end));

    assertThat(line.at("/" + member).asString()).isEqualTo("failure");
    assertThat(line.at("/exact_status").asString()).isEqualTo(exact);
  }

  @ParameterizedTest
  @CsvSource({
    "TYPE, failure, cancelled, FIELD_INVALID",
    "TYPE, failure, success, FIELD_INVALID",
    "TYPE, failure, Banana, FIELD_INVALID",
    "DRAFT, failure, timeout, FIELD_INVALID",
    "DRAFT, failure, success, FIELD_INVALID",
    "TYPE, success, timeout, FIELD_INVALID",
    "TYPE, cancelled, timeout, FIELD_INVALID",
    "DRAFT, success, cancelled, FIELD_INVALID",
    "DRAFT, timeout, cancelled, FIELD_INVALID"
  })
  void exact_status_never_contradicts_the_status(
      Dialect dialect, String status, String exact, FindingCode code) {
    Decoded decoded = dialect.decode(end(dialect, status, exact));

    assertThat(codes(decoded)).containsExactly(code);
    assertThat(((SessionEnd) decoded.event()).status()).isEqualTo(Status.parse(status));
    assertThat(decoded.event().meta().extra().at("/exact_status").asString()).isEqualTo(exact);
  }

  @ParameterizedTest
  @CsvSource({
    "EVENT, Timeout, TYPE, respelled",
    "EVENT, Cancelled, DRAFT, respelled",
    "TYPE, cancelled, DRAFT, renamed",
    "DRAFT, timeout, TYPE, renamed"
  })
  void conversion_keeps_the_exact_status_and_restores_it(
      Dialect from, String status, Dialect to, String action) {
    JsonObject source = end(from, status, null);
    DialectConverter there = DialectConverter.of(from, to);

    JsonObject line = there.convert(source).get(0);

    assertThat(to.decode(line).findings()).isEmpty();
    assertThat(line.at("/" + member(to)).asString()).isEqualTo("failure");
    assertThat(line.at("/exact_status").asString()).isEqualToIgnoringCase(status);
    assertThat(entries(there))
        .contains(
            action + " " + member(from) + " exact_status", "computed " + member(to) + " null");

    DialectConverter back = DialectConverter.of(to, from);
    JsonObject restored = back.convert(line).get(0);

    assertThat(restored.at("/" + member(from)).asString()).isEqualTo(status);
    assertThat(restored.has("exact_status")).isFalse();
    String renamed = member(to).equals(member(from)) ? null : member(from);
    assertThat(entries(back)).contains("respelled " + member(to) + " " + renamed);
    assertThat(back.ledger().count(Action.DROPPED)).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Banana", "Skipped"})
  void conversion_keeps_an_unknown_status_and_lists_it_as_invalid(String status) {
    for (Dialect to : List.of(Dialect.TYPE, Dialect.DRAFT)) {
      DialectConverter converter = DialectConverter.of(Dialect.EVENT, to);

      JsonObject line = converter.convert(end(Dialect.EVENT, status, null)).get(0);

      assertThat(line.at("/" + member(to)).asString()).isEqualToIgnoringCase(status);
      assertThat(entries(converter)).contains("invalid " + member(to) + " null");
    }
  }

  private static List<String> entries(DialectConverter converter) {
    return converter.ledger().entries().stream()
        .map(entry -> entry.action().id() + " " + entry.field() + " " + entry.to())
        .toList();
  }

  private static List<FindingCode> codes(Decoded decoded) {
    return decoded.findings().stream().map(Finding::code).toList();
  }

  private static JsonObject end(Dialect dialect, String status, @Nullable String exact) {
    JsonObject end = JsonObject.of(
        Lines.tagName(dialect),
        "SessionEnd",
        member(dialect),
        status,
        "confidence",
        0.5,
        dialect == Dialect.EVENT ? "t" : dialect == Dialect.TYPE ? "ts" : "ended_at",
        "2026-01-13T10:00:00Z",
        "total_latency_ms",
        0,
        "total_tool_calls",
        0);
    return exact == null ? end : end.with("exact_status", exact);
  }

  private static String member(Dialect dialect) {
    return dialect == Dialect.DRAFT ? "outcome" : "status";
  }
}
