package dev.agentreplay.sandbox;

import dev.agentreplay.sandbox.SandboxException.Reason;
import dev.agentreplay.sandbox.internal.Owner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Attempts that show what an installed program can do. */
final class Trial {

  private static final int SECONDS = 10;

  private Trial() {}

  static void requireLinux(String mechanism) throws SandboxException {
    String system = System.getProperty("os.name");
    if (!system.toLowerCase(Locale.ROOT).contains("linux")) {
      throw setup(mechanism + " needs Linux, found " + system, null);
    }
  }

  /**
   * Starts a program in a sandbox.
   *
   * @param at the path at which the program sees its workspace; null for that of this machine
   * @return the reason why it was not started; null if it was
   */
  static @Nullable SandboxException run(Sandbox sandbox, @Nullable Path at) throws IOException {
    Path empty = Files.createTempDirectory(Owner.namePrefix());
    try {
      SandboxOptions options = SandboxOptions.of(empty);
      options = at == null ? options : options.withWorkspaceAt(at);
      try (SandboxedProcess process = sandbox.start(List.of("true"), options)) {
        return process.fault();
      }
    } catch (SandboxException e) {
      return e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return setup("interrupted", e);
    } finally {
      Files.deleteIfExists(empty);
    }
  }

  /** The output of a program that is called with one option. */
  static String output(Path program, String option) throws IOException {
    Process process =
        new ProcessBuilder(program.toString(), option).redirectErrorStream(true).start();
    try {
      // before its output is read, which a pipe holds, so that a program that hangs is ended
      boolean hasEnded = process.waitFor(SECONDS, TimeUnit.SECONDS);
      if (!hasEnded) {
        process.destroyForcibly();
      }
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!hasEnded || process.exitValue() != 0) {
        throw setup("%s %s failed: %s".formatted(program, option, text.strip()), null);
      }
      return text;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw setup("interrupted", e);
    } finally {
      process.destroyForcibly();
    }
  }

  static SandboxException setup(String message, @Nullable Exception cause) {
    SandboxException e = new SandboxException(Reason.SETUP, message);
    if (cause != null) {
      e.initCause(cause);
    }
    return e;
  }
}
