package dev.agentreplay.convert.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentreplay.convert.pack.PackFormatException.Reason;
import dev.agentreplay.testkit.TestFiles;
import java.io.IOException;
import java.nio.file.Files;
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

/** A pack holds what every session has, and anything else only where it is named. */
class PackSelectionTest {

  private static final String BLOB = "blobs/sha256-" + "0a".repeat(32) + ".json";

  private static final List<String> OF_SESSION = List.of(
      "PR_SUMMARY.md",
      "PUBLIC_CHECKPOINT.json",
      "RECEIPT.dsse.json",
      "RECEIPT.json",
      "REPLAY.jsonl",
      "REPLAY.jsonl.2",
      BLOB,
      "snapshot/hooks/a.txt",
      "snapshot/src/a.b");

  @TempDir
  Path root;

  private Path directory;
  private Path file;

  @BeforeEach
  void create() throws IOException {
    directory = Files.createDirectory(root.resolve("session"));
    file = root.resolve("session.tar.gz");
  }

  private void write(String path) throws IOException {
    Path written = directory.resolve(path);
    Files.createDirectories(written.getParent());
    Files.writeString(written, "x");
  }

  @Test
  void what_every_session_has_is_packed_and_the_rest_left_out_and_named() throws IOException {
    for (String path : OF_SESSION) {
      write(path);
    }
    for (String path : List.of(
        ".envrc",
        ".git/config",
        ".git/hooks/pre-commit",
        "-rf",
        "a\u202eb",
        "notes/a.md",
        "blobs/notes.txt",
        "snapshot/.git/config",
        "snapshot/.index", // a cache, which is not named
        "snapshot/a/.envrc")) {
      write(path);
    }
    Files.createSymbolicLink(directory.resolve("link"), root);

    PackedSession packed = PackedSession.pack(directory, file);

    assertThat(packed.files())
        .extracting(PackedFile::path)
        .containsExactlyInAnyOrderElementsOf(OF_SESSION);
    assertThat(packed.leftOut())
        .containsExactlyInAnyOrder(
            ".envrc",
            ".git",
            "-rf",
            "a\u202eb",
            "notes",
            "blobs/notes.txt",
            "snapshot/.git",
            "snapshot/a/.envrc",
            "link");
    Path unpacked = root.resolve("unpacked");
    PackedSession.unpack(file, unpacked);
    assertThat(TestPacks.tree(unpacked)).containsOnlyKeys(OF_SESSION);
  }

  @Test
  void file_that_is_named_is_packed_and_unpacked_where_it_is_named_again() throws IOException {
    write("REPLAY.jsonl");
    write("notes/a.md");
    write("notes/b.txt");
    write(".git/config");
    PackOptions notes = PackOptions.defaults().withInclude("notes/*.md");

    PackedSession packed = PackedSession.pack(directory, file, notes);

    assertThat(packed.files())
        .extracting(PackedFile::path)
        .containsExactly("REPLAY.jsonl", "notes/a.md");
    assertThat(packed.leftOut()).containsExactlyInAnyOrder("notes/b.txt", ".git/config");
    assertThatThrownBy(() -> PackedSession.unpack(file, root.resolve("t")))
        .isInstanceOf(PackFormatException.class)
        .hasMessageContaining("\"notes/a.md\": not a file of a session");
    assertThat(PackedSession.unpack(file, root.resolve("t"), notes).files()).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ".git/config",
        ".git/hooks/pre-commit",
        ".ssh/authorized_keys",
        ".envrc",
        "hooks/post-checkout",
        "Makefile",
        "pom.xml",
        "blobs/run.sh",
        "blobs/x/sha256-" + "y",
        "snapshot/.git/config",
        "snapshot/a/.envrc",
        "REPLAY.jsonl.1",
        "REPLAY.jsonl.lock",
        "receipt.json",
      })
  void archive_with_a_file_that_no_session_has_is_refused_whole(String path) throws IOException {
    Files.write(
        file, TestFiles.gzip(TestTar.of(TestPacks.LOG, "{}\n", path, "evil").end()));

    PackFormatException refused = catchThrowableOfType(
        PackFormatException.class, () -> PackedSession.unpack(file, root.resolve("t")));

    assertThat(refused.reason()).isEqualTo(Reason.NOT_OF_SESSION);
    assertThat(refused.entry()).isEqualTo(path);
    assertThat(root.resolve("t")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-rf", "snapshot/-rf", "snapshot/--checkpoint-action=exec", "a\u202eb", "a\u034fb",
        "\u3164", "a\u200db", "a\u00a0b", "snapshot/a\ufe0f", "\u2066x"
      })
  void name_that_deceives_is_refused_though_it_is_included(String path) throws IOException {
    Files.write(
        file, TestFiles.gzip(TestTar.of(TestPacks.LOG, "{}\n", path, "evil").end()));

    PackFormatException refused = catchThrowableOfType(
        PackFormatException.class, () -> TestPacks.unpack(file, root.resolve("t")));

    assertThat(refused.reason()).isEqualTo(Reason.PATH);
    assertThat(root.resolve("t")).doesNotExist();
    write("REPLAY.jsonl");
    write(path);
    assertThatThrownBy(() -> TestPacks.pack(directory, root.resolve("p")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot be packed: ");
  }

  @Test
  void directory_with_two_logs_is_refused() throws IOException {
    write("REPLAY.jsonl");
    write("REPLAY.jsonl.gz");

    assertThatThrownBy(() -> TestPacks.pack(directory, file))
        .hasMessageContaining("expected one log, found both");
  }

  @Test
  void name_that_is_refused_cannot_control_a_terminal() throws IOException {
    write("REPLAY.jsonl");
    Files.createSymbolicLink(directory.resolve("a\u202eb\u001b[2J"), root);

    assertThatThrownBy(() -> TestPacks.pack(directory, file))
        .hasMessageContaining("a\\u202eb\\u001b[2J: expected a regular file");
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void pack_and_what_is_unpacked_from_it_are_for_their_owner_alone() throws IOException {
    write("REPLAY.jsonl");
    PackedSession.pack(directory, file);
    Path copy = root.resolve("copy");
    PackedSession.unpack(file, copy);

    assertThat(permissions(file)).isEqualTo("rw-------");
    assertThat(permissions(copy)).isEqualTo("rwx------");
    assertThat(permissions(copy.resolve("REPLAY.jsonl"))).isEqualTo("rw-------");
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void pattern_that_is_none_is_refused() {
    assertThatThrownBy(() -> PackOptions.defaults().withInclude("a{b"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
