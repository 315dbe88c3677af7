/**
 * Rules under which different values count as equal or as close: ignore rules, normalizers,
 * tolerances, unordered arrays, fuzzy and semantic text comparison.
 *
 * <pre>{@code
 * DiffOptions options = DiffOptions.defaults().plus(
 *     Ignore.timestamps(),
 *     Normalizer.temporaryFolders(),
 *     Tolerance.parse("/output/price=1%"));
 * }</pre>
 *
 * <p>{@link dev.agentreplay.engine.diff.rule.ComparisonRule} lists the kinds of rules and the
 * members of events that they apply to. Rules are immutable values: two of the same kind with the
 * same parameters are equal. They are safe for use by several threads, except {@code SemanticTexts}
 * if its comparator is not. The patterns of places are JSON Pointers (RFC 6901) with wildcards, as
 * {@link dev.agentreplay.engine.diff.rule.Ignore#at} documents them. A rule that applies to nothing
 * is not an error; {@link dev.agentreplay.engine.diff.SessionDiff#rules} reports the number of
 * places that each rule applied to.
 */
@NullMarked
package dev.agentreplay.engine.diff.rule;

import org.jspecify.annotations.NullMarked;
