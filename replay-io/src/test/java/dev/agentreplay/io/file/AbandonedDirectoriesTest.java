package dev.agentreplay.io.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Temporary directories of JVMs that were killed, that run, and that kept them. */
@DisabledOnOs(OS.WINDOWS)
@Timeout(120)
class AbandonedDirectoriesTest {

  @TempDir
  Path directory;

  private Path temporary;
  private OwnedDirectory own;
  private final List<Process> processes = new ArrayList<>();

  @BeforeEach
  void create() throws IOException {
    temporary = Files.createDirectory(directory.resolve("temporary")).toRealPath();
    own = OwnedDirectory.create(temporary);
  }

  @AfterEach
  void end() throws IOException {
    processes.forEach(Process::destroyForcibly);
    processes.forEach(process -> process.onExit().join());
    FileTree.delete(own.files());
    own.delete();
  }

  private Process start(String mode) throws IOException {
    Process process = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Djava.io.tmpdir=" + temporary,
            "-cp",
            System.getProperty("java.class.path"),
            AbandonedDirectoriesTest.class.getName(),
            mode)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
    processes.add(process);
    return process;
  }

  /** Starts a process that creates a directory. Returns its path for files. */
  private Path started(String mode) throws IOException {
    return Path.of(start(mode).inputReader().readLine());
  }

  private void kill() {
    for (Process process : processes) {
      process.toHandle().destroyForcibly();
      process.onExit().join();
    }
  }

  private void deleteAll() {
    AbandonedDirectories.deleteAll(own.path(), () -> false);
  }

  private List<Path> directories() throws IOException {
    try (Stream<Path> all = Files.list(temporary)) {
      return all.filter(each -> !each.equals(own.path())).toList();
    }
  }

  /** The process of the tests: creates a directory in {@code java.io.tmpdir}. */
  public static void main(String[] arguments) throws Exception {
    switch (arguments[0]) {
      case "hold" -> {
        System.out.println(TemporaryDirectory.create().path());
        int unused = System.in.read(); // until the parent has ended
      }
      case "exit" -> System.out.println(TemporaryDirectory.create().path());
      case "leave" ->
        System.out.println(TemporaryDirectory.createWithoutExitHook().path());
      case "keep" -> System.out.println(TemporaryDirectory.create().keep());
      case "repeat" -> repeat();
      default -> throw new IllegalArgumentException(arguments[0]);
    }
  }

  /** Creates directories while others delete abandoned ones, and deletes such itself. */
  private static void repeat() throws IOException {
    Path parent = Path.of(System.getProperty("java.io.tmpdir"));
    for (int i = 0; i < 300; i++) {
      OwnedDirectory each = OwnedDirectory.create(parent);
      Path file = Files.writeString(each.files().resolve("file"), "text");
      boolean isKept = i % 2 == 0;
      if (isKept) {
        each.keep();
      }
      AbandonedDirectories.deleteAll(each.path(), () -> false);
      Files.delete(file); // fails if a different process has deleted it
      Files.delete(each.files());
      each.delete();
    }
  }

  @Test
  void directory_of_a_jvm_that_was_killed_is_deleted_by_the_next() throws Exception {
    Path outside = Files.createDirectory(directory.resolve("outside"));
    Path file = Files.writeString(outside.resolve("file"), "text");
    Path left = started("hold");
    Files.createSymbolicLink(left.resolve("link"), outside);
    Path closed = Files.createDirectory(left.resolve("closed"));
    Files.writeString(closed.resolve("file"), "text");
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("r-x------"));

    kill();
    assertThat(left.resolve("closed")).exists();
    do { // a search ends after some seconds, and the next one continues
      assertThat(start("exit").waitFor()).isZero();
    } while (!directories().isEmpty());

    assertThat(file).hasContent("text");
  }

  @Test
  void directory_of_a_jvm_that_runs_is_not_deleted() throws Exception {
    Path used = started("hold");
    deleteAll();
    assertThat(start("exit").waitFor()).isZero();
    assertThat(used).exists();

    kill();
    deleteAll();
    assertThat(directories()).isEmpty();
  }

  @Test
  void directory_of_this_jvm_is_not_deleted_by_it_or_a_different_one() throws Exception {
    OwnedDirectory other = OwnedDirectory.create(temporary);
    deleteAll();
    assertThat(start("exit").waitFor()).isZero();

    assertThat(own.files()).exists();
    assertThat(other.files()).exists();
    FileTree.delete(other.files());
    other.delete();
    assertThat(directories()).isEmpty();
  }

  @Test
  void directory_without_an_exit_hook_is_left_to_the_next_jvm() throws Exception {
    Path left = started("leave");
    processes.get(0).waitFor();
    assertThat(left).exists();

    deleteAll();
    assertThat(directories()).isEmpty();
  }

  @Test
  void directory_that_is_kept_is_never_deleted() throws Exception {
    Path kept = started("keep");
    processes.get(0).waitFor();
    Files.setLastModifiedTime(
        kept.getParent(), FileTime.from(Instant.now().minus(Duration.ofDays(9))));

    deleteAll();
    assertThat(kept).exists();
  }

  @Test
  void directory_that_is_kept_while_its_owner_is_examined_is_not_deleted() throws IOException {
    Path kept = Files.createDirectory(temporary.resolve("agentreplay-1-1"));
    Path owner = Files.createFile(kept.resolve(OwnedDirectory.OWNER));
    Files.createDirectory(kept.resolve(OwnedDirectory.FILES));
    AtomicInteger steps = new AtomicInteger();

    AbandonedDirectories.deleteAll(own.path(), () -> {
      if (steps.incrementAndGet() == 2) { // the file was opened, and is not locked yet
        assertThat(owner.toFile().delete()).isTrue();
      }
      return false;
    });

    assertThat(steps.get()).isGreaterThanOrEqualTo(2);
    assertThat(kept.resolve(OwnedDirectory.FILES)).exists();
  }

  @Test
  void processes_at_the_same_time_delete_no_directory_that_is_used() throws Exception {
    for (int i = 0; i < 3; i++) {
      Process unused = start("repeat");
    }
    for (Process process : processes) {
      assertThat(process.waitFor()).isZero();
    }
    deleteAll();
    assertThat(directories()).isEmpty();
  }

  @Test
  void jvm_that_was_killed_while_it_created_a_directory_leaves_nothing() throws IOException {
    Path unlocked = Files.createDirectory(temporary.resolve("agentreplay-1-1"));
    Files.createFile(unlocked.resolve(OwnedDirectory.OWNER));
    Path young = Files.createDirectory(temporary.resolve("agentreplay-1-2"));
    Path old = Files.createDirectory(temporary.resolve("agentreplay-1-3"));
    Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofHours(2))));

    deleteAll();

    assertThat(unlocked).doesNotExist();
    assertThat(young).exists();
    assertThat(old).doesNotExist();
  }

  @Test
  void what_has_the_name_of_a_directory_but_is_not_one_is_left() throws IOException {
    Path file = Files.writeString(temporary.resolve("agentreplay-file"), "text");
    Path outside = Files.createDirectory(directory.resolve("outside"));
    Files.createFile(outside.resolve(OwnedDirectory.OWNER));
    Files.createSymbolicLink(temporary.resolve("agentreplay-link"), outside);
    Path linked = Files.createDirectory(temporary.resolve("agentreplay-1-1"));
    Files.createSymbolicLink(linked.resolve(OwnedDirectory.OWNER), file);

    deleteAll();

    assertThat(directories()).hasSize(3);
    assertThat(outside.resolve(OwnedDirectory.OWNER)).exists();
  }

  @Test
  void directory_of_a_different_user_is_left() throws IOException {
    Path other = Files.createDirectory(temporary.resolve("agentreplay-1-1"));
    Files.createFile(other.resolve(OwnedDirectory.OWNER));
    assumeTrue(hasGiven(other), "only root may give a directory to a different user");

    deleteAll();

    assertThat(other.resolve(OwnedDirectory.OWNER)).exists();
  }

  private static boolean hasGiven(Path directory) {
    try {
      UserPrincipal nobody =
          directory.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody");
      Files.setOwner(directory, nobody);
      return true;
    } catch (IOException notAllowed) {
      return false;
    }
  }

  @Test
  void search_that_is_late_is_continued_by_the_next() throws IOException {
    for (int i = 0; i < 20; i++) {
      Path each = Files.createDirectory(temporary.resolve("agentreplay-1-" + i));
      Files.createFile(each.resolve(OwnedDirectory.OWNER));
      Files.createFile(Files.createDirectory(each.resolve(OwnedDirectory.FILES)).resolve("file"));
    }
    AtomicInteger steps = new AtomicInteger();
    int before = 20;
    for (int attempts = 0; attempts < 20 && before > 0; attempts++) {
      steps.set(0);
      AbandonedDirectories.deleteAll(own.path(), () -> steps.incrementAndGet() > 8);
      assertThat(directories()).hasSizeLessThan(before);
      before = directories().size();
    }
    assertThat(before).isZero();
  }
}
