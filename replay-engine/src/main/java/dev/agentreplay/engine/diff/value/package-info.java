/**
 * Compares JSON values under {@link dev.agentreplay.engine.diff.rule rules}.
 *
 * <p>A {@link dev.agentreplay.engine.diff.value.ValueNormalizer} makes a
 * {@link dev.agentreplay.engine.diff.value.ComparedValue} of a value: what is compared of it,
 * beside what was recorded. {@link dev.agentreplay.engine.diff.value.ValueDigests} say which are
 * equal; {@link dev.agentreplay.engine.diff.value.ElementAlignment} and
 * {@link dev.agentreplay.engine.diff.value.UnorderedElements} pair the elements of arrays;
 * {@link dev.agentreplay.engine.diff.value.CloseRules} judge scalars that differ. A
 * {@link dev.agentreplay.engine.diff.value.JsonPatch} (RFC 6902) turns one value into another.
 */
@NullMarked
package dev.agentreplay.engine.diff.value;

import org.jspecify.annotations.NullMarked;
