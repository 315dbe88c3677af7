package dev.agentreplay.sandbox.snapshot;

import dev.agentreplay.io.workspace.SnapshotEntry;
import dev.agentreplay.io.workspace.SnapshotHeader;
import dev.agentreplay.io.workspace.SnapshotManifest;
import java.nio.file.Path;
import java.util.List;

/** The result of a scan: the entries of a workspace at one time. Immutable. */
public final class ScannedWorkspace {

  private final Path root;
  private final FileStat directory;
  private final List<SnapshotEntry> entries;
  private final FileIndex index;
  private final LeftOut leftOut;
  private final List<FoundFile> opaque;
  private final SnapshotOptions options;

  ScannedWorkspace(
      Path root,
      FileStat directory,
      List<SnapshotEntry> entries,
      FileIndex index,
      LeftOut leftOut,
      List<FoundFile> opaque,
      SnapshotOptions options) {
    this.root = root;
    this.directory = directory;
    this.entries = entries;
    this.index = index;
    this.leftOut = leftOut;
    this.opaque = opaque;
    this.options = options;
  }

  /** The files, directories and links, sorted by {@link SnapshotEntry#PATH_ORDER}. */
  public List<SnapshotEntry> entries() {
    return entries;
  }

  /** The index by which a later scan knows the files that have not changed. */
  public FileIndex index() {
    return index;
  }

  /** The sockets, pipes, devices and unreadable directories, which no manifest has. */
  List<FoundFile> opaque() {
    return opaque;
  }

  /** The paths of the files and directories that could not be read. */
  List<String> unreadable() {
    return leftOut.paths(LeftOut.Reason.UNREADABLE);
  }

  /** The manifest of the workspace, with the user and the host of this process. */
  public SnapshotManifest manifest() {
    SnapshotHeader header = new SnapshotHeader(
        root.toString(),
        directory.mode(),
        directory.modified(),
        ThisHost.identity(),
        options.json(),
        leftOut.json());
    return SnapshotManifest.of(header, entries);
  }
}
