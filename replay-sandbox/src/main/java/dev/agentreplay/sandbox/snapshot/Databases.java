package dev.agentreplay.sandbox.snapshot;

import dev.agentreplay.io.file.RegularFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The databases that a snapshot copies in one state: a database of SQLite through its own backup if
 * the driver is on the class path; any other together with its journals, if none of them changes
 * while they are read.
 */
final class Databases {

  /** The files next to a database that are part of its state, by the ends of their names. */
  private static final List<String> JOURNALS = List.of("-wal", "-shm", "-journal");

  private static final byte[] SQLITE = "SQLite format 3\0".getBytes(StandardCharsets.US_ASCII);

  private final Path root;
  private final Set<String> paths;
  private final Set<String> backedUp;
  private final Map<String, String> journals = new HashMap<>();

  private Databases(
      Path root, List<String> paths, @Nullable SqliteBackup backup, boolean isRequired)
      throws IOException {
    this.root = root;
    this.paths = new HashSet<>(paths);
    this.backedUp = new HashSet<>();
    for (String path : paths) {
      Path file = root.resolve(path);
      boolean isFile = Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
      if (!isFile && isRequired) {
        throw new NoSuchFileException(
            file.toString(), null, "the database is not a file of the workspace");
      }
      if (isFile && backup != null && isSqlite(file)) {
        backedUp.add(path);
      }
      JOURNALS.forEach(end -> journals.put(path + end, path));
    }
  }

  /**
   * The databases of a workspace.
   *
   * @param isRequired whether each must be a file; otherwise a tool may have deleted it
   */
  static Databases of(
      Path root, List<String> paths, @Nullable SqliteBackup backup, boolean isRequired)
      throws IOException {
    return new Databases(root, paths, backup, isRequired);
  }

  /** Whether a file is a database of SQLite. */
  static boolean isSqlite(Path file) throws IOException {
    try (InputStream in = RegularFiles.open(file)) {
      return Arrays.equals(in.readNBytes(SQLITE.length), SQLITE);
    }
  }

  /** Whether a file is a database or one of its journals. */
  boolean isMember(String path) {
    return paths.contains(path) || journals.containsKey(path);
  }

  /** Whether a file is a journal whose changes a backup of the database contains. */
  boolean isJournalOfBackup(FoundFile found) {
    String database = journals.get(found.path());
    return database != null && backedUp.contains(database);
  }

  /** Whether a database is copied by its own backup. */
  boolean isBackedUp(String path) {
    return backedUp.contains(path);
  }

  /** Whether a backup may create and delete journals in a directory. */
  boolean mayChange(FoundFile directory) {
    return backedUp.stream().anyMatch(path -> {
      int slash = path.lastIndexOf('/');
      return directory.path().equals(slash < 0 ? "" : path.substring(0, slash));
    });
  }

  /** Fails if a database is not among the files of a walk, because it was left out. */
  void requireAll(List<FoundFile> files) throws NoSuchFileException {
    Set<String> missing = new HashSet<>(paths);
    files.forEach(file -> missing.remove(file.path()));
    for (String path : missing) {
      throw new NoSuchFileException(
          root.resolve(path).toString(),
          null,
          "the database is in a directory that the rules leave out");
    }
  }
}
