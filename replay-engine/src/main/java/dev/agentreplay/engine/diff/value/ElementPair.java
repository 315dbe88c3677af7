package dev.agentreplay.engine.diff.value;

import org.jspecify.annotations.Nullable;

/**
 * Two elements of arrays that differ, or one that has no partner.
 *
 * @param left the element of the left array; null when there is none
 * @param right the element of the right array; null when there is none
 * @param at where it is in the left array once all before it is as in the right one; for elements
 *     that are in order
 */
public record ElementPair(@Nullable ComparedValue left, @Nullable ComparedValue right, int at) {}
