package dev.agentreplay.io.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.FileState;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The states of a file before and after a change. */
@SuppressWarnings("try") // a change is closed, not used
class FileChangeTest {

  private static final String PATH = "src/auth.rs";

  @TempDir
  private Path root;

  private final List<FileState> recorded = new ArrayList<>();

  @Test
  void created_changed_and_deleted_files_are_recorded() throws IOException {
    Path file = root.resolve(PATH);
    change(() -> {
      Files.createDirectory(root.resolve("src"));
      Files.writeString(file, "one");
    });
    change(() -> Files.writeString(file, "three"));
    String mode = mode(file);
    change(() -> Files.delete(file));

    assertThat(recorded)
        .containsExactly(
            FileState.created(PATH, hash("one"), 3).withMode(mode),
            FileState.changed(PATH, hash("one"), hash("three"), 5).withMode(mode),
            FileState.deleted(PATH, hash("three")));
  }

  @Test
  void changed_permissions_are_recorded_with_the_same_content() throws IOException {
    assumeTrue(root.getFileSystem().supportedFileAttributeViews().contains("posix"));
    write("same");
    Path file = root.resolve(PATH);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    change(() -> Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-x--x")));

    assertThat(recorded)
        .containsExactly(FileState.changed(PATH, hash("same"), hash("same"), 4).withMode("100751"));
  }

  @Test
  void unchanged_file_is_not_recorded() throws IOException {
    change(() -> {});
    write("same");
    change(() -> write("same"));
    change(() -> {
      Files.delete(root.resolve(PATH));
      write("same");
    });
    assertThat(recorded).isEmpty();
  }

  @Test
  void file_larger_than_a_chunk_is_hashed_whole() throws IOException {
    String large = "x".repeat(1 << 20);
    change(() -> write(large + "a"));
    change(() -> write(large + "b"));
    assertThat(recorded)
        .extracting(FileState::after)
        .containsExactly(hash(large + "a"), hash(large + "b"));
    assertThat(recorded.get(1).bytes()).isEqualTo((1 << 20) + 1);
  }

  @Test
  void change_is_recorded_once_also_if_the_body_throws() throws IOException {
    assertThatThrownBy(() -> change(() -> {
          write("half");
          throw new IOException("full");
        }))
        .hasMessage("full");
    FileChange change = FileChange.of(root, PATH, recorded::add);
    write("more");
    change.close();
    write("most");
    change.close();
    assertThat(recorded).extracting(FileState::after).containsExactly(hash("half"), hash("more"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "/etc/passwd",
        "..",
        "../a",
        "a/../../b",
        "a/..",
        ".",
        "./a",
        "a//b",
        "a/",
        "a\0b",
        "half \ud800"
      })
  void path_that_is_not_relative_to_the_root_is_refused(String path) {
    assertThatThrownBy(() -> FileChange.of(root, path, recorded::add))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void links_and_directories_are_refused() throws IOException {
    Path outside = Files.createDirectory(root.resolve("outside"));
    Files.writeString(outside.resolve("auth.rs"), "secret");
    Path workspace = Files.createDirectory(root.resolve("workspace"));
    link(workspace.resolve("src"), outside);
    link(workspace.resolve("auth.rs"), outside.resolve("auth.rs"));
    Files.createDirectory(workspace.resolve("lib"));

    for (String path : List.of("src/auth.rs", "src/missing", "auth.rs")) {
      assertThatThrownBy(() -> FileChange.of(workspace, path, recorded::add))
          .as(path)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("found a symbolic link");
    }
    assertThatThrownBy(() -> FileChange.of(workspace, "lib", recorded::add))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("expected a regular file, found a directory");
    assertThat(recorded).isEmpty();
  }

  @Test
  void file_that_becomes_a_link_is_refused() throws IOException {
    Path outside = Files.writeString(root.resolve("outside"), "secret");
    write("own");
    FileChange change = FileChange.of(root, PATH, recorded::add);
    Files.delete(root.resolve(PATH));
    link(root.resolve(PATH), outside);
    assertThatThrownBy(change::close)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("found a symbolic link");
    assertThat(recorded).isEmpty();
  }

  @Test
  void root_may_be_a_link() throws IOException {
    Path workspace = Files.createDirectory(root.resolve("workspace"));
    Path link = root.resolve("link");
    link(link, workspace);
    try (FileChange change = FileChange.of(link, "a", recorded::add)) {
      Files.writeString(workspace.resolve("a"), "x");
    }
    assertThat(recorded)
        .containsExactly(
            FileState.created("a", hash("x"), 1).withMode(mode(workspace.resolve("a"))));
  }

  @Test
  void failure_can_be_recorded_instead_of_thrown() throws IOException {
    List<IOException> failures = new ArrayList<>();
    FileChange.Recorder recorder = new FileChange.Recorder() {
      @Override
      public void record(FileState state) {
        recorded.add(state);
      }

      @Override
      public void failed(IOException failure) {
        failures.add(failure);
      }
    };
    Files.createDirectories(root.resolve(PATH));
    FileChange.of(root, PATH, recorder).close();
    assertThat(failures).hasSize(1); // not also when closed
    Files.delete(root.resolve(PATH));
    FileChange change = FileChange.of(root, PATH, recorder);
    Files.createDirectories(root.resolve(PATH));
    change.close();
    assertThat(failures).hasSize(2);
    assertThat(recorded).isEmpty();
  }

  private static @Nullable String mode(Path file) throws IOException {
    return file.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? FileMode.ofFile(Files.getPosixFilePermissions(file))
        : null;
  }

  private interface Body {
    void run() throws IOException;
  }

  private void change(Body body) throws IOException {
    try (FileChange change = FileChange.of(root, PATH, recorded::add)) {
      body.run();
    }
  }

  private void write(String text) throws IOException {
    Files.createDirectories(root.resolve("src"));
    Files.writeString(root.resolve(PATH), text);
  }

  private static void link(Path link, Path target) throws IOException {
    boolean linked = true;
    try {
      Files.createSymbolicLink(link, target);
    } catch (UnsupportedOperationException | IOException e) { // Windows without the privilege
      linked = false;
    }
    assumeTrue(linked);
  }

  private static ContentHash hash(String text) {
    return ContentHash.sha256(text.getBytes(StandardCharsets.UTF_8));
  }
}
