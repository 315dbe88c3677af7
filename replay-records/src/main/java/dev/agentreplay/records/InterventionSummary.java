package dev.agentreplay.records;

import dev.agentreplay.model.json.JsonObject;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The interventions in a session, summed up.
 *
 * @param totalCount how many there were, not negative
 * @param bySeverity how many of each severity
 * @param byType how many of each type
 * @param hasMajorInterventions whether one was major or critical
 * @param operators who intervened, in order and none twice
 * @param firstInterventionAt when the first one was; null when there was none
 * @param lastInterventionAt when the last one was; null when there was none
 * @param extra members that no component holds
 */
public record InterventionSummary(
    long totalCount,
    SeverityCounts bySeverity,
    TypeCounts byType,
    boolean hasMajorInterventions,
    List<String> operators,
    @Nullable RecordTime firstInterventionAt,
    @Nullable RecordTime lastInterventionAt,
    JsonObject extra)
    implements RecordObject {

  private static final Comparator<RecordTime> BY_TIME = Comparator.comparing(RecordTime::instant);

  /** Checks for null and copies. */
  public InterventionSummary {
    Objects.requireNonNull(bySeverity, "bySeverity");
    Objects.requireNonNull(byType, "byType");
    operators = List.copyOf(operators);
    Objects.requireNonNull(extra, "extra");
  }

  /**
   * Sums up interventions, which may be in any order. Times are compared as points in time,
   * whatever their offset; of several at one time the first in the list is named. Operators are
   * sorted by the UTF-16 code units of their names.
   */
  public static InterventionSummary of(List<OperatorIntervention> interventions) {
    var severities = interventions.stream().map(OperatorIntervention::severity).toList();
    return new InterventionSummary(
        interventions.size(),
        SeverityCounts.of(severities),
        TypeCounts.of(interventions.stream().map(OperatorIntervention::type).toList()),
        severities.stream().anyMatch(InterventionSeverity::isMajor),
        interventions.stream()
            .map(OperatorIntervention::operatorId)
            .distinct()
            .sorted()
            .toList(),
        time(interventions, BinaryOperator.minBy(BY_TIME)),
        time(interventions, (first, next) -> BY_TIME.compare(next, first) > 0 ? next : first),
        JsonObject.EMPTY);
  }

  /** Whether the session ran without a major or critical intervention, as the summary says. */
  public boolean isClean() {
    return !hasMajorInterventions;
  }

  private static @Nullable RecordTime time(
      List<OperatorIntervention> interventions, BinaryOperator<RecordTime> choice) {
    return interventions.stream()
        .map(OperatorIntervention::timestamp)
        .reduce(choice)
        .orElse(null);
  }
}
