package dev.agentreplay.engine.diff;

import dev.agentreplay.engine.diff.AlignedStep.Relation;
import dev.agentreplay.engine.diff.Divergence.Cause;
import dev.agentreplay.engine.diff.Divergence.Link;
import dev.agentreplay.engine.diff.Divergence.Role;
import dev.agentreplay.engine.diff.EventChange.Event;
import dev.agentreplay.engine.diff.SessionDiff.First;
import dev.agentreplay.engine.diff.rule.Closeness;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Results that no comparison made. */
public final class TestResults {

  private TestResults() {}

  public static SessionDiff sessionDiff(
      ComparedSession left,
      ComparedSession right,
      DiffSummary summary,
      First first,
      List<Divergence> divergences,
      List<AlignedStep> alignment,
      List<AppliedRule> rules) {
    return new Results.SessionDiffData(
        left,
        right,
        summary,
        first,
        divergences,
        alignment,
        rules,
        DivergenceSeverity.MINOR,
        Set.of(),
        Set.of());
  }

  public static First first(int call, DivergenceKind kind) {
    return new Results.FirstData(call, kind);
  }

  public static ComparedSession comparedSession(
      String name, String sessionId, long events, long latencyMillis) {
    return new Results.ComparedSessionData(name, sessionId, events, latencyMillis, null);
  }

  public static AppliedRule appliedRule(String rule, long left, long right) {
    return new Results.AppliedRuleData(rule, left, right);
  }

  public static Divergence divergence(
      int number,
      DivergenceKind kind,
      SeverityRating rating,
      Cause cause,
      Step left,
      Step right,
      int size,
      List<EventChange> changes) {
    return new Results.DivergenceData(
        number, kind, rating, cause, Sides.of(left, right), size, changes, null, null);
  }

  public static Cause cause(Role role, Integer divergence, Link link, int followers) {
    return new Results.CauseData(role, divergence, link, followers);
  }

  public static EventChange eventChange(
      Event left, Event right, List<ValueChange> values, JsonArray patch) {
    return new Results.EventChangeData(Sides.of(left, right), values, patch);
  }

  public static Event event(long line, JsonObject json) {
    return new Results.EventData(line, json);
  }

  public static ValueChange valueChange(
      DivergenceKind kind,
      String pointer,
      String rightPointer,
      JsonValue before,
      JsonValue after,
      Closeness closeness) {
    return new Results.ValueChangeData(
        kind, pointer, rightPointer, Sides.of(before, after), closeness, null, null);
  }

  public static AlignedStep alignedStep(
      Relation relation, Step left, Step right, Integer divergence) {
    return new Results.AlignedStepData(relation, Sides.of(left, right), divergence, null);
  }

  public static Step step(
      StepKind kind,
      int index,
      Integer call,
      String name,
      long line,
      Long resultLine,
      Long latencyMillis,
      boolean succeeded,
      String summary,
      ContentHash fingerprint) {
    return new Results.StepData(
        kind,
        index,
        call,
        name,
        null,
        line,
        resultLine,
        latencyMillis,
        succeeded,
        summary,
        fingerprint);
  }

  public static DiffSummary diffSummary(
      StepCounts calls,
      StepCounts steps,
      Map<StepKind, StepCounts> byKind,
      Map<String, ToolCounts> byTool,
      Map<DivergenceKind, Integer> divergencesByKind,
      Map<DivergenceSeverity, Integer> divergencesBySeverity,
      Map<Role, Integer> divergencesByRole,
      int identities,
      int timings,
      int ignoredCalls) {
    return new Results.DiffSummaryData(
        calls,
        steps,
        byKind,
        byTool,
        divergencesByKind,
        divergencesBySeverity,
        divergencesByRole,
        identities,
        timings,
        0,
        0,
        ignoredCalls);
  }

  public static StepCounts stepCounts(
      int left, int right, int matched, int changed, int moved, int missing, int added) {
    return new Results.StepCountsData(left, right, matched, changed, moved, missing, added);
  }

  public static ToolCounts toolCounts(
      int left,
      int right,
      int matched,
      int changed,
      int replaced,
      int replacing,
      int missing,
      int added,
      long leftLatencyMillis,
      long rightLatencyMillis) {
    return new Results.ToolCountsData(
        left,
        right,
        matched,
        changed,
        replaced,
        replacing,
        missing,
        added,
        leftLatencyMillis,
        rightLatencyMillis);
  }
}
