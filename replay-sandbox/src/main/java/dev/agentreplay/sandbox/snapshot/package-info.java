/**
 * Snapshots of workspaces: exact copies of files, directories and links, by which a session is
 * replayed on the files with which it began.
 *
 * <pre>{@code
 * SnapshotOptions options = SnapshotOptions.defaults().withIgnored("logs/");
 * SnapshotReport report = SnapshotWriter.take(workspace, snapshot, options);
 * SnapshotRestorer.restore(snapshot, copy);
 * }</pre>
 *
 * <p>A {@link dev.agentreplay.sandbox.snapshot.SnapshotWriter} takes a snapshot, within the rules
 * and limits of its {@link dev.agentreplay.sandbox.snapshot.SnapshotOptions}: what they leave out
 * is stated in the manifest. A {@link dev.agentreplay.sandbox.snapshot.SnapshotRestorer} checks
 * each content by its hash while it copies it, into an empty directory only, and never writes
 * outside of it. A {@link dev.agentreplay.sandbox.snapshot.WorkspaceScan} lists the files without
 * copying them, and reads only those that changed since an earlier scan. docs/format.md specifies
 * the form of a snapshot.
 */
@NullMarked
package dev.agentreplay.sandbox.snapshot;

import org.jspecify.annotations.NullMarked;
