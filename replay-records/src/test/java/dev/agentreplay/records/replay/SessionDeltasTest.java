package dev.agentreplay.records.replay;

import static dev.agentreplay.records.replay.TestSession.BLUE;
import static dev.agentreplay.records.replay.TestSession.GREEN;
import static dev.agentreplay.records.replay.TestSession.RED;
import static dev.agentreplay.records.replay.TestSession.said;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.agentreplay.records.AgentRosterEntry;
import dev.agentreplay.records.AgentRosterEntry.Role;
import dev.agentreplay.records.RecordReplayReport.Severity;
import dev.agentreplay.records.SessionOutputs;
import dev.agentreplay.records.SessionOutputs.Counts;
import dev.agentreplay.records.SessionOutputs.LintResult;
import dev.agentreplay.records.SessionOutputs.Scorecard;
import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.TraceMessage.Type;
import dev.agentreplay.records.replay.SessionDeltas.Delta;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SessionDeltasTest {

  private static final TestSession SESSION = TestSession.example();

  private static Delta delta(long original, long replayed) {
    return Delta.of(original, replayed);
  }

  private static SessionDeltas deltas(SessionRecord original, SessionRecord other)
      throws Exception {
    return SessionDeltas.of(SessionReplay.of(original)
        .texts(SESSION.texts())
        .against(other, SESSION.texts())
        .roster(other.inputs().agentRoster())
        .run());
  }

  private static SessionRecord with(
      TestSession session, Counts counts, LintResult lint, Scorecard scorecard) {
    SessionRecord record = session.record();
    SessionOutputs outputs = record.outputs();
    return record.withOutputs(
        outputs.withCounts(counts).withLintResult(lint).withScorecard(scorecard));
  }

  @Test
  void outputs_are_subtracted() throws Exception {
    SessionRecord original = with(
        SESSION,
        new Counts(3, 5, 2L, null, 4L),
        LintResult.of(List.of("e"), List.of()),
        new Scorecard("B", 81.5));
    SessionRecord other = with(
        SESSION,
        new Counts(4, 5, 1L, 2L, null),
        LintResult.of(List.of(), List.of("w", "w")),
        new Scorecard("A", 90.1));

    Map<String, Delta> totals = deltas(original, other).totals();

    assertThat(totals.keySet())
        .containsExactly(
            "hypothesis_count",
            "test_count",
            "assumption_count",
            "anomaly_count",
            "critique_count",
            "lint_errors",
            "lint_warnings",
            "scorecard_points",
            "rounds",
            "duration_ms",
            "messages",
            "bytes");
    assertThat(totals.get("hypothesis_count").difference()).isEqualTo(BigDecimal.ONE);
    assertThat(totals.get("test_count").difference()).isEqualTo(BigDecimal.ZERO);
    assertThat(totals.get("assumption_count").difference()).isEqualTo(BigDecimal.valueOf(-1));
    assertThat(totals.get("anomaly_count")).isEqualTo(Delta.of(null, 2L));
    assertThat(totals.get("anomaly_count").difference()).isNull();
    assertThat(totals.get("critique_count").difference()).isNull();
    assertThat(totals.get("lint_errors")).isEqualTo(delta(1, 0));
    assertThat(totals.get("lint_warnings")).isEqualTo(delta(0, 2));
    // as decimals, without the error of binary fractions
    assertThat(totals.get("scorecard_points").difference()).isEqualTo(new BigDecimal("8.6"));
  }

  @Test
  void outputs_that_a_record_does_not_state_are_not_known() throws Exception {
    SessionRecord original =
        with(SESSION, Counts.of(3, 5), LintResult.CLEAN, new Scorecard(null, null));

    Map<String, Delta> totals = deltas(original, SESSION.record()).totals();

    assertThat(totals.get("hypothesis_count")).isEqualTo(Delta.of(3L, null));
    assertThat(totals.get("test_count")).isEqualTo(Delta.of(5L, null));
    assertThat(totals.get("lint_errors")).isEqualTo(Delta.of(0L, null));
    assertThat(totals.get("scorecard_points")).isEqualTo(Delta.of(null, null));
  }

  @Test
  void messages_and_bytes_are_those_that_are_compared() throws Exception {
    TestSession other = SESSION.with(1, 3).with(0, 0, said("Operator", Type.KICKOFF, "short"));

    SessionDeltas deltas = SessionDeltas.of(SESSION.against(other).run());

    assertThat(deltas.totals().get("messages")).isEqualTo(delta(7, 6));
    assertThat(deltas.countsByType().get(Type.CRITIQUE).messages()).isEqualTo(delta(2, 1));
    long removed = SESSION.at(1, 3).text().length();
    assertThat(deltas.totals().get("bytes").difference()).isEqualTo(BigDecimal.valueOf(-removed));
    assertThat(deltas.countsByRole().get("adversarial_critic").bytes().difference())
        .isEqualTo(BigDecimal.valueOf(-removed));
    assertThat(deltas.countsByType()).doesNotContainKeys(Type.KICKOFF, Type.COMPILE);
    assertThat(deltas.byRole().get("adversarial_critic").count(Severity.MAJOR)).isEqualTo(1);
    assertThat(deltas.byRole().get("adversarial_critic").matched()).isEqualTo(1);
    assertThat(deltas.byType().get(Type.DELTA).divergences()).isZero();
  }

  @Test
  void message_of_a_sender_without_a_role_is_counted_as_other() throws Exception {
    TestSession other = SESSION.with(0, 1, SESSION.at(0, 1), said("Stranger", Type.DELTA, "hello"));

    SessionDeltas deltas = SessionDeltas.of(SESSION.against(other).run());

    assertThat(deltas.countsByRole().get(SessionDeltas.NO_ROLE).messages()).isEqualTo(delta(0, 1));
    assertThat(deltas.byRole().get("other").count(Severity.MAJOR)).isEqualTo(1);
  }

  @Test
  void sums_by_role_and_by_type_are_those_of_the_session() throws Exception {
    TestSession other = SESSION
        .with(0, 3, said("Red", Type.EVIDENCE, "x"))
        .with(1, 0)
        .with(1, 1, said("Green", Type.RESULT, "A completely new text."));
    SessionReplayResult result = SESSION.against(other).run();
    SessionDeltas deltas = SessionDeltas.of(result);
    DivergenceTally all = DivergenceTally.of(result);
    long pairs = result.alignment().stream().filter(pair -> !pair.isInput()).count();

    assertThat(all.matched() + all.divergences()).isEqualTo(pairs);
    for (var tallies : List.of(deltas.byRole().values(), deltas.byType().values())) {
      assertThat(tallies.stream().mapToLong(DivergenceTally::matched).sum())
          .isEqualTo(all.matched());
      assertThat(tallies.stream().mapToLong(each -> each.count(Severity.MAJOR)).sum())
          .isEqualTo(all.count(Severity.MAJOR));
    }
  }

  @Test
  void duration_is_only_compared_if_all_rounds_were_replayed() throws Exception {
    SessionReplayResult some = SESSION.against(SESSION).rounds(0, 0).run();

    assertThat(SessionDeltas.of(some).totals().get("duration_ms")).isEqualTo(Delta.of(null, null));
    assertThat(SessionDeltas.of(some).totals().get("rounds")).isEqualTo(delta(1, 1));
  }

  @Test
  void changes_of_the_roster_name_the_members_that_differ() {
    AgentRosterEntry warm = BLUE.withTemperature(0.5);
    AgentRosterEntry other =
        AgentRosterEntry.of("White", Role.ADVERSARIAL_CRITIC, "gemini-cli", "gemini-4");
    AgentRosterEntry second =
        AgentRosterEntry.of("Gray", Role.TEST_DESIGNER, "codex-cli", "gpt-5.2");

    List<RosterChange> changes =
        RosterChange.between(List.of(BLUE, GREEN, RED), List.of(other, second, GREEN, warm));

    assertThat(changes)
        .containsExactly(
            new RosterChange(Role.HYPOTHESIS_GENERATOR, BLUE, warm, List.of("temperature")),
            new RosterChange(Role.TEST_DESIGNER, null, second, List.of()),
            new RosterChange(Role.ADVERSARIAL_CRITIC, RED, other, List.of("agent_name", "model")));
    assertThat(RosterChange.between(List.of(BLUE, GREEN), List.of(GREEN, BLUE))).isEmpty();
  }

  @Test
  void trace_has_no_deltas() throws Exception {
    SessionReplayResult trace =
        SessionReplay.of(SESSION.record()).texts(SESSION.texts()).trace();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> SessionDeltas.of(trace))
        .withMessage("expected a verification or comparison, found a trace");
  }
}
