package dev.agentreplay.convert.trace.export;

import dev.agentreplay.model.json.JsonObject;

/** Writes a session as a document of a format. */
public interface DocumentWriter {

  /**
   * The name of the member, or the beginning of the attributes, with what a format has no place
   * for.
   */
  String KEPT = "agentreplay";

  /**
   * A document.
   *
   * @param json the document
   * @param items the number of its steps, spans or events
   */
  record Document(JsonObject json, long items) {}

  /** Creates the document of a session, and states what becomes of each member of its events. */
  Document write(ExportedSession session);
}
