package dev.agentreplay.sandbox.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.workspace.Circumstances;
import dev.agentreplay.io.workspace.SnapshotEntry;
import dev.agentreplay.io.workspace.SnapshotManifest;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.FileState;
import dev.agentreplay.model.SessionStart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Databases are copied in one state, together with their journals. */
class DatabasesTest {

  @TempDir
  private Path directory;

  private Path workspace;

  @BeforeEach
  void create() throws IOException {
    workspace = Files.createDirectories(directory.resolve("workspace/data")).getParent();
  }

  @Test
  void journals_are_copied_with_the_database_although_they_are_ignored() throws IOException {
    for (String name : new String[] {"app.db", "app.db-wal", "app.db-shm", "app.db-journal"}) {
      Files.writeString(workspace.resolve("data").resolve(name), name);
    }
    Files.writeString(workspace.resolve("data/other-wal"), "x");
    SnapshotManifest manifest =
        take(SnapshotOptions.defaults().withIgnored("*-wal", "*.db").withDatabase("data/app.db"));
    assertThat(manifest.entries())
        .extracting(SnapshotEntry::path)
        .containsExactly(
            "data", "data/app.db", "data/app.db-journal", "data/app.db-shm", "data/app.db-wal");
    assertThat(manifest.header().rules().get("databases")).hasToString("[\"data/app.db\"]");
  }

  @Test
  void database_and_journal_are_of_one_time() throws IOException {
    Path database = Files.writeString(workspace.resolve("data/app.db"), "0");
    Path wal = Files.writeString(workspace.resolve("data/app.db-wal"), "0");
    AtomicInteger reads = new AtomicInteger();
    ScannedWorkspace scanned = WorkspaceScan.of(
            workspace, SnapshotOptions.defaults().withDatabase("data/app.db"))
        .scan(FileIndex.EMPTY, (file, most) -> {
          if (reads.incrementAndGet() == 2) { // after one of them was read: both change
            Files.writeString(database, "11");
            Files.writeString(wal, "11");
          }
          return ContentReader.hashing().read(file, most);
        });
    assertThat(reads.get()).isGreaterThan(3);
    assertThat(scanned.entries())
        .filteredOn(SnapshotEntry.File.class::isInstance)
        .extracting(entry -> ((SnapshotEntry.File) entry).bytes())
        .containsExactly(2L, 2L);
  }

  @Test
  void database_that_changes_all_the_time_is_an_error() throws IOException {
    Path database = Files.writeString(workspace.resolve("data/app.db"), "0");
    Path wal = Files.writeString(workspace.resolve("data/app.db-wal"), "0");
    WorkspaceScan scan =
        WorkspaceScan.of(workspace, SnapshotOptions.defaults().withDatabase("data/app.db"));
    assertThatThrownBy(() -> scan.scan(FileIndex.EMPTY, (file, most) -> {
          Path other = file.equals(wal) ? database : wal;
          Files.writeString(other, "x", StandardOpenOption.APPEND);
          return ContentReader.hashing().read(file, most);
        }))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("app.db")
        .hasMessageContaining("changed");
  }

  @Test
  void database_that_is_missing_a_directory_or_left_out_is_refused() throws IOException {
    Files.createDirectories(workspace.resolve("target"));
    Files.writeString(workspace.resolve("target/app.db"), "x");
    for (String path : new String[] {"data/missing.db", "data", "target/app.db"}) {
      assertThatThrownBy(() -> take(SnapshotOptions.defaults().withDatabase(path)))
          .as(path)
          .isInstanceOf(NoSuchFileException.class)
          .hasMessageContaining(path);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SnapshotOptions.defaults().withDatabase("../app.db"));
  }

  @Test
  void database_of_sqlite_is_copied_by_its_own_backup_while_it_is_open() throws Exception {
    assumeTrue(SqliteBackup.find() != null, "the driver of SQLite is not on the class path");
    Path file = workspace.resolve("data/it's 100%?.db");
    try (Connection connection = open(file);
        Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA journal_mode=WAL");
      statement.execute("CREATE TABLE t (x)");
      statement.execute("INSERT INTO t VALUES (1), (2)");
      assertThat(file.resolveSibling(file.getFileName() + "-wal")).isNotEmptyFile();
      connection.setAutoCommit(false);
      statement.execute("INSERT INTO t VALUES (3)"); // not committed

      SnapshotManifest manifest =
          take(SnapshotOptions.defaults().withDatabase("data/" + file.getFileName()));

      assertThat(manifest.entries())
          .extracting(SnapshotEntry::path)
          .containsExactly("data", "data/" + file.getFileName());
      assertThat(manifest.header().leftOut().toString()).startsWith("{\"journal\":{\"count\":2,");
    }
    Path copy = directory.resolve("copy");
    SnapshotRestorer.restore(directory.resolve("snapshot"), copy);
    try (Connection connection = open(copy.resolve("data").resolve(file.getFileName()));
        Statement statement = connection.createStatement();
        ResultSet sum = statement.executeQuery("SELECT sum(x) FROM t")) {
      assertThat(sum.getInt(1)).isEqualTo(3);
    }
  }

