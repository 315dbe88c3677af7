package dev.agentreplay.canonical.tree;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import java.util.List;

/** A proof about the Merkle tree of a log, with a form as one JSON object. Immutable. */
public sealed interface MerkleProof permits ConsistencyProof, InclusionProof {

  /** The hashes from which the proof computes one or two roots, the deepest first. */
  List<ContentHash> path();

  /**
   * Whether the path leads to the stated root or roots. The result does not authenticate the roots.
   */
  boolean holds();

  /** The JSON form, with the members in canonical order. */
  JsonObject toJson();

  /**
   * Reads the JSON form of either kind of proof. Does not check whether the proof holds.
   *
   * @throws DocumentFormatException if a member is missing, invalid or unknown
   */
  static MerkleProof fromJson(JsonObject json) throws DocumentFormatException {
    String schema = json.get(ProofJson.SCHEMA) instanceof JsonString text ? text.value() : "";
    return switch (schema) {
      case InclusionProof.SCHEMA -> InclusionProof.fromJson(json);
      case ConsistencyProof.SCHEMA -> ConsistencyProof.fromJson(json);
      default ->
        throw new DocumentFormatException("expected the schema %s or %s, found %s"
            .formatted(
                InclusionProof.SCHEMA,
                ConsistencyProof.SCHEMA,
                json.has(ProofJson.SCHEMA) ? json.get(ProofJson.SCHEMA) : "no \"schema\""));
    };
  }
}
