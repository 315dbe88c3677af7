package dev.agentreplay.convert.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.testkit.TestFiles;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The target of unpacking: an existing directory stays, even if unpacking fails. */
class UnpackTargetTest {

  private static final String LOG = TestPacks.LOG;

  @TempDir
  private Path root;

  private Path file;
  private Path empty;

  @BeforeEach
  void create() throws IOException {
    file = Files.write(
        root.resolve("p"), TestFiles.gzip(TestTar.of(LOG, "x", "a/b", "y").end()));
    empty = Files.createDirectory(root.resolve("empty"));
  }

  @Test
  void directory_that_is_there_stays_the_same_with_its_mode() throws IOException {
    Files.setPosixFilePermissions(empty, PosixFilePermissions.fromString("rwx------"));
    Object before = Files.getAttribute(empty, "unix:ino");
    TestPacks.unpack(file, empty);
    assertThat(Files.getAttribute(empty, "unix:ino")).isEqualTo(before);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(empty)))
        .isEqualTo("rwx------");
    assertThat(TestPacks.tree(empty)).isEqualTo(Map.of(LOG, "x", "a/b", "y"));
  }

  @Test
  void directory_may_be_named_by_a_dot() throws IOException {
    TestPacks.unpack(file, empty.resolve("."));
    assertThat(TestPacks.tree(empty)).isEqualTo(Map.of(LOG, "x", "a/b", "y"));
  }

  @Test
  void dots_behind_a_link_mean_what_the_platform_says() throws IOException {
    Path inside = Files.createDirectories(root.resolve("far/away"));
    Path link = Files.createSymbolicLink(root.resolve("link"), inside);
    TestPacks.unpack(file, link.resolve("../new"));
    assertThat(root.resolve("far/new/" + LOG)).exists();
    assertThat(root.resolve("new")).doesNotExist();
  }

  @Test
  void what_was_moved_is_taken_back_when_another_file_is_in_the_way() throws IOException {
    try (UnpackTarget target = UnpackTarget.of(empty)) {
      fill(target.create());
      Files.writeString(empty.resolve(LOG), "mine");
      assertThatThrownBy(target::commit).isInstanceOf(FileAlreadyExistsException.class);
      assertThat(empty.resolve("a/b")).exists(); // the log comes last
    }
    assertThat(TestPacks.tree(empty)).isEqualTo(Map.of(LOG, "mine"));
  }

  @Test
  void new_directory_does_not_take_the_place_of_one_that_came_meanwhile() throws IOException {
    Path directory = root.resolve("new");
    try (UnpackTarget target = UnpackTarget.of(directory)) {
      fill(target.create());
      Files.createDirectory(directory);
      assertThatThrownBy(target::commit).isInstanceOf(FileAlreadyExistsException.class);
    }
    assertThat(directory).isEmptyDirectory();
    assertThat(root.toFile().list()).containsExactlyInAnyOrder("p", "empty", "new");
  }

  @Test
  void target_that_is_not_committed_leaves_nothing() throws IOException {
    for (Path directory : new Path[] {empty, root.resolve("new")}) {
      try (UnpackTarget target = UnpackTarget.of(directory)) {
        fill(target.create());
      }
    }
    assertThat(empty).isEmptyDirectory();
    assertThat(root.toFile().list()).containsExactlyInAnyOrder("p", "empty");
  }

  private static void fill(Path directory) throws IOException {
    Files.writeString(directory.resolve(LOG), "x");
    Files.writeString(Files.createDirectory(directory.resolve("a")).resolve("b"), "y");
  }
}
