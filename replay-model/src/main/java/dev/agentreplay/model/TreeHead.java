package dev.agentreplay.model;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The head of the Merkle tree (RFC 6962, section 2.1) over the lines of a log at some point: its
 * size and its root hash. Two logs with the same head have the same lines. The leaves are the bytes
 * of the lines without their line feeds, including the header.
 *
 * @param size the number of lines; not negative in a log that is valid
 * @param root the root hash of the tree over these lines
 */
public record TreeHead(long size, ContentHash root) {

  /** Checks for null. */
  public TreeHead {
    Objects.requireNonNull(root, "root");
  }

  // not those of the record, which are linked when first used (decision 322)
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TreeHead that && size == that.size && root.equals(that.root);
  }

  @Override
  public int hashCode() {
    return root.hashCode();
  }
}
