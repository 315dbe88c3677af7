package dev.agentreplay.cli.input;

import dev.agentreplay.cli.text.Terminal;
import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.sandbox.SandboxLimits;
import dev.agentreplay.sandbox.SandboxOptions;
import dev.agentreplay.sandbox.mechanism.SandboxChoice;
import dev.agentreplay.sandbox.mechanism.SandboxSelection;
import dev.agentreplay.sandbox.mechanism.Sandboxes;
import dev.agentreplay.sandbox.replay.ReplaySandbox;
import dev.agentreplay.sandbox.replay.ReplaySandboxOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The workspace and the sandbox of the programs that a replay starts. */
public final class SandboxInput {

  private static final String UNSAFE = "--unsafe-no-sandbox";

  @Option(
      names = "--workspace",
      paramLabel = "DIR",
      description =
          "Directory on whose copy programs work (default: the recorded snapshot; without one, and"
              + " except in the mode full, the current directory, which programs cannot change).")
  private @Nullable Path workspace;

  @Option(
      names = "--sandbox",
      paramLabel = "NAME",
      defaultValue = "auto",
      description = "Mechanism that isolates programs: auto, bubblewrap, landlock, seatbelt,"
          + " podman:IMAGE or docker:IMAGE (default: ${DEFAULT-VALUE}). See replay doctor.")
  private String mechanism = "auto";

  @Option(
      names = "--ro",
      paramLabel = "PATH",
      description =
          "File or directory that programs can read, at the same path, in addition to /usr and"
              + " the workspace. Repeatable.")
  private List<Path> readOnly = new ArrayList<>();

  @Option(
      names = "--max-temp",
      paramLabel = "BYTES",
      defaultValue = "1073741824",
      description =
          "Maximum size of the copied workspace, and of what a program writes, in bytes (default:"
              + " ${DEFAULT-VALUE}).")
  private long maxTemporary = SandboxLimits.defaults().temporaryBytes();

  @Option(
      names = "--keep",
      description = "Keep the workspace on which the programs worked, and print its path.")
  private boolean keep;

  @Option(
      names = UNSAFE,
      description = "Start programs with the permissions of the command: nothing isolates them.")
  private boolean unsafe;

  /**
   * Fails if an option is given that has no effect, or a value is wrong.
   *
   * @param programs the options that start programs
   */
  void check(boolean startsPrograms, String programs) {
    if (!startsPrograms) {
      requireAbsent(unsafe, UNSAFE, programs);
      requireAbsent(workspace != null, "--workspace", programs);
      requireAbsent(!readOnly.isEmpty(), "--ro", programs);
      requireAbsent(keep, "--keep", programs);
    }
    if (unsafe && (!readOnly.isEmpty() || !mechanism.equals("auto"))) {
      throw new UsageException(
          UNSAFE + " excludes " + (readOnly.isEmpty() ? "--sandbox" : "--ro") + ": it has none");
    }
    if (workspace != null && !Files.isDirectory(workspace)) {
      throw new UsageException("--workspace: expected a directory, found " + workspace);
    }
    checkReadable(readOnly);
    if (maxTemporary <= 0) {
      throw new UsageException(
          "--max-temp: expected a positive number of bytes, found " + maxTemporary);
    }
    choice();
  }

  /** Fails if programs in a sandbox cannot be shown one of the paths of {@code --ro}. */
  public static void checkReadable(List<Path> paths) {
    for (Path path : paths) {
      if (!Files.exists(path)) {
        throw new UsageException("--ro: there is no file or directory " + path);
      }
    }
    try {
      SandboxOptions.of(Path.of("")).withReadOnly(paths);
    } catch (IllegalArgumentException e) {
      throw new UsageException("--ro: " + e.getMessage());
    }
  }

  private void requireAbsent(boolean isGiven, String option, String programs) {
    if (isGiven) {
      throw new UsageException(option + " requires " + programs);
    }
  }

  private SandboxChoice choice() {
    try {
      return SandboxChoice.parse(mechanism);
    } catch (IllegalArgumentException e) {
      throw new UsageException("--sandbox: " + e.getMessage());
    }
  }

  /** Opens the sandbox of programs that belong to no recording of their workspace. */
  ReplaySandbox open() throws IOException {
    return ReplaySandbox.open(options());
  }

  /**
   * Prints where the workspace of programs is kept, if it is.
   *
   * @param user the user of the workspace, such as "replay"
   */
  public static void tellKept(@Nullable ReplaySandbox opened, String user, Terminal terminal) {
    if (opened != null && opened.keptDirectory() != null) {
      terminal.complain(
          "the workspace of the %s is kept: %s".formatted(user, opened.keptDirectory()));
    }
  }

  private ReplaySandboxOptions options() {
    SandboxSelection selection = unsafe ? null : Sandboxes.select(choice());
    return ReplaySandboxOptions.of(selection)
        .withWorkspace(workspace)
        .withReadOnly(readOnly)
        .withLimits(SandboxLimits.defaults().withTemporary(maxTemporary))
        .withKept(keep);
  }

  /** Opens the workspace of a replay, and the sandbox of its programs. */
  ReplaySandbox open(Session session, ReplayMode mode) throws IOException {
    try {
      return ReplaySandbox.open(session, mode, options());
    } catch (NoSuchFileException e) {
      throw workspace != null || e.getReason() == null
          ? e
          : new NoSuchFileException(
              e.getFile(),
              e.getOtherFile(),
              e.getReason() + "; --workspace DIR replays on a copy of DIR instead");
    }
  }
}
