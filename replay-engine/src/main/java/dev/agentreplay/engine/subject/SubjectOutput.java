package dev.agentreplay.engine.subject;

import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Writes messages to a subject: one JSON object a line. Safe for use by several threads. */
final class SubjectOutput {

  private final OutputStream stream;

  SubjectOutput(OutputStream stream) {
    this.stream = stream;
  }

  /** The beginning of a message. */
  static JsonObject message(@Nullable JsonValue id, String type) {
    return JsonObject.of("id", id == null ? JsonNull.NULL : id, "type", type);
  }

  /** Writes a message. */
  void send(JsonObject message) throws IOException {
    byte[] line = (message + "\n").getBytes(StandardCharsets.UTF_8);
    synchronized (this) {
      stream.write(line);
      stream.flush();
    }
  }

  /** Ends the input of the subject. */
  synchronized void close() {
    try {
      stream.close();
    } catch (IOException alreadyClosed) {
      // the subject has closed it
    }
  }
}
