/**
 * Reads trajectories of SWE-agent and mini-SWE-agent: one JSON document a session.
 *
 * <p>An action that is a text, and not the call of a tool by name, is a line that is typed into a
 * shell: it becomes a call of the tool {@code bash} with the parameter {@code command}.
 */
@NullMarked
package dev.agentreplay.convert.trace.swe;

import org.jspecify.annotations.NullMarked;
