package dev.agentreplay.sandbox.snapshot;

import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.workspace.SnapshotEntry;
import dev.agentreplay.io.workspace.SnapshotFiles;
import dev.agentreplay.io.workspace.SnapshotManifest;
import dev.agentreplay.io.workspace.WorkspaceSnapshot;
import dev.agentreplay.model.FileState;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.text.PlainText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The snapshot of the workspace with which a session began. Its manifest has the hash that the log
 * states. Immutable.
 */
public final class SessionSnapshot {

  private final SnapshotManifest manifest;
  private final SnapshotFiles contents;

  private SessionSnapshot(SnapshotManifest manifest, SnapshotFiles contents) {
    this.manifest = manifest;
    this.contents = contents;
  }

  /**
   * Finds the snapshot that the first settings of a session with a workspace name.
   *
   * @return null if the log names no snapshot in the session's directory, or only its hash
   * @throws NoSuchFileException if the snapshot that the log names is missing
   * @throws DocumentFormatException if it has a different hash, is malformed or in a different
   *     place
   * @throws IOException if the log or the snapshot cannot be read
   */
  public static @Nullable SessionSnapshot find(Session session) throws IOException {
    try (ReplayReader reader = session.reader()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        WorkspaceSnapshot stated =
            line.event() instanceof Settings settings ? WorkspaceSnapshot.of(settings) : null;
        if (stated != null) {
          return stated.location() == null ? null : open(session, stated, stated.location());
        }
      }
    }
    return null;
  }

  private static SessionSnapshot open(Session session, WorkspaceSnapshot stated, String location)
      throws IOException {
    String shown = PlainText.escaped(location);
    Path file;
    try {
      file = session.find(location);
    } catch (IllegalArgumentException e) {
      throw new DocumentFormatException(
          "the snapshot \"%s\" is not in the directory of the session".formatted(shown), e);
    }
    if (file == null) {
      throw new NoSuchFileException(
          PlainText.escaped(session.log().toString()),
          null,
          "the snapshot %s that the log names is missing".formatted(shown));
    }
    SnapshotManifest manifest = SnapshotManifest.read(file);
    if (!manifest.hash().equals(stated.hash())) {
      throw new DocumentFormatException("%s: expected the hash %s that the log states, found %s"
          .formatted(PlainText.escaped(file.toString()), stated.hash(), manifest.hash()));
    }
    Path directory = Objects.requireNonNull(file.getParent());
    return new SessionSnapshot(manifest, SnapshotFiles.in(directory));
  }

  /** The manifest. */
  public SnapshotManifest manifest() {
    return manifest;
  }

  /** The contents of the files. */
  public SnapshotFiles contents() {
    return contents;
  }

  /**
   * Returns the files in which a directory differs from the snapshot, under the rules by which it
   * was taken; their times are not compared. A missing file has no hash after.
   *
   * @throws IOException if the directory cannot be read, or has more than a snapshot may have
   */
  public List<FileState> changesIn(Path directory) throws IOException {
    SnapshotOptions rules = SnapshotOptions.of(manifest.header().rules());
    WorkspaceScan scan = WorkspaceScan.of(directory, rules);
    boolean hasModes = scan.hasModes();
    List<SnapshotEntry> present =
        scan.scan(FileIndex.EMPTY, ContentReader.hashing()).manifest().entries();
    return new WorkspaceState(manifest.entries(), List.of(), hasModes)
        .changesTo(new WorkspaceState(present, List.of(), hasModes));
  }

  /**
   * Returns the named databases of SQLite in a copy of the workspace if the driver is missing on
   * the class path. Their changes are then captured by the bytes of their files, which differ from
   * those of the recording if it had the driver.
   */
  public List<String> databasesWithoutDriver(Path copy) throws IOException {
    List<String> found = new ArrayList<>();
    for (String path : SnapshotOptions.of(manifest.header().rules()).databases()) {
      Path file = copy.resolve(path);
      if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
          && Databases.isSqlite(file)
          && SqliteBackup.find() == null) {
        found.add(path);
      }
    }
    return found;
  }

  /** Restores the workspace, as {@link SnapshotRestorer#restore(Path, Path)} does. */
  public void restore(Path directory) throws IOException {
    SnapshotRestorer.restore(manifest, contents, directory);
  }
}
