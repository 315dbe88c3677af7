package dev.agentreplay.records;

import dev.agentreplay.model.json.JsonObject;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The versions of what the agents of a session agreed on.
 *
 * @param rolePrompts the prompts of the roles: a version, or the hash of a commit
 * @param deltaFormat the format of deltas
 * @param artifactSchema the schema of the artifact
 * @param evaluationRubric the rubric that outputs are graded by
 * @param evidencePack the format of evidence
 * @param extra members that no component holds
 */
public record ProtocolVersions(
    @Nullable String rolePrompts,
    String deltaFormat,
    String artifactSchema,
    @Nullable String evaluationRubric,
    @Nullable String evidencePack,
    JsonObject extra)
    implements RecordObject {

  /** What {@code delta_format} and {@code artifact_schema} are where a record does not say. */
  public static final String DEFAULT_VERSION = "v0.1";

  /** The versions of a record that says nothing of them. */
  public static final ProtocolVersions DEFAULTS =
      new ProtocolVersions(null, DEFAULT_VERSION, DEFAULT_VERSION, null, null, JsonObject.EMPTY);

  /** Checks for null. */
  public ProtocolVersions {
    Objects.requireNonNull(deltaFormat, "deltaFormat");
    Objects.requireNonNull(artifactSchema, "artifactSchema");
    Objects.requireNonNull(extra, "extra");
  }
}
