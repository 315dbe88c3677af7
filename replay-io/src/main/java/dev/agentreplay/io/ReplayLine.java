package dev.agentreplay.io;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.model.Finding;
import dev.agentreplay.model.Position;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.json.JsonObject;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;

/** A line of a log: its bytes, and what they say. Immutable. */
public final class ReplayLine {

  private final Position position;
  private final byte[] raw;
  private final JsonObject json;
  private final ReplayEvent event;
  private final List<Finding> findings;

  ReplayLine(
      Position position, byte[] raw, JsonObject json, ReplayEvent event, List<Finding> findings) {
    this.position = position;
    this.raw = raw;
    this.json = json;
    this.event = event;
    this.findings = List.copyOf(findings);
  }

  /** Where the line begins. */
  public Position position() {
    return position;
  }

  /** The event. */
  public ReplayEvent event() {
    return event;
  }

  /** The object that the line is. */
  public JsonObject json() {
    return json;
  }

  /**
   * What is wrong with the line: FIELD_MISSING, FIELD_INVALID, EVENT_INVALID, NO_FINAL_NEWLINE,
   * with position.
   */
  public List<Finding> findings() {
    return findings;
  }

  /** The bytes of the line, without its line feed: a copy. */
  public byte[] raw() {
    return raw.clone();
  }

  /** The number of bytes of the line, without its line feed. */
  public int length() {
    return raw.length;
  }

  /** Whether the line, without its line feed, is in canonical form. */
  public boolean isCanonical(CanonicalJson canonical) {
    return canonical.isCanonical(raw);
  }

  /** Writes the bytes of the line and a line feed. */
  public void writeTo(OutputStream out) throws IOException {
    byte[] line = Arrays.copyOf(raw, raw.length + 1);
    line[raw.length] = '\n';
    out.write(line);
  }

  @Override
  public String toString() {
    return position + ": " + event;
  }
}
