/**
 * The circumstances of a recorded session: the settings and versions under which the agent runs,
 * and the files of its workspace.
 *
 * <p>A recorder writes the {@link dev.agentreplay.io.workspace.Circumstances} of its options when
 * the session starts. A {@link dev.agentreplay.io.workspace.FileChange} records the change of one
 * file; a {@link dev.agentreplay.io.workspace.WorkspaceCapture} is called by the recorder, and
 * reports the state of the workspace and the files that a tool has changed.
 */
@NullMarked
package dev.agentreplay.io.workspace;

import org.jspecify.annotations.NullMarked;
