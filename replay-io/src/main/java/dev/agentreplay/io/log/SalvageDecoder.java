package dev.agentreplay.io.log;

import dev.agentreplay.canonical.JsonDocument;
import dev.agentreplay.canonical.JsonLimits;
import dev.agentreplay.canonical.JsonSyntaxException;
import dev.agentreplay.canonical.dialect.Decoded;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.model.UnknownEvent;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.Position;
import dev.agentreplay.model.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decodes events from parts of damaged lines, in the dialect of the first object that has a tag.
 */
final class SalvageDecoder {

  private static final Position NOWHERE = new Position(0, 0);

  private final JsonLimits limits;

  private @Nullable Dialect dialect;

  /** The reason why the last bytes are not an event. */
  private String fault = "";

  SalvageDecoder(ReaderOptions options) {
    this.limits = JsonLimits.defaults().withMaxBytes(options.maxLineBytes());
  }

  /** Decodes bytes; returns null if they are not an event. */
  @Nullable
  ReplayLine decode(byte[] bytes, int from, int to, Position at) {
    JsonDocument document;
    try {
      document = JsonDocument.parse(bytes, from, to, limits);
    } catch (JsonSyntaxException e) {
      fault = e.detail() + " at byte " + e.offset();
      return null;
    }
    if (!(document.value() instanceof JsonObject json)) {
      fault = "expected a JSON object, found a JSON " + document.value().typeName();
      return null;
    }
    if (dialect == null) {
      dialect = Dialect.detect(json);
    }
    Decoded decoded = (dialect == null ? Dialect.EVENT : dialect).decode(json);
    List<Finding> findings =
        decoded.findings().stream().map(finding -> finding.at(at)).toList();
    return new ReplayLine(at, document, decoded.event(), findings);
  }

  /** Whether bytes are an event of a known kind. */
  boolean isKnown(byte[] bytes, int from, int to) {
    ReplayLine line = decode(bytes, from, to, NOWHERE);
    return line != null && !(line.event() instanceof UnknownEvent);
  }

  /** The reason why the last bytes are not an event. */
  String fault() {
    return fault;
  }
}
