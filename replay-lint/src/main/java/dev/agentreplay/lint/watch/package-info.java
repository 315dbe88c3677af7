/**
 * Announces nondeterministic calls while an agent runs, by a change of the class files of chosen
 * packages: {@link dev.agentreplay.lint.watch.ContextWatch}.
 */
@NullMarked
package dev.agentreplay.lint.watch;

import org.jspecify.annotations.NullMarked;
