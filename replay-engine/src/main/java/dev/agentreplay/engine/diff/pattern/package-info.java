/**
 * The patterns of places and of parts of texts from which {@link dev.agentreplay.engine.diff.rule
 * rules} are built.
 *
 * <p>A {@link dev.agentreplay.engine.diff.pattern.PathPattern} is a JSON Pointer with wildcards,
 * which is matched step by step while a value is read. A
 * {@link dev.agentreplay.engine.diff.pattern.ScalarRule} rewrites scalars, and a
 * {@link dev.agentreplay.engine.diff.pattern.TextScope} determines the members of an event in which
 * it applies. {@link dev.agentreplay.engine.diff.pattern.TextSimilarity} measures the similarity of
 * texts. The patterns for ids, times and folders take time proportional to the length of a text.
 *
 * <p>The package is not exported. Its types are immutable and safe for use by several threads,
 * except {@link dev.agentreplay.engine.diff.pattern.Rewriting}.
 */
@NullMarked
package dev.agentreplay.engine.diff.pattern;

import org.jspecify.annotations.NullMarked;
