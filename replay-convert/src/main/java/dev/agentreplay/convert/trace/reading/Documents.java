package dev.agentreplay.convert.trace.reading;

import dev.agentreplay.canonical.JsonLimits;
import dev.agentreplay.canonical.JsonSyntaxException;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** JSON documents that are read as a whole. */
public final class Documents {

  private static final JsonLimits LIMITS = JsonLimits.defaults()
      .withMaxBytes(TraceSource.MAX_DOCUMENT_BYTES)
      .withMaxDepth(TraceSource.MAX_DEPTH);

  private Documents() {}

  /**
   * Parses a document of at most {@link TraceSource#MAX_DOCUMENT_BYTES}, nested at most
   * {@link TraceSource#MAX_DEPTH} levels deep. An unpaired surrogate is replaced by U+FFFD, and the
   * words {@code NaN} and {@code Infinity} by strings.
   *
   * @param name the name of the document for messages
   * @throws IOException if it is not JSON; the message names the position
   */
  public static JsonValue parse(byte[] bytes, String name) throws IOException {
    int from = startsWithMark(bytes) ? 3 : 0;
    try {
      return JsonText.parse(bytes, from, bytes.length, LIMITS);
    } catch (JsonSyntaxException e) {
      JsonValue repaired = parseRepaired(bytes, from);
      if (repaired == null) {
        throw new IOException(name + ": not JSON: " + e.getMessage(), e);
      }
      return repaired;
    }
  }

  private static @Nullable JsonValue parseRepaired(byte[] bytes, int from) {
    byte[] json = repair(bytes, from, bytes.length);
    if (json == null) {
      return null;
    }
    try {
      return JsonText.parse(json, 0, json.length, LIMITS);
    } catch (JsonSyntaxException again) {
      return null; // the first fault is reported
    }
  }

  /**
   * Returns a copy of a text without unpaired surrogates and the words that are not numbers; null
   * if it has none.
   */
  static byte @Nullable [] repair(byte[] json, int from, int to) {
    byte[] paired = Surrogates.repair(json, from, to);
    byte[] repaired = paired == null
        ? NonNumbers.repair(json, from, to)
        : NonNumbers.repair(paired, 0, paired.length);
    return repaired == null ? paired : repaired;
  }

  private static boolean startsWithMark(byte[] bytes) {
    return bytes.length >= 3
        && bytes[0] == (byte) 0xef
        && bytes[1] == (byte) 0xbb
        && bytes[2] == (byte) 0xbf;
  }
}
