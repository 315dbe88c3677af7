package dev.agentreplay.sandbox.snapshot;

import dev.agentreplay.io.file.TemporaryDirectory;
import dev.agentreplay.io.workspace.SnapshotEntry;
import dev.agentreplay.model.BlobRef;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A scan of a workspace: it lists the files, directories and links that the rules choose, and reads
 * only those files that have changed since an earlier scan, in several threads.
 *
 * <pre>{@code
 * WorkspaceScan scan = WorkspaceScan.of(workspace, SnapshotOptions.defaults());
 * ScannedWorkspace before = scan.scan(FileIndex.EMPTY, ContentReader.hashing());
 * ScannedWorkspace after = scan.scan(before.index(), ContentReader.hashing());
 * }</pre>
 *
 * <p>The entries are those of one time: a file that changes while it is read is read again, and if
 * a directory changes, the scan is repeated; after some attempts this is an error. Immutable; safe
 * for use by several threads.
 */
public final class WorkspaceScan {

  private static final int ATTEMPTS = 3;
  private static final int FILE_ATTEMPTS = 5;

  /** The pause after the first attempt to read a file; each later one is twice as long. */
  private static final long PAUSE_NANOS = 1_000_000;

  /** Twice the longest interval of the clock from which a file system takes times. */
  private static final Duration CLOCK_STEP = Duration.ofMillis(20);

  /** The interval of times in file systems that have only even seconds. */
  private static final Duration COARSE_STEP = Duration.ofSeconds(2);

  private final Path root;
  private final SnapshotOptions options;
  private final @Nullable SqliteBackup backup;

  /** Whether the entries must be those of one time. */
  private final boolean isOneTime;

  private WorkspaceScan(Path root, SnapshotOptions options, boolean isOneTime) {
    this.root = root;
    this.options = options;
    this.isOneTime = isOneTime;
    this.backup = options.databases().isEmpty() ? null : SqliteBackup.find();
  }

  /**
   * Creates a scan of a directory, which may be a link to one.
   *
   * @throws NotDirectoryException if it is not a directory
   * @throws NoSuchFileException if it does not exist
   */
  public static WorkspaceScan of(Path root, SnapshotOptions options) throws IOException {
    Path real = root.toRealPath();
    if (!Files.isDirectory(real)) {
      throw new NotDirectoryException(root.toString());
    }
    return new WorkspaceScan(real, options, true);
  }

  /**
   * A scan that may run while the workspace changes: each entry is as it was at some time during
   * the scan, and nothing is repeated for the sake of the others. A later scan finds what changed
   * in the meantime.
   */
  WorkspaceScan whileItChanges() {
    return new WorkspaceScan(root, options, false);
  }

