package dev.agentreplay.engine.diff;

import dev.agentreplay.engine.diff.AlignedStep.Relation;
import dev.agentreplay.engine.diff.Divergence.Cause;
import dev.agentreplay.engine.diff.Divergence.Link;
import dev.agentreplay.engine.diff.Divergence.Role;
import dev.agentreplay.engine.diff.EventChange.Event;
import dev.agentreplay.engine.diff.SessionDiff.First;
import dev.agentreplay.engine.diff.SeverityPolicy.Change;
import dev.agentreplay.engine.diff.ValueChange.Detail;
import dev.agentreplay.engine.diff.ValueChange.FileContents;
import dev.agentreplay.engine.diff.ValueChange.Places;
import dev.agentreplay.engine.diff.ValueChange.Replacement;
import dev.agentreplay.engine.diff.ValueChange.Rewritten;
import dev.agentreplay.engine.diff.rule.Closeness;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The implementations of the result interfaces. Only this module creates results. */
final class Results {

  private Results() {}

  record SessionDiffData(
      ComparedSession left,
      ComparedSession right,
      DiffSummary summary,
      @Nullable First first,
      List<Divergence> divergences,
      List<AlignedStep> alignment,
      List<AppliedRule> rules,
      DivergenceSeverity failOn,
      Set<ContentHash> accepted,
      Set<ContentHash> notFound)
      implements SessionDiff {

    SessionDiffData {
      divergences = List.copyOf(divergences);
      alignment = List.copyOf(alignment);
      rules = List.copyOf(rules);
      accepted = Set.copyOf(accepted);
      notFound = Set.copyOf(notFound);
    }
  }

  record FirstData(int call, DivergenceKind kind) implements First {}

  record ComparedSessionData(
      String name,
      @Nullable String sessionId,
      long events,
      long latencyMillis,
      @Nullable String policy)
      implements ComparedSession {}

  static ComparedSession renamed(ComparedSession session, String name) {
    return new ComparedSessionData(
        Objects.requireNonNull(name, "name"),
        session.sessionId(),
        session.events(),
        session.latencyMillis(),
        session.policy());
  }

  record AppliedRuleData(String rule, long left, long right) implements AppliedRule {}

  record DivergenceData(
      int number,
      DivergenceKind kind,
      SeverityRating rating,
      Cause cause,
      Sides<Step> sides,
      int size,
      List<EventChange> changes,
      @Nullable ContentHash fingerprint,
      @Nullable SeverityRating accepted)
      implements Divergence {

    DivergenceData {
      changes = List.copyOf(changes);
    }
  }

  record CauseData(Role role, @Nullable Integer divergence, @Nullable Link link, int followers)
      implements Cause {}

  record ChangeData(
      DivergenceKind kind, Set<DivergenceKind> kinds, Step step, List<ValueChange> values)
      implements Change {

    ChangeData {
      kinds = Set.copyOf(kinds);
      values = List.copyOf(values);
    }
  }

  record EventChangeData(Sides<Event> sides, List<ValueChange> values, JsonArray patch)
      implements EventChange {

    EventChangeData {
      values = List.copyOf(values);
    }
  }

  record EventData(long line, JsonObject json) implements Event {}

  /**
   * A place that differs, for fingerprints.
   *
   * @param pointer the place in the left event, with {@code +} or {@code -} at an element that only
   *     the right array has
   * @param value the hash of the right value, as the rules leave it; null if there is none
   */
  record Place(String pointer, @Nullable ContentHash value) {}

  record ValueChangeData(
      DivergenceKind kind,
      String pointer,
      String rightPointer,
      Sides<JsonValue> sides,
      @Nullable Closeness closeness,
      @Nullable Detail detail,
      @Nullable Place place)
      implements ValueChange {

    ValueChangeData withDetail(Detail newDetail) {
      return new ValueChangeData(kind, pointer, rightPointer, sides, closeness, newDetail, place);
    }

    /** The place for fingerprints is not part of the value: it may not have been computed. */
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof ValueChangeData that
          && kind == that.kind
          && pointer.equals(that.pointer)
          && rightPointer.equals(that.rightPointer)
          && sides.equals(that.sides)
          && Objects.equals(closeness, that.closeness)
          && Objects.equals(detail, that.detail);
    }

    @Override
    public int hashCode() {
      return Objects.hash(kind, pointer, rightPointer, sides, closeness, detail);
    }
  }

  record RewrittenData(List<Replacement> before, List<Replacement> after) implements Rewritten {

    RewrittenData {
      before = inOrder(before);
      after = inOrder(after);
    }

    private static List<Replacement> inOrder(List<Replacement> replacements) {
      int end = 0;
      for (Replacement next : replacements) {
        if (next.start() < end) {
          throw new IllegalArgumentException(
              "replacements must be in order and disjoint: from %s, after one to %s"
                  .formatted(next.start(), end));
        }
        end = next.end();
      }
      return List.copyOf(replacements);
    }
  }

  record PlacesData(List<ValueChange> first, @Nullable Integer count) implements Places {

    PlacesData {
      first = List.copyOf(first);
    }
  }

  record WithheldData(
      ValueChange.Withheld.@Nullable Reason left, ValueChange.Withheld.@Nullable Reason right)
      implements ValueChange.Withheld {}

  record FileContentsData(Sides<FileContent> sides) implements FileContents {}

  record FileContentData(FileContent.Form form, @Nullable Long bytes, @Nullable String text)
      implements FileContent {}

  record AlignedStepData(
      Relation relation,
      Sides<Step> sides,
      @Nullable Integer divergence,
      @Nullable ContentHash accepted)
      implements AlignedStep {

    AlignedStepData {
      if ((relation == Relation.MISSING) != sides instanceof Sides.LeftOnly
          || (relation == Relation.ADDED) != sides instanceof Sides.RightOnly) {
        throw new IllegalArgumentException("not the relation of " + sides + ": " + relation);
      }
    }
  }

  record StepData(
      StepKind kind,
      int index,
      @Nullable Integer call,
      String name,
      @Nullable String agent,
      long line,
      @Nullable Long resultLine,
      @Nullable Long latencyMillis,
      boolean succeeded,
      String summary,
      ContentHash fingerprint)
      implements Step {}

  record DiffSummaryData(
      StepCounts calls,
      StepCounts steps,
      Map<StepKind, StepCounts> byKind,
      Map<String, ToolCounts> byTool,
      Map<DivergenceKind, Integer> divergencesByKind,
      Map<DivergenceSeverity, Integer> divergencesBySeverity,
      Map<Role, Integer> divergencesByRole,
      int identities,
      int timings,
      int withheld,
      int replaced,
      int ignoredCalls)
      implements DiffSummary {

    DiffSummaryData {
      byKind = ordered(byKind);
      byTool = ordered(byTool);
      divergencesByKind = ordered(divergencesByKind);
      divergencesBySeverity = ordered(divergencesBySeverity);
      divergencesByRole = ordered(divergencesByRole);
    }

    private static <K, V> Map<K, V> ordered(Map<K, V> map) {
      return Collections.unmodifiableMap(new TreeMap<>(map));
    }
  }

  record StepCountsData(
      int left, int right, int matched, int changed, int moved, int missing, int added)
      implements StepCounts {}

  record ToolCountsData(
      int left,
      int right,
      int matched,
      int changed,
      int replaced,
      int replacing,
      int missing,
      int added,
      long leftLatencyMillis,
      long rightLatencyMillis)
      implements ToolCounts {}
}
