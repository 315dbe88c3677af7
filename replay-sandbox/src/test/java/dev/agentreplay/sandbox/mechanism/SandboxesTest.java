package dev.agentreplay.sandbox.mechanism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.sandbox.Mechanism;
import dev.agentreplay.sandbox.Sandbox;
import dev.agentreplay.sandbox.SandboxException;
import dev.agentreplay.sandbox.SandboxException.Reason;
import dev.agentreplay.sandbox.probe.Aspect;
import dev.agentreplay.sandbox.probe.ProbeSet;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The selection on machines of several kinds, and its messages. */
@EnabledOnOs(OS.LINUX)
class SandboxesTest {

  private static final String USERNS = "/proc/sys/user/max_user_namespaces";
  private static final String CLONE = "/proc/sys/kernel/unprivileged_userns_clone";
  private static final String APPARMOR = "/proc/sys/kernel/apparmor_restrict_unprivileged_userns";

  /** A machine whose {@code bwrap} fails with a message. */
  private static final class FakeMachine extends Machine {

    private final String system;
    private final String failure;
    private final Map<String, String> files = new HashMap<>();
    private final Map<String, String> programs = new HashMap<>();
    private final Set<String> existing = new HashSet<>();
    private @Nullable Sandbox bubblewrap;
    private String landlock = "setpriv was not tried";

    FakeMachine(String system, String failure) {
      this.system = system;
      this.failure = failure;
    }

    @Override
    String system() {
      return system;
    }

    @Override
    boolean exists(Path path) {
      return existing.contains(path.toString());
    }

    @Override
    @Nullable
    String text(Path path) {
      return files.get(path.toString());
    }

    @Override
    @Nullable
    String output(List<String> words) {
      return programs.get(String.join(" ", words));
    }

    @Override
    Sandbox landlock() throws SandboxException {
      throw new SandboxException(Reason.SETUP, landlock);
    }

    @Override
    Sandbox bubblewrap() throws SandboxException {
      if (bubblewrap != null) {
        return bubblewrap;
      }
      throw new SandboxException(Reason.SETUP, failure);
    }
  }

  private static SandboxSelection select(Machine machine, String choice) {
    return new Sandboxes(machine, ProbeSet.FAST).choose(SandboxChoice.parse(choice));
  }

  private static String message(Machine machine, String choice) {
    try {
      select(machine, choice).sandbox();
    } catch (SandboxException e) {
      assertThat(e.reason()).isEqualTo(Reason.SETUP);
      return String.valueOf(e.getMessage());
    }
    throw new AssertionError("there is a sandbox");
  }

  @Test
  void missing_programs_are_named_with_their_packages() {
    FakeMachine machine = new FakeMachine("Linux", "bwrap is not installed");
    machine.landlock =
        "setpriv of util-linux 2.40 or later is required, found setpriv from util-linux 2.38.1";
    assertThat(message(machine, "auto"))
        .isEqualTo("no sandbox can be used: bubblewrap: bwrap is not installed; landlock: setpriv"
            + " of util-linux 2.40 or later is required, found setpriv from util-linux 2.38.1."
            + " Remedy: install Bubblewrap: apt-get install bubblewrap (Debian, Ubuntu), dnf"
            + " install bubblewrap (Fedora), apk add bubblewrap (Alpine), pacman -S bubblewrap"
            + " (Arch)");
  }

  @ParameterizedTest
  @CsvSource({
    "bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted",
    "bwrap: setting up uid map: Permission denied"
  })
  void restriction_of_apparmor_has_its_recipe(String failure) {
    FakeMachine machine = new FakeMachine("Linux", failure);
    machine.files.put(APPARMOR, "1");
    assertThat(message(machine, "bubblewrap"))
        .contains(failure, "apt-get install apparmor-profiles")
        .contains("cp /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/")
        .contains("apparmor_parser -r /etc/apparmor.d/bwrap-userns-restrict");
  }

