package dev.agentreplay.sandbox.mechanism;

import dev.agentreplay.sandbox.Bubblewrap;
import dev.agentreplay.sandbox.Landlock;
import dev.agentreplay.sandbox.Sandbox;
import dev.agentreplay.sandbox.SandboxException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The facts of a machine on which a selection depends; tests replace it. */
class Machine {

  private static final long SECONDS = 5;

  /** The name of the operating system. */
  String system() {
    return System.getProperty("os.name", "");
  }

  boolean exists(Path path) {
    return Files.exists(path);
  }

  /** The text of a small file, without the end of its last line; null if it cannot be read. */
  @Nullable
  String text(Path path) {
    try {
      return Files.readString(path).strip();
    } catch (IOException e) {
      return null;
    }
  }

  /** The directory for temporary files. */
  Path temporary() {
    return Path.of(System.getProperty("java.io.tmpdir"));
  }

  /** The environment of this process. */
  Map<String, String> environment() {
    return System.getenv();
  }

  /** The output of a program, with its errors; null if it cannot be started. */
  @Nullable
  String output(List<String> words) {
    try {
      Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
      process.getOutputStream().close();
      // before its output is read, which a pipe holds up to this size
      if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
      return new String(process.getInputStream().readNBytes(1 << 16), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  Sandbox landlock() throws SandboxException {
    return Landlock.find();
  }

  Sandbox bubblewrap() throws SandboxException {
    return Bubblewrap.find();
  }
}
