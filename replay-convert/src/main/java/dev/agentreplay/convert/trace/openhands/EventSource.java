package dev.agentreplay.convert.trace.openhands;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.convert.trace.reading.SourceHead;
import dev.agentreplay.convert.trace.reading.SourceLines;
import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.convert.trace.reading.SourceTimes;
import dev.agentreplay.convert.trace.reading.TraceOutput;
import dev.agentreplay.convert.trace.reading.TraceSession;
import dev.agentreplay.convert.trace.reading.TraceSource;
import dev.agentreplay.convert.trace.report.SourceFault;
import dev.agentreplay.convert.trace.report.SourceFault.Kind;
import dev.agentreplay.convert.trace.report.SourcePlace;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The events of one conversation in the forms that they are stored in. */
final class EventSource {

  private final TraceSource source;
  private final TraceOutput output;
  private @Nullable TraceSession session;
  private @Nullable EventImport events;
  private @Nullable LegacyEvents legacy;
  private @Nullable JsonObject state;

  EventSource(TraceSource source, TraceOutput output) {
    this.source = source;
    this.output = output;
  }

  /** Reads the directory of a conversation. An event that cannot be read is a fault. */
  void readDirectory() throws IOException {
    JsonValue document = documentOrFault(OpenHandsReader.STATE);
    state = document instanceof JsonObject object ? object : null;
    for (String name : source.names()) {
      if (!name.startsWith(OpenHandsReader.EVENTS + "/")) {
        continue;
      }
      JsonValue event = documentOrFault(name);
      if (event instanceof JsonObject object) {
        add(object, SourcePlace.document(name), hash(object));
      } else if (event != null) {
        notAnObject(event, SourcePlace.document(name));
      }
    }
    complete();
  }

  private @Nullable JsonValue documentOrFault(String name) {
    try {
      return source.document(name);
    } catch (IOException e) {
      fault(new SourceFault(
          Kind.BROKEN_LINE, SourcePlace.document(name), String.valueOf(e.getMessage())));
      return null;
    }
  }

  private void notAnObject(JsonValue value, SourcePlace place) {
    fault(new SourceFault(
        Kind.CONTRADICTION, place, "expected an event, an object; found " + value.typeName()));
  }

  private void fault(SourceFault fault) {
    if (session == null) {
      output.fault(fault);
    } else {
      session.fault(fault);
    }
  }

  void readArray(JsonArray array) throws IOException {
    for (int i = 0; i < array.size(); i++) {
      SourcePlace place = SourcePlace.DOCUMENT.child(JsonPointer.ROOT.append(i));
      if (array.get(i) instanceof JsonObject object) {
        add(object, place, hash(object));
      } else {
        notAnObject(array.get(i), place);
      }
    }
    complete();
  }

  private static ContentHash hash(JsonObject object) {
    return CanonicalJson.SERDE.hash(object);
  }

  void readLines() throws IOException {
    List<SourceLines.Line> before = new ArrayList<>();
    try (SourceLines lines = new SourceLines(source.open(), null)) {
      for (SourceLines.Line line = lines.next(); line != null; line = lines.next()) {
        JsonObject json = line.json();
        if (json == null && session == null) {
          before.add(line);
        } else if (json == null) {
          broken(line);
        } else {
          begin(json);
          for (SourceLines.Line early : before) {
            broken(early);
          }
          before.clear();
          if (line.fault() != null) {
            fault(line.fault());
          }
          add(json, line.place(), line.hash());
        }
      }
    }
    for (SourceLines.Line line : before) {
      if (line.fault() != null) {
        output.fault(line.fault());
      }
    }
    complete();
  }

  private void broken(SourceLines.Line line) throws IOException {
    if (events != null) {
      events.flush();
    }
    if (session != null) {
      session.broken(line);
    }
  }

  private void add(JsonObject json, SourcePlace place, ContentHash hash) throws IOException {
    TraceSession begun = begin(json);
    String kind = SourceHead.text(json, "kind");
    if (kind == null && LegacyEvents.isEvent(json)) {
      if (legacy == null) {
        legacy = new LegacyEvents(begun);
      }
      legacy.add(begun.record(json, LegacyEvents.type(json), place, hash));
    } else if (events != null) {
      events.add(begun.record(json, kind == null ? "event" : kind, place, hash));
    }
  }

  /** Begins the session with its first event. */
  private TraceSession begin(JsonObject first) throws IOException {
    if (session == null || events == null) {
      Timestamp time = SourceTimes.parse(SourceHead.text(first, "timestamp"));
      session = output.begin(state == null ? null : SourceHead.text(state, "id"), time);
      events = new EventImport(session);
      if (state != null) {
        SourceRecord record = session.record(
            state, "base_state", SourcePlace.document(OpenHandsReader.STATE), hash(state));
        events.state(record);
      }
    }
    return session;
  }

  private void complete() throws IOException {
    if (session == null) {
      begin(JsonObject.EMPTY);
    }
    if (events != null) {
      events.complete();
    }
  }
}
