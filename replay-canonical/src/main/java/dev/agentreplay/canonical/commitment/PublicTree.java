package dev.agentreplay.canonical.commitment;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.tree.MerkleTree;
import dev.agentreplay.model.Salt;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.json.JsonObject;

/**
 * The Merkle tree (RFC 6962) over the commitments of the lines of a log. Its root is the same for
 * all published copies of the log, whatever they show. Not safe for use by several threads.
 */
public final class PublicTree {

  private final Committer committer;
  private final Salt salt;
  private final MerkleTree tree = new MerkleTree();

  /**
   * Creates a tree without lines.
   *
   * @param salt the salt of the log
   * @param canonical the canonicalization of the log
   */
  public PublicTree(PublicForm form, Salt salt, CanonicalJson canonical) {
    this.committer = new Committer(form, canonical);
    this.salt = salt;
  }

  /** Adds the next line. */
  public void add(JsonObject line) {
    tree.add(committer.commit(line, committer.line(salt, tree.size() + 1)).array());
  }

  /** The version and the parameters of the public form. */
  public PublicForm form() {
    return committer.form();
  }

  /** The number of lines and the root. */
  public TreeHead head() {
    return tree.head();
  }
}
