package dev.agentreplay.sandbox.probe;

import dev.agentreplay.sandbox.Mechanism;
import dev.agentreplay.sandbox.Sandbox;
import dev.agentreplay.sandbox.SandboxException;
import dev.agentreplay.sandbox.SandboxException.Reason;
import dev.agentreplay.sandbox.SandboxOptions;
import dev.agentreplay.sandbox.SandboxedProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A sandbox that is made of a command in front of the program, with known gaps. */
final class PrefixSandbox implements Sandbox {

  private final Function<SandboxOptions, List<String>> prefix;
  private final boolean inheritsEnvironment;

  private PrefixSandbox(
      Function<SandboxOptions, List<String>> prefix, boolean inheritsEnvironment) {
    this.prefix = prefix;
    this.inheritsEnvironment = inheritsEnvironment;
  }

  /** No isolation, and the environment of this process. */
  static PrefixSandbox none() {
    return new PrefixSandbox(options -> List.of(), true);
  }

  /** The whole file system read-only, as agents' sandboxes often have it. */
  static PrefixSandbox readOnlyRoot() {
    return new PrefixSandbox(
        options -> List.of(
            "bwrap",
            "--ro-bind",
            "/",
            "/",
            "--dev",
            "/dev",
            "--proc",
            "/proc",
            "--bind",
            options.workspace().toString(),
            options.workspace().toString(),
            "--unshare-net",
            "--unshare-pid",
            "--die-with-parent"),
        true);
  }

  /** A root with the system and the workspace only. */
  static PrefixSandbox minimalRoot() {
    return new PrefixSandbox(PrefixSandbox::minimal, false);
  }

  /** A sandbox that starts a different program. */
  static PrefixSandbox starting(String... words) {
    return new PrefixSandbox(options -> List.of(words), false);
  }

  private static List<String> minimal(SandboxOptions options) {
    List<String> words = new ArrayList<>(List.of(
        "bwrap",
        "--ro-bind",
        "/usr",
        "/usr",
        "--symlink",
        "usr/bin",
        "/bin",
        "--symlink",
        "usr/lib",
        "/lib",
        "--symlink",
        "usr/lib64",
        "/lib64",
        "--proc",
        "/proc",
        "--remount-ro",
        "/proc",
        "--dev",
        "/dev",
        "--tmpfs",
        "/tmp"));
    for (Path path : options.readOnly()) {
      words.addAll(List.of("--ro-bind", path.toString(), path.toString()));
    }
    words.addAll(List.of(
        "--bind",
        options.workspace().toString(),
        options.workspace().toString(),
        "--unshare-all",
        "--new-session",
        "--die-with-parent"));
    return words;
  }

  @Override
  public Mechanism mechanism() {
    return Mechanism.NONE;
  }

  @Override
  public SandboxedProcess start(List<String> command, SandboxOptions options)
      throws SandboxException {
    List<String> words = new ArrayList<>(prefix.apply(options));
    words.addAll(command);
    ProcessBuilder builder = new ProcessBuilder(words);
    if (!inheritsEnvironment) {
      builder.environment().clear();
    }
    builder.environment().putAll(options.environment());
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new SandboxException(Reason.SETUP, String.valueOf(e.getMessage()));
    }
    return new SandboxedProcess() {
      @Override
      public Process process() {
        return process;
      }

      @Override
      public @Nullable SandboxException fault() {
        return null;
      }

      @Override
      public void close() {
        process.destroyForcibly();
      }
    };
  }
}
