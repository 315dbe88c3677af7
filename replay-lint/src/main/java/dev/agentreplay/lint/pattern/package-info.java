/**
 * The patterns by which code is judged: which calls are nondeterministic, and where they are
 * recorded. The patterns of the library are listed in docs/lint-patterns.md, the syntax of a file
 * in {@link dev.agentreplay.lint.pattern.LintPatterns} and
 * {@link dev.agentreplay.lint.pattern.MemberPattern}.
 *
 * <pre>{@code
 * LintPatterns patterns = LintPatterns.defaults().plus(Path.of("lint.patterns"));
 * }</pre>
 *
 * <p>All types are immutable and safe for use by several threads.
 */
@NullMarked
package dev.agentreplay.lint.pattern;

import org.jspecify.annotations.NullMarked;
