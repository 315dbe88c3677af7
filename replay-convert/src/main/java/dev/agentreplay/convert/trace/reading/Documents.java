package dev.agentreplay.convert.trace.reading;

import dev.agentreplay.canonical.JsonLimits;
import dev.agentreplay.canonical.JsonSyntaxException;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** JSON documents that are read as a whole. */
public final class Documents {

  private static final JsonLimits LIMITS =
      JsonLimits.defaults().withMaxBytes(TraceSource.MAX_DOCUMENT_BYTES);

  private Documents() {}

  /**
   * Parses a document of at most {@link TraceSource#MAX_DOCUMENT_BYTES}. An unpaired surrogate is
   * replaced by U+FFFD, and the words {@code NaN} and {@code Infinity} by strings.
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
    byte[] paired = Surrogates.repair(bytes, from, bytes.length);
    byte[] known = paired == null ? Arrays.copyOfRange(bytes, from, bytes.length) : paired;
    byte[] repaired = NonNumbers.repair(known, 0, known.length);
    if (paired == null && repaired == null) {
      return null;
    }
    byte[] json = repaired == null ? known : repaired;
    try {
      return JsonText.parse(json, 0, json.length, LIMITS);
    } catch (JsonSyntaxException again) {
      return null; // the first fault is reported
    }
  }

  private static boolean startsWithMark(byte[] bytes) {
    return bytes.length >= 3
        && bytes[0] == (byte) 0xef
        && bytes[1] == (byte) 0xbb
        && bytes[2] == (byte) 0xbf;
  }
}
