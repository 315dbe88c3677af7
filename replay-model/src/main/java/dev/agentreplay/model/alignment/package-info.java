/**
 * Alignment of two sequences on their equal elements (longest common subsequence), on which the
 * comparison of two runs is based.
 *
 * <pre>{@code
 * int[] rightOfLeft = Alignment.of(new long[] {7, 8, 9}, new long[] {8, 9}); // -1, 0, 1
 * }</pre>
 *
 * <p>The methods of {@link dev.agentreplay.model.alignment.Alignment} are safe for use by several
 * threads.
 */
@NullMarked
package dev.agentreplay.model.alignment;

import org.jspecify.annotations.NullMarked;
