package dev.agentreplay.canonical.tree;

import dev.agentreplay.canonical.StrictObject;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import java.util.List;

/** The members that the JSON forms of all proofs share. */
final class ProofJson {

  static final String SCHEMA = "schema";
  static final String PATH = "path";
  static final String TREE_SIZE = Names.TREE_SIZE;
  static final String TREE_ROOT = Names.TREE_ROOT;

  private ProofJson() {}

  static JsonObject head(TreeHead head) {
    return JsonObject.of(TREE_ROOT, head.root().toString(), TREE_SIZE, head.size());
  }

  static TreeHead head(StrictObject members) throws DocumentFormatException {
    return new TreeHead(members.integer(TREE_SIZE, 0), members.hash(TREE_ROOT));
  }

  static JsonArray path(List<ContentHash> path) {
    return JsonArray.copyOf(
        path.stream().map(hash -> JsonString.of(hash.toString())).toList());
  }
}
