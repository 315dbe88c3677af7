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

/** A file is there whole or not at all, and a new one never takes the place of another. */
class WholeFileTest {

  @TempDir
  private Path root;

  @Test
  void file_is_there_when_it_is_committed_and_nothing_else_is() throws IOException {
    Path file = root.resolve("f");
    try (WholeFile whole = WholeFile.creating(file)) {
      whole.out().write(7);
      assertThat(file).doesNotExist();
      whole.commit();
    }
    assertThat(file).hasBinaryContent(new byte[] {7});
    assertThat(root.toFile().list()).containsExactly("f");
  }

  @Test
  void file_that_is_not_committed_leaves_nothing() throws IOException {
    try (WholeFile whole = WholeFile.replacing(root.resolve("f"))) {
      whole.out().write(7);
    }
    assertThat(root).isEmptyDirectory();
  }

  @Test
  void new_file_does_not_replace_one_that_came_meanwhile() throws IOException {
    Path file = root.resolve("f");
    try (WholeFile whole = WholeFile.creating(file)) {
      Files.writeString(file, "mine");
      assertThatThrownBy(whole::commit).isInstanceOf(FileAlreadyExistsException.class);
    }
    assertThat(file).hasContent("mine");
    assertThat(root.toFile().list()).containsExactly("f");
  }

  @Test
  void new_file_is_not_begun_where_something_is() throws IOException {
    Path file = Files.createSymbolicLink(root.resolve("f"), root.resolve("nowhere"));
    assertThatThrownBy(() -> WholeFile.create(file, new byte[0]))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThatThrownBy(() -> WholeFile.create(root.resolve("no/where"), new byte[0]))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessage(root.resolve("no").toString());
    assertThat(root.toFile().list()).containsExactly("f");
  }

  @Test
  void file_takes_the_place_of_a_link_and_not_of_what_it_leads_to() throws IOException {
    Path target = Files.writeString(root.resolve("target"), "mine");
    Path link = Files.createSymbolicLink(root.resolve("link"), target);
    WholeFile.replace(link, new byte[] {7});
    assertThat(target).hasContent("mine");
    assertThat(link).isRegularFile().hasBinaryContent(new byte[] {7});
  }

  @Test
  void interrupted_thread_writes_a_file_and_stays_interrupted() throws IOException {
    Thread.currentThread().interrupt();
    try {
      WholeFile.create(root.resolve("f"), new byte[] {7});
      assertThat(Thread.currentThread().isInterrupted()).isTrue();
    } finally {
      Thread.interrupted();
    }
    assertThat(root.resolve("f")).hasBinaryContent(new byte[] {7});
  }

  @Test
  void temporary_name_is_known_and_fits_where_the_longest_name_does() throws IOException {
    String name = WholeFile.temporaryName();
    assertThat(WholeFile.isTemporary(name)).isTrue();
    assertThat(WholeFile.isTemporary(name + "x")).isFalse();
    assertThat(WholeFile.isTemporary(".cache.0123456789abcdef.tmp")).isFalse();
    WholeFile.create(root.resolve("n".repeat(255)), new byte[0]);
    assertThat(root.toFile().list()).hasSize(1);
  }
}
