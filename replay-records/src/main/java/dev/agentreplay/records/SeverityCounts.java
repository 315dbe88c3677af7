package dev.agentreplay.records;

import dev.agentreplay.model.json.JsonObject;
import java.util.Collection;
import java.util.Collections;
import java.util.Objects;

/**
 * The number of interventions of each severity; none is negative.
 *
 * @param minor those that are minor
 * @param moderate those that are moderate
 * @param major those that are major
 * @param critical those that are critical
 * @param extra members that no component holds
 */
public record SeverityCounts(long minor, long moderate, long major, long critical, JsonObject extra)
    implements RecordObject {

  /** Checks for null. */
  public SeverityCounts {
    Objects.requireNonNull(extra, "extra");
  }

  /** Counts these severities. */
  public static SeverityCounts of(Collection<InterventionSeverity> severities) {
    return new SeverityCounts(
        Collections.frequency(severities, InterventionSeverity.MINOR),
        Collections.frequency(severities, InterventionSeverity.MODERATE),
        Collections.frequency(severities, InterventionSeverity.MAJOR),
        Collections.frequency(severities, InterventionSeverity.CRITICAL),
        JsonObject.EMPTY);
  }

  /** The number of those of a severity. */
  public long count(InterventionSeverity severity) {
    return switch (severity) {
      case MINOR -> minor;
      case MODERATE -> moderate;
      case MAJOR -> major;
      case CRITICAL -> critical;
    };
  }
}
