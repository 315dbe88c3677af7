/**
 * Alignment of two sequences on their equal elements (longest common subsequence, as in a diff).
 *
 * <p>The methods of {@link dev.agentreplay.model.alignment.Alignment} are static and safe for use
 * by several threads.
 */
@NullMarked
package dev.agentreplay.model.alignment;

import org.jspecify.annotations.NullMarked;
