package dev.agentreplay.canonical.dialect;

import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.finding.Finding;
import java.util.List;
import java.util.Objects;

/**
 * What a line says.
 *
 * @param event the event
 * @param findings what is wrong with it: FIELD_MISSING, FIELD_INVALID, EVENT_INVALID,
 *     CARRIED_OVER_CONFLICT, without position
 */
public record Decoded(ReplayEvent event, List<Finding> findings) {

  /** Checks for null and copies. */
  public Decoded {
    Objects.requireNonNull(event, "event");
    findings = List.copyOf(findings);
  }
}
