package dev.agentreplay.sandbox.mechanism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.workspace.HostIdentity;
import dev.agentreplay.sandbox.Mechanism;
import dev.agentreplay.sandbox.SandboxException;
import dev.agentreplay.sandbox.SandboxException.Reason;
import dev.agentreplay.sandbox.SandboxLimits;
import dev.agentreplay.sandbox.SandboxOptions;
import dev.agentreplay.sandbox.internal.Owner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The calls of the clients of Podman and Docker. */
@DisabledOnOs(OS.WINDOWS)
class ContainerTest {

  private static final Map<String, String> CLIENT = Map.of("PATH", "/usr/bin", "HOME", "/root");

  private static final Path STATUS = Path.of("/run/x/status");
  private static final Path FILTER = Path.of("/run/x/seccomp.json");

  @TempDir
  Path directory;

  private SandboxOptions options() throws Exception {
    return SandboxOptions.of(Files.createDirectories(directory.resolve("w")).toRealPath())
        .withWorkspaceAt(Path.of("/home/dev/project"))
        .withEnvironment(Map.of("PATH", "/bin", "TOKEN", "secret"))
        .withIdentity(new HostIdentity("dev", 1000L, 1001L, "/home/dev", "box", "022", null))
        .withReadOnly(List.of(Path.of("/opt/tool")))
        .withLimits(new SandboxLimits(1 << 30, 99, 1 << 20));
  }

  @Test
  void container_has_no_network_no_capabilities_and_limits() throws Exception {
    SandboxOptions options = options();
    assertThat(new Container(Mechanism.DOCKER, "debian:12", CLIENT)
            .arguments("replay-1", "1000:1001", STATUS, FILTER, List.of("make", "test"), options))
        .containsExactly(
            "docker",
            "run",
            "--rm",
            "--interactive",
            "--init",
            "--name=replay-1",
            "--pull=never",
            "--network=none",
            "--read-only",
            "--cap-drop=ALL",
            "--security-opt=no-new-privileges",
            "--security-opt=seccomp=/run/x/seccomp.json",
            "--ipc=private",
            "--log-driver=none",
            "--pids-limit=99",
            "--memory=1073741824",
            "--memory-swap=1073741824",
            "--tmpfs=/tmp:rw,nosuid,nodev,size=1048576",
            "--hostname=box",
            "--user=1000:1001",
            "--env=REPLAY_VALUE_0",
            "--env=REPLAY_VALUE_1",
            "--mount=type=bind,source=%s,target=/home/dev/project".formatted(options.workspace()),
            "--mount=type=bind,source=/opt/tool,target=/opt/tool,readonly",
            "--mount=type=bind,source=/run/x/status,target=/.replay-status",
            "--workdir=/home/dev/project",
            "--entrypoint=/bin/sh",
            "debian:12",
            "-c",
            "ulimit -f 2048; umask 022;"
                + " export PATH=\"$REPLAY_VALUE_0\"; unset REPLAY_VALUE_0;"
                + " export TOKEN=\"$REPLAY_VALUE_1\"; unset REPLAY_VALUE_1;"
                + " command -v \"$1\" >/dev/null || { echo missing >/.replay-status; exit 127; };"
                + " echo started >/.replay-status; exec \"$@\"",
            "sh",
            "make",
            "test");
  }

  @Test
  void values_of_variables_are_not_on_the_command_line() throws Exception {
    Launch launch =
        new Container(Mechanism.PODMAN, "debian:12", CLIENT).launch(List.of("make"), options());
    assertThat(launch.words()).noneMatch(word -> word.contains("secret")).startsWith("podman");
    assertThat(launch.environment())
        .containsEntry("REPLAY_VALUE_1", "secret")
        .containsEntry("PATH", "/usr/bin");
    Object uid = Files.getAttribute(options().workspace(), "unix:uid");
    assertThat(launch.words())
        .contains("--name=" + launch.kill().get(4))
        .anyMatch(word -> word.startsWith("--user=" + uid + ":"))
        .doesNotContain("--user=1000:1001"); // could not change the workspace
    assertThat(launch.kill()).startsWith("podman", "rm", "--force");
    CommandProcess.deleteStatus(launch);
  }

