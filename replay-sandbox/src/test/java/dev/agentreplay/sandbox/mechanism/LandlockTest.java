package dev.agentreplay.sandbox.mechanism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.workspace.HostIdentity;
import dev.agentreplay.sandbox.SandboxException;
import dev.agentreplay.sandbox.SandboxException.Reason;
import dev.agentreplay.sandbox.SandboxOptions;
import dev.agentreplay.sandbox.SandboxedProcess;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The call of {@code setpriv}, and the errors of a script in its place: the {@code setpriv} of most
 * machines is older than Landlock.
 */
@EnabledOnOs({OS.LINUX, OS.MAC})
class LandlockTest {

  private static final String HELP_2_40 = " --landlock-access <access>\n --landlock-rule <rule>\n";
  private static final String HELP_NEWER =
      HELP_2_40 + "Landlock accesses: fs, net: connect-tcp, scope: abstract-unix-socket\n";

  @TempDir
  Path directory;

  private Path workspace() throws Exception {
    return Files.createDirectories(directory.resolve("w")).toRealPath();
  }

  private static Landlock landlock(String setpriv, String help) {
    Set<String> files = Set.of("/usr", "/lib", "/etc/passwd", "/dev/null", "/opt/tool");
    Landlock landlock =
        Landlock.of(setpriv, help, path -> files.contains(path.toString()) || path.endsWith("w"));
    assertThat(landlock).isNotNull();
    return landlock;
  }

  @Test
  void setpriv_before_2_40_is_refused() {
    assertThat(Landlock.of("setpriv", " --no-new-privs\n --bounding-set <caps>\n", p -> true))
        .isNull();
  }

  @Test
  void files_of_the_system_are_read_and_the_workspace_is_written() throws Exception {
    Path workspace = workspace();
    SandboxOptions options =
        SandboxOptions.of(workspace).withReadOnly(List.of(Path.of("/opt/tool")));
    assertThat(landlock("setpriv", HELP_2_40).arguments(options))
        .containsExactly(
            "setpriv",
            "--no-new-privs",
            "--landlock-access",
            "fs",
            "--landlock-rule",
            "path-beneath:execute,read-file,read-dir:/usr",
            "--landlock-rule",
            "path-beneath:execute,read-file,read-dir:/lib",
            "--landlock-rule",
            "path-beneath:execute,read-file:/etc/passwd",
            "--landlock-rule",
            "path-beneath:read-file,write-file:/dev/null",
            "--landlock-rule",
            "path-beneath:execute,read-file:/opt/tool",
            "--landlock-rule",
            "path-beneath::" + workspace,
            "--");
    assertThat(landlock("setpriv", HELP_2_40).arguments(options.withWritable(false)))
        .contains("path-beneath:execute,read-file,read-dir:" + workspace)
        .doesNotContain("path-beneath::" + workspace);
  }

  @Test
  void newer_versions_also_restrict_tcp_and_abstract_sockets() throws Exception {
    assertThat(landlock("setpriv", HELP_NEWER).arguments(SandboxOptions.of(workspace())))
        .containsSubsequence(
            "--landlock-access", "fs", "--landlock-access", "net", "--landlock-access", "scope");
  }

  @Test
  void workspace_at_a_different_path_is_refused() throws Exception {
    SandboxOptions options =
        SandboxOptions.of(workspace()).withWorkspaceAt(Path.of("/recorded/path"));
    assertThatThrownBy(() -> landlock("setpriv", HELP_2_40).launch(List.of("true"), options))
        .isInstanceOfSatisfying(
            SandboxException.class, e -> assertThat(e.reason()).isEqualTo(Reason.SETUP))
        .hasMessageContaining("/recorded/path");
  }

  private SandboxedProcess start(String setpriv, String... command) throws Exception {
    Path program = Files.writeString(directory.resolve("setpriv"), "#!/bin/sh\n" + setpriv + "\n");
    assertThat(program.toFile().setExecutable(true)).isTrue();
    HostIdentity identity = new HostIdentity(null, null, null, null, null, "027", null);
    return new CommandSandbox(landlock(program.toString(), HELP_2_40))
        .start(
            List.of(command),
            SandboxOptions.of(workspace())
                .withIdentity(identity)
                .withEnvironment(Map.of("PATH", "/usr/bin:/bin")));
  }

  /** Skips to the program, as {@code setpriv} does. */
  private static final String SKIP = "while [ \"$1\" != -- ]; do shift; done; shift; exec \"$@\"";

  @Test
  void exit_code_umask_and_output_are_those_of_the_program() throws Exception {
    try (SandboxedProcess program =
        start(SKIP, "sh", "-c", "umask; ls /proc/self/fd | wc -l; exit 7")) {
      String output =
          new String(program.process().getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(program.fault()).isNull();
      assertThat(program.process().exitValue()).isEqualTo(7);
      assertThat(output).startsWith("0027");
    }
  }

  @Test
  void missing_program_was_not_started() throws Exception {
    try (SandboxedProcess program = start(SKIP, "missing-program")) {
      assertThat(program.fault())
          .isNotNull()
          .extracting(SandboxException::reason)
          .isEqualTo(Reason.NOT_STARTED);
    }
  }

  @Test
  void failure_of_setpriv_is_one_of_the_sandbox() throws Exception {
    try (SandboxedProcess program = start("echo 'Landlock is not supported' >&2; exit 1", "true")) {
      assertThat(program.fault())
          .isNotNull()
          .extracting(SandboxException::reason)
          .isEqualTo(Reason.SETUP);
    }
  }
}