  /** Whether the modes of the entries are those of the file system. */
  boolean hasModes() {
    return root.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  /** The directory of the workspace, absolute and without links. */
  public Path root() {
    return root;
  }

  /**
   * Scans the workspace.
   *
   * @param earlier the index of an earlier scan of the same workspace; {@link FileIndex#EMPTY} if
   *     there is none
   * @throws IOException if a limit is exceeded, a file cannot be read, or the workspace changes all
   *     the time; the message names the file
   */
  public ScannedWorkspace scan(FileIndex earlier, ContentReader reader) throws IOException {
    FileIndex index = earlier;
    try (Parallel parallel = new Parallel()) {
      for (int attempt = 1; ; attempt++) {
        Round round = new Round(index, reader);
        round.run(parallel);
        Path changed = isOneTime ? round.changed(parallel) : null;
        if (changed == null) {
          return round.result();
        }
        if (attempt == ATTEMPTS) {
          throw new FileSystemException(
              changed.toString(),
              null,
              "changed in each of %d attempts to read the workspace".formatted(ATTEMPTS));
        }
        index = round.index();
      }
    }
  }

  /** One attempt to read the workspace. */
  private final class Round {
    private final FileIndex earlier;
    private final ContentReader reader;
    private final Instant start = Instant.now();
    private final FoundFile directory;
    private final Databases databases;
    private final ConcurrentMap<String, FileIndex.Known> files = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable Path> vanished = new AtomicReference<>();
    private @Nullable TreeWalk walk;

    Round(FileIndex earlier, ContentReader reader) throws IOException {
      this.earlier = earlier;
      this.reader = reader;
      this.directory = new FoundFile("", root, FileStat.of(root), false);
      this.databases = Databases.of(root, options.databases(), backup, isOneTime);
    }

    void run(Parallel parallel) throws IOException {
      TreeWalk found = TreeWalk.of(directory, options, databases, parallel);
      List<FoundFile> all = found.files();
      if (isOneTime) {
        databases.requireAll(all);
      }
      parallel.forEach(all, file -> file(file, found.leftOut()));
      walk = found;
    }

    private void file(FoundFile found, LeftOut leftOut) throws IOException {
      FileIndex.Known known = earlier.find(found.path(), found.stat());
      if (known != null && reader.unchanged(known.file())) {
        files.put(found.path(), known);
        return;
      }
      FileStat before = found.stat();
      for (int attempt = 0; attempt < FILE_ATTEMPTS; attempt++) {
        if (attempt > 0) {
          LockSupport.parkNanos(PAUSE_NANOS << attempt); // its writer may be about to finish
        }
        try {
          BlobRef content = read(found);
          FileStat after = FileStat.of(found.file());
          boolean isLast = !isOneTime && attempt == ATTEMPTS - 1;
          if (databases.isBackedUp(found.path())
              || isLast
              || (after.equals(before) && content.bytes() == after.bytes())) {
            files.put(found.path(), new FileIndex.Known(before, entry(found, before, content)));
            return;
          }
          before = after;
        } catch (AccessDeniedException e) {
          leftOut.add(LeftOut.Reason.UNREADABLE, found.path());
          return;
        } catch (NoSuchFileException e) {
          vanished.set(found.file());
          return;
        }
        if (before.type() != FileStat.Type.FILE) {
          vanished.set(found.file());
          return;
        }
      }
      throw new FileSystemException(
          found.file().toString(),
          null,
          "the file changed each of %d times that it was read".formatted(FILE_ATTEMPTS));
    }

    private BlobRef read(FoundFile found) throws IOException {
      long most = options.limits().fileBytes();
      SqliteBackup driver = backup;
      if (driver == null || !databases.isBackedUp(found.path())) {
        return reader.read(found.file(), most);
      }
      try (TemporaryDirectory temporary = TemporaryDirectory.create()) {
        Path copy = temporary.path().resolve("database");
        driver.copy(found.file(), copy);
        return reader.read(copy, most);
      }
    }

    private SnapshotEntry.File entry(FoundFile found, FileStat stat, BlobRef content)
        throws FileSystemException {
      try {
        return new SnapshotEntry.File(
            found.path(), stat.mode(), stat.modified(), content.blob(), content.bytes());
      } catch (IllegalArgumentException e) {
        throw new FileSystemException(found.file().toString(), null, e.getMessage());
      }
    }

    /** A directory or a file of a database that changed since it was found; null if none has. */
    @Nullable
    Path changed(Parallel parallel) throws IOException {
      AtomicReference<@Nullable Path> changed = vanished;
      List<FoundFile> checked = new ArrayList<>(walked().directories());
      checked.add(directory);
      checked.removeIf(databases::mayChange);
      for (FoundFile file : walked().files()) {
        if (databases.isMember(file.path()) && !databases.isBackedUp(file.path())) {
          checked.add(file);
        }
      }
      parallel.forEach(checked, file -> {
        FileIndex.Known read = files.get(file.path());
        FileStat then = read == null ? file.stat() : read.stat();
        try {
          if (!FileStat.of(file.file()).equals(then)) {
            changed.set(file.file());
          }
        } catch (NoSuchFileException e) {
          changed.set(file.file());
        }
      });
      return changed.get();
    }

    private TreeWalk walked() {
      if (walk == null) {
        throw new IllegalStateException("not run");
      }
      return walk;
    }

    /** The files that a later scan knows by their state. */
    FileIndex index() {
      Map<String, FileIndex.Known> stable = new HashMap<>();
      files.forEach((path, known) -> {
        Instant changed = known.stat().changed();
        boolean isCoarse = changed.equals(changed.truncatedTo(ChronoUnit.SECONDS));
        Duration step = isCoarse ? COARSE_STEP : CLOCK_STEP;
        boolean isRacy = !changed.isBefore(start.minus(step));
        boolean isRead = !databases.isMember(path);
        if (!isRacy && isRead) {
          stable.put(path, known);
        }
      });
      return new FileIndex(stable);
    }

    ScannedWorkspace result() throws IOException {
      List<SnapshotEntry> entries = new ArrayList<>(files.size());
      files.values().forEach(known -> entries.add(known.file()));
      entries.addAll(walked().links());
      for (FoundFile found : walked().directories()) {
        try {
          entries.add(new SnapshotEntry.Directory(
              found.path(), found.stat().mode(), found.stat().modified()));
        } catch (IllegalArgumentException e) {
          throw new FileSystemException(found.file().toString(), null, e.getMessage());
        }
      }
      entries.sort(Comparator.comparing(SnapshotEntry::path, SnapshotEntry.PATH_ORDER));
      return new ScannedWorkspace(
          root,
          directory.stat(),
          List.copyOf(entries),
          index(),
          walked().leftOut(),
          walked().opaque(),
          options);
    }
  }
}