  @Test
  void variables_of_the_program_have_no_meaning_for_the_client() {
    Map<String, String> variables =
        Map.of("LD_PRELOAD", "./evil.so", "REPLAY_VALUE_1", "x", "UID", "7", "a.b", "c");

    ContainerVariables passed = ContainerVariables.of(variables);

    assertThat(passed.options())
        .containsExactly(
            "--env=REPLAY_VALUE__0", "--env=REPLAY_VALUE__1", "--env=UID=7", "--env=a.b=c");
    assertThat(passed.values())
        .isEqualTo(Map.of("REPLAY_VALUE__0", "./evil.so", "REPLAY_VALUE__1", "x"));
    assertThat(passed.script())
        .isEqualTo("export LD_PRELOAD=\"$REPLAY_VALUE__0\"; unset REPLAY_VALUE__0;"
            + " export REPLAY_VALUE_1=\"$REPLAY_VALUE__1\"; unset REPLAY_VALUE__1; ");
  }

  @Test
  void workspace_that_is_not_writable_is_mounted_read_only() throws Exception {
    assertThat(new Container(Mechanism.DOCKER, "i", CLIENT)
            .arguments("n", null, STATUS, FILTER, List.of("true"), options().withWritable(false)))
        .anyMatch(word -> word.endsWith("target=/home/dev/project,readonly"))
        .noneMatch(word -> word.startsWith("--user"));
  }

  @Test
  void path_with_a_comma_cannot_be_mounted() throws Exception {
    SandboxOptions options = SandboxOptions.of(directory).withWorkspaceAt(Path.of("/a,readonly"));
    assertThatThrownBy(
            () -> new Container(Mechanism.DOCKER, "i", CLIENT).launch(List.of("true"), options))
        .isInstanceOfSatisfying(
            SandboxException.class, e -> assertThat(e.reason()).isEqualTo(Reason.SETUP))
        .hasMessageContaining("comma");
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      assertThat(files)
          .noneMatch(file -> file.getFileName().toString().startsWith(Owner.namePrefix()));
    }
  }

  @Test
  void errors_of_the_engine_are_not_those_of_the_program() {
    Container container = new Container(Mechanism.DOCKER, "i", CLIENT);
    for (int code : new int[] {0, 1, 125, 126, 127, 137}) {
      assertThat(container.fault(code, "started\n")).isEqualTo(code == 137 ? Reason.LIMIT : null);
      assertThat(container.fault(code, "missing\n")).isEqualTo(Reason.NOT_STARTED);
      assertThat(container.fault(code, "")).isEqualTo(Reason.SETUP);
    }
  }

  @Test
  void profile_refuses_what_the_filter_of_the_other_sandboxes_does() {
    String profile = ContainerFilter.json().toString();

    assertThat(profile)
        .startsWith("{\"defaultAction\":\"SCMP_ACT_ALLOW\"")
        .contains("\"unshare\",\"setns\",\"mount\"", "\"io_uring_setup\"", "\"keyctl\"")
        .contains("{\"names\":[\"clone3\"],\"action\":\"SCMP_ACT_ERRNO\",\"errnoRet\":38")
        .doesNotContain("shmget", "setsid", "\"kill\"");
    assertThat(Pattern.compile("\\[\"clone\"\\]").matcher(profile).results()).hasSize(7);
    assertThat(Pattern.compile("\\[\"ioctl\"\\]").matcher(profile).results()).hasSize(2);
    // 3 to 9, and those above AF_INET6
    assertThat(Pattern.compile("\\[\"socket\"\\]").matcher(profile).results()).hasSize(8);
  }
}
