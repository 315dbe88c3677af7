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
    EvidenceType type,
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
  public static EvidenceRecordSummary of(
      String id, EvidenceType type, String source, long excerptCount) {
    return new EvidenceRecordSummary(id, type, source, excerptCount, null, JsonObject.EMPTY);
  }

  /** With another hash. */
  public EvidenceRecordSummary withContentHash(@Nullable RecordHash newContentHash) {
    return new EvidenceRecordSummary(id, type, source, excerptCount, newContentHash, extra);
  }
}
