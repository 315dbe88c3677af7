/**
 * The Merkle tree over the lines of a log (RFC 6962, section 2.1), and proofs about it.
 *
 * <pre>{@code
 * MerkleTree tree = new MerkleTree();
 * tree.add(line.getBytes(StandardCharsets.UTF_8)); // without its line feed
 * TreeHead head = tree.head();
 * }</pre>
 *
 * <p>Leaves are the bytes of the lines without their line feeds, the header's included. A leaf's
 * hash is SHA-256 of a byte 0 and the line, that of a node SHA-256 of a byte 1 and the hashes of
 * its two children.
 *
 * <p>An {@link dev.agentreplay.canonical.tree.InclusionProof} shows to a verifier that trusts a
 * head that a line is one of the log, a {@link dev.agentreplay.canonical.tree.ConsistencyProof}
 * that lines were only appended since, without the log. Both are one JSON object, which
 * docs/format.md describes. Making one takes one pass over the lines and memory for a hash at each
 * level of the tree. Values are immutable; {@code MerkleTree} and builders are not safe for use by
 * several threads.
 */
@NullMarked
package dev.agentreplay.canonical.tree;

import org.jspecify.annotations.NullMarked;
