package dev.agentreplay.engine.diff.value;

import org.jspecify.annotations.Nullable;

/**
 * Two elements of arrays that differ, or one element without a partner.
 *
 * @param left the element of the left array; null when there is none
 * @param right the element of the right array; null when there is none
 * @param at the index, for elements in order, in a left array whose earlier elements have been
 *     patched to those of the right array
 */
public record ElementPair(@Nullable ComparedValue left, @Nullable ComparedValue right, int at) {}
