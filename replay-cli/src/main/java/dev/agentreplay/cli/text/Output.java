package dev.agentreplay.cli.text;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A buffered output stream that keeps the exception of a failed write, which a print stream hides.
 */
public final class Output extends OutputStream {

  private final OutputStream out;
  private @Nullable IOException failure;

  public Output(OutputStream out) {
    this.out = new BufferedOutputStream(out, 1 << 16);
  }

  /** The exception of a failed write, or null. */
  @Nullable
  public IOException failure() {
    return failure;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    try {
      out.write(bytes, from, length);
    } catch (IOException e) {
      failure = e;
      throw e;
    }
  }

  @Override
  public void flush() throws IOException {
    try {
      out.flush();
    } catch (IOException e) {
      failure = e;
      throw e;
    }
  }
}
