package dev.agentreplay.records;

import dev.agentreplay.model.json.JsonObject;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What an operator intervened in, as far as it is said.
 *
 * @param messageId the number of a message, positive
 * @param artifactVersion the version of the artifact, not negative
 * @param itemId the id of an item of the artifact, such as a hypothesis
 * @param itemType the kind of that item: {@code hypothesis}, {@code test}, {@code prediction},
 *     {@code assumption}, {@code anomaly}, {@code critique} or {@code research_thread}
 * @param agentName the name of an agent
 * @param role a role
 * @param extra members that no component holds
 */
public record InterventionTarget(
    @Nullable Long messageId,
    @Nullable Long artifactVersion,
    @Nullable String itemId,
    @Nullable String itemType,
    @Nullable String agentName,
    @Nullable String role,
    JsonObject extra)
    implements RecordObject {

  /** The session as a whole. */
  public static final InterventionTarget SESSION =
      new InterventionTarget(null, null, null, null, null, null, JsonObject.EMPTY);

  /** Checks for null. */
  public InterventionTarget {
    Objects.requireNonNull(extra, "extra");
  }

  /** A message. */
  public static InterventionTarget message(long messageId) {
    return new InterventionTarget(messageId, null, null, null, null, null, JsonObject.EMPTY);
  }

  /** An item of the artifact. */
  public static InterventionTarget item(String itemId, String itemType) {
    return new InterventionTarget(null, null, itemId, itemType, null, null, JsonObject.EMPTY);
  }

  /** An agent, and the role that it had or gets. */
  public static InterventionTarget agent(String agentName, String role) {
    return new InterventionTarget(null, null, null, null, agentName, role, JsonObject.EMPTY);
  }
}
