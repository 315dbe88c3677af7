package dev.agentreplay.sandbox.snapshot;

import dev.agentreplay.io.workspace.SnapshotEntry;
import dev.agentreplay.io.workspace.SnapshotFiles;
import dev.agentreplay.io.workspace.SnapshotManifest;
import dev.agentreplay.io.workspace.WorkspaceCapture;
import dev.agentreplay.io.workspace.WorkspaceSnapshot;
import dev.agentreplay.model.FileState;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.sandbox.workspace.RecordedChanges;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Captures the directory in which an agent works: a snapshot when its session starts, then the
 * files that each tool changes. The snapshot, and the contents of changed files, are in the
 * directory {@value #DIRECTORY} of the session:
 *
 * <pre>{@code
 * RecorderOptions options = RecorderOptions.defaults()
 *     .withCircumstances(Circumstances.defaults().withWorkspace(SnapshotCapture.of(workspace)));
 * }</pre>
 *
 * <p>Files, symbolic links and empty directories are captured, with their modes, as the rules of
 * the options choose them; the times of files only in the snapshot. A scan reads the files whose
 * size, times, inode or mode have changed. What changed is the difference of two scans: a file that
 * a tool creates and deletes is not seen, and one that is written twice is one change.
 *
 * <p>A scan runs while other tools, or programs in the background, change files: it has each file
 * as it was at some time during the scan, and the next scan finds the rest.
 *
 * <p>What cannot be read when the session starts is left out, as the manifest states; a file that
 * can no longer be read is a failure, unless only its permissions have changed.
 *
 * <p>Contents are not forced to disk: a loss of power may damage those of the last changes, which
 * their hashes show. The session's own directory is left out, wherever it is.
 *
 * <p>An object captures one session at a time, which it follows from {@link #capture} on; safe for
 * use by several threads.
 */
public final class SnapshotCapture implements WorkspaceCapture {

  /** The name of the directory in that of the session. */
  public static final String DIRECTORY = "snapshot";

  /** The default for the maximum length of a changed content that is stored: 16 MiB. */
  public static final long MAX_CONTENT_BYTES = 16 << 20;

  private final Path workspace;
  private final SnapshotOptions options;
  private final boolean takesSnapshot;
  private final long maxContentBytes;
  private final long maxBytes;
  private final @Nullable Path recorded;

  private final ReentrantLock lock = new ReentrantLock();

  /** The workspace that follows the session; null before {@link #capture}. Guarded by the lock. */
  private @Nullable FollowedWorkspace following;

  private SnapshotCapture(
      Path workspace,
      SnapshotOptions options,
      boolean takesSnapshot,
      long maxContentBytes,
      long maxBytes,
      @Nullable Path recorded) {
    this.workspace = Objects.requireNonNull(workspace, "workspace");
    this.options = Objects.requireNonNull(options, "options");
    this.takesSnapshot = takesSnapshot;
    this.maxContentBytes = maxContentBytes;
    this.maxBytes = maxBytes;
    this.recorded = recorded;
  }

  /** Creates a capture with the default options, which stores contents. */
  public static SnapshotCapture of(Path workspace) {
    return of(workspace, SnapshotOptions.defaults());
  }

  /** Creates a capture that stores contents. */
  public static SnapshotCapture of(Path workspace, SnapshotOptions options) {
    return new SnapshotCapture(workspace, options, true, MAX_CONTENT_BYTES, Long.MAX_VALUE, null);
  }

  /**
   * Creates a capture that takes only the hash of the snapshot, and stores the contents of changed
   * files: as a replay needs it, with the rules of the recording.
   */
  public static SnapshotCapture ofChanges(Path workspace, SnapshotOptions options) {
    return new SnapshotCapture(workspace, options, false, MAX_CONTENT_BYTES, Long.MAX_VALUE, null);
  }

  /**
   * Returns a new capture with a different maximum length of a changed content that is stored; of a
   * longer one only the hash is recorded. The snapshot has all contents within the limits of its
   * options.
   *
   * @throws IllegalArgumentException if the length is negative
   */
  public SnapshotCapture withMaxContentBytes(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("maximum length must not be negative: " + bytes);
    }
    return new SnapshotCapture(workspace, options, takesSnapshot, bytes, maxBytes, recorded);
  }

  /**
   * Returns a new capture that fails if a change leaves files with more bytes in sum, instead of
   * reading them: files with holes may be very large. The snapshot itself has the limits of its
   * options.
   *
   * @throws IllegalArgumentException if the maximum is not positive
   */
  public SnapshotCapture withMaxBytes(long bytes) {
    if (bytes <= 0) {
      throw new IllegalArgumentException("maximum size must be positive: " + bytes);
    }
    return new SnapshotCapture(workspace, options, takesSnapshot, maxContentBytes, bytes, recorded);
  }

  /**
   * Returns a new capture that makes recorded changes with the contents of a snapshot: those of
   * tools that a replay does not run. Null for one that makes none.
   *
   * @param snapshot the directory of the snapshot of the recorded session
   */
  public SnapshotCapture withRecordedContents(@Nullable Path snapshot) {
    return new SnapshotCapture(
        workspace, options, takesSnapshot, maxContentBytes, maxBytes, snapshot);
  }

  /**
   * Takes the snapshot. In a session that is resumed, a workspace that differs from the last
   * snapshot has a manifest of its own next to the first, with the same contents.
   */
  @Override
  public WorkspaceSnapshot capture(Path session) throws IOException {
    lock.lock();
    try {
      SnapshotOptions rules = options.without(session);
      WorkspaceSnapshot snapshot;
      Path directory = session.resolve(DIRECTORY);
      if (takesSnapshot) {
        snapshot = take(directory, rules);
      } else {
        ScannedWorkspace scanned =
            WorkspaceScan.of(workspace, rules).scan(FileIndex.EMPTY, ContentReader.hashing());
        follow(scanned.entries(), scanned.index(), rules, SnapshotFiles.in(directory));
        snapshot = new WorkspaceSnapshot(scanned.manifest().hash(), null);
      }
      return snapshot;
    } finally {
      lock.unlock();
    }
  }

  private WorkspaceSnapshot take(Path directory, SnapshotOptions rules) throws IOException {
    int last = 0;
    while (Files.exists(directory.resolve(manifestName(last + 1)), LinkOption.NOFOLLOW_LINKS)) {
      last++;
    }
    if (last == 0) {
      deleteIncomplete(directory);
      SnapshotReport report = SnapshotWriter.take(workspace, directory, rules);
      return followed(report.manifest(), rules, directory, 1);
    }
    SnapshotManifest stated = SnapshotManifest.read(directory.resolve(manifestName(last)));
    WorkspaceScan now = WorkspaceScan.of(workspace, rules);
    ScannedWorkspace scanned =
        now.scan(index(directory, now.root().toString()), ContentReader.hashing());
    if (scanned.manifest().equals(stated)) {
      return followed(stated, rules, directory, last);
    }
    SnapshotReport report =
        SnapshotWriter.add(workspace, directory, manifestName(last + 1), rules.withBase(directory));
    return followed(report.manifest(), rules, directory, last + 1);
  }

  private static String manifestName(int number) {
    return number == 1 ? SnapshotManifest.NAME : "MANIFEST-%d.jsonl".formatted(number);
  }

  private static FileIndex index(Path directory, String root) throws IOException {
    return IndexFile.read(directory.resolve(IndexFile.NAME), root);
  }

  private WorkspaceSnapshot followed(
      SnapshotManifest manifest, SnapshotOptions rules, Path directory, int number)
      throws IOException {
    FileIndex index = index(directory, manifest.header().root());
    follow(manifest.entries(), index, rules, SnapshotFiles.in(directory));
    return new WorkspaceSnapshot(manifest.hash(), DIRECTORY + "/" + manifestName(number));
  }

  private void follow(
      List<SnapshotEntry> entries, FileIndex index, SnapshotOptions rules, SnapshotFiles files)
      throws IOException {
    // a tool may create a file that is too large for a snapshot
    SnapshotLimits limits = rules.limits().withBytes(maxBytes).withFileBytes(maxBytes);
    WorkspaceScan scan = WorkspaceScan.of(workspace, rules.withLimits(limits)).whileItChanges();
    following = new FollowedWorkspace(scan, entries, index, files, maxContentBytes);
  }

  /** Deletes what a start that was interrupted has left of a snapshot. */
  private static void deleteIncomplete(Path directory) throws IOException {
    if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try (Stream<Path> children = Files.list(directory)) {
      Set<String> own = Set.of(SnapshotFiles.NAME, IndexFile.NAME);
      if (!children.allMatch(child -> own.contains(child.getFileName().toString()))) {
        return; // the snapshot refuses the directory
      }
    }
    FileTrees.empty(directory);
  }

  @Override
  public List<FileState> beforeTool(ToolCall call) throws IOException {
    return changes();
  }

  @Override
  public List<FileState> afterTool(String callId) throws IOException {
    return changes();
  }

  @Override
  public List<FileState> atEnd() throws IOException {
    return changes();
  }

  private List<FileState> changes() throws IOException {
    lock.lock();
    try {
      if (following == null) {
        throw new IllegalStateException("the workspace is captured when its session starts");
      }
      return following.changes();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public List<String> unreadable() {
    lock.lock();
    try {
      return following == null ? List.of() : following.unreadable();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public List<FileState> apply(List<FileState> changes) throws IOException {
    Path from = recorded;
    if (from == null) {
      return changes;
    }
    lock.lock();
    try {
      return RecordedChanges.of(workspace, SnapshotFiles.in(from)).make(changes);
    } finally {
      lock.unlock();
    }
  }
}
