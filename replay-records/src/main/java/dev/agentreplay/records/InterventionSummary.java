package dev.agentreplay.records;

import dev.agentreplay.model.json.JsonObject;
import java.util.Collection;
import java.util.Collections;
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
        severities.stream().anyMatch(OperatorIntervention.Severity::isMajor),
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

  /**
   * The number of interventions of each severity; none is negative.
   *
   * @param minor those that are minor
   * @param moderate those that are moderate
   * @param major those that are major
   * @param critical those that are critical
   * @param extra members that no component holds
   */
  public record SeverityCounts(
      long minor, long moderate, long major, long critical, JsonObject extra)
      implements RecordObject {

    /** Checks for null. */
    public SeverityCounts {
      Objects.requireNonNull(extra, "extra");
    }

    /** Counts these severities. */
    public static SeverityCounts of(Collection<OperatorIntervention.Severity> severities) {
      return new SeverityCounts(
          Collections.frequency(severities, OperatorIntervention.Severity.MINOR),
          Collections.frequency(severities, OperatorIntervention.Severity.MODERATE),
          Collections.frequency(severities, OperatorIntervention.Severity.MAJOR),
          Collections.frequency(severities, OperatorIntervention.Severity.CRITICAL),
          JsonObject.EMPTY);
    }

    /** The number of those of a severity. */
    public long count(OperatorIntervention.Severity severity) {
      return switch (severity) {
        case MINOR -> minor;
        case MODERATE -> moderate;
        case MAJOR -> major;
        case CRITICAL -> critical;
      };
    }
  }

  /**
   * The number of interventions of each type; none is negative.
   *
   * @param artifactEdit edits of the artifact
   * @param deltaExclusion deltas left out
   * @param deltaInjection deltas added
   * @param decisionOverride decisions overridden
   * @param sessionControl sessions ended, forked, paused or reset
   * @param roleReassignment roles changed
   * @param extra members that no component holds
   */
  public record TypeCounts(
      long artifactEdit,
      long deltaExclusion,
      long deltaInjection,
      long decisionOverride,
      long sessionControl,
      long roleReassignment,
      JsonObject extra)
      implements RecordObject {

    /** Checks for null. */
    public TypeCounts {
      Objects.requireNonNull(extra, "extra");
    }

    /** Counts these types. */
    public static TypeCounts of(Collection<OperatorIntervention.Type> types) {
      return new TypeCounts(
          Collections.frequency(types, OperatorIntervention.Type.ARTIFACT_EDIT),
          Collections.frequency(types, OperatorIntervention.Type.DELTA_EXCLUSION),
          Collections.frequency(types, OperatorIntervention.Type.DELTA_INJECTION),
          Collections.frequency(types, OperatorIntervention.Type.DECISION_OVERRIDE),
          Collections.frequency(types, OperatorIntervention.Type.SESSION_CONTROL),
          Collections.frequency(types, OperatorIntervention.Type.ROLE_REASSIGNMENT),
          JsonObject.EMPTY);
    }

    /** The number of those of a type. */
    public long count(OperatorIntervention.Type type) {
      return switch (type) {
        case ARTIFACT_EDIT -> artifactEdit;
        case DELTA_EXCLUSION -> deltaExclusion;
        case DELTA_INJECTION -> deltaInjection;
        case DECISION_OVERRIDE -> decisionOverride;
        case SESSION_CONTROL -> sessionControl;
        case ROLE_REASSIGNMENT -> roleReassignment;
      };
    }
  }
}
