/**
 * Patterns of places and of parts of texts, of which {@link dev.agentreplay.engine.diff.rule rules}
 * are made.
 *
 * <p>A {@link dev.agentreplay.engine.diff.pattern.PathPattern} is followed from value to value. A
 * {@link dev.agentreplay.engine.diff.pattern.ScalarRule} rewrites scalars, and a
 * {@link dev.agentreplay.engine.diff.pattern.TextScope} says in which members of an event. The
 * patterns for ids, times and folders take time in proportion to the text.
 */
@NullMarked
package dev.agentreplay.engine.diff.pattern;

import org.jspecify.annotations.NullMarked;
