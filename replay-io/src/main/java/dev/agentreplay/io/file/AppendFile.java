package dev.agentreplay.io.file;

import java.io.IOException;
import java.io.OutputStream;

/**
 * An append-only file. Each write is one call of the operating system, as far as the platform
 * allows; when a write fails, a part of its bytes may be in the file (a torn write). Closing the
 * file does not force anything to disk. One thread at a time writes or truncates; {@link #force}
 * may be called by another thread meanwhile.
 */
public abstract class AppendFile extends OutputStream {

  /** Creates an append-only file. */
  protected AppendFile() {}

  /** Appends bytes to the file. */
  @Override
  public abstract void write(byte[] bytes, int from, int length) throws IOException;

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  /** The length of the file, in bytes. */
  public abstract long length() throws IOException;

  /** Truncates the file to a length, in bytes. */
  public abstract void truncate(long length) throws IOException;

  /**
   * Forces the content and the length of the file to disk (fsync). Bytes written before this method
   * was called survive power loss once it has returned normally.
   *
   * @throws IOException if they may not survive it
   */
  public abstract void force() throws IOException;

  @Override
  public abstract void close() throws IOException;
}
