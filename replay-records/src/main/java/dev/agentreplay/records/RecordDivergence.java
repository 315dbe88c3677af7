package dev.agentreplay.records;

import dev.agentreplay.model.json.JsonObject;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A message in which a replayed session differs from the recorded one. The specification calls it
 * Divergence.
 *
 * @param roundNumber the number of its round, from 0
 * @param messageIndex which message of the round it is, from 0
 * @param agent the agent that sent it
 * @param severity how far the two are apart
 * @param originalSummary what the recorded one said
 * @param replayedSummary what the replayed one said
 * @param semanticMatch whether both mean the same
 * @param explanation why they differ
 * @param extra members that no component holds
 */
public record RecordDivergence(
    long roundNumber,
    long messageIndex,
    String agent,
    RecordSeverity severity,
    String originalSummary,
    String replayedSummary,
    boolean semanticMatch,
    @Nullable String explanation,
    JsonObject extra)
    implements RecordObject {

  /** Checks for null. */
  public RecordDivergence {
    Objects.requireNonNull(agent, "agent");
    Objects.requireNonNull(severity, "severity");
    Objects.requireNonNull(originalSummary, "originalSummary");
    Objects.requireNonNull(replayedSummary, "replayedSummary");
    Objects.requireNonNull(extra, "extra");
  }
}
