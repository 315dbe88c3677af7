package dev.agentreplay.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The thread that watches a program. */
@EnabledOnOs(OS.LINUX)
class WatchedProcessTest {

  /** A program whose processes can neither be listed nor killed. */
  private static final class Unreadable extends WatchedProcess {

    Unreadable(Process program, RunDirectory directory, Cgroup none, LimitMonitor monitor) {
      super(program, directory, none, monitor, Enforcement.NONE);
    }

    @Override
    long first() {
      return 1;
    }

    @Override
    void kill() {
      throw new UncheckedIOException(new IOException("cannot kill"));
    }

    @Override
    boolean killLeft() {
      return false;
    }

    @Override
    @Nullable
    SandboxException startFault(int exitCode, TrackedProcess program) {
      return null;
    }
  }

  @Test
  void limits_that_cannot_be_checked_are_a_fault_also_if_the_program_cannot_be_killed()
      throws Exception {
    Cgroup none = new Cgroup(null, null);
    RunDirectory directory = RunDirectory.create();
    LimitMonitor monitor = monitor(none, first -> {
      throw new IOException("cannot list");
    });
    Process program = new ProcessBuilder("cat").start();
    try {
      SandboxException fault =
          new Unreadable(program, directory, none, monitor).watched().fault();

      assertThat(fault).isNotNull().hasMessage("the limits cannot be checked: cannot list");
      assertThat(fault.getCause().getSuppressed()).hasSize(1);
      assertThat(directory.path()).doesNotExist();
    } finally {
      program.destroyForcibly();
    }
  }

  private static LimitMonitor monitor(Cgroup none, LimitMonitor.Processes processes) {
    return new LimitMonitor(
        SandboxLimits.defaults(),
        none,
        processes,
        List.of(),
        List.of(),
        Path.of("/etc/passwd"),
        null);
  }

  @Test
  void processes_that_are_left_are_a_fault() throws Exception {
    Cgroup none = new Cgroup(null, null);
    RunDirectory directory = RunDirectory.create();
    Process program = new ProcessBuilder("true").start();

    SandboxException fault = new Unreadable(
            program, directory, none, monitor(none, first -> List.of()))
        .watched()
        .fault();

    assertThat(fault).isNotNull().hasMessage("processes of the program are left after 5 s");
  }
}
