package dev.agentreplay.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class SandboxOptionsTest {

  @Test
  void the_working_directory_is_where_the_program_sees_the_workspace() {
    SandboxOptions options =
        SandboxOptions.of(Path.of("copy")).withWorkspaceAt(Path.of("/home/me/project"));

    assertThat(options.workspace()).isEqualTo(Path.of("copy").toAbsolutePath());
    assertThat(options.directory()).isEqualTo(Path.of("/home/me/project"));
    assertThat(options.withDirectory(Path.of("src/..", "src")).directory())
        .isEqualTo(Path.of("/home/me/project/src"));
  }

  @Test
  void a_relative_path_of_the_workspace_is_refused() {
    SandboxOptions options = SandboxOptions.of(Path.of("copy"));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> options.withWorkspaceAt(Path.of("project")))
        .withMessage("expected an absolute path, found project");
  }

  @Test
  void directories_of_the_kernel_are_not_shown() {
    SandboxOptions options = SandboxOptions.of(Path.of("copy"));

    for (String path : List.of("/", "/proc", "/proc/self", "/sys/fs", "/dev/shm", "/usr/../dev")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> options.withReadOnly(List.of(Path.of(path))))
          .withMessageStartingWith("expected a path in which a sandbox does not have its own files")
          .withMessageEndingWith("found " + Path.of(path).normalize());
    }
    assertThat(options.withReadOnly(List.of(Path.of("/dev/shm/a"))).readOnly())
        .containsExactly(Path.of("/dev/shm/a"));
  }

  @Test
  void limits_that_are_not_positive_are_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SandboxLimits.defaults().withProcesses(0))
        .withMessageContaining("0 processes");
  }
}
