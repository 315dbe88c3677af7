package dev.agentreplay.benchmarks;

import dev.agentreplay.sandbox.Bubblewrap;
import dev.agentreplay.sandbox.Sandbox;
import dev.agentreplay.sandbox.SandboxOptions;
import dev.agentreplay.sandbox.SandboxedProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Measures the time that a sandbox adds to a program: {@code true} started directly and in a
 * sandbox, in turns, until it has exited; and the time to close the sandbox of a program that has
 * left processes.
 *
 * <pre>
 * mvn -Dquick -pl replay-benchmarks -am package
 * java -cp replay-benchmarks/target/benchmarks.jar dev.agentreplay.benchmarks.SandboxStart
 * </pre>
 */
public final class SandboxStart {

  private static final int WARM_UP_ROUNDS = 50;
  private static final int ROUNDS = 500;
  private static final int CLOSED = 100;
  private static final String LEAVE_PROCESSES =
      "for i in 1 2 3 4 5 6 7 8 9 10; do setsid sleep 300 & done; echo; sleep 300";

  private SandboxStart() {}

  public static void main(String[] arguments) throws Exception {
    Sandbox sandbox = Bubblewrap.find();
    Path workspace = Files.createTempDirectory("sandbox-start");
    Map<String, String> environment = Map.of("PATH", "/usr/bin:/bin", "HOME", "/home/me");
    SandboxOptions options = SandboxOptions.of(workspace)
        .withWorkspaceAt(Path.of("/home/me/project"))
        .withEnvironment(environment);
    for (int i = 0; i < WARM_UP_ROUNDS; i++) {
      direct(workspace, environment);
      sandboxed(sandbox, options);
    }
    long[] direct = new long[ROUNDS];
    long[] sandboxed = new long[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      direct[i] = direct(workspace, environment);
      sandboxed[i] = sandboxed(sandbox, options);
    }
    long[] closed = new long[CLOSED];
    for (int i = 0; i < CLOSED; i++) {
      closed[i] = close(sandbox, options);
    }
    Files.delete(workspace);
    print("direct", direct);
    print("in a sandbox", sandboxed);
    print("closing, 10 processes left", closed);
  }

  private static long direct(Path workspace, Map<String, String> environment) throws Exception {
    long start = System.nanoTime();
    ProcessBuilder builder = new ProcessBuilder("true").directory(workspace.toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    check(builder.start().waitFor());
    return System.nanoTime() - start;
  }

  private static long sandboxed(Sandbox sandbox, SandboxOptions options) throws Exception {
    long start = System.nanoTime();
    SandboxedProcess process = sandbox.start(List.of("true"), options);
    check(process.process().waitFor());
    long end = System.nanoTime();
    process.close();
    return end - start;
  }

  private static long close(Sandbox sandbox, SandboxOptions options) throws IOException {
    SandboxedProcess process = sandbox.start(List.of("sh", "-c", LEAVE_PROCESSES), options);
    check(process.process().getInputStream().read() - '\n');
    long start = System.nanoTime();
    process.close();
    return System.nanoTime() - start;
  }

  private static void check(int exitCode) {
    if (exitCode != 0) {
      throw new IllegalStateException("exit code " + exitCode);
    }
  }

  private static void print(String name, long[] nanos) {
    Arrays.sort(nanos);
    System.out.printf(
        "%-26s p50 %6.1f ms, p95 %6.1f ms, p99 %6.1f ms%n",
        name,
        nanos[nanos.length / 2] / 1e6,
        nanos[nanos.length * 95 / 100] / 1e6,
        nanos[nanos.length * 99 / 100] / 1e6);
  }
}
