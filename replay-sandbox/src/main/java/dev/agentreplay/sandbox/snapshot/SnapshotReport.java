package dev.agentreplay.sandbox.snapshot;

import dev.agentreplay.io.workspace.SnapshotManifest;
import java.util.Objects;

/** The result of taking a snapshot. Immutable. */
public final class SnapshotReport {

  private final SnapshotManifest manifest;
  private final long linked;

  SnapshotReport(SnapshotManifest manifest, long linked) {
    this.manifest = Objects.requireNonNull(manifest, "manifest");
    this.linked = linked;
  }

  /** The manifest, whose header states what was left out. */
  public SnapshotManifest manifest() {
    return manifest;
  }

  /** The number of contents that are hard links to those of the earlier snapshot. */
  public long linkedContents() {
    return linked;
  }
}
