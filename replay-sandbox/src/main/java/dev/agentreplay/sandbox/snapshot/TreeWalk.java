package dev.agentreplay.sandbox.snapshot;

import dev.agentreplay.io.workspace.SnapshotEntry;
import dev.agentreplay.io.workspace.SnapshotFiles;
import dev.agentreplay.io.workspace.SnapshotManifest;
import dev.agentreplay.model.text.Surrogates;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** The entries of a workspace that the rules choose, without their contents. */
final class TreeWalk {

  /** The character for bytes that are not text in the encoding of the system. */
  private static final char UNDECODED = '\ufffd';

  private final SnapshotOptions options;
  private final Databases databases;
  private final Set<Path> excluded;
  private final LeftOut leftOut = new LeftOut();
  private final Queue<FoundFile> files = new ConcurrentLinkedQueue<>();
  private final Queue<FoundFile> directories = new ConcurrentLinkedQueue<>();
  private final Queue<SnapshotEntry.Link> links = new ConcurrentLinkedQueue<>();
  private final Queue<FoundFile> opaque = new ConcurrentLinkedQueue<>();
  private final AtomicInteger count = new AtomicInteger();

  private TreeWalk(SnapshotOptions options, Databases databases, Set<Path> excluded) {
    this.options = options;
    this.databases = databases;
    this.excluded = excluded;
  }

  /** Walks through a directory, one level after the other. */
  static TreeWalk of(
      FoundFile root, SnapshotOptions options, Databases databases, Parallel parallel)
      throws IOException {
    TreeWalk walk = new TreeWalk(options, databases, excluded(root.file(), options));
    List<FoundFile> level = List.of(root);
    while (!level.isEmpty()) {
      Queue<FoundFile> next = new ConcurrentLinkedQueue<>();
      parallel.forEach(level, directory -> walk.directory(directory, next));
      level = new ArrayList<>(next);
    }
    walk.leaveOutSearched();
    walk.requireBytes();
    return walk;
  }

  /** The excluded paths as the walk meets them, which is without links. */
  private static Set<Path> excluded(Path root, SnapshotOptions options) throws IOException {
    Set<Path> all = new HashSet<>();
    for (Path path : options.excluded()) {
      all.add(Files.exists(path) ? path.toRealPath() : path.normalize());
    }
    if (all.contains(root)) {
      throw new FileSystemException(
          root.toString(), null, "the workspace cannot be a session or a snapshot itself");
    }
    return all;
  }

