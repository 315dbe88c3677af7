package dev.agentreplay.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The outcome of the command in a process of its own, with a heap of 256 MB. The process is killed
 * when it has used more processor time than a run is allowed.
 *
 * @param exitCode the exit code; -1 if the process was killed
 * @param out standard output
 * @param err standard error
 */
record BoundedRun(int exitCode, String out, String err) {

  /** Exit code of a process that used too much processor time. */
  static final int KILLED = -1;

  /**
   * Runs the command.
   *
   * @param cpu the most processor time, of all threads together and the start of the JVM
   * @param folder the folder of its output while it runs
   */
  static BoundedRun of(Duration cpu, Path folder, Object... arguments)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile(folder, "out", ".txt");
    Path err = Files.createTempFile(folder, "err", ".txt");
    Process process = CommandProcess.of(List.of("-Xmx256m", "-XX:+UseSerialGC"), arguments)
        .redirectOutput(out.toFile())
        .redirectError(err.toFile())
        .start();
    int code = exitCode(process, cpu);
    return new BoundedRun(
        code,
        Files.readString(out, StandardCharsets.UTF_8),
        Files.readString(err, StandardCharsets.UTF_8));
  }

  private static int exitCode(Process process, Duration cpu) throws InterruptedException {
    while (!process.waitFor(50, TimeUnit.MILLISECONDS)) {
      Duration used = process.info().totalCpuDuration().orElse(Duration.ZERO);
      if (used.compareTo(cpu) > 0) {
        process.destroyForcibly().waitFor();
        return KILLED;
      }
    }
    return process.exitValue();
  }
}
