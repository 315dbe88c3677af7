package dev.agentreplay.engine.diff;

import dev.agentreplay.engine.diff.AlignedStep.Relation;
import dev.agentreplay.model.check.EventRules;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Counts the steps and divergences of a comparison. */
final class DiffTally {

  private static final String TOOL = "/tool";

  private final Steps all = new Steps();
  private final Map<StepKind, Steps> byKind = new EnumMap<>(StepKind.class);
  private final Map<String, Calls> byTool = new HashMap<>();
  private final Map<DivergenceKind, Integer> kinds = new EnumMap<>(DivergenceKind.class);
  private final Map<DivergenceSeverity, Integer> severities =
      new EnumMap<>(DivergenceSeverity.class);
  private final Map<Divergence.Role, Integer> roles = new EnumMap<>(Divergence.Role.class);
  private int withheld;
  private int replaced;
  private int identities;
  private int timings;

  private static final class Steps {
    int left;
    int right;
    int matched;
    int changed;
    int moved;
    int missing;
    int added;

    void add(Relation relation) {
      left += relation == Relation.ADDED ? 0 : 1;
      right += relation == Relation.MISSING ? 0 : 1;
      switch (relation) {
        case MISSING -> missing++;
        case ADDED -> added++;
        case MATCHED -> matched++;
        case CHANGED -> changed++;
        case MOVED -> {
          changed++;
          moved++;
        }
      }
    }

    StepCounts counts() {
      return new Results.StepCountsData(left, right, matched, changed, moved, missing, added);
    }
  }

  private static final class Calls {
    int left;
    int right;
    int matched;
    int changed;
    int replaced;
    int replacing;
    int missing;
    int added;
    long leftLatency;
    long rightLatency;

    ToolCounts counts() {
      return new Results.ToolCountsData(
          left,
          right,
          matched,
          changed,
          replaced,
          replacing,
          missing,
          added,
          leftLatency,
          rightLatency);
    }
  }

  /** Counts the values of a pair that were not compared. */
  void values(List<ValueChange> values) {
    for (ValueChange value : values) {
      if (value.detail() instanceof ValueChange.Withheld reason) {
        replaced += reason.isReplaced() ? 1 : 0;
        withheld += reason.isReplaced() ? 0 : 1;
      }
    }
  }

  /**
   * Counts a pair of steps, or a step without a partner.
   *
   * @param values the places where they differ
   */
  void step(Relation relation, Sides<IndexedStep> steps, List<ValueChange> values) {
    all.add(relation);
    StepKind kind = steps.any().step().kind();
    byKind.computeIfAbsent(kind, k -> new Steps()).add(relation);
    if (kind == StepKind.CALL) {
      Sides<Step> calls = steps.map(IndexedStep::step);
      call(calls.left(), calls.right(), relation == Relation.MATCHED, tool(calls, values));
    }
    if (steps instanceof Sides.Both<IndexedStep> both) {
      identities += both.left().ids() == both.right().ids() ? 0 : 1;
      timings += both.left().time() == both.right().time() ? 0 : 1;
    }
  }

  void divergence(DivergenceKind kind, DivergenceSeverity severity) {
    kinds.merge(kind, 1, Integer::sum);
    severities.merge(severity, 1, Integer::sum);
  }

  void role(Divergence.Role role) {
    roles.merge(role, 1, Integer::sum);
  }

  DiffSummary summary(int ignoredCalls) {
    Map<StepKind, StepCounts> stepsByKind = new EnumMap<>(StepKind.class);
    byKind.forEach((kind, steps) -> stepsByKind.put(kind, steps.counts()));
    Map<String, ToolCounts> callsByTool = new HashMap<>();
    byTool.forEach((tool, calls) -> callsByTool.put(tool, calls.counts()));
    return new Results.DiffSummaryData(
        stepsByKind.getOrDefault(StepKind.CALL, new Steps().counts()),
        all.counts(),
        stepsByKind,
        callsByTool,
        kinds,
        severities,
        roles,
        identities,
        timings,
        withheld,
        replaced,
        ignoredCalls);
  }

  /** The tool of two calls of which a session withholds it: the one that is shown. Else null. */
  private static @Nullable String tool(Sides<Step> calls, List<ValueChange> values) {
    for (ValueChange value : values) {
      if (value.detail() instanceof ValueChange.Withheld reason
          && value.pointer().equals(TOOL)) {
        Step left = calls.left();
        return left != null && (reason.left() == null || calls.right() == null)
            ? left.name()
            : Objects.requireNonNull(calls.right()).name();
      }
    }
    return null;
  }

  private void call(
      @Nullable Step left, @Nullable Step right, boolean isEqual, @Nullable String tool) {
    boolean isReplaced =
        tool == null && left != null && right != null && !left.name().equals(right.name());
    if (left != null) {
      Calls calls = calls(tool == null ? left.name() : tool);
      calls.left++;
      calls.leftLatency = total(calls.leftLatency, left);
      calls.missing += right == null ? 1 : 0;
      calls.replaced += isReplaced ? 1 : 0;
      if (right != null && !isReplaced) {
        calls.matched += isEqual ? 1 : 0;
        calls.changed += isEqual ? 0 : 1;
      }
    }
    if (right != null) {
      Calls calls = calls(tool == null ? right.name() : tool);
      calls.right++;
      calls.rightLatency = total(calls.rightLatency, right);
      calls.added += left == null ? 1 : 0;
      calls.replacing += isReplaced ? 1 : 0;
    }
  }

  private Calls calls(String tool) {
    return byTool.computeIfAbsent(tool, key -> new Calls());
  }

  private static long total(long latency, Step step) {
    return EventRules.addTotal(latency, step.latencyMillis() == null ? 0 : step.latencyMillis());
  }
}
