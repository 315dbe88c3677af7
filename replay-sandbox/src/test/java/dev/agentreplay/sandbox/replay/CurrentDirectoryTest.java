package dev.agentreplay.sandbox.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisabledOnOs(OS.WINDOWS)
class CurrentDirectoryTest {

  @TempDir
  private Path directory;

  @Test
  void directory_with_more_than_a_project_is_not_shown() {
    Path home = Path.of(System.getProperty("user.home"));
    Path temporary = Path.of(System.getProperty("java.io.tmpdir"));

    assertThat(CurrentDirectory.holdsMore(home)).isTrue();
    assertThat(CurrentDirectory.holdsMore(Path.of("/"))).isTrue();
    assertThat(CurrentDirectory.holdsMore(temporary)).isTrue();
    assertThat(CurrentDirectory.holdsMore(Path.of("/etc/ssh"))).isTrue();
    assertThat(CurrentDirectory.holdsMore(Path.of("/var"))).isTrue();
    assertThat(CurrentDirectory.holdsMore(Path.of("/proc/self"))).isTrue();
    assertThat(CurrentDirectory.holdsMore(home.resolve("project"))).isFalse();
    assertThat(CurrentDirectory.holdsMore(temporary.resolve("project"))).isFalse();
  }

  @Test
  void directory_is_shown_as_a_whole_if_the_place_of_the_workspace_exists() throws Exception {
    Path workspace = Files.createDirectory(directory.resolve("workspace"));

    assertThat(CurrentDirectory.around(directory, workspace)).containsExactly(directory);
    assertThat(CurrentDirectory.around(directory, directory)).containsExactly(directory);
    assertThat(CurrentDirectory.around(directory, Path.of("/nowhere"))).containsExactly(directory);
  }

  @Test
  void files_next_to_a_place_that_is_missing_are_shown_by_themselves() throws Exception {
    Path file = Files.createFile(directory.resolve("file"));
    Path in = Files.createDirectory(directory.resolve("in"));
    Path other = Files.createDirectory(in.resolve("other"));
    Files.createSymbolicLink(in.resolve("link"), Path.of("/etc"));

    assertThat(CurrentDirectory.around(directory, in.resolve("missing/workspace")))
        .containsExactlyInAnyOrder(file, other);
  }
}
