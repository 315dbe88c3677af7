package dev.agentreplay.convert.trace.openhands;

import dev.agentreplay.convert.trace.reading.SourceFiles;
import dev.agentreplay.convert.trace.reading.SourceHead;
import dev.agentreplay.convert.trace.reading.TraceOutput;
import dev.agentreplay.convert.trace.reading.TraceReader;
import dev.agentreplay.convert.trace.reading.TraceSource;
import dev.agentreplay.convert.trace.report.TraceFormat;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads conversations of OpenHands. The directory of a conversation has {@code base_state.json} and
 * a file for each event in {@code events}, whose names are in order.
 */
public final class OpenHandsReader implements TraceReader {

  static final String STATE = "base_state.json";
  static final String EVENTS = "events";

  /** Creates a reader. */
  public OpenHandsReader() {}

  @Override
  public TraceFormat format() {
    return TraceFormat.OPENHANDS;
  }

  @Override
  public boolean recognizes(SourceHead head) {
    return head.anyLine(OpenHandsReader::isEvent)
        || isEvent(head.object())
        || isEvent(head.firstElement())
        || LegacyEvents.isEvent(head.firstElement())
        || ModelLog.isLog(head.object())
        || (head.document() instanceof JsonArray array && ModelLog.isConversation(array));
  }

  /** Whether an object is an event of version 1. */
  static boolean isEvent(JsonObject object) {
    return SourceHead.text(object, "kind") != null
        && SourceHead.text(object, "source") != null
        && SourceHead.text(object, "id") != null
        && SourceHead.text(object, "timestamp") != null;
  }

  @Override
  public boolean recognizesDirectory(Path directory) throws IOException {
    return SourceFiles.isFile(directory.resolve(STATE))
        && SourceFiles.isDirectory(directory.resolve(EVENTS));
  }

  @Override
  public void attach(TraceSource source) throws IOException {
    if (!Files.isDirectory(source.path())) {
      return;
    }
    source.attach(source.path().resolve(STATE), STATE);
    for (Path file : SourceFiles.entries(source.path().resolve(EVENTS))) {
      if (file.toString().endsWith(".json") && !SourceFiles.isDirectory(file)) {
        source.attach(file, EVENTS + "/" + file.getFileName());
      }
    }
  }

  @Override
  public void read(TraceSource source, TraceOutput output) throws IOException {
    if (Files.isDirectory(source.path())) {
      new EventSource(source, output).readDirectory();
      return;
    }
    SourceHead head = SourceHead.of(source, source.names().get(0));
    boolean isDocument = head.document() instanceof JsonArray || ModelLog.isLog(head.object());
    if (!isDocument && !head.lines().isEmpty()) {
      new EventSource(source, output).readLines();
      return;
    }
    JsonValue document = source.document();
    if (document instanceof JsonObject log && ModelLog.isLog(log)) {
      ModelLog.read(output, log);
    } else if (document instanceof JsonArray messages && ModelLog.isConversation(messages)) {
      ModelLog.read(output, messages);
    } else if (document instanceof JsonArray events) {
      new EventSource(source, output).readArray(events);
    } else {
      new EventSource(source, output).readArray(JsonArray.of(document));
    }
  }
}
