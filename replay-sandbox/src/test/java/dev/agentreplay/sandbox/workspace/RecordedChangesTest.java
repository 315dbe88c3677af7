package dev.agentreplay.sandbox.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.workspace.SnapshotFiles;
import dev.agentreplay.model.BlobRef;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.FileState;
import dev.agentreplay.model.Meta;
import dev.agentreplay.sandbox.snapshot.SnapshotCapture;
import dev.agentreplay.sandbox.snapshot.SnapshotOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Recorded changes that a replay makes, of a recording that is not trusted. */
@DisabledOnOs(OS.WINDOWS)
class RecordedChangesTest {

  private static final ContentHash NO_BYTES = ContentHash.sha256(new byte[0]);

  @TempDir
  private Path directory;

  private Path workspace;
  private SnapshotFiles files;
  private SnapshotCapture capture;

  @BeforeEach
  void prepare() throws IOException {
    workspace = Files.createDirectory(directory.resolve("workspace"));
    Path snapshot = directory.resolve("snapshot");
    files = SnapshotFiles.in(snapshot);
    capture = SnapshotCapture.ofChanges(workspace, SnapshotOptions.defaults())
        .withRecordedContents(snapshot);
  }

  private BlobRef put(String text) throws IOException {
    return files.put(text.getBytes(StandardCharsets.UTF_8));
  }

  private FileState created(String path, String text, String mode) throws IOException {
    BlobRef content = put(text);
    return FileState.created(path, content.blob(), content.bytes()).withMode(mode);
  }

  private List<FileState> apply(FileState... changes) throws IOException {
    return capture.apply(List.of(changes));
  }

  private String mode(String path) throws IOException {
    return PosixFilePermissions.toString(
        Files.getPosixFilePermissions(workspace.resolve(path), LinkOption.NOFOLLOW_LINKS));
  }

  @Test
  void files_links_and_directories_are_made_with_their_modes() throws IOException {
    assertThat(apply(
            created("src/new/a.sh", "echo", "100755"),
            created("b.txt", "text", "100640"),
            created("link", "src/new/a.sh", "120777"),
            FileState.created("empty", NO_BYTES, 0).withMode("040750"),
            FileState.created("none", NO_BYTES, 0).withMode("100600")))
        .isEmpty();

    assertThat(workspace.resolve("src/new/a.sh")).hasContent("echo");
    assertThat(mode("src/new/a.sh")).isEqualTo("rwxr-xr-x");
    assertThat(mode("b.txt")).isEqualTo("rw-r-----");
    assertThat(Files.readSymbolicLink(workspace.resolve("link")))
        .isEqualTo(Path.of("src/new/a.sh"));
    assertThat(workspace.resolve("empty")).isEmptyDirectory();
    assertThat(mode("empty")).isEqualTo("rwxr-x---");
    assertThat(workspace.resolve("none")).isEmptyFile();
  }

  @Test
  void entries_are_replaced_and_deleted() throws IOException {
    apply(created("a", "1", "100644"), created("b", "a", "120777"), created("c", "3", "100644"));

    apply(
        created("a", "c", "120777"),
        created("b", "2", "100644"),
        FileState.deleted("c", NO_BYTES),
        FileState.deleted("missing/d", NO_BYTES));

    assertThat(Files.readSymbolicLink(workspace.resolve("a"))).isEqualTo(Path.of("c"));
    assertThat(workspace.resolve("b")).hasContent("2").isRegularFile();
    assertThat(Files.isSymbolicLink(workspace.resolve("b"))).isFalse();
    assertThat(workspace.resolve("c")).doesNotExist();
  }

  @Test
  void mode_that_is_not_known_is_kept() throws IOException {
    apply(created("a", "1", "100750"));
    apply(created("a", "2", null), created("b", "3", null));

    assertThat(workspace.resolve("a")).hasContent("2");
    assertThat(mode("a")).isEqualTo("rwxr-x---");
    assertThat(mode("b")).isEqualTo("rw-r--r--");
  }

  @Test
  void change_without_its_content_is_returned() throws IOException {
    FileState missing =
        FileState.created("a", ContentHash.sha256(new byte[] {1}), 1).withMode("100644");

    assertThat(apply(missing, created("b", "2", "100644"))).containsExactly(missing);
    assertThat(workspace.resolve("a")).doesNotExist();
    assertThat(workspace.resolve("b")).hasContent("2");
    assertThat(SnapshotCapture.of(workspace).apply(List.of(missing))).containsExactly(missing);
  }

  @ParameterizedTest
  @ValueSource(strings = {"../a", "/etc/a", "a/../../b", "a//b", "./a", "", "out/a"})
  void path_that_leads_out_is_refused(String path) throws IOException {
    Path outside = Files.createDirectory(directory.resolve("outside"));
    Files.createSymbolicLink(workspace.resolve("out"), outside);
    FileState change = created(path, "x", "100644");

    assertThatThrownBy(() -> apply(change)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> apply(FileState.deleted(path, NO_BYTES)))
        .isInstanceOf(IOException.class);

    assertThat(outside).isEmptyDirectory();
  }

  @Test
  void link_is_replaced_and_not_followed() throws IOException {
    Path outside = Files.writeString(directory.resolve("outside"), "kept");
    Files.createSymbolicLink(workspace.resolve("a"), outside);
    Files.createSymbolicLink(workspace.resolve("b"), outside);
    Files.createSymbolicLink(workspace.resolve("c"), directory);

    apply(
        created("a", "new", "100644"),
        FileState.deleted("b", NO_BYTES),
        FileState.created("c", NO_BYTES, 0).withMode("040700"));

    assertThat(outside).hasContent("kept");
    assertThat(workspace.resolve("a")).hasContent("new");
    assertThat(workspace.resolve("c")).isEmptyDirectory();
  }

  @Test
  void content_with_other_bytes_changes_nothing() throws IOException {
    FileState change = created("a", "right", "100644");
    Path stored = files.path(change.after());
    Files.delete(stored);
    Files.writeString(stored, "wrong");
    Files.writeString(workspace.resolve("a"), "before");

    assertThatThrownBy(() -> apply(change))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("have the hash");
    assertThat(workspace).isDirectoryNotContaining(file -> !file.endsWith("a"));
    assertThat(workspace.resolve("a")).hasContent("before");
  }

  @Test
  void directory_with_files_is_never_deleted() throws IOException {
    apply(created("a/b", "1", "100644"));

    assertThatThrownBy(() -> apply(created("a", "2", "100644"))).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> apply(FileState.deleted("a", NO_BYTES)))
        .isInstanceOf(IOException.class);
    assertThat(workspace.resolve("a/b")).hasContent("1");
  }

  @Test
  void mode_of_another_type_is_refused() throws IOException {
    assertThatThrownBy(() -> apply(created("a", "1", "160644")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("160644");
  }

  @Test
  void pipes_sockets_and_devices_are_not_made() throws IOException {
    for (String mode : List.of("010644", "020644", "060644", "140755")) {
      FileState change = new FileState("a", null, NO_BYTES, 0L, mode, Meta.NONE);
      assertThat(apply(change)).containsExactly(change);
    }
    assertThat(workspace.resolve("a")).doesNotExist();
  }
}
