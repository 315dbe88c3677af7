package dev.agentreplay.io;

import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A log on disk or in a pipe, compressed or not. */
final class LogFile {

  private static final int MAGIC_BYTES = 2;

  private LogFile() {}

  /** Opens the bytes of a log; those of a compressed one are decompressed. */
  static InputStream open(Path file) throws IOException {
    InputStream in = Files.newInputStream(file);
    try {
      byte[] beginning = in.readNBytes(MAGIC_BYTES);
      // a pipe cannot be opened again
      PushbackInputStream whole = new PushbackInputStream(in, MAGIC_BYTES);
      whole.unread(beginning);
      return GzipInput.isMagic(beginning) ? new GzipInput(whole, file.toString()) : whole;
    } catch (IOException e) {
      in.close();
      throw e;
    }
  }
}
