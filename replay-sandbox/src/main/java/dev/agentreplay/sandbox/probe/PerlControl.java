package dev.agentreplay.sandbox.probe;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The script of the attempts that Java has no method for, run outside the sandbox: it makes them as
 * the control, and listens at an abstract Unix socket until it is closed.
 */
final class PerlControl implements Closeable {

  /** The name of a missing Perl, outside and in the sandbox. */
  static final String MISSING = "noperl";

  private final @Nullable Process process;
  private final String output;

  private PerlControl(@Nullable Process process, String output) {
    this.process = process;
    this.output = output;
  }

  static PerlControl start(ProbeSet set, String name, Path directory) throws IOException {
    if (set == ProbeSet.FAST) {
      return new PerlControl(null, "");
    }
    Process process;
    try {
      process = new ProcessBuilder("perl", directory.resolve("probe.pl").toString(), name, "out")
          .redirectError(Redirect.DISCARD)
          .start();
    } catch (IOException missing) {
      return new PerlControl(null, "seen\t" + MISSING + "\tperl is missing on this machine\n");
    }
    StringBuilder output = new StringBuilder();
    BufferedReader reader =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    for (String line = reader.readLine(); line != null; line = reader.readLine()) {
      output.append(line).append('\n');
      if (line.startsWith("seen\tready")) {
        break;
      }
    }
    return new PerlControl(process, output.toString());
  }

  String output() {
    return output;
  }

  @Override
  public void close() throws IOException {
    if (process != null) {
      process.getOutputStream().close();
      try {
        if (!process.waitFor(1, TimeUnit.SECONDS)) {
          process.destroyForcibly();
        }
      } catch (InterruptedException e) {
        process.destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
  }
}
