package dev.agentreplay.convert.trace.gemini;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.convert.trace.reading.SourceHead;
import dev.agentreplay.convert.trace.reading.SourceLines;
import dev.agentreplay.convert.trace.reading.SourceRecord;
import dev.agentreplay.convert.trace.reading.TraceOutput;
import dev.agentreplay.convert.trace.reading.TraceSession;
import dev.agentreplay.convert.trace.reading.TraceSource;
import dev.agentreplay.convert.trace.report.SourcePlace;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes one session from a chat and the chats of its sub-agents. */
final class GeminiImport {

  private final TraceSource source;
  private final TraceOutput output;
  private final Set<String> agentFiles;

  GeminiImport(TraceSource source, TraceOutput output) {
    this.source = source;
    this.output = output;
    this.agentFiles =
        new LinkedHashSet<>(source.names().subList(1, source.names().size()));
  }

  void read() throws IOException {
    String main = source.names().get(0);
    TraceSession session;
    if (isDocument(main)) {
      JsonObject document = document(main);
      session = output.begin(
          SourceHead.text(document, GeminiReader.SESSION_ID), ChatIndex.time(document));
      read(session, document, main, Meta.NONE);
    } else {
      ChatIndex index = ChatIndex.of(source, main);
      session = output.begin(index.sessionId(), index.time());
      readLines(session, index, main, Meta.NONE);
    }
    for (String file : List.copyOf(agentFiles)) {
      agent(session, file, null);
    }
  }

  /** Whether a file is a document and not lines: the old form, which states all messages in it. */
  private boolean isDocument(String file) throws IOException {
    SourceHead head = SourceHead.of(source, file);
    return head.object().has(GeminiReader.MESSAGES)
        || (GeminiReader.isMetadata(head.object()) && head.lines().isEmpty());
  }

  private JsonObject document(String file) throws IOException {
    if (source.document(file) instanceof JsonObject document) {
      return document;
    }
    throw new IOException(file + ": expected an object with a chat");
  }

  private void read(TraceSession session, JsonObject document, String file, Meta lane)
      throws IOException {
    SourceRecord chat =
        session.record(document, "chat", place(file), CanonicalJson.SERDE.hash(document));
    new ChatEvents(session, lane, this::agent).metadata(chat);
  }

  private SourcePlace place(String file) {
    return file.equals(source.names().get(0)) ? SourcePlace.DOCUMENT : SourcePlace.document(file);
  }

  private void readLines(TraceSession session, ChatIndex index, String file, Meta lane)
      throws IOException {
    ChatEvents events = new ChatEvents(session, lane, this::agent);
    ChatQueue queue = new ChatQueue(index, events);
    String named = file.equals(source.names().get(0)) ? null : file;
    try (SourceLines lines = new SourceLines(source.open(file), named)) {
      for (SourceLines.Line line = lines.next(); line != null; line = lines.next()) {
        JsonObject json = line.json();
        if (json == null) {
          queue.drain();
          session.broken(line);
          continue;
        }
        if (line.fault() != null) {
          session.fault(line.fault());
        }
        queue.add(session.record(json, ChatEvents.type(json), line.place(), line.hash()));
      }
    }
    queue.drain();
  }

  /** Writes the chat of a sub-agent whose id a call of a tool states. */
  private void agent(TraceSession session, String agent, @Nullable String call) throws IOException {
    List<String> found = new ArrayList<>(agentFiles);
    found.removeIf(file -> !file.equals(agent) && !stem(file).equals(agent));
    if (found.isEmpty() || !agentFiles.remove(found.get(0))) {
      return;
    }
    String file = found.get(0);
    Meta lane = Meta.NONE.withAgent(stem(file)).withParent(call);
    if (isDocument(file)) {
      read(session, document(file), file, lane);
    } else {
      readLines(session, ChatIndex.of(source, file), file, lane);
    }
  }

  private static String stem(String file) {
    return file.substring(file.lastIndexOf('/') + 1).replaceFirst("\\.jsonl?$", "");
  }
}