  @Test
  void restored_database_has_the_same_copies_after_the_same_changes() throws Exception {
    assumeTrue(SqliteBackup.find() != null, "the driver of SQLite is not on the class path");
    Path file = workspace.resolve("data/app.db");
    SnapshotOptions options = SnapshotOptions.defaults().withDatabase("data/app.db");
    execute(file, "CREATE TABLE t (x)", "CREATE TABLE u (y)", "DROP TABLE u");
    execute(file, "INSERT INTO t VALUES (1), (2), (3)", "DELETE FROM t WHERE x = 2");
    take(options);
    Path copy = directory.resolve("copy");
    SnapshotRestorer.restore(directory.resolve("snapshot"), copy);

    for (Path workspace : new Path[] {workspace, copy}) {
      Path database = workspace.resolve("data/app.db");
      execute(database, "INSERT INTO t VALUES (4)", "CREATE INDEX i ON t (x)");
    }

    assertThat(hash(copy, options)).isEqualTo(hash(workspace, options));
    execute(copy.resolve("data/app.db"), "INSERT INTO t VALUES (5)");
    assertThat(hash(copy, options)).isNotEqualTo(hash(workspace, options));
  }

  @Test
  void change_of_a_database_is_the_same_in_a_recording_and_in_its_replay() throws Exception {
    assumeTrue(SqliteBackup.find() != null, "the driver of SQLite is not on the class path");
    String insert = "INSERT INTO t VALUES (4)";
    Path database = workspace.resolve("data/app.db");
    execute(database, "PRAGMA journal_mode=WAL", "CREATE TABLE t (x)", "INSERT INTO t VALUES (1)");
    SnapshotCapture recording =
        SnapshotCapture.of(workspace, SnapshotOptions.defaults().withDatabase("data/app.db"));
    Path session = Files.createDirectory(directory.resolve("recorded"));
    recording.capture(session);
    execute(database, insert);
    List<FileState> recorded = recording.atEnd();

    Path copy = directory.resolve("copy");
    Path snapshot = session.resolve("snapshot");
    SnapshotRestorer.restore(snapshot, copy);
    SnapshotCapture replay = SnapshotCapture.ofChanges(
        copy, SnapshotOptions.of(SnapshotManifest.read(snapshot).header().rules()));
    replay.capture(Files.createDirectory(directory.resolve("replayed")));
    execute(copy.resolve("data/app.db"), insert);

    assertThat(recorded).extracting(FileState::path).containsExactly("data/app.db");
    assertThat(replay.atEnd()).isEqualTo(recorded);
  }

  @Test
  void databases_whose_driver_is_missing_now_are_named() throws Exception {
    assumeTrue(SqliteBackup.find() != null, "the driver of SQLite is not on the class path");
    execute(workspace.resolve("data/app.db"), "CREATE TABLE t (x)");
    Files.writeString(workspace.resolve("data/other.db"), "not of SQLite");
    SnapshotOptions options =
        SnapshotOptions.defaults().withDatabase("data/app.db").withDatabase("data/other.db");
    Path recorded = directory.resolve("session");
    RecorderOptions recording = RecorderOptions.defaults()
        .withCircumstances(
            Circumstances.none().withWorkspace(SnapshotCapture.of(workspace, options)));
    SessionRecorder.start(recorded, SessionStart.of("s"), recording).close();
    SessionSnapshot snapshot = Objects.requireNonNull(SessionSnapshot.find(Session.open(recorded)));
    assertThat(snapshot.databasesWithoutDriver(workspace)).isEmpty();

    Thread thread = Thread.currentThread();
    ClassLoader loader = thread.getContextClassLoader();
    thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
    try {
      assertThat(snapshot.databasesWithoutDriver(workspace)).containsExactly("data/app.db");
    } finally {
      thread.setContextClassLoader(loader);
    }
  }

  private static ContentHash hash(Path workspace, SnapshotOptions options) throws IOException {
    return WorkspaceScan.of(workspace, options)
        .scan(FileIndex.EMPTY, ContentReader.hashing())
        .entries()
        .stream()
        .filter(SnapshotEntry.File.class::isInstance)
        .map(entry -> ((SnapshotEntry.File) entry).hash())
        .findFirst()
        .orElseThrow();
  }

  private static void execute(Path file, String... statements) throws Exception {
    try (Connection connection = open(file);
        Statement statement = connection.createStatement()) {
      for (String each : statements) {
        statement.execute(each);
      }
    }
  }

  private static Connection open(Path file) throws Exception {
    return DriverManager.getConnection("jdbc:sqlite:file:" + file.toUri().getRawPath());
  }

  private SnapshotManifest take(SnapshotOptions options) throws IOException {
    return SnapshotWriter.take(workspace, directory.resolve("snapshot"), options)
        .manifest();
  }
}
