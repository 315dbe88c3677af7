package dev.agentreplay.canonical.dialect;

import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.finding.Finding;
import java.util.List;
import java.util.Objects;

/**
 * The result of decoding the object of a line. Immutable.
 *
 * @param event the event
 * @param findings the errors in the object: FIELD_MISSING, FIELD_INVALID, EVENT_INVALID,
 *     CARRIED_OVER_CONFLICT, HASH_UNVERIFIABLE; without position
 */
public record Decoded(ReplayEvent event, List<Finding> findings) {

  /** Checks for null and copies the list. */
  public Decoded {
    Objects.requireNonNull(event, "event");
    findings = List.copyOf(findings);
  }
}
