package dev.agentreplay.canonical.dialect;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Lines to events and back, for tests. */
final class Lines {

  static final Timestamp TIME = Timestamp.parse("2026-01-13T10:00:00Z");
  static final Timestamp NOW = Timestamp.parse("2030-06-01T12:00:00Z");
  static final Meta AT = Meta.at(TIME);

  /** Of {@code {"path":"src/auth.rs"}}. */
  static final String PARAMS_HASH =
      "sha256:2432e75fcdc5b53e0c60fc6d1514682a9eb0c5b5fd4faefba9f8d6fcfef7d5fd";

  /** Of {@code "fn main() {}"}, with its quotes. */
  static final String OUTPUT_HASH =
      "sha256:e287c4962f0fd1c2228c1cdc51085f5a8b526e148fd22a5a5dd8683d11f0a13d";

  static final String NULL_HASH =
      "sha256:74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b";

  static final String OTHER_HASH = "sha256:" + "0123456789abcdef".repeat(4);

  private Lines() {}

  /** The name of the member that says what event a line of a dialect is. */
  static String tagName(Dialect dialect) {
    return dialect == Dialect.EVENT ? "event" : "type";
  }

  static ContentHash hash(String text) {
    return ContentHash.parse(text);
  }

  /** A line without its line feed, times that are missing filled in as {@link #NOW}. */
  static String encode(Dialect dialect, ReplayEvent event) {
    LineEncoder encoder = LineEncoder.of(dialect);
    encoder.encode(event, NOW);
    return written(encoder);
  }

  static String written(LineEncoder encoder) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      encoder.writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String line = out.toString(StandardCharsets.UTF_8);
    if (line.indexOf('\n') != line.length() - 1) {
      throw new AssertionError("not one line: " + line);
    }
    return line.substring(0, line.length() - 1);
  }

  static Decoded decode(Dialect dialect, String line) {
    return dialect.decode(object(line));
  }

  static JsonObject object(String line) {
    return JsonText.parse(line).asObject();
  }

  static String canonical(JsonValue value) {
    return CanonicalJson.SERDE.text(value);
  }

  /** Code and message of each finding. */
  static List<String> texts(List<Finding> findings) {
    return findings.stream()
        .map(finding -> finding.code() + " " + finding.message())
        .toList();
  }
}
