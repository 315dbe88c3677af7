package dev.agentreplay.sandbox;

/**
 * The limits of a program in a sandbox, with all processes that it starts.
 *
 * @param memoryBytes the maximum memory, in bytes
 * @param processes the maximum number of processes and threads at a time
 * @param temporaryBytes the maximum growth of the workspace and of temporary files, in bytes
 */
public record SandboxLimits(long memoryBytes, int processes, long temporaryBytes) {

  private static final SandboxLimits DEFAULTS = new SandboxLimits(4L << 30, 512, 1L << 30);

  /** Checks that all are positive. */
  public SandboxLimits {
    if (memoryBytes <= 0 || processes <= 0 || temporaryBytes <= 0) {
      throw new IllegalArgumentException(
          "expected positive limits, found %d bytes of memory, %d processes, %d bytes of files"
              .formatted(memoryBytes, processes, temporaryBytes));
    }
  }

  /** 4 GiB of memory, 512 processes and threads, 1 GiB of temporary files. */
  public static SandboxLimits defaults() {
    return DEFAULTS;
  }

  /** Returns these limits with a different maximum of memory, in bytes. */
  public SandboxLimits withMemory(long bytes) {
    return new SandboxLimits(bytes, processes, temporaryBytes);
  }

  /** Returns these limits with a different maximum number of processes and threads. */
  public SandboxLimits withProcesses(int count) {
    return new SandboxLimits(memoryBytes, count, temporaryBytes);
  }

  /** Returns these limits with a different maximum of temporary files, in bytes. */
  public SandboxLimits withTemporary(long bytes) {
    return new SandboxLimits(memoryBytes, processes, bytes);
  }
}
