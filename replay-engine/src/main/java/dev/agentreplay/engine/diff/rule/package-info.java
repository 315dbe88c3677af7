/**
 * Rules that make values equal, or close, that are not the same.
 *
 * <pre>{@code
 * DiffOptions options = DiffOptions.exact().with(
 *     Ignore.TIMESTAMPS,
 *     Normalizer.TEMPORARY_FOLDERS,
 *     Tolerance.parse("/output/price=1%"));
 * }</pre>
 *
 * <p>A {@link dev.agentreplay.engine.diff.rule.ComparisonRule} lists their kinds, and the members
 * of events for which rules hold. Texts that are close are listed with their
 * {@link dev.agentreplay.engine.diff.rule.Closeness}. All are immutable.
 */
@NullMarked
package dev.agentreplay.engine.diff.rule;

import org.jspecify.annotations.NullMarked;
