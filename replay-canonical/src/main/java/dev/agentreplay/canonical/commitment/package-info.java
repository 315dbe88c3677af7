/**
 * Commitments to the values of a log, from which its public form is made: a published copy of the
 * log shows some values and withholds others, and can be verified against one root, whatever it
 * shows.
 *
 * <p>{@link dev.agentreplay.canonical.commitment.Committer} computes the commitment of a value from
 * a seed, and verifies an {@link dev.agentreplay.canonical.commitment.Opening} of it;
 * {@link dev.agentreplay.canonical.commitment.PublicTree} is the Merkle tree over the lines. The
 * construction, with all labels and prefixes, is in docs/format.md.
 */
@NullMarked
package dev.agentreplay.canonical.commitment;

import org.jspecify.annotations.NullMarked;
