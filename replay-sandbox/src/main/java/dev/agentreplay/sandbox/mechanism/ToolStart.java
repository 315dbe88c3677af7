package dev.agentreplay.sandbox.mechanism;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.sandbox.Sandbox;
import dev.agentreplay.sandbox.SandboxException;
import dev.agentreplay.sandbox.SandboxException.Reason;
import dev.agentreplay.sandbox.SandboxOptions;
import dev.agentreplay.sandbox.SandboxedProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of one start of a tool in a sandbox, which shows whether the sandbox has the files
 * that the tool needs. Immutable.
 */
public final class ToolStart {

  private static final int MILLIS = 1000;
  private static final int MAX_BYTES = 4096;

  private final String tool;
  private final List<String> command;
  private final @Nullable Reason reason;
  private final @Nullable Integer exitCode;
  private final String detail;
  private final List<Path> shown;

  private ToolStart(
      String tool,
      List<String> command,
      @Nullable Reason reason,
      @Nullable Integer exitCode,
      String detail,
      List<Path> shown) {
    this.tool = tool;
    this.command = List.copyOf(command);
    this.reason = reason;
    this.exitCode = exitCode;
    this.detail = detail;
    this.shown = List.copyOf(shown);
  }

  /**
   * Starts a tool with empty input, and kills it after a second. It can change the workspace unless
   * the options say otherwise.
   */
  public static ToolStart run(
      Sandbox sandbox, String tool, List<String> command, SandboxOptions options)
      throws InterruptedException {
    try (SandboxedProcess program = sandbox.start(command, options)) {
      Process process = program.process();
      Errors errors = new Errors(process);
      closeInput(process);
      List<Path> shown = program.enforcement().shown();
      if (!process.waitFor(MILLIS, TimeUnit.MILLISECONDS)) {
        return new ToolStart(tool, command, null, null, "runs; killed after 1 s", shown);
      }
      SandboxException fault = program.fault();
      if (fault != null) {
        return new ToolStart(
            tool, command, fault.reason(), null, String.valueOf(fault.getMessage()), shown);
      }
      int exitCode = process.exitValue();
      // a script whose interpreter or program is missing ends like a shell that finds none
      Reason reason = exitCode == 126 || exitCode == 127 ? Reason.NOT_STARTED : null;
      String text = errors.text();
      String detail =
          "ended with exit code " + exitCode + (exitCode == 0 || text.isEmpty() ? "" : ": " + text);
      return new ToolStart(tool, command, reason, exitCode, detail, shown);
    } catch (SandboxException e) {
      return new ToolStart(
          tool, command, e.reason(), null, String.valueOf(e.getMessage()), List.of());
    }
  }

  private static void closeInput(Process process) {
    try {
      process.getOutputStream().close();
    } catch (IOException ended) {
      // the program is gone, which its exit code shows
    }
  }

  /** The name of the tool. */
  public String tool() {
    return tool;
  }

  /**
   * Whether the program was executed; it may have failed later. A script counts as not executed if
   * it ends with 126 or 127, as a shell does that cannot execute a program.
   */
  public boolean isStarted() {
    return reason == null;
  }

  /** The reason why the program was not executed; null if it was. */
  public @Nullable Reason reason() {
    return reason;
  }

  /** The exit code; null if it was killed, or not started. */
  public @Nullable Integer exitCode() {
    return exitCode;
  }

  /** The outcome as a text, with the last line of errors. */
  public String detail() {
    return detail;
  }

  /** The files and directories that the sandbox showed in addition to those of the system. */
  public List<Path> shown() {
    return shown;
  }

  /** The outcome as JSON. */
  public JsonObject json() {
    JsonObject json = JsonObject.of(
        "tool", tool,
        "command", JsonArray.of(command.toArray()),
        "started", isStarted());
    if (reason != null) {
      json = json.with("reason", reason.id());
    }
    if (exitCode != null) {
      json = json.with("exit", exitCode);
    }
    Object[] paths = shown.stream().map(Path::toString).toArray();
    return json.with("detail", detail).with("shown", JsonArray.of(paths));
  }

  /** The end of the errors of a process, whose output is discarded. */
  private static final class Errors {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final Thread thread;

    Errors(Process process) {
      discard(process.getInputStream());
      thread = start(() -> {
        byte[] buffer = new byte[MAX_BYTES];
        InputStream in = process.getErrorStream();
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
          synchronized (bytes) {
            if (bytes.size() + n > 2 * MAX_BYTES) {
              bytes.reset();
            }
            bytes.write(buffer, 0, n);
          }
        }
      });
    }

    private static void discard(InputStream in) {
      start(() -> in.transferTo(OutputStream.nullOutputStream()));
    }

    private interface Step {
      void run() throws IOException;
    }

    private static Thread start(Step step) {
      Thread thread = new Thread(
          () -> {
            try {
              step.run();
            } catch (IOException closed) {
              // the process was killed
            }
          },
          "replay-tool-output");
      thread.setDaemon(true);
      thread.start();
      return thread;
    }

    /** The last line that is not empty. */
    String text() throws InterruptedException {
      thread.join(MILLIS);
      synchronized (bytes) {
        String[] lines = bytes.toString(StandardCharsets.UTF_8).strip().split("\\R", -1);
        return lines[lines.length - 1].strip();
      }
    }
  }
}
