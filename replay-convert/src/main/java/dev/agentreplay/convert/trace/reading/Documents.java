package dev.agentreplay.convert.trace.reading;

import dev.agentreplay.canonical.JsonLimits;
import dev.agentreplay.canonical.JsonSyntaxException;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;

/** JSON documents that are read as a whole. */
public final class Documents {

  private static final JsonLimits LIMITS =
      JsonLimits.defaults().withMaxBytes(TraceSource.MAX_DOCUMENT_BYTES);

  private Documents() {}

  /**
   * Parses a document of at most {@link TraceSource#MAX_DOCUMENT_BYTES}. An unpaired surrogate is
   * replaced by U+FFFD.
   *
   * @param name the name of the document for messages
   * @throws IOException if it is not JSON; the message names the position
   */
  public static JsonValue parse(byte[] bytes, String name) throws IOException {
    int from = startsWithMark(bytes) ? 3 : 0;
    try {
      return JsonText.parse(bytes, from, bytes.length, LIMITS);
    } catch (JsonSyntaxException e) {
      byte[] repaired = Surrogates.repair(bytes, from, bytes.length);
      if (repaired != null) {
        try {
          return JsonText.parse(repaired, 0, repaired.length, LIMITS);
        } catch (JsonSyntaxException again) {
          // report the first fault
        }
      }
      throw new IOException(name + ": not JSON: " + e.getMessage(), e);
    }
  }

  private static boolean startsWithMark(byte[] bytes) {
    return bytes.length >= 3
        && bytes[0] == (byte) 0xef
        && bytes[1] == (byte) 0xbb
        && bytes[2] == (byte) 0xbf;
  }
}
