/**
 * The circumstances of a recorded session: the settings and versions under which the agent runs,
 * and the files of its workspace.
 *
 * <p>A recorder writes the {@link dev.agentreplay.io.workspace.Circumstances} of its options when
 * the session starts. A {@link dev.agentreplay.io.workspace.FileChange} records the change of one
 * file; a {@link dev.agentreplay.io.workspace.WorkspaceCapture} is called by the recorder, and
 * reports the state of the workspace and the files that have changed, by a tool or between tools.
 *
 * <p>A snapshot of a workspace is a directory with a
 * {@link dev.agentreplay.io.workspace.SnapshotManifest}, which lists the files, and their contents,
 * {@link dev.agentreplay.io.workspace.SnapshotFiles}. The module {@code dev.agentreplay.sandbox}
 * takes and restores snapshots.
 */
@NullMarked
package dev.agentreplay.io.workspace;

import org.jspecify.annotations.NullMarked;
