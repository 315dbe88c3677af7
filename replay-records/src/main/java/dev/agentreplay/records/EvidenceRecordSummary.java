package dev.agentreplay.records;

import dev.agentreplay.model.json.JsonObject;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The description of a piece of evidence that a session was given, without its content.
 *
 * @param id the id of the evidence, such as {@code EV-001}
 * @param type the type of the evidence
 * @param source the source of the evidence: a DOI, a URL, the id of a session
 * @param excerptCount the number of excerpts, not negative
 * @param contentHash the hash of the content; null when it was not computed
 * @param extra members without a component
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

  /** Creates a description without a hash of the content. */
  public static EvidenceRecordSummary of(String id, Type type, String source, long excerptCount) {
    return new EvidenceRecordSummary(id, type, source, excerptCount, null, JsonObject.EMPTY);
  }

  /** Returns a copy with the given hash of the content. */
  public EvidenceRecordSummary withContentHash(@Nullable RecordHash newContentHash) {
    return new EvidenceRecordSummary(id, type, source, excerptCount, newContentHash, extra);
  }

  /** The type of a piece of evidence. */
  public enum Type implements RecordConstant {
    /** A published paper. */
    PAPER,
    /** A paper that has not been peer-reviewed. */
    PREPRINT,
    /** A data set. */
    DATASET,
    /** An experiment and its result. */
    EXPERIMENT,
    /** An observation. */
    OBSERVATION,
    /** The output of an earlier session. */
    PRIOR_SESSION,
    /** The opinion of an expert. */
    EXPERT_OPINION,
    /** Source code, or a program built from it. */
    CODE_ARTIFACT
  }
}
