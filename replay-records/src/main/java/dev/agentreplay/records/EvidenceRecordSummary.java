package dev.agentreplay.records;

import dev.agentreplay.model.json.JsonObject;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A piece of evidence that a session was given: what it is, without its content.
 *
 * @param id its id, such as {@code EV-001}
 * @param type what kind it is
 * @param source where it is from: a DOI, an address, the id of a session
 * @param excerptCount the number of excerpts, not negative
 * @param contentHash the hash of its content
 * @param extra members that no component holds
 */
public record EvidenceRecordSummary(
    String id,
    Type type,
    String source,
    long excerptCount,
    @Nullable RecordHash contentHash,
    JsonObject extra)
    implements RecordObject {

  /** Checks for null. */
  public EvidenceRecordSummary {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(extra, "extra");
  }

  /** A piece of evidence whose content was not hashed. */
  public static EvidenceRecordSummary of(String id, Type type, String source, long excerptCount) {
    return new EvidenceRecordSummary(id, type, source, excerptCount, null, JsonObject.EMPTY);
  }

  /** With another hash. */
  public EvidenceRecordSummary withContentHash(@Nullable RecordHash newContentHash) {
    return new EvidenceRecordSummary(id, type, source, excerptCount, newContentHash, extra);
  }

  /** What kind of evidence a session was given. */
  public enum Type implements RecordConstant {
    /** A published paper. */
    PAPER,
    /** A paper that has not been reviewed. */
    PREPRINT,
    /** A set of data. */
    DATASET,
    /** An experiment and its result. */
    EXPERIMENT,
    /** Something that was observed. */
    OBSERVATION,
    /** What an earlier session made. */
    PRIOR_SESSION,
    /** What somebody who knows the field said. */
    EXPERT_OPINION,
    /** Source code, or what is built of it. */
    CODE_ARTIFACT
  }
}
