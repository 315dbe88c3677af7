/**
 * Agents, tools and models that are programs, for a replay that starts them: a
 * {@link dev.agentreplay.engine.subject.SubjectProcess} is an agent in any language that takes its
 * models, tools and values from standard input and output;
 * {@link dev.agentreplay.engine.subject.ProcessTools} and
 * {@link dev.agentreplay.engine.subject.ProcessModel} execute single calls. docs/protocol.md
 * specifies the messages.
 *
 * <pre>{@code
 * SubjectProcess agent = SubjectProcess.of(ProcessCommand.of(List.of("python3", "agent.py")));
 * }</pre>
 *
 * <p>A program gets few environment variables of this process, and none with a secret, see
 * {@link dev.agentreplay.engine.subject.ProcessCommand}. It is not isolated otherwise: it has the
 * permissions of this process. When it is no longer needed, it is killed with the processes that it
 * started.
 */
@NullMarked
package dev.agentreplay.engine.subject;

import org.jspecify.annotations.NullMarked;
