package dev.agentreplay.canonical.commitment;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.tree.MerkleTree;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Salt;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * The Merkle tree (RFC 6962) over the commitments of the lines of a log. Its root is the same for
 * all published copies of the log, whatever they show. Not safe for use by several threads.
 */
public final class PublicTree {

  private final Committer committer;
  private final Salt salt;
  private final MerkleTree tree = new MerkleTree();
  private final MerkleTree log = new MerkleTree();

  /**
   * Creates a tree without lines.
   *
   * @param salt the salt of the log
   */
  public PublicTree(PublicForm form, Salt salt) {
    this.committer = new Committer(form);
    this.salt = salt;
  }

  /**
   * Adds the next line.
   *
   * @param raw the bytes of the line, without its line feed
   * @param line the JSON object of the line
   * @param canonical the canonicalization of the log, whose form the numbers of the line get; those
   *     that it would round, or of a log with an unknown one, stay as they are
   */
  public void add(byte[] raw, JsonObject line, @Nullable CanonicalJson canonical) {
    ContentHash leaf = MerkleTree.leafHash(raw);
    log.addLeafHash(leaf);
    JsonObject committed = CommittedLine.of(line, canonical);
    tree.add(committer.commit(committed, committer.line(salt, log.size(), leaf)).array());
  }

  /** The commitment to the head of the tree over the lines themselves. */
  public Commitment original() {
    return committer.original(salt, log.head());
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
