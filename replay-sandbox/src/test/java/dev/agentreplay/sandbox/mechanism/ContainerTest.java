package dev.agentreplay.sandbox.mechanism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.workspace.HostIdentity;
import dev.agentreplay.sandbox.Mechanism;
import dev.agentreplay.sandbox.SandboxException;
import dev.agentreplay.sandbox.SandboxException.Reason;
import dev.agentreplay.sandbox.SandboxLimits;
import dev.agentreplay.sandbox.SandboxOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The calls of the clients of Podman and Docker. */
@DisabledOnOs(OS.WINDOWS)
class ContainerTest {

  private static final Map<String, String> CLIENT = Map.of("PATH", "/usr/bin", "HOME", "/root");

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
            .arguments("replay-1", "1000:1001", List.of("make", "test"), options))
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
            "--ipc=private",
            "--log-driver=none",
            "--pids-limit=99",
            "--memory=1073741824",
            "--memory-swap=1073741824",
            "--tmpfs=/tmp:rw,nosuid,nodev,size=1048576",
            "--hostname=box",
            "--user=1000:1001",
            "--env=PATH=/bin",
            "--env=TOKEN",
            "--mount=type=bind,source=%s,target=/home/dev/project".formatted(options.workspace()),
            "--mount=type=bind,source=/opt/tool,target=/opt/tool,readonly",
            "--workdir=/home/dev/project",
            "--entrypoint=make",
            "debian:12",
            "test");
  }

  @Test
  void values_of_variables_are_not_on_the_command_line() throws Exception {
    Launch launch =
        new Container(Mechanism.PODMAN, "debian:12", CLIENT).launch(List.of("make"), options());
    assertThat(launch.words()).noneMatch(word -> word.contains("secret")).startsWith("podman");
    assertThat(launch.environment())
        .containsEntry("TOKEN", "secret")
        .containsEntry("PATH", "/usr/bin");
    assertThat(launch.words()).contains("--name=" + launch.kill().get(2), "--user=1000:1001");
    assertThat(launch.kill()).startsWith("podman", "kill");
  }

  @Test
  void workspace_that_is_not_writable_is_mounted_read_only() throws Exception {
    assertThat(new Container(Mechanism.DOCKER, "i", CLIENT)
            .arguments("n", null, List.of("true"), options().withWritable(false)))
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
  }

  @Test
  void errors_of_the_engine_are_not_those_of_the_program() {
    Container container = new Container(Mechanism.DOCKER, "i", CLIENT);
    assertThat(container.fault(125, "")).isEqualTo(Reason.SETUP);
    assertThat(container.fault(126, "")).isEqualTo(Reason.NOT_STARTED);
    assertThat(container.fault(127, "")).isEqualTo(Reason.NOT_STARTED);
    assertThat(container.fault(0, "")).isNull();
    assertThat(container.fault(1, "")).isNull();
    assertThat(container.fault(137, "")).isNull();
  }
}
