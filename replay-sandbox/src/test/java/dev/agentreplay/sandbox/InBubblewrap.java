package dev.agentreplay.sandbox;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/**
 * Runs programs in the sandbox of Linux. Tests are skipped, with a message, if it does not work.
 */
final class InBubblewrap {

  private static final @Nullable Sandbox SANDBOX = find();

  private InBubblewrap() {}

  /** The result of a program. */
  record Result(
      int exitCode,
      String out,
      String error,
      @Nullable SandboxException fault,
      Enforcement enforcement) {}

  static Sandbox sandbox() {
    Assumptions.assumeTrue(SANDBOX != null, "bwrap does not work here");
    return SANDBOX;
  }

  /** Runs a script of the shell. */
  static Result script(SandboxOptions options, String script) throws Exception {
    return run(options, List.of("sh", "-c", script));
  }

  static Result run(SandboxOptions options, List<String> command) throws Exception {
    return run(sandbox(), options, command);
  }

  /** Runs a program in any sandbox. */
  static Result run(Sandbox sandbox, SandboxOptions options, List<String> command)
      throws Exception {
    try (SandboxedProcess sandboxed = sandbox.start(command, options)) {
      Process process = sandboxed.process();
      process.getOutputStream().close();
      CompletableFuture<String> error =
          CompletableFuture.supplyAsync(() -> text(process.getErrorStream()));
      String out = text(process.getInputStream());
      int exitCode = process.waitFor();
      return new Result(exitCode, out, error.get(), sandboxed.fault(), sandboxed.enforcement());
    }
  }

  private static String text(InputStream in) {
    try {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static @Nullable Sandbox find() {
    try {
      return Bubblewrap.find();
    } catch (SandboxException e) {
      System.err.println("SKIPPED: the tests of the sandbox: " + e.getMessage());
      return null;
    }
  }
}