  @Test
  void container_without_namespaces_has_the_options_of_its_engine() {
    FakeMachine machine =
        new FakeMachine("Linux", "bwrap: No permissions to create new namespace, likely because …");
    machine.existing.add("/.dockerenv");
    assertThat(message(machine, "bubblewrap"))
        .contains("--security-opt seccomp=unconfined")
        .doesNotContain("AppArmor restricts");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "No space left on device",
        "the probes could not be set up: No space left on device",
        "cannot prepare a sandbox: /tmp/x/replay-sandbox-1: Read-only file system",
        "cannot prepare a sandbox: /tmp/x: no such file or directory",
        "/tmp/x: permission denied"
      })
  void temporary_directory_that_cannot_be_written_is_named_also_in_a_container(String failure) {
    FakeMachine machine = new FakeMachine("Linux", failure);
    machine.existing.add("/.dockerenv");
    machine.files.put(APPARMOR, "1");
    assertThat(message(machine, "bubblewrap"))
        .contains("the temporary directory is " + System.getProperty("java.io.tmpdir"))
        .contains("REPLAY_JAVA_OPTS=-Djava.io.tmpdir=DIR")
        .doesNotContain("container", "AppArmor");
  }

  @Test
  void machine_whose_loopback_interface_is_down_is_explained() {
    FakeMachine machine = new FakeMachine(
        "Linux", "the probes could not be set up: No network interfaces configured");
    machine.existing.add("/.dockerenv");
    assertThat(message(machine, "bubblewrap"))
        .contains("ip link set lo up")
        .doesNotContain("container");
  }

  @Test
  void settings_of_the_kernel_are_named() {
    FakeMachine machine = new FakeMachine("Linux", "bwrap: Creating new namespace failed");
    machine.files.put(USERNS, "0");
    assertThat(message(machine, "bubblewrap")).contains("sysctl -w user.max_user_namespaces=15000");
    machine.files.put(USERNS, "9000");
    machine.files.put(CLONE, "0");
    assertThat(message(machine, "bubblewrap"))
        .contains("sysctl -w kernel.unprivileged_userns_clone=1")
        .doesNotContain("max_user_namespaces");
  }

  @Test
  void sandbox_in_a_sandbox_is_explained() {
    FakeMachine machine = new FakeMachine(
        "Linux", "bwrap: Creating new namespace failed: … max_*_namespaces exceeded (ENOSPC)");
    assertThat(message(machine, "bubblewrap")).contains("run the replay outside of it");
  }

  @Test
  void hardened_service_is_explained() {
    FakeMachine machine =
        new FakeMachine("Linux", "bwrap: Can't read /proc/sys/kernel/overflowuid");
    assertThat(message(machine, "bubblewrap")).contains("ProcSubset=all");
  }

  @Test
  void windows_is_refused() {
    FakeMachine machine = new FakeMachine("Windows 11", "unused");
    assertThat(message(machine, "auto")).contains("Windows 11").contains("WSL 2");
    assertThat(message(machine, "bubblewrap")).contains("WSL 2");
  }

  @Test
  void mechanism_of_a_different_system_is_refused() {
    assertThat(message(new FakeMachine("Linux", "unused"), "seatbelt"))
        .contains("expected macOS, found Linux");
    assertThat(message(new FakeMachine("Mac OS X", "unused"), "landlock"))
        .contains("expected Linux, found Mac OS X");
  }

  @Test
  void missing_container_engine_is_an_error_of_the_sandbox() {
    assertThat(message(new FakeMachine("Linux", "unused"), "podman:debian:12"))
        .contains("podman is not installed", "podman pull");
  }

  @Test
  @Tag("slow")
  void sandbox_that_starts_programs_but_isolates_nothing_is_refused() {
    FakeMachine machine = new FakeMachine("Linux", "unused");
    machine.bubblewrap = Sandboxes.unsafe();
    SandboxSelection selection = select(machine, "bubblewrap");
    assertThat(selection.used()).isNull();
    assertThat(selection.attempts().get(0).report())
        .isNotNull()
        .satisfies(report -> assertThat(report.gaps()).hasSizeGreaterThan(5));
    assertThat(message(machine, "bubblewrap"))
        .contains("not shown to isolate: TCP connections (open");
  }

  @Test
  @Tag("slow")
  void probed_report_is_part_of_the_json() {
    FakeMachine machine = new FakeMachine("Linux", "unused");
    machine.bubblewrap = Sandboxes.unsafe();
    assertThat(select(machine, "bubblewrap").attempts().get(0).json().toString())
        .startsWith("{\"mechanism\":\"bubblewrap\",\"usable\":false,\"failure\":\"not shown")
        .contains("\"aspect\":\"" + Aspect.TCP.id() + "\",\"outcome\":\"open\"");
  }

  @Test
  void choice_names_a_mechanism_and_the_image_of_a_container() {
    assertThat(SandboxChoice.parse("auto")).isEqualTo(SandboxChoice.automatic());
    assertThat(SandboxChoice.parse("docker:debian:12"))
        .isEqualTo(new SandboxChoice(Mechanism.DOCKER, "debian:12"));
    for (String wrong :
        List.of("none", "docker", "podman:", "bubblewrap:x", "docker:--privileged", "", "bwrap")) {
      assertThatThrownBy(() -> SandboxChoice.parse(wrong))
          .as(wrong)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
