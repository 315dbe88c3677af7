package dev.agentreplay.lint;

import dev.agentreplay.lint.pattern.Suppression;
import dev.agentreplay.model.json.JsonObject;

/**
 * A finding that a suppression covers.
 *
 * @param finding the finding
 * @param suppression the suppression, with its reason
 */
public record SuppressedFinding(DeterminismFinding finding, Suppression suppression) {

  JsonObject json() {
    return finding
        .json()
        .put("suppression", suppression.toString())
        .put("reason", suppression.reason())
        .put("source", suppression.source())
        .build();
  }
}
