package dev.agentreplay.canonical.tree;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import java.util.List;

/** A proof about the tree of a log, as one JSON object. */
public sealed interface MerkleProof permits ConsistencyProof, InclusionProof {

  /** The hashes that the proof computes roots with, the deepest first. */
  List<ContentHash> path();

  /** Whether the path leads to the root or roots. That says nothing about who states those. */
  boolean holds();

  /** The JSON form, whose members are in canonical order. */
  JsonObject toJson();

  /**
   * Reads the JSON form of either proof. Whether the proof holds is not looked at.
   *
   * @throws DocumentFormatException if a member is missing, not as it should be, or not known
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
