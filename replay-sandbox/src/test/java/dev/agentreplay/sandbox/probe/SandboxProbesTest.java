package dev.agentreplay.sandbox.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentreplay.sandbox.SandboxException;
import dev.agentreplay.sandbox.SandboxException.Reason;
import dev.agentreplay.sandbox.probe.ProbeResult.Outcome;
import dev.agentreplay.testkit.JavaTempDir;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The probes find the gaps of sandboxes that have known ones. */
@EnabledOnOs(OS.LINUX)
class SandboxProbesTest {

  @RegisterExtension
  private final JavaTempDir tmp = new JavaTempDir();

  private static Outcome outcome(SandboxReport report, Aspect aspect) {
    ProbeResult result = report.result(aspect);
    assertThat(result).isNotNull();
    return result.outcome();
  }

  private static void assumeBubblewrap() {
    boolean works;
    try {
      works = new ProcessBuilder("bwrap", "--ro-bind", "/", "/", "--unshare-all", "true")
              .start()
              .waitFor()
          == 0;
    } catch (IOException | InterruptedException e) {
      works = false;
    }
    if (!works) {
      System.err.println("SKIPPED: bwrap does not work on this machine");
    }
    assumeTrue(works, "bwrap does not work on this machine");
  }

  @Test
  @Tag("slow")
  void without_a_sandbox_nothing_is_enforced() throws Exception {
    SandboxReport report = SandboxProbes.run(PrefixSandbox.none());
    assertThat(report.results())
        .filteredOn(result -> result.outcome() == Outcome.ENFORCED)
        .extracting(ProbeResult::aspect)
        .containsExactly(Aspect.DESCRIPTORS); // which the JVM closes itself
    assertThat(report.gaps())
        .extracting(ProbeResult::aspect)
        .contains(
            Aspect.TCP,
            Aspect.UDP,
            Aspect.DNS,
            Aspect.UNIX_SOCKET,
            Aspect.WRITE_OUTSIDE,
            Aspect.READ_HOME,
            Aspect.READ_OTHERS,
            Aspect.ENVIRONMENT,
            Aspect.PROCESSES,
            Aspect.LEFTOVERS);
    assertThat(report.isIsolated()).isFalse();
  }

  @Test
  void read_only_root_leaves_sockets_files_and_the_environment_in_reach() throws Exception {
    assumeBubblewrap();
    SandboxReport report = SandboxProbes.run(PrefixSandbox.readOnlyRoot());
    assertThat(report.gaps())
        .extracting(ProbeResult::aspect)
        .contains(Aspect.UNIX_SOCKET, Aspect.READ_HOME, Aspect.READ_OTHERS, Aspect.ENVIRONMENT)
        .doesNotContain(Aspect.TCP, Aspect.UDP, Aspect.DNS, Aspect.WRITE_OUTSIDE, Aspect.PROCESSES);
    assertThat(report.isIsolated()).isFalse();
    assertThat(report.isolatesFiles()).isFalse();
  }

  @Test
  void minimal_root_with_namespaces_is_isolated_except_for_what_needs_a_filter() throws Exception {
    assumeBubblewrap();
    SandboxReport report = SandboxProbes.run(PrefixSandbox.minimalRoot());
    assertThat(report.gaps())
        .extracting(ProbeResult::aspect)
        .isSubsetOf(Aspect.NETLINK, Aspect.VSOCK, Aspect.TERMINAL, Aspect.NESTED_NAMESPACES);
    for (Aspect aspect : Aspect.values()) {
      boolean mayBeNothing =
          aspect == Aspect.ENVIRONMENT || aspect == Aspect.READ_HOME || aspect == Aspect.KERNEL;
      if (aspect.isIn(ProbeSet.FAST) && !mayBeNothing) {
        assertThat(outcome(report, aspect))
            .as(report.json().toString())
            .isEqualTo(Outcome.ENFORCED);
      }
    }
    assertThat(report.result(Aspect.TCP))
        .extracting(ProbeResult::by)
        .isEqualTo("network namespace");
  }

  @Test
  void settings_of_the_kernel_are_open_to_root_if_proc_can_be_written() throws Exception {
    assumeBubblewrap();
    assumeTrue(Files.isWritable(Path.of("/proc/sys/vm/overcommit_memory")), "requires root");
    SandboxReport report = SandboxProbes.run(PrefixSandbox.readOnlyRoot(), ProbeSet.FAST);
    assertThat(outcome(report, Aspect.KERNEL)).isEqualTo(Outcome.OPEN);
    SandboxReport readOnly = SandboxProbes.run(PrefixSandbox.minimalRoot(), ProbeSet.FAST);
    assertThat(outcome(readOnly, Aspect.KERNEL)).isEqualTo(Outcome.ENFORCED);
  }

