package dev.agentreplay.sandbox.replay;

import dev.agentreplay.sandbox.SandboxLimits;
import dev.agentreplay.sandbox.SandboxOptions;
import dev.agentreplay.sandbox.mechanism.SandboxSelection;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The options of a {@link ReplaySandbox}.
 *
 * @param selection the sandbox that starts programs; null if they are started without one
 * @param workspace the directory whose copy is the workspace; null for the recorded snapshot
 * @param readOnly files and directories that programs can read at their paths
 * @param limits the limits of each program
 * @param isKept whether the workspace is left when the replay has ended
 */
public record ReplaySandboxOptions(
    @Nullable SandboxSelection selection,
    @Nullable Path workspace,
    List<Path> readOnly,
    SandboxLimits limits,
    boolean isKept) {

  /**
   * Checks for null, and copies.
   *
   * @throws IllegalArgumentException if programs cannot read one of the paths, as
   *     {@link SandboxOptions#withReadOnly} specifies
   */
  public ReplaySandboxOptions {
    readOnly = SandboxOptions.of(Path.of("")).withReadOnly(readOnly).readOnly();
    Objects.requireNonNull(limits, "limits");
  }

  /** The recorded snapshot, the default limits, and nothing else to read. */
  public static ReplaySandboxOptions of(@Nullable SandboxSelection selection) {
    return new ReplaySandboxOptions(selection, null, List.of(), SandboxLimits.defaults(), false);
  }

  /** Returns these options with a directory whose copy is the workspace. */
  public ReplaySandboxOptions withWorkspace(@Nullable Path directory) {
    return new ReplaySandboxOptions(selection, directory, readOnly, limits, isKept);
  }

  /** Returns these options with files and directories that programs can read at their paths. */
  public ReplaySandboxOptions withReadOnly(List<Path> paths) {
    return new ReplaySandboxOptions(selection, workspace, paths, limits, isKept);
  }

  /** Returns these options with different limits. */
  public ReplaySandboxOptions withLimits(SandboxLimits newLimits) {
    return new ReplaySandboxOptions(selection, workspace, readOnly, newLimits, isKept);
  }

  /** Returns these options with a workspace that is left when the replay has ended, or not. */
  public ReplaySandboxOptions withKept(boolean keep) {
    return new ReplaySandboxOptions(selection, workspace, readOnly, limits, keep);
  }
}
