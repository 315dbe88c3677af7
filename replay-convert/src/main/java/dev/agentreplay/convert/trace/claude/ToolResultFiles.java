package dev.agentreplay.convert.trace.claude;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.agentreplay.convert.trace.reading.TraceSession;
import dev.agentreplay.convert.trace.reading.TraceSource;
import dev.agentreplay.convert.trace.report.SourcePlace;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.security.MessageDigest;
import java.util.Base64;

/**
 * The outputs of tools that were too large for the transcript. The model saw the beginning, which
 * the transcript has; the whole output is kept as it is in the file, a long one in several parts:
 * as a text if a part is UTF-8, otherwise in Base64.
 */
final class ToolResultFiles {

  /** The maximum length of a part in bytes. */
  private static final int PART_BYTES = 4 << 20;

  private final TraceSession session;
  private final byte[] buffer = new byte[PART_BYTES];

  private ToolResultFiles(TraceSession session) {
    this.session = session;
  }

  static void write(TraceSource source, TraceSession session) throws IOException {
    ToolResultFiles files = null;
    for (String name : source.names()) {
      if (name.startsWith(ProjectFiles.TOOL_RESULTS + "/")) {
        files = files == null ? new ToolResultFiles(session) : files;
        try (InputStream in = source.openRaw(name)) {
          files.write(name, in);
        }
      }
    }
  }

  private void write(String name, InputStream in) throws IOException {
    long offset = 0;
    int kept = 0;
    boolean isLast = false;
    while (!isLast) {
      int filled = kept + in.readNBytes(buffer, kept, PART_BYTES - kept);
      isLast = filled < PART_BYTES;
      int end = isLast ? filled : endOfText(filled);
      JsonObject.Builder json = JsonObject.builder().put("file", name);
      if (!isLast || offset > 0) {
        json.put("offset", offset);
      }
      if (end > 0 || offset == 0) {
        keep(content(json, end), name, end);
      }
      kept = filled - end;
      System.arraycopy(buffer, end, buffer, 0, kept);
      offset += end;
    }
  }

  /** The number of bytes before the last character if that may be incomplete. */
  private int endOfText(int filled) {
    int last = filled - 1;
    while (last > filled - 4 && (buffer[last] & 0xc0) == 0x80) {
      last--;
    }
    return (buffer[last] & 0xc0) == 0xc0 ? last : filled;
  }

  private JsonObject content(JsonObject.Builder json, int length) {
    ByteBuffer bytes = ByteBuffer.wrap(buffer, 0, length);
    try {
      return json.put("text", UTF_8.newDecoder().decode(bytes).toString()).build();
    } catch (CharacterCodingException notText) {
      String base64 = UTF_8
          .decode(Base64.getEncoder().encode(ByteBuffer.wrap(buffer, 0, length)))
          .toString();
      return json.put("base64", base64).build();
    }
  }

  private void keep(JsonObject json, String name, int length) throws IOException {
    MessageDigest digest = ContentHash.newDigest();
    digest.update(buffer, 0, length);
    session.keep(session.record(
        json, "tool_result_file", SourcePlace.document(name), ContentHash.of(digest.digest())));
  }
}
