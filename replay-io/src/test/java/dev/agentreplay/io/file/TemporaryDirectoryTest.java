package dev.agentreplay.io.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The directory for temporary files of one user of it, in one JVM. */
class TemporaryDirectoryTest {

  private final AtomicInteger attempts = new AtomicInteger();

  /** A directory that is not empty at the first attempts to delete it. */
  private TemporaryDirectory create(int failures) throws IOException {
    return TemporaryDirectory.create(
        path -> {
          if (attempts.incrementAndGet() <= failures) {
            throw new DirectoryNotEmptyException(path.toString());
          }
          FileTree.delete(path);
        },
        () -> {});
  }

  @Test
  void directory_that_is_filled_meanwhile_is_deleted() throws IOException {
    TemporaryDirectory directory = create(3);
    directory.close();
    assertThat(directory.path()).doesNotExist();
    assertThat(attempts).hasValue(4);
  }

  @Test
  void directory_that_stays_filled_fails_to_close_after_some_attempts() throws IOException {
    TemporaryDirectory directory = create(10);
    assertThatThrownBy(directory::close).isInstanceOf(DirectoryNotEmptyException.class);
    assertThat(attempts).hasValue(10);
    assertThat(directory.isOpen()).isFalse();
    assertThat(Files.exists(directory.path())).isTrue();
    directory.close();
    assertThat(directory.path()).doesNotExist();
  }

  @Test
  void directory_is_deleted_with_its_owner() throws IOException {
    TemporaryDirectory directory = TemporaryDirectory.create();
    Path whole = directory.path().getParent();
    Files.createDirectories(directory.path().resolve("a/b"));
    Files.writeString(directory.path().resolve("a/b/c.txt"), "text");
    assertThat(whole.resolve(OwnedDirectory.OWNER)).isRegularFile();

    directory.close();
    directory.close();

    assertThat(whole).doesNotExist();
    assertThat(directory.isOpen()).isFalse();
  }

  @Test
  void directory_that_is_kept_has_no_owner_and_all_its_files() throws IOException {
    TemporaryDirectory directory = TemporaryDirectory.create();
    Path file = Files.writeString(directory.path().resolve("a.txt"), "text");

    assertThat(directory.keep()).isEqualTo(directory.path());
    assertThat(directory.isOpen()).isTrue();
    directory.close();

    Path whole = directory.path().getParent();
    assertThat(file).hasContent("text");
    assertThat(whole.resolve(OwnedDirectory.OWNER)).doesNotExist();
    assertThat(directory.keep()).isEqualTo(directory.path());
    FileTree.delete(whole);
  }

  @Test
  void directory_that_was_deleted_cannot_be_kept() throws IOException {
    TemporaryDirectory directory = TemporaryDirectory.createWithoutExitHook();
    directory.close();

    assertThatThrownBy(directory::keep).hasMessageEndingWith("the directory is closed");
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void only_the_owner_has_access() throws IOException {
    try (TemporaryDirectory directory = TemporaryDirectory.create()) {
      for (Path each : List.of(directory.path(), directory.path().getParent())) {
        assertThat(OwnerOnly.sharedPermissions(each)).isNull();
      }
    }
  }
}
