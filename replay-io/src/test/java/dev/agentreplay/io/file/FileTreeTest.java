package dev.agentreplay.io.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The deletion of directories, whatever a program has put into them. */
@Timeout(600)
class FileTreeTest {

  @TempDir
  Path directory;

  private Path tree;

  @BeforeEach
  void create() throws IOException {
    tree = Files.createDirectory(directory.resolve("tree"));
  }

  @Test
  void tree_is_deleted_and_nothing_next_to_it() throws IOException {
    Path other = Files.writeString(directory.resolve("other.txt"), "text");
    Files.createDirectories(tree.resolve("a/b/c"));
    Files.createDirectories(tree.resolve("a/empty"));
    for (String name : new String[] {"x", "a/x", "a/b/x", "a/b/c/x"}) {
      Files.writeString(tree.resolve(name), name);
    }

    FileTree.delete(tree);

    assertThat(tree).doesNotExist();
    assertThat(directory).isDirectoryContaining(file -> file.equals(other));
    FileTree.delete(tree);
    FileTree.delete(other);
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void links_are_deleted_and_not_followed() throws IOException {
    Path outside = Files.createDirectory(directory.resolve("outside"));
    Path file = Files.writeString(outside.resolve("file"), "text");
    Files.createSymbolicLink(tree.resolve("to-directory"), outside);
    Files.createSymbolicLink(tree.resolve("to-file"), file);
    Files.createSymbolicLink(tree.resolve("to-nothing"), Path.of("nothing"));
    Files.createSymbolicLink(Files.createDirectory(tree.resolve("a")).resolve("up"), Path.of(".."));
    Path link = Files.createSymbolicLink(directory.resolve("link"), outside);

    FileTree.delete(tree);
    FileTree.delete(link);

    assertThat(tree).doesNotExist();
    assertThat(directory).isDirectoryContaining(each -> each.equals(outside));
    assertThat(Files.isSymbolicLink(link)).isFalse();
    assertThat(file).hasContent("text");
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void directories_without_permissions_are_deleted() throws IOException {
    for (String mode : new String[] {"---------", "r--------", "-w-------", "--x------"}) {
      Path a = Files.createDirectories(tree.resolve("m" + mode).resolve("a"));
      Path b = Files.createDirectory(a.resolve("b"));
      Files.writeString(b.resolve("file"), "text");
      for (Path each : new Path[] {b, a, a.getParent()}) {
        Files.setPosixFilePermissions(each, PosixFilePermissions.fromString(mode));
      }
    }
    Files.setPosixFilePermissions(tree, PosixFilePermissions.fromString("r-x------"));

    FileTree.delete(tree);

    assertThat(tree).doesNotExist();
  }

  @Test
  void tree_that_is_deeper_than_a_path_can_be_is_deleted() throws IOException {
    Path chain = Files.createDirectory(tree.resolve("chain"));
    Files.writeString(chain.resolve("file"), "text");
    Path next = tree.resolve("next");
    for (int depth = 0; depth < 2_000; depth++) { // each around the one before it
      Files.createDirectory(next);
      Files.move(chain, next.resolve("directory-%04d".formatted(depth)));
      Files.move(next, chain);
    }

    FileTree.delete(tree);

    assertThat(tree).doesNotExist();
  }

  @Test
  void deletion_that_is_late_is_continued_by_the_next() throws IOException {
    for (int i = 0; i < 100; i++) {
      Path each = Files.createDirectories(tree.resolve("d" + i % 10).resolve("e" + i));
      Files.writeString(each.resolve("file"), "text");
    }
    AtomicInteger steps = new AtomicInteger();
    int attempts = 0;
    boolean isDeleted = false;
    while (!isDeleted) {
      steps.set(0);
      isDeleted = FileTree.delete(tree, () -> steps.incrementAndGet() > 30);
      attempts++;
    }

    assertThat(tree).doesNotExist();
    assertThat(attempts).isGreaterThan(3);
  }

  @Test
  void deletion_that_is_always_late_deletes_one_entry_each_time() throws IOException {
    for (int i = 0; i < 1_200; i++) { // more than are listed together
      Path each = Files.createDirectory(tree.resolve("d" + i));
      if (i % 100 == 0) {
        Files.writeString(Files.createDirectory(each.resolve("inner")).resolve("file"), "text");
      }
    }
    int attempts = 1;
    while (!FileTree.delete(tree, () -> true)) {
      attempts++;
    }

    assertThat(tree).doesNotExist();
    assertThat(attempts).isBetween(1_200, 1_201 + 3 * 12);
  }

  @Test
  void tree_of_many_files_is_deleted() throws IOException {
    for (int i = 0; i < 10_000; i++) {
      Path each = tree.resolve("d" + i % 100);
      if (i < 100) {
        Files.createDirectory(each);
      }
      Files.createFile(each.resolve("file-" + i));
    }

    FileTree.delete(tree);

    assertThat(tree).doesNotExist();
  }

  @Test
  void root_is_refused() {
    assertThatThrownBy(() -> FileTree.delete(directory.getRoot()))
        .isInstanceOf(IOException.class)
        .hasMessageEndingWith("a root directory is not deleted");
  }
}
