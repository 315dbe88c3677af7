package dev.agentreplay.sandbox.probe;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The script of the attempts that Java has no method for, run outside the sandbox: it makes them as
 * the control, and listens at an abstract Unix socket until it is closed.
 */
final class ScriptControl implements Closeable {

  /** The interpreters of the script, with its file name for each. */
  static final Map<String, String> SCRIPTS =
      Collections.unmodifiableMap(new TreeMap<>(Map.of("perl", "probe.pl", "python3", "probe.py")));

  /** The name of the line that says that no interpreter was found, outside or in the sandbox. */
  static final String MISSING = "nointerpreter";

  private final @Nullable Process process;
  private final String output;

  private ScriptControl(@Nullable Process process, String output) {
    this.process = process;
    this.output = output;
  }

  static ScriptControl start(List<String> interpreters, String name, Path directory)
      throws IOException {
    for (String interpreter : interpreters) {
      String script = directory.resolve(SCRIPTS.getOrDefault(interpreter, "")).toString();
      try {
        Process process = new ProcessBuilder(interpreter, script, name, "out")
            .redirectError(Redirect.DISCARD)
            .start();
        return new ScriptControl(process, read(process));
      } catch (IOException missing) {
        // the next one is tried
      }
    }
    String names = String.join(" or ", interpreters);
    return new ScriptControl(
        null, "seen\t" + MISSING + "\tno interpreter in the PATH: " + names + "\n");
  }

  private static String read(Process process) throws IOException {
    StringBuilder output = new StringBuilder();
    BufferedReader reader =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    for (String line = reader.readLine(); line != null; line = reader.readLine()) {
      output.append(line).append('\n');
      if (line.startsWith("seen\tready")) {
        break;
      }
    }
    return output.toString();
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
          process.destroyForcibly().waitFor(5, TimeUnit.SECONDS);
        }
      } catch (InterruptedException e) {
        process.destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
  }
}
