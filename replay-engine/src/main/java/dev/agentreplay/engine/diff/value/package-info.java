/**
 * Compares JSON values under {@link dev.agentreplay.engine.diff.rule rules}.
 *
 * <p>A {@link dev.agentreplay.engine.diff.value.ValueNormalizer} turns a recorded value into a
 * {@link dev.agentreplay.engine.diff.value.ComparedValue}, its normalized form next to the
 * original. {@link dev.agentreplay.engine.diff.value.ValueDigests} determine which values are
 * equal; {@link dev.agentreplay.engine.diff.value.ElementAlignment} and
 * {@link dev.agentreplay.engine.diff.value.UnorderedElements} pair the elements of arrays;
 * {@link dev.agentreplay.engine.diff.value.CloseRules} apply tolerances and rules for similar texts
 * to scalars that differ. {@link dev.agentreplay.engine.diff.value.JsonPatch} creates patches (RFC
 * 6902) that turn one value into another.
 *
 * <p>The package is not exported. Its mutable types belong to one comparison and are not safe for
 * use by several threads.
 */
@NullMarked
package dev.agentreplay.engine.diff.value;

import org.jspecify.annotations.NullMarked;
