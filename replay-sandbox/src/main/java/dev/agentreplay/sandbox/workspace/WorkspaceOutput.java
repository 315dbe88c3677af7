package dev.agentreplay.sandbox.workspace;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A file that is written next to its place, and moved there when it is closed. An existing file is
 * never written to: a hard link to it, such as that of a snapshot, keeps its content.
 */
final class WorkspaceOutput extends FilterOutputStream {

  private final WorkspaceDirectory directory;
  private final String temporary;
  private final String name;
  private boolean isClosed;
  private boolean hasFailed;

  private WorkspaceOutput(WorkspaceDirectory directory, String temporary, String name)
      throws IOException {
    super(Channels.newOutputStream(directory.create(temporary)));
    this.directory = directory;
    this.temporary = temporary;
    this.name = name;
  }

  /**
   * Begins to write a file.
   *
   * @param directory its directory, which the stream closes
   * @param permissions the permissions of the file; null for those of a new one
   */
  static WorkspaceOutput open(
      WorkspaceDirectory directory, String name, @Nullable Set<PosixFilePermission> permissions)
      throws IOException {
    WorkspaceOutput out = new WorkspaceOutput(directory, Workspace.temporaryName(), name);
    try {
      if (permissions != null) { // before there is a content that only some may read
        directory.setPermissions(out.temporary, permissions);
      }
      return out;
    } catch (IOException | RuntimeException | Error e) {
      out.abort();
      try (out) {
        throw e;
      }
    }
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      out.write(bytes, offset, length);
    } catch (IOException | RuntimeException | Error e) {
      hasFailed = true;
      throw e;
    }
  }

  @Override
  public void write(int one) throws IOException {
    write(new byte[] {(byte) one}, 0, 1);
  }

  /** Ends the file without moving it to its place. */
  void abort() {
    hasFailed = true;
  }

  @Override
  public void close() throws IOException {
    if (isClosed) {
      return;
    }
    isClosed = true;
    try (directory) {
      try {
        out.close();
        if (hasFailed) {
          directory.deleteFile(temporary);
          return;
        }
        directory.move(temporary, directory, name);
      } catch (IOException | RuntimeException | Error e) {
        try {
          directory.deleteFile(temporary);
        } catch (IOException suppressed) {
          e.addSuppressed(suppressed);
        }
        throw e;
      }
    }
  }
}
