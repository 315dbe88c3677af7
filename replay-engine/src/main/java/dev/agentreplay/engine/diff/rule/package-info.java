/**
 * Rules that make values equal, or close, that are not the same.
 *
 * <pre>{@code
 * DiffOptions options = DiffOptions.defaults().plus(
 *     Ignore.timestamps(),
 *     Normalizer.temporaryFolders(),
 *     Tolerance.parse("/output/price=1%"));
 * }</pre>
 *
 * <p>A {@link dev.agentreplay.engine.diff.rule.ComparisonRule} lists their kinds, and the members
 * of events for which rules hold. Rules are values: two of the same kind with the same parameters
 * are equal. A rule with a place takes the pattern in a method {@code at}.
 */
@NullMarked
package dev.agentreplay.engine.diff.rule;

import org.jspecify.annotations.NullMarked;
