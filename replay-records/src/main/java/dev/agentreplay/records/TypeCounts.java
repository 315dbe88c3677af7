package dev.agentreplay.records;

import dev.agentreplay.model.json.JsonObject;
import java.util.Collection;
import java.util.Collections;
import java.util.Objects;

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
  public static TypeCounts of(Collection<InterventionType> types) {
    return new TypeCounts(
        Collections.frequency(types, InterventionType.ARTIFACT_EDIT),
        Collections.frequency(types, InterventionType.DELTA_EXCLUSION),
        Collections.frequency(types, InterventionType.DELTA_INJECTION),
        Collections.frequency(types, InterventionType.DECISION_OVERRIDE),
        Collections.frequency(types, InterventionType.SESSION_CONTROL),
        Collections.frequency(types, InterventionType.ROLE_REASSIGNMENT),
        JsonObject.EMPTY);
  }

  /** The number of those of a type. */
  public long count(InterventionType type) {
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
