/**
 * Files of comparison rules, which tests and the command line share.
 *
 * <pre>{@code
 * DiffOptions options = RulesFile.read(Path.of("src/test/resources/replay.rules")).options();
 * SessionDiff diff = SessionDiff.between(recording, session, options);
 * }</pre>
 *
 * <p>{@link dev.agentreplay.engine.rules.RulesFile} documents the format. A file that is not one of
 * rules is refused with a {@link dev.agentreplay.engine.rules.RulesFormatException}, which has the
 * line. All types are immutable and safe for use by several threads.
 */
@NullMarked
package dev.agentreplay.engine.rules;

import org.jspecify.annotations.NullMarked;