  @Test
  @Tag("slow")
  void descriptor_that_the_launcher_leaves_open_is_a_gap() throws Exception {
    SandboxReport report = SandboxProbes.run(
        PrefixSandbox.starting("/bin/sh", "-c", "exec 9</etc/passwd; exec \"$@\"", "sh"),
        ProbeSet.FAST);
    assertThat(report.result(Aspect.DESCRIPTORS))
        .isEqualTo(
            new ProbeResult(Aspect.DESCRIPTORS, Outcome.OPEN, "none", "open: 9 /etc/passwd"));
  }

  @Test
  @Tag("slow")
  void python_makes_the_same_attempts_as_perl() throws Exception {
    assumeBubblewrap();
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/python3")), "there is no python3");
    SandboxReport perl =
        SandboxProbes.run(PrefixSandbox.minimalRoot(), ProbeSet.FULL, List.of("perl"));
    SandboxReport python =
        SandboxProbes.run(PrefixSandbox.minimalRoot(), ProbeSet.FULL, List.of("python3"));
    for (Aspect aspect : Aspect.values()) {
      assertThat(outcome(python, aspect)).as(aspect.id()).isEqualTo(outcome(perl, aspect));
    }
    assertThat(outcome(python, Aspect.ABSTRACT_SOCKET)).isEqualTo(Outcome.ENFORCED);
    assertThat(outcome(python, Aspect.NESTED_NAMESPACES)).isEqualTo(Outcome.OPEN);
  }

  @Test
  void without_an_interpreter_its_aspects_are_inconclusive() throws Exception {
    assumeBubblewrap();
    SandboxReport report = SandboxProbes.run(
        PrefixSandbox.minimalRoot(), ProbeSet.FULL, List.of("missing-interpreter"));
    assertThat(report.isIsolated()).isTrue();
    assertThat(report.result(Aspect.NETLINK))
        .isEqualTo(new ProbeResult(
            Aspect.NETLINK,
            Outcome.INCONCLUSIVE,
            "none",
            "no interpreter in the PATH: missing-interpreter"));
  }

  @Test
  void fast_set_has_the_required_aspects_only() throws Exception {
    assumeBubblewrap();
    SandboxReport report = SandboxProbes.run(PrefixSandbox.minimalRoot(), ProbeSet.FAST);
    assertThat(report.isIsolated()).as(report.json().toString()).isTrue();
    assertThat(report.unproven()).isEmpty();
    assertThat(report.result(Aspect.NETLINK)).isNull();
  }

  @Test
  void sandbox_that_starts_nothing_is_an_error_and_not_a_pass() {
    assertThatThrownBy(() -> SandboxProbes.run(PrefixSandbox.starting("/bin/false")))
        .isInstanceOfSatisfying(
            SandboxException.class, e -> assertThat(e.reason()).isEqualTo(Reason.SETUP))
        .hasMessageContaining("exit code 1");
    assertThatThrownBy(() -> SandboxProbes.run(PrefixSandbox.starting("/missing/program")))
        .isInstanceOf(SandboxException.class);
  }

  @Test
  @Tag("slow")
  void program_that_only_says_it_ended_proves_nothing() throws Exception {
    SandboxReport report = SandboxProbes.run(
        PrefixSandbox.starting("/bin/sh", "-c", "echo end; read -r answer", "sh"));
    assertThat(report.results())
        .extracting(ProbeResult::outcome)
        .containsOnly(Outcome.INCONCLUSIVE);
    assertThat(report.isIsolated()).isFalse();
    assertThat(report.unproven()).hasSizeGreaterThan(8);
  }

  @Test
  @Tag("slow")
  void probes_leave_no_file_and_no_process() throws Exception {
    SandboxProbes.run(PrefixSandbox.none());
    long pid = ProcessHandle.current().pid();
    try (Stream<ProcessHandle> children = ProcessHandle.current().children()) {
      assertThat(children.filter(ProcessHandle::isAlive))
          .as("children of " + pid)
          .isEmpty();
    }
    assertThat(tmp.path()).isEmptyDirectory();
  }
}
