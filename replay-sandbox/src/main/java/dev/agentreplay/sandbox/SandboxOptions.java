package dev.agentreplay.sandbox;

import dev.agentreplay.io.workspace.HostIdentity;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The view of a program in a sandbox, and its limits: a workspace, which it sees at the recorded
 * path, the programs and libraries of the system, and nothing else of the files; the environment
 * that is given, and nothing of that of this process. Immutable.
 */
public final class SandboxOptions {

  private final Path workspace;
  private final Path workspacePath;
  private final boolean isWritable;
  private final Path directory;
  private final List<Path> readOnly;
  private final Map<String, String> environment;
  private final @Nullable HostIdentity identity;
  private final SandboxLimits limits;

  private SandboxOptions(
      Path workspace,
      Path workspacePath,
      boolean isWritable,
      Path directory,
      List<Path> readOnly,
      Map<String, String> environment,
      @Nullable HostIdentity identity,
      SandboxLimits limits) {
    this.workspace = workspace;
    this.workspacePath = workspacePath;
    this.isWritable = isWritable;
    this.directory = directory;
    this.readOnly = readOnly;
    this.environment = environment;
    this.identity = identity;
    this.limits = limits;
  }

  /**
   * Creates options with a directory as the workspace, writable and at its own path, an empty
   * environment, and the default limits.
   */
  public static SandboxOptions of(Path workspace) {
    Path path = workspace.toAbsolutePath().normalize();
    return new SandboxOptions(
        path, path, true, path, List.of(), Map.of(), null, SandboxLimits.defaults());
  }

  /**
   * Returns these options with a path at which the program sees the workspace, and which is its
   * working directory.
   *
   * @throws IllegalArgumentException if the path is not absolute
   */
  public SandboxOptions withWorkspaceAt(Path path) {
    if (!path.isAbsolute()) {
      throw new IllegalArgumentException("expected an absolute path, found " + path);
    }
    Path at = path.normalize();
    return new SandboxOptions(
        workspace, at, isWritable, at, readOnly, environment, identity, limits);
  }

  /** Returns these options with a working directory, as the program sees it. */
  public SandboxOptions withDirectory(Path path) {
    return new SandboxOptions(
        workspace,
        workspacePath,
        isWritable,
        workspacePath.resolve(path).normalize(),
        readOnly,
        environment,
        identity,
        limits);
  }

  /** Returns these options with a workspace that the program can change, or not. */
  public SandboxOptions withWritable(boolean writable) {
    return new SandboxOptions(
        workspace, workspacePath, writable, directory, readOnly, environment, identity, limits);
  }

  /**
   * Returns these options with files and directories that the program can read at their paths.
   *
   * @throws IllegalArgumentException if a path is the root directory, or in one of the kernel:
   *     {@code /dev} except for {@code /dev/shm}, {@code /proc} or {@code /sys}
   */
  public SandboxOptions withReadOnly(List<Path> paths) {
    List<Path> absolute =
        paths.stream().map(path -> path.toAbsolutePath().normalize()).toList();
    for (Path path : absolute) {
      if (KernelFiles.include(path)) {
        throw new IllegalArgumentException(
            "expected a path in which a sandbox does not have its own files, as in /, /dev, /proc"
                + " and /sys, found " + path);
      }
    }
    return new SandboxOptions(
        workspace, workspacePath, isWritable, directory, absolute, environment, identity, limits);
  }

  /** Returns these options with a different environment, which is complete. */
  public SandboxOptions withEnvironment(Map<String, String> variables) {
    Map<String, String> copy = Collections.unmodifiableMap(new TreeMap<>(variables));
    return new SandboxOptions(
        workspace, workspacePath, isWritable, directory, readOnly, copy, identity, limits);
  }

  /** Returns these options with the user and the host that the program sees; null for those now. */
  public SandboxOptions withIdentity(@Nullable HostIdentity newIdentity) {
    return new SandboxOptions(
        workspace,
        workspacePath,
        isWritable,
        directory,
        readOnly,
        environment,
        newIdentity,
        limits);
  }

  /** Returns these options with different limits. */
  public SandboxOptions withLimits(SandboxLimits newLimits) {
    return new SandboxOptions(
        workspace,
        workspacePath,
        isWritable,
        directory,
        readOnly,
        environment,
        identity,
        Objects.requireNonNull(newLimits, "limits"));
  }

  /** The directory of the workspace on this machine. */
  public Path workspace() {
    return workspace;
  }

  /** The path at which the program sees the workspace. */
  public Path workspacePath() {
    return workspacePath;
  }

  /** Whether the program can change the workspace. */
  public boolean isWritable() {
    return isWritable;
  }

  /** The working directory, as the program sees it. */
  public Path directory() {
    return directory;
  }

  /** The files and directories that the program can read at their paths. */
  public List<Path> readOnly() {
    return readOnly;
  }

  /** The environment of the program. */
  public Map<String, String> environment() {
    return environment;
  }

  /** The user and the host that the program sees; null for those now. */
  public @Nullable HostIdentity identity() {
    return identity;
  }

  /** The limits. */
  public SandboxLimits limits() {
    return limits;
  }
}
