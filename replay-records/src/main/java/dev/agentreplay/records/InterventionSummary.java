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
 * A summary of the interventions in a session.
 *
 * @param totalCount the number of interventions, not negative
 * @param bySeverity the number of interventions of each severity
 * @param byType the number of interventions of each type
 * @param hasMajorInterventions whether one was major or critical
 * @param operators the ids of the operators, sorted and without duplicates
 * @param firstInterventionAt the time of the first intervention; null when there was none
 * @param lastInterventionAt the time of the last intervention; null when there was none
 * @param extra members without a component
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
   * Summarizes interventions, which may be in any order. Times are compared as points in time,
   * whatever their offset; of several at the same point the first in the list is used. Operators
   * are sorted by the UTF-16 code units of their ids.
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

  /**
   * Whether the session ran without a major or critical intervention, according to
   * {@link #hasMajorInterventions}.
   */
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
   * The numbers of interventions by severity, not negative.
   *
   * @param minor the number of minor interventions
   * @param moderate the number of moderate interventions
   * @param major the number of major interventions
   * @param critical the number of critical interventions
   * @param extra members without a component
   */
  public record SeverityCounts(
      long minor, long moderate, long major, long critical, JsonObject extra)
      implements RecordObject {

    /** Checks for null. */
    public SeverityCounts {
      Objects.requireNonNull(extra, "extra");
    }

    /** Counts severities. */
    public static SeverityCounts of(Collection<OperatorIntervention.Severity> severities) {
      return new SeverityCounts(
          Collections.frequency(severities, OperatorIntervention.Severity.MINOR),
          Collections.frequency(severities, OperatorIntervention.Severity.MODERATE),
          Collections.frequency(severities, OperatorIntervention.Severity.MAJOR),
          Collections.frequency(severities, OperatorIntervention.Severity.CRITICAL),
          JsonObject.EMPTY);
    }

    /** Returns the number of interventions of a severity. */
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
   * The numbers of interventions by type, not negative.
   *
   * @param artifactEdit the number of edits of the artifact
   * @param deltaExclusion the number of excluded deltas
   * @param deltaInjection the number of added deltas
   * @param decisionOverride the number of overridden decisions
   * @param sessionControl the number of times that the session was ended, forked, paused or reset
   * @param roleReassignment the number of changes of roles
   * @param extra members without a component
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

    /** Counts types. */
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

    /** Returns the number of interventions of a type. */
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
