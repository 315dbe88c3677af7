package dev.agentreplay.io.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.model.BlobRef;
import dev.agentreplay.model.ContentHash;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contents of a snapshot: stored once, named by their hash, and never trusted. */
class SnapshotFilesTest {

  private static final byte[] BYTES = "one".getBytes(StandardCharsets.UTF_8);
  private static final BlobRef ONE = BlobRef.of(ContentHash.sha256(BYTES), 3);

  @TempDir
  private Path snapshot;

  private SnapshotFiles files;

  @BeforeEach
  void create() {
    files = SnapshotFiles.in(snapshot);
  }

  @Test
  void content_is_named_by_its_hash_and_readable_by_its_owner_only() throws IOException {
    assertThat(files.put(BYTES)).isEqualTo(ONE);

    String hex = ONE.blob().hex();
    Path file = snapshot.resolve("files").resolve(hex.substring(0, 2)).resolve(hex.substring(2));
    assertThat(file).hasBinaryContent(BYTES);
    assertThat(files.find(ONE.blob())).isEqualTo(file);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("r--------");
    assertThat(read()).isEqualTo(BYTES);
  }

  @Test
  void content_is_stored_once_and_leaves_no_temporary_file() throws IOException {
    files.put(BYTES);
    Object before = Files.getAttribute(files.path(ONE.blob()), "unix:ino");
    files.put(BYTES);
    assertThat(Files.getAttribute(files.path(ONE.blob()), "unix:ino")).isEqualTo(before);
    assertThat(stored()).containsExactly(files.path(ONE.blob()));
  }

  @Test
  void content_of_a_crashed_writer_is_replaced() throws IOException {
    Path file = files.path(ONE.blob());
    Files.createDirectories(file.getParent());
    Files.writeString(file, "on\0");
    files.put(BYTES);
    assertThat(file).hasBinaryContent(BYTES);
  }

  @Test
  void more_bytes_than_allowed_are_refused_and_nothing_is_stored() throws IOException {
    assertThatThrownBy(() -> files.put(new ByteArrayInputStream(BYTES), 2))
        .hasMessage("expected at most 2 bytes, found more");
    assertThat(stored()).isEmpty();
  }

  @Test
  void reader_that_fails_leaves_nothing() throws IOException {
    InputStream failing = new InputStream() {
      @Override
      public int read() throws IOException {
        throw new IOException("gone");
      }
    };
    assertThatThrownBy(() -> files.put(failing, 9)).hasMessage("gone");
    assertThat(stored()).isEmpty();
  }

  @Test
  void missing_content_is_null_or_an_exception_when_it_is_copied() throws IOException {
    assertThat(files.find(ONE.blob())).isNull();
    assertThat(files.open(ONE.blob())).isNull();
    assertThatThrownBy(this::read).isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void content_with_different_bytes_is_not_copied_without_an_error() throws IOException {
    for (String wrong : List.of("on", "two", "three")) {
      Path file = files.path(ONE.blob());
      Files.createDirectories(file.getParent());
      Files.deleteIfExists(file);
      Files.writeString(file, wrong);
      assertThatThrownBy(this::read)
          .as(wrong)
          .isInstanceOf(IOException.class)
          .hasMessageContaining(wrong.length() == 3 ? "the bytes have the hash" : "expected 3");
    }
  }

  @Test
  void contents_are_listed_by_their_names_without_files_of_other_names() throws IOException {
    assertThat(files.names()).isEmpty();
    List<ContentHash> stored = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      stored.add(files.put(Integer.toString(i).getBytes(StandardCharsets.UTF_8)).blob());
    }
    Files.writeString(files.directory().resolve("left.tmp"), "");
    Files.writeString(files.path(stored.get(0)).resolveSibling("left"), "");
    assertThat(files.names()).containsExactlyInAnyOrderElementsOf(stored);

    Path fanOut = files.path(stored.get(0)).getParent();
    Path moved = Files.move(fanOut, snapshot.resolve("moved"));
    Files.createSymbolicLink(fanOut, moved);
    assertThatThrownBy(() -> files.names()).hasMessageContaining("symbolic link");
  }

  @Test
  void links_are_refused_on_the_way_to_a_content_and_in_its_place() throws IOException {
    Path outside = Files.createDirectory(snapshot.resolve("outside"));
    files.put(BYTES);
    Path file = files.path(ONE.blob());
    Path moved = Files.move(file, outside.resolve(file.getFileName()));
    Files.createSymbolicLink(file, moved);
    assertThatThrownBy(() -> files.find(ONE.blob())).hasMessageContaining("symbolic link");

    Files.delete(file);
    Files.delete(file.getParent());
    Files.createSymbolicLink(file.getParent(), outside);
    assertThatThrownBy(() -> files.find(ONE.blob())).hasMessageContaining("symbolic link");
    assertThatThrownBy(() -> files.put(BYTES)).hasMessageContaining("symbolic link");
  }

  private byte[] read() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    files.copy(ONE, out);
    try (InputStream in = files.open(ONE.blob())) {
      assertThat(in).isNotNull().hasBinaryContent(out.toByteArray());
    }
    files.copy(ONE, OutputStream.nullOutputStream());
    return out.toByteArray();
  }

  private List<Path> stored() throws IOException {
    if (!Files.exists(files.directory())) {
      return List.of();
    }
    try (Stream<Path> all = Files.walk(files.directory())) {
      return all.filter(Files::isRegularFile).toList();
    }
  }
}
