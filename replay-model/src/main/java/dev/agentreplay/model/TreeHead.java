package dev.agentreplay.model;

import java.util.Objects;

/**
 * What a log was at some point: how many lines it had, and the root of the Merkle tree (RFC 6962,
 * section 2.1) over them. Two logs with the same head have the same lines. The leaves are the bytes
 * of the lines without their line feeds, the header's included.
 *
 * @param size the number of lines; not negative in a log that is valid
 * @param root the root of the tree over them
 */
public record TreeHead(long size, ContentHash root) {

  /** Checks for null. */
  public TreeHead {
    Objects.requireNonNull(root, "root");
  }
}
