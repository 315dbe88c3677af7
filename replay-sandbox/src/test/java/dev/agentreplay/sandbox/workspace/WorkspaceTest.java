package dev.agentreplay.sandbox.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentreplay.sandbox.workspace.RefusedPathException.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The files of a workspace, with descriptors of directories and without. */
class WorkspaceTest {

  @TempDir
  Path home;

  private Workspace open(boolean isSecure) throws IOException {
    Path root = Files.createDirectories(home.resolve("workspace"));
    return Workspace.open(root, isSecure, false);
  }

  private static void assertRefused(Reason reason, String path, ThrowingCallable operation) {
    assertThatThrownBy(operation).isInstanceOfSatisfying(RefusedPathException.class, e -> {
      assertThat(e.reason()).isEqualTo(reason);
      assertThat(e.path()).isEqualTo(path);
    });
  }

  @Test
  void linux_has_no_races() throws IOException {
    assumeTrue(System.getProperty("os.name").equals("Linux"));
    try (Workspace workspace = Workspace.open(home)) {
      assertThat(workspace.isRaceFree()).isTrue();
    }
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void new_content_of_a_private_file_is_private_while_it_is_written() throws IOException {
    try (Workspace workspace = open(true)) {
      Path file = Files.writeString(home.resolve("workspace/key"), "old");
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
      try (OutputStream out = workspace.newOutputStream("key")) {
        out.write('x');
        Path temporary = home.resolve("workspace").resolve(workspace.list("").get(0));
        assertThat(temporary.getFileName().toString()).startsWith(".replay-");
        assertThat(Files.getPosixFilePermissions(temporary))
            .isEqualTo(PosixFilePermissions.fromString("rw-------"));
      }
      assertThat(file).hasContent("x");
      assertThat(Files.getPosixFilePermissions(file))
          .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void files_are_written_read_listed_moved_and_deleted(boolean isSecure) throws IOException {
    try (Workspace workspace = open(isSecure)) {
      assertThat(workspace.isRaceFree()).isEqualTo(isSecure);
      workspace.createDirectories("src/main/deep");
      workspace.createDirectories("src/main");
      workspace.writeString("src/main/a.txt", "grün");
      workspace.write("b", new byte[] {1, 2});

      assertThat(workspace.readString("src/main/a.txt")).isEqualTo("grün");
      assertThat(workspace.list("src/main")).containsExactly("a.txt", "deep");
      assertThat(workspace.list("")).containsExactly("b", "src");
      assertThat(workspace.list(".")).containsExactly("b", "src");
      assertThat(workspace.exists("src/main/a.txt")).isTrue();
      assertThat(workspace.isDirectory("src/main/a.txt")).isFalse();
      assertThat(workspace.isDirectory("src/main")).isTrue();
      assertThat(workspace.exists("src/none/a.txt")).isFalse();
      assertThat(workspace.exists("b/none")).isFalse();
      assertThat(workspace.exists("")).isTrue();

      workspace.move("src/main", "moved");
      assertThat(Files.readString(home.resolve("workspace/moved/a.txt"))).isEqualTo("grün");
      workspace.delete("moved/a.txt");
      workspace.delete("moved/deep");
      workspace.delete("moved");
      assertThat(workspace.list("")).containsExactly("b", "src");
      assertThat(workspace.read("b")).containsExactly(1, 2);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void missing_and_existing_entries_fail_as_those_of_files_do(boolean isSecure) throws IOException {
    try (Workspace workspace = open(isSecure)) {
      workspace.createDirectories("d/e");
      workspace.writeString("f", "x");

      assertThatThrownBy(() -> workspace.read("none")).isInstanceOf(NoSuchFileException.class);
      assertThatThrownBy(() -> workspace.writeString("none/f", ""))
          .isInstanceOf(NoSuchFileException.class)
          .hasMessage("none/f");
      assertThatThrownBy(() -> workspace.delete("none")).isInstanceOf(NoSuchFileException.class);
      assertThatThrownBy(() -> workspace.delete("d"))
          .isInstanceOf(DirectoryNotEmptyException.class);
      assertThatThrownBy(() -> workspace.read("f/x")).isInstanceOf(NotDirectoryException.class);
      assertThatThrownBy(() -> workspace.createDirectories("f/x"))
          .isInstanceOf(NotDirectoryException.class);
      assertThatThrownBy(() -> workspace.move("f", "d"))
          .isInstanceOf(FileAlreadyExistsException.class);
      assertRefused(Reason.TYPE, "d", () -> workspace.read("d"));
      assertRefused(Reason.TYPE, "d", () -> workspace.writeString("d", ""));
      assertRefused(Reason.TYPE, "", () -> workspace.delete(""));
      assertThat(workspace.list("")).containsExactly("d", "f");
    }
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "NONE",
      value = {
        "/etc/passwd, ABSOLUTE",
        "'/', ABSOLUTE",
        "'//x', ABSOLUTE",
        "'..', NAME",
        "'../x', NAME",
        "'a/../x', NAME",
        "'a/./x', NAME",
        "'a//x', NAME",
        "'a/', NAME",
      })
  void path_that_is_not_plain_is_refused(String path, Reason reason) throws IOException {
    try (Workspace workspace = open(true)) {
      assertRefused(reason, path, () -> workspace.read(path));
      assertRefused(reason, path, () -> workspace.writeString(path, "x"));
      assertRefused(reason, path, () -> workspace.createDirectories(path));
      assertRefused(reason, path, () -> workspace.delete(path));
      assertRefused(reason, path, () -> workspace.list(path));
      assertRefused(reason, path, () -> workspace.exists(path));
      assertRefused(reason, path, () -> workspace.move(path, "y"));
      assertRefused(reason, path, () -> workspace.move("y", path));
    }
  }

  @Test
  void nul_is_refused_and_shown_as_an_escape() throws IOException {
    try (Workspace workspace = open(true)) {
      assertRefused(Reason.CHARACTER, "a\0b", () -> workspace.read("a\0b"));
      assertThatThrownBy(() -> workspace.read("a\0b")).hasMessageStartingWith("a\\u0000b: ");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CON",
        "con.txt",
        "a/NUL",
        "aux .c",
        "COM1",
        "lpt9.x",
        "com\u00b9",
        "a:stream",
        "C:",
        "c:x",
        "a.",
        "a ",
        "CONOUT$",
      })
  void names_that_windows_reserves_are_refused_there(String path) throws IOException {
    Path root = Files.createDirectories(home.resolve("workspace"));
    try (Workspace workspace = Workspace.open(root, false, true)) {
      assertRefused(Reason.RESERVED, path, () -> workspace.writeString(path, "x"));
    }
    assumeTrue(System.getProperty("os.name").equals("Linux"));
    try (Workspace workspace = open(true)) {
      workspace.createDirectories("a");
      assertThat(workspace.exists(path)).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void links_are_refused_on_the_way_and_at_the_end(boolean isSecure) throws IOException {
    Path outside = Files.createDirectories(home.resolve("outside"));
    Files.writeString(outside.resolve("secret"), "secret");
    try (Workspace workspace = open(isSecure)) {
      workspace.createDirectories("inside");
      workspace.writeString("inside/f", "x");
      link("dir", outside);
      link("file", outside.resolve("secret"));
      link("own", Path.of("inside"));
      link("dangling", outside.resolve("new"));

      for (String path : List.of("dir/secret", "file", "own/f", "dangling", "dir", "own")) {
        assertRefused(Reason.LINK, path, () -> workspace.read(path));
        assertRefused(Reason.LINK, path, () -> workspace.writeString(path, "hacked"));
        assertRefused(Reason.LINK, path, () -> workspace.delete(path));
        assertRefused(Reason.LINK, path, () -> workspace.exists(path));
        assertRefused(Reason.LINK, path, () -> workspace.move(path, "new"));
        assertRefused(Reason.LINK, path, () -> workspace.move("inside/f", path));
        assertRefused(Reason.LINK, path, () -> workspace.createDirectories(path));
      }
      assertRefused(Reason.LINK, "dir", () -> workspace.list("dir"));
      assertThat(workspace.list("")).contains("dir", "file");
    }
    assertThat(outside.toFile().list()).containsExactly("secret");
    assertThat(Files.readString(outside.resolve("secret"))).isEqualTo("secret");
  }

  private void link(String name, Path target) throws IOException {
    Files.createSymbolicLink(home.resolve("workspace").resolve(name), target);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void hard_link_to_a_file_outside_keeps_its_content(boolean isSecure) throws IOException {
    Path outside = Files.writeString(home.resolve("stored"), "stored");
    try (Workspace workspace = open(isSecure)) {
      Files.createLink(home.resolve("workspace/f"), outside);
      workspace.writeString("f", "changed");

      assertThat(workspace.readString("f")).isEqualTo("changed");
    }
    assertThat(Files.readString(outside)).isEqualTo("stored");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void permissions_of_a_replaced_file_are_kept(boolean isSecure) throws IOException {
    try (Workspace workspace = open(isSecure)) {
      Path file = home.resolve("workspace/run.sh");
      Files.writeString(file, "a");
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-x---"));
      workspace.writeString("run.sh", "b");

      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rwxr-x---");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void file_is_complete_or_as_before(boolean isSecure) throws IOException {
    try (Workspace workspace = open(isSecure)) {
      workspace.writeString("f", "before");
      try (OutputStream out = workspace.newOutputStream("f")) {
        out.write('x');
        assertThat(workspace.readString("f")).isEqualTo("before");
      }
      assertThat(workspace.readString("f")).isEqualTo("x");
      assertThat(workspace.list("")).containsExactly("f");
    }
  }

  @Test
  void text_without_a_utf8_form_is_refused_in_both_directions() throws IOException {
    try (Workspace workspace = open(true)) {
      assertThatThrownBy(() -> workspace.writeString("f", "\ud800"))
          .isInstanceOf(CharacterCodingException.class);
      assertThat(workspace.exists("f")).isFalse();
      workspace.write("f", new byte[] {(byte) 0xff});
      assertThatThrownBy(() -> workspace.readString("f"))
          .isInstanceOf(CharacterCodingException.class);
    }
  }

  @Test
  void closed_workspace_fails_and_open_streams_go_to_their_end() throws IOException {
    Workspace workspace = open(true);
    workspace.writeString("f", "x");
    InputStream in = workspace.newInputStream("f");
    OutputStream out = workspace.newOutputStream("g");
    workspace.close();

    assertThatThrownBy(() -> workspace.read("f")).isInstanceOf(IllegalStateException.class);
    try (in;
        out) {
      assertThat(in.read()).isEqualTo('x');
      out.write('y');
    }
    assertThat(Files.readString(home.resolve("workspace/g"))).isEqualTo("y");
  }

  @Test
  void root_must_be_a_directory_and_may_be_a_link() throws IOException {
    Path file = Files.writeString(home.resolve("f"), "");
    assertThatThrownBy(() -> Workspace.open(file)).isInstanceOf(NotDirectoryException.class);
    Path link =
        Files.createSymbolicLink(home.resolve("l"), Files.createDirectory(home.resolve("d")));
    try (Workspace workspace = Workspace.open(link)) {
      workspace.writeString("f", "x");
    }
    assertThat(home.resolve("d/f")).exists();
  }

  @Test
  void tree_is_deeper_than_a_path_of_the_system_may_be_long() throws IOException {
    String name = "d".repeat(100);
    String deep = String.join("/", Collections.nCopies(60, name));
    try (Workspace workspace = open(true)) {
      assumeTrue(workspace.isRaceFree());
      workspace.createDirectories(deep);
      workspace.writeString(deep + "/f", "deep");
      assertThat(workspace.readString(deep + "/f")).isEqualTo("deep");
      workspace.delete(deep + "/f");
      for (String path = deep; !path.isEmpty(); ) {
        workspace.delete(path);
        path = path.substring(0, Math.max(0, path.lastIndexOf('/')));
      }
      assertThat(workspace.list("")).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void threads_create_the_same_directories_and_their_own_files(boolean isSecure) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try (Workspace workspace = open(isSecure)) {
      List<Callable<Void>> tasks = IntStream.range(0, 200)
          .<Callable<Void>>mapToObj(i -> () -> {
            String directory = "a/" + i / 8 + "/c";
            workspace.createDirectories(directory);
            workspace.writeString(directory + "/" + i, "" + i);
            return null;
          })
          .toList();
      for (Future<Void> done : threads.invokeAll(tasks)) {
        done.get();
      }
      for (int i = 0; i < 200; i++) {
        assertThat(workspace.readString("a/" + i / 8 + "/c/" + i)).isEqualTo("" + i);
      }
      assertThat(workspace.list("")).containsExactly("a");
    } finally {
      threads.shutdownNow();
    }
  }
}
