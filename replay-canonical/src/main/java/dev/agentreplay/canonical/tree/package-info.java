/**
 * The Merkle hash tree over the lines of a log (RFC 6962, section 2.1), with inclusion proofs and
 * consistency proofs.
 *
 * <pre>{@code
 * MerkleTree tree = new MerkleTree();
 * tree.add(line.getBytes(StandardCharsets.UTF_8)); // without its line feed
 * TreeHead head = tree.head();
 * }</pre>
 *
 * <p>The leaves are the lines of the log, including the header, as bytes without their line feeds.
 * A leaf hash is SHA-256 of the byte 0 and the line; a node hash is SHA-256 of the byte 1 and the
 * hashes of the two children.
 *
 * <p>Proofs convince a verifier that trusts a tree head but does not have the log. An
 * {@link dev.agentreplay.canonical.tree.InclusionProof} shows that the log contains a line; a
 * {@link dev.agentreplay.canonical.tree.ConsistencyProof} shows that lines were only appended
 * between two tree heads. Each is one JSON object; {@code docs/receipts.md} specifies both.
 * Creating a proof takes one pass over the lines and memory for one hash per level of the tree.
 *
 * <p>Values are immutable. {@code MerkleTree}, {@code LeafHasher} and the builders are not safe for
 * use by several threads.
 */
@NullMarked
package dev.agentreplay.canonical.tree;

import org.jspecify.annotations.NullMarked;
