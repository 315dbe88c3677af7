package dev.agentreplay.sandbox.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.workspace.SnapshotEntry;
import dev.agentreplay.model.BlobRef;
import dev.agentreplay.model.ContentHash;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Scans of workspaces that change while they are read. */
class WorkspaceScanTest {

  @TempDir
  private Path root;

  private final AtomicInteger reads = new AtomicInteger();
  private Path file;

  @BeforeEach
  void create() throws IOException {
    file = Files.writeString(root.resolve("a"), "one");
  }

  @Test
  void file_that_changes_while_it_is_read_is_read_again() throws IOException {
    ScannedWorkspace scanned = scan((path, most) -> {
      BlobRef content = ContentReader.hashing().read(path, most);
      if (reads.incrementAndGet() == 1) {
        Files.writeString(path, "two and more");
      }
      return content;
    });
    assertThat(reads).hasValue(2);
    assertThat(((SnapshotEntry.File) scanned.entries().get(0)).bytes()).isEqualTo(12);
  }

  @Test
  void file_that_changes_each_time_is_an_error() {
    assertThatThrownBy(() -> scan((path, most) -> {
          BlobRef content = ContentReader.hashing().read(path, most);
          Files.writeString(path, "x", StandardOpenOption.APPEND);
          reads.incrementAndGet();
          return content;
        }))
        .hasMessage(file.toAbsolutePath() + ": the file changed each of 5 times that it was read");
    assertThat(reads).hasValue(5);
  }

  @Test
  void file_that_is_created_during_the_scan_is_in_it() throws IOException {
    ScannedWorkspace scanned = scan((path, most) -> {
      if (reads.incrementAndGet() == 1) {
        Files.writeString(root.resolve("b"), "new");
      }
      return ContentReader.hashing().read(path, most);
    });
    assertThat(scanned.entries()).extracting(SnapshotEntry::path).containsExactly("a", "b");
  }

  @Test
  void file_that_is_deleted_during_the_scan_is_not_in_it() throws IOException {
    Files.writeString(root.resolve("b"), "two");
    ScannedWorkspace scanned = scan((path, most) -> {
      Files.deleteIfExists(root.resolve("b"));
      return ContentReader.hashing().read(path, most);
    });
    assertThat(scanned.entries()).extracting(SnapshotEntry::path).containsExactly("a");
  }

  @Test
  void file_that_becomes_a_link_during_the_scan_is_not_followed() throws IOException {
    Path outside = Path.of("/etc/passwd");
    ScannedWorkspace scanned = scan((path, most) -> {
      if (reads.incrementAndGet() == 1) {
        Files.delete(file);
        Files.createSymbolicLink(file, outside);
      }
      return BlobRef.of(ContentHash.sha256(new byte[0]), 0);
    });
    assertThat(scanned.entries()).isEqualTo(List.of(new SnapshotEntry.Link("a", "/etc/passwd")));
  }

  @Test
  void directory_that_changes_all_the_time_is_an_error() {
    assertThatThrownBy(() -> scan((path, most) -> {
          Files.writeString(root.resolve("b" + reads.incrementAndGet()), "x");
          return ContentReader.hashing().read(path, most);
        }))
        .hasMessageContaining("changed in each of 3 attempts to read the workspace");
  }

  @Test
  void workspace_that_is_missing_or_a_file_is_refused() {
    assertThatThrownBy(() -> WorkspaceScan.of(root.resolve("x"), SnapshotOptions.defaults()))
        .isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> WorkspaceScan.of(file, SnapshotOptions.defaults()))
        .isInstanceOf(NotDirectoryException.class);
  }

  @Test
  void failure_of_one_reader_ends_the_scan() throws IOException {
    for (int i = 0; i < 200; i++) {
      Files.writeString(root.resolve("f" + i), "x");
    }
    assertThatThrownBy(() -> scan((path, most) -> {
          throw new IOException("broken disk");
        }))
        .hasMessage("broken disk");
  }

  private ScannedWorkspace scan(ContentReader reader) throws IOException {
    return WorkspaceScan.of(root, SnapshotOptions.defaults()).scan(FileIndex.EMPTY, reader);
  }
}
