package dev.agentreplay.cli.input;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Reads files that are text. */
public final class TextFile {

  private TextFile() {}

  /**
   * Reads a text in UTF-8.
   *
   * @param what the expected content with its article, for the message
   * @throws IOException if it cannot be read, is empty, or is not UTF-8
   */
  public static String read(Path file, String what) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(JsonFile.bytes(file, what));
    CharBuffer text = CharBuffer.allocate(bytes.remaining());
    CoderResult result = StandardCharsets.UTF_8.newDecoder().decode(bytes, text, true);
    if (result.isError()) {
      throw new IOException("%s: not %s: expected UTF-8, found other bytes at byte %d"
          .formatted(file, what, bytes.position()));
    }
    return text.flip().toString();
  }
}
