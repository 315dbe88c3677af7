package dev.agentreplay.io.workspace;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.TimeText;
import dev.agentreplay.model.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes the lines of a manifest. Files with a plain path, which most are, are written without
 * building JSON values: the lines are the same, but a large workspace takes a fraction of the time.
 */
final class ManifestLines {

  private static final int LINE_BYTES = 256;

  private byte[] bytes;
  private int size;

  /** Creates an empty list, with room for a number of lines. */
  ManifestLines(int lines) {
    this.bytes = new byte[LINE_BYTES * (lines + 1)];
  }

  void add(JsonObject json) {
    raw(CanonicalJson.SERDE.bytes(json));
    end();
  }

  void add(SnapshotEntry entry) {
    if (!(entry instanceof SnapshotEntry.File file) || !isPlain(file.path())) {
      add(entry.json());
      return;
    }
    ascii("{\"bytes\":");
    ascii(Long.toString(file.bytes()));
    ascii(",\"hash\":\"sha256:");
    room(ContentHash.HEX_LENGTH);
    size = file.hash().writeHex(bytes, size);
    ascii("\",\"mode\":\"");
    ascii(file.mode());
    ascii("\",\"modified\":\"");
    room(TimeText.MAX_LENGTH);
    size = TimeText.write(file.modified(), bytes, size);
    ascii("\",\"path\":\"");
    ascii(file.path());
    ascii("\"}");
    end();
  }

  /** Whether JSON has the text as it is, in ASCII. */
  private static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c > '~' || c == '"' || c == '\\') {
        return false;
      }
    }
    return true;
  }

  private void ascii(String text) {
    raw(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private void raw(byte[] more) {
    room(more.length);
    System.arraycopy(more, 0, bytes, size, more.length);
    size += more.length;
  }

  private void end() {
    room(1);
    bytes[size++] = '\n';
  }

  private void room(int more) {
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
    }
  }

  /** The number of bytes so far. */
  int size() {
    return size;
  }

  byte[] toBytes() {
    return Arrays.copyOf(bytes, size);
  }
}
