package dev.agentreplay.convert.trace.adk;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.agentreplay.convert.trace.reading.SourceHead;
import dev.agentreplay.convert.trace.reading.TraceOutput;
import dev.agentreplay.convert.trace.reading.TraceReader;
import dev.agentreplay.convert.trace.reading.TraceSource;
import dev.agentreplay.convert.trace.report.TraceFormat;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads recordings and sessions of the Agent Development Kit. */
public final class AdkReader implements TraceReader {

  /** Creates a reader. */
  public AdkReader() {}

  @Override
  public TraceFormat format() {
    return TraceFormat.ADK;
  }

  @Override
  public boolean recognizes(SourceHead head) {
    if (isRecordings(head.object()) || isSession(head.object())) {
      return true;
    }
    List<String> lines = new String(head.bytes(), UTF_8).lines().toList();
    return isRecordings(lines) || isSession(lines);
  }

  /** Whether lines of YAML begin with the key of recordings, and have one of those in each. */
  private static boolean isRecordings(List<String> lines) {
    String first = lines.stream()
        .filter(line -> !line.isBlank() && !line.startsWith("#") && !line.startsWith("---"))
        .findFirst()
        .orElse("");
    return first.startsWith("recordings:")
        && lines.stream()
            .anyMatch(line -> line.contains("user_message_index:") || line.contains("agent_name:"));
  }

  /** Whether lines of YAML have the keys of a session without indentation. */
  private static boolean isSession(List<String> lines) {
    return Stream.of("app_?[nN]ame:.*", "user_?[iI]d:.*", "events:.*")
        .map(Pattern::compile)
        .allMatch(key -> lines.stream().anyMatch(line -> key.matcher(line).matches()));
  }

  private static boolean isRecordings(JsonObject document) {
    return document.get("recordings") instanceof JsonArray recordings
        && recordings.size() > 0
        && recordings.get(0) instanceof JsonObject first
        && (AdkNames.get(first, "user_message_index") != null
            || AdkNames.get(first, "llm_recording") != null
            || AdkNames.get(first, "tool_recording") != null);
  }

  private static boolean isSession(JsonObject document) {
    return document.get("events") instanceof JsonArray
        && AdkNames.get(document, "app_name") != null
        && AdkNames.get(document, "user_id") != null;
  }

  @Override
  public void read(TraceSource source, TraceOutput output) throws IOException {
    String name = source.names().get(0);
    JsonValue document = document(source, name);
    if (!(document instanceof JsonObject object)) {
      throw new IOException(name + ": expected an object, found " + document.typeName());
    }
    if (object.get("recordings") instanceof JsonArray) {
      RecordingsImport.read(output, object);
    } else if (object.get("events") instanceof JsonArray) {
      SessionImport.read(output, object);
    } else {
      throw new IOException(name + ": neither recordings nor the events of a session");
    }
  }

  private static JsonValue document(TraceSource source, String name) throws IOException {
    if (SourceHead.of(source, name).startsWith("{")) {
      return source.document();
    }
    byte[] bytes;
    try (InputStream in = source.open()) {
      bytes = in.readNBytes(TraceSource.MAX_DOCUMENT_BYTES + 1);
    }
    if (bytes.length > TraceSource.MAX_DOCUMENT_BYTES) {
      throw new IOException("%s: longer than %,d bytes, the limit of a document"
          .formatted(name, TraceSource.MAX_DOCUMENT_BYTES));
    }
    return YamlText.parse(new String(bytes, UTF_8), name);
  }
}
