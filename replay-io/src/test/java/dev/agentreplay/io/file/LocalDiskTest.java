package dev.agentreplay.io.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalDiskTest {

  @TempDir
  private Path directory;

  @Test
  void a_directory_that_cannot_be_forced_is_an_error() {
    assertThatThrownBy(() -> LocalDisk.INSTANCE.forceDirectory(directory.resolve("none")))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void a_directory_is_forced_by_an_interrupted_thread_which_stays_interrupted() throws IOException {
    Thread.currentThread().interrupt();
    try {
      LocalDisk.INSTANCE.forceDirectory(directory);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void directories_are_made_down_to_the_last() throws IOException {
    Path deep = directory.resolve("a/b/c");
    LocalDisk.createDirectories(deep);
    LocalDisk.createDirectories(deep);
    assertThat(deep).isDirectory();
  }

  @Test
  void a_file_is_created_only_where_none_is_and_appended_to_only_where_one_is() throws IOException {
    Path file = directory.resolve("file");
    assertThatThrownBy(() -> LocalDisk.INSTANCE.append(file))
        .isInstanceOf(NoSuchFileException.class);
    assertThat(file).doesNotExist();
    LocalDisk.INSTANCE.create(file).close();
    assertThatThrownBy(() -> LocalDisk.INSTANCE.create(file))
        .isInstanceOf(FileAlreadyExistsException.class);
  }

  @Test
  void a_file_that_was_cut_is_appended_to_at_its_new_end() throws IOException {
    Path file = directory.resolve("file");
    try (AppendFile open = LocalDisk.INSTANCE.create(file)) {
      open.write(new byte[] {'a', 'b', 'c'}, 0, 3);
      open.truncate(1);
      open.write(new byte[] {'x', 'd'}, 1, 1);
      assertThat(open.length()).isEqualTo(2);
    }
    assertThat(Files.readString(file)).isEqualTo("ad");
  }
}
