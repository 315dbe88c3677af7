package dev.agentreplay.io.file;

import java.io.IOException;
import java.io.OutputStream;

/**
 * A file that grows at its end. Each write is one call of the operating system, as far as it
 * allows; when a write fails, a part of its bytes may be in the file. Closing does not force
 * anything.
 */
public abstract class AppendFile extends OutputStream {

  /** A file to append to. */
  protected AppendFile() {}

  /** Appends these bytes. */
  @Override
  public abstract void write(byte[] bytes, int from, int length) throws IOException;

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  /** The length of the file, in bytes. */
  public abstract long length() throws IOException;

  /** Cuts the file to a length, in bytes. */
  public abstract void truncate(long length) throws IOException;

  /**
   * Forces the file and its length to the disk. What this does not throw for survives power loss.
   */
  public abstract void force() throws IOException;

  @Override
  public abstract void close() throws IOException;
}