  private void directory(FoundFile directory, Queue<FoundFile> next) throws IOException {
    List<Path> children = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory.file())) {
      stream.forEach(children::add);
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    } catch (AccessDeniedException e) {
      leaveOutUnreadable(directory, e);
      return;
    } catch (NoSuchFileException e) {
      return; // its parent has changed, which the scan notices
    }
    if (isSnapshot(directory, children)) {
      leftOut.add(LeftOut.Reason.EXCLUDED, directory.path());
      return;
    }
    if (!directory.path().isEmpty()) {
      directories.add(directory);
    }
    for (Path child : children) {
      try {
        entry(directory, child, next);
      } catch (AccessDeniedException e) {
        leftOut.add(LeftOut.Reason.UNREADABLE, directory.child(name(child)));
      } catch (NoSuchFileException e) {
        // the directory has changed, which the scan notices
      }
    }
  }

  private void leaveOutUnreadable(FoundFile directory, AccessDeniedException failure)
      throws AccessDeniedException {
    if (directory.path().isEmpty()) {
      throw failure;
    }
    leftOut.add(LeftOut.Reason.UNREADABLE, directory.path());
    opaque.add(directory);
  }

  /** Whether a directory is a snapshot: snapshots in snapshots would double each time. */
  private static boolean isSnapshot(FoundFile directory, List<Path> children) {
    boolean isRoot = directory.path().isEmpty();
    return !isRoot
        && children.contains(directory.file().resolve(SnapshotManifest.NAME))
        && children.contains(directory.file().resolve(SnapshotFiles.NAME));
  }

  private void entry(FoundFile directory, Path child, Queue<FoundFile> next) throws IOException {
    String name = name(child);
    String path = directory.child(name);
    if (Surrogates.indexOfLone(name) >= 0 || !directory.file().resolve(name).equals(child)) {
      leftOut.add(LeftOut.Reason.NAME, path.replaceAll("[\ud800-\udfff]", "\ufffd"));
      return;
    }
    FileStat stat = FileStat.of(child);
    boolean isDirectory = stat.type() == FileStat.Type.DIRECTORY;
    EntryRules.Choice choice = databases.isMember(path)
        ? EntryRules.Choice.TAKEN
        : options.rules().choose(path.split("/", -1), isDirectory, directory.isSearched());
    if (excluded.contains(child)) {
      leftOut.add(LeftOut.Reason.EXCLUDED, path);
      return;
    }
    switch (choice) {
      case IGNORED -> leftOut.add(LeftOut.Reason.IGNORED, path);
      case SECRET -> leftOut.add(LeftOut.Reason.SECRET, path);
      case SEARCHED -> next.add(new FoundFile(path, child, stat, true));
      case TAKEN -> taken(new FoundFile(path, child, stat, false), next);
    }
  }

  private void taken(FoundFile found, Queue<FoundFile> next) throws IOException {
    if (count.incrementAndGet() > options.limits().files()) {
      throw new FileSystemException(
          found.file().toString(),
          null,
          "the workspace has more than the limit of %d files and directories"
              .formatted(options.limits().files()));
    }
    if (found.stat().hasSpecialBits()) {
      leftOut.add(LeftOut.Reason.SPECIAL_BITS, found.path());
    }
    switch (found.stat().type()) {
      case DIRECTORY -> next.add(found);
      case FILE -> file(found);
      case LINK -> link(found);
      default -> {
        leftOut.add(LeftOut.Reason.SPECIAL_FILE, found.path());
        opaque.add(found);
      }
    }
  }

  private void file(FoundFile found) throws IOException {
    if (databases.isJournalOfBackup(found)) {
      leftOut.add(LeftOut.Reason.JOURNAL, found.path());
      return;
    }
    long most = options.limits().fileBytes();
    if (found.stat().bytes() > most) {
      throw new FileSystemException(
          found.file().toString(),
          null,
          "the file has %d bytes, more than the limit of %d; a rule can ignore it"
              .formatted(found.stat().bytes(), most));
    }
    files.add(found);
  }

  private void link(FoundFile found) throws IOException {
    Path target;
    try {
      target = Files.readSymbolicLink(found.file());
    } catch (NotLinkException e) {
      return; // its directory has changed, which the scan notices
    }
    String text = target.toString();
    Path shortest = target.getFileSystem().getPath(text); // the form in which Java creates links
    boolean isShortest = shortest.equals(target);
    if (Surrogates.indexOfLone(text) >= 0 || (!isShortest && !hasSpareSlashes(text))) {
      leftOut.add(LeftOut.Reason.NAME, found.path());
      return;
    }
    if (!isShortest) {
      leftOut.add(LeftOut.Reason.LINK_SLASHES, found.path());
    }
    links.add(new SnapshotEntry.Link(found.path(), shortest.toString()));
  }

  /** Whether a target that could be decoded has slashes without which it means the same. */
  private static boolean hasSpareSlashes(String target) {
    return (target.contains("//") || target.endsWith("/")) && target.indexOf(UNDECODED) < 0;
  }

  /** Leaves out the directories that were searched, unless something in them was included. */
  private void leaveOutSearched() {
    if (directories.stream().noneMatch(FoundFile::isSearched)) {
      return;
    }
    Set<String> needed = new HashSet<>();
    files.forEach(file -> addParents(file.path(), needed));
    links.forEach(link -> addParents(link.path(), needed));
    directories.stream()
        .filter(directory -> !directory.isSearched())
        .forEach(directory -> addParents(directory.path(), needed));
    directories.removeIf(directory -> {
      boolean isLeftOut = directory.isSearched() && !needed.contains(directory.path());
      if (isLeftOut) {
        leftOut.add(LeftOut.Reason.IGNORED, directory.path());
      }
      return isLeftOut;
    });
  }

  private static void addParents(String path, Set<String> parents) {
    for (int slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      parents.add(path.substring(0, slash));
    }
  }

  private void requireBytes() throws FileSystemException {
    long bytes = 0;
    FoundFile largest = null;
    for (FoundFile file : files) {
      bytes += file.stat().bytes();
      largest = largest == null || file.stat().bytes() > largest.stat().bytes() ? file : largest;
    }
    if (largest != null && bytes > options.limits().bytes()) {
      throw new FileSystemException(
          largest.file().toString(),
          null,
          "the workspace has %d bytes, more than the limit of %d; this is its largest file"
              .formatted(bytes, options.limits().bytes()));
    }
  }

  private static String name(Path file) {
    return Objects.requireNonNull(file.getFileName()).toString();
  }

  /** The regular files. */
  List<FoundFile> files() {
    return new ArrayList<>(files);
  }

  /** The directories without the root. */
  List<FoundFile> directories() {
    return new ArrayList<>(directories);
  }

  /** The symbolic links. */
  List<SnapshotEntry.Link> links() {
    return new ArrayList<>(links);
  }

  /** The sockets, pipes, devices and unreadable directories, which are left out. */
  List<FoundFile> opaque() {
    return new ArrayList<>(opaque);
  }

  /** The entries that were left out. */
  LeftOut leftOut() {
    return leftOut;
  }
}
