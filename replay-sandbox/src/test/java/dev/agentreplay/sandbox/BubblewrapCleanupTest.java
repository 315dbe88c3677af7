package dev.agentreplay.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.testkit.JavaTempDir;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class BubblewrapCleanupTest {

  private static final String LEAVE_PROCESSES =
      "setsid sleep 300 & (sleep 300 & sleep 300 &) ; trap '' TERM HUP INT; echo ready; ";

  /** In the usual directory, the next start of another JVM removes what was left. */
  @RegisterExtension
  private final JavaTempDir temporary = new JavaTempDir();

  @TempDir
  private Path workspace;

  private final String marker = "MARKER=" + UUID.randomUUID();

  @Test
  void closing_kills_all_processes_and_removes_all_files() throws Exception {
    SandboxedProcess process = start(LEAVE_PROCESSES + "sleep 300");
    awaitReady(process.process());
    assertThat(SandboxProcesses.with(marker)).isNotEmpty();

    process.close();

    assertThat(SandboxProcesses.with(marker)).isEmpty();
    assertThat(leftBy(ProcessHandle.current().pid())).isEmpty();
    assertThat(process.process().isAlive()).isFalse();
    assertThat(process.fault()).isNull();
  }

  @Test
  void processes_that_a_program_has_left_are_gone_after_its_end() throws Exception {
    try (SandboxedProcess process = start(LEAVE_PROCESSES + "exit 7")) {
      awaitReady(process.process());

      assertThat(process.process().waitFor()).isEqualTo(7);
      assertThat(process.fault()).isNull();
      assertThat(SandboxProcesses.with(marker)).isEmpty();
    }
    assertThat(leftBy(ProcessHandle.current().pid())).isEmpty();
  }

  @Test
  void destroying_the_process_kills_all() throws Exception {
    try (SandboxedProcess process = start(LEAVE_PROCESSES + "sleep 300")) {
      awaitReady(process.process());

      process.process().destroy();

      assertThat(process.process().waitFor()).isEqualTo(137);
      process.fault();
      assertThat(SandboxProcesses.with(marker)).isEmpty();
    }
  }

  @Test
  void sandboxes_that_are_closed_while_they_start_leave_nothing() throws Exception {
    for (int count = 0; count < 20; count++) {
      start("sleep 300").close();
    }

    assertThat(SandboxProcesses.with(marker)).isEmpty();
    assertThat(leftBy(ProcessHandle.current().pid())).isEmpty();
  }

  @Test
  void nothing_runs_after_the_JVM_was_killed_and_the_next_start_removes_its_files()
      throws Exception {
    InBubblewrap.sandbox();
    Process jvm = jvm("1", LEAVE_PROCESSES + "sleep 300");
    awaitReady(jvm);

    List<ProcessHandle> inside = SandboxProcesses.with(marker);
    assertThat(inside).isNotEmpty();
    jvm.destroyForcibly().waitFor();
    for (ProcessHandle process : inside) {
      process.onExit().get(10, TimeUnit.SECONDS);
    }
    assertThat(leftBy(jvm.pid())).isNotEmpty();
    Bubblewrap.find();

    assertThat(SandboxProcesses.with(marker)).isEmpty();
    assertThat(leftBy(jvm.pid())).isEmpty();
  }

  @Test
  @Tag("slow")
  void nothing_runs_after_the_JVM_was_killed_while_it_started_sandboxes() throws Exception {
    InBubblewrap.sandbox();
    Process jvm = jvm("30", "echo ready; sleep 300; : " + marker);
    for (int count = 0; count < 5; count++) {
      awaitReady(jvm);
    }

    jvm.destroyForcibly().waitFor();
    Bubblewrap.find();
    for (ProcessHandle process : SandboxProcesses.with(marker)) {
      process.onExit().get(10, TimeUnit.SECONDS);
    }

    assertThat(SandboxProcesses.with(marker)).isEmpty();
    Bubblewrap.find();
    assertThat(leftBy(jvm.pid())).isEmpty();
  }

  /** Starts a JVM that starts sandboxes. */
  private Process jvm(String count, String script) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"),
            "-cp",
            System.getProperty("java.class.path"),
            KilledJvm.class.getName(),
            workspace.toString(),
            marker,
            count,
            script)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private SandboxedProcess start(String script) throws IOException {
    return InBubblewrap.sandbox().start(List.of("sh", "-c", script), options(workspace, marker));
  }

  static SandboxOptions options(Path workspace, String marker) {
    String[] variable = marker.split("=");
    return SandboxOptions.of(workspace)
        .withWorkspaceAt(Path.of("/home/me/project"))
        .withEnvironment(Map.of(variable[0], variable[1]));
  }

  private static void awaitReady(Process process) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = process.getInputStream().read(); c >= 0 && c != '\n'; ) {
      line.append((char) c);
      c = process.getInputStream().read();
    }
    assertThat(line).hasToString("ready");
  }

  /** The private directories and the control groups that a process has left. */
  static List<Path> leftBy(long pid) throws IOException {
    List<Path> left = new ArrayList<>();
    Cgroups groups = Cgroups.find();
    for (Path parent : new Path[] {
      Path.of(System.getProperty("java.io.tmpdir")),
      groups.unified(),
      groups.memory(),
      groups.pids()
    }) {
      if (parent != null) {
        try (Stream<Path> files = Files.list(parent)) {
          files
              .filter(file ->
                  file.getFileName().toString().matches("replay-sandbox-\\d+-" + pid + "-.*"))
              .forEach(left::add);
        }
      }
    }
    return left;
  }

  /** A process that starts programs in sandboxes, and is killed. */
  static final class KilledJvm {

    private KilledJvm() {}

    public static void main(String[] arguments) throws Exception {
      Sandbox sandbox = Bubblewrap.find();
      SandboxOptions options = options(Path.of(arguments[0]), arguments[1]);
      int count = Integer.parseInt(arguments[2]);
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        Thread thread = new Thread(() -> run(sandbox, arguments[3], options));
        thread.start();
        threads.add(thread);
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }

    private static void run(Sandbox sandbox, String script, SandboxOptions options) {
      try {
        SandboxedProcess process = sandbox.start(List.of("sh", "-c", script), options);
        process.process().getInputStream().transferTo(System.out);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
