package dev.agentreplay.canonical.dialect;

import dev.agentreplay.canonical.dialect.ConversionLedger.Action;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A session as one JSON document {@code {header, events[]}}: the ReplayBundle of specification 002,
 * which that specification replaces by logs. Immutable.
 *
 * @param dialect the dialect of the lines
 * @param lines the lines of the log that the document contains, the header first
 * @param problems the missing or invalid members, each with its JSON Pointer (RFC 6901)
 * @param ledger the changes to the members of the bundle
 */
public record ReplayBundle(
    Dialect dialect, List<JsonObject> lines, List<String> problems, ConversionLedger ledger) {

  /** Checks for null and copies the lists. */
  public ReplayBundle {
    Objects.requireNonNull(dialect, "dialect");
    lines = List.copyOf(lines);
    problems = List.copyOf(problems);
    Objects.requireNonNull(ledger, "ledger");
  }

  /** Whether a document is a bundle. The line of a known event is not a bundle. */
  public static boolean isBundle(JsonObject document) {
    return Dialect.EVENT.codec().kind(document) == EventKind.UNKNOWN
        && Dialect.DRAFT.codec().kind(document) == EventKind.UNKNOWN
        && document.get("header") instanceof JsonObject
        && document.get("events") instanceof JsonArray;
  }

  /**
   * Reads a bundle. Missing required members are reported as problems.
   *
   * @throws DocumentFormatException if the document is not a bundle, or also has the member
   *     {@code timeline}, which other readers take for the events of the session
   */
  public static ReplayBundle read(JsonObject document) throws DocumentFormatException {
    if (document.get("header") instanceof JsonObject header
        && document.get("events") instanceof JsonArray events) {
      if (document.has(KeptAside.TIMELINE)) {
        throw new DocumentFormatException(
            "expected a bundle of header and events, found a timeline as well");
      }
      return read(document, header, events);
    }
    throw new DocumentFormatException("expected a bundle of header and events");
  }

  private static ReplayBundle read(JsonObject document, JsonObject header, JsonArray events) {
    ConversionLedger ledger = new ConversionLedger();
    List<String> problems = new ArrayList<>();
    List<JsonObject> lines = new ArrayList<>();
    lines.add(withKept(tagged(header, events, ledger), document, ledger));
    for (int i = 0; i < events.size(); i++) {
      if (events.get(i) instanceof JsonObject event) {
        lines.add(event);
      } else {
        problems.add(
            "/events/%d: must be an object, found %s".formatted(i, events.get(i).typeName()));
      }
    }
    Dialect detected = Dialect.detect(lines.get(0));
    Dialect dialect = detected == null ? Dialect.DRAFT : detected;
    for (int i = 0; i < lines.size(); i++) {
      problems(dialect, lines.get(i), i == 0 ? "/header" : "/events/" + (i - 1), problems);
    }
    return new ReplayBundle(dialect, lines, problems, ledger);
  }

  /** The header with its tag, which a header in a bundle may omit. */
  private static JsonObject tagged(JsonObject header, JsonArray events, ConversionLedger ledger) {
    EventCodec event = Dialect.EVENT.codec();
    boolean ofEvent = event.tag(header) != null
        || (events.size() > 0
            && events.get(0) instanceof JsonObject first
            && event.kind(first) != EventKind.UNKNOWN);
    String tagName = ofEvent ? event.tagName() : Dialect.DRAFT.codec().tagName();
    if (header.has(tagName)) {
      return header;
    }
    ledger.add(Action.INVENTED, EventKind.REPLAY_HEADER.id(), tagName, null);
    return header.with(tagName, EventKind.REPLAY_HEADER.id());
  }

  /** The header with the members of the document that are next to it. */
  private static JsonObject withKept(
      JsonObject header, JsonObject document, ConversionLedger ledger) {
    JsonObject beside = document.without("header", "events");
    JsonObject rest = KeptAside.kept(beside, ledger);
    if (!rest.isEmpty() && header.has(KeptAside.BUNDLE)) {
      ledger.add(Action.DROPPED, EventKind.REPLAY_HEADER.id(), KeptAside.BUNDLE, null);
    }
    for (String name : rest.names()) {
      ledger.add(
          Action.MOVED, "ReplayBundle", name, "ReplayHeader." + KeptAside.BUNDLE + "." + name);
    }
    return rest.isEmpty() ? header : header.with(KeptAside.BUNDLE, rest);
  }

  /** Adds a problem for each missing required member and for an event that cannot be decoded. */
  private static void problems(
      Dialect dialect, JsonObject line, String pointer, List<String> problems) {
    Decoded decoded = dialect.decode(line);
    ReplayEvent event = decoded.event();
    String type = dialect.codec().tag(line);
    for (Finding finding : decoded.findings()) {
      if (finding.code() == FindingCode.FIELD_MISSING
          || finding.code() == FindingCode.EVENT_INVALID) {
        problems.add(
            "%s: %s: %s".formatted(pointer, type == null ? event.kind() : type, finding.message()));
      }
    }
  }
}
