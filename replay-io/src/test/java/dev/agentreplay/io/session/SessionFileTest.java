package dev.agentreplay.io.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.workspace.SnapshotFiles;
import dev.agentreplay.model.ContentHash;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contents that the snapshot of a session has. */
class SessionFileTest {

  private static final byte[] CONTENT = "fn login() {}".getBytes(StandardCharsets.UTF_8);
  private static final ContentHash HASH = ContentHash.sha256(CONTENT);

  @TempDir
  Path home;

  private Path snapshot;
  private SnapshotFiles files;
  private Session session;

  @BeforeEach
  void store() throws IOException {
    snapshot = home.resolve(Session.SNAPSHOT_NAME);
    files = SnapshotFiles.in(snapshot);
    Files.writeString(home.resolve(Session.LOG_NAME), "");
    session = Session.open(home);
    Files.createDirectories(files.path(HASH).getParent());
    Files.write(files.path(HASH), CONTENT);
  }

  @Test
  void stored_content_is_read() throws IOException {
    try (InputStream in = session.file(HASH)) {
      assertThat(in.readAllBytes()).isEqualTo(CONTENT);
    }
  }

  @Test
  void absent_content_is_null() throws IOException {
    assertThat(session.file(ContentHash.sha256(new byte[1]))).isNull();
  }

  @Test
  void content_with_a_different_hash_fails_at_its_end() throws IOException {
    Files.write(files.path(HASH), "fn logout() {}".getBytes(StandardCharsets.UTF_8));

    try (InputStream in = session.file(HASH)) {
      assertThatThrownBy(in::readAllBytes)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("the bytes have the hash ");
    }
    try (InputStream in = session.file(HASH)) {
      assertThatThrownBy(() -> in.skipNBytes(1_000)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void link_on_the_way_or_at_the_end_is_refused() throws IOException {
    Path elsewhere = Files.write(home.resolve("secret"), CONTENT);
    Files.delete(files.path(HASH));
    Files.createSymbolicLink(files.path(HASH), elsewhere);
    assertThatThrownBy(() -> session.file(HASH)).hasMessageContaining("symbolic link");

    Files.delete(files.path(HASH));
    Files.move(snapshot, home.resolve("moved"));
    Files.createSymbolicLink(snapshot, home.resolve("moved"));
    assertThatThrownBy(() -> session.file(HASH)).hasMessageContaining("symbolic link");
  }

  @Test
  void session_finds_contents_only_in_its_directory() throws IOException {
    Files.writeString(home.resolve("other.jsonl"), "");

    assertThat(Session.open(home.resolve("other.jsonl")).file(HASH)).isNull();
  }
}
