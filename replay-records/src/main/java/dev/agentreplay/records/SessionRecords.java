package dev.agentreplay.records;

import dev.agentreplay.canonical.JsonLimits;
import dev.agentreplay.canonical.JsonSyntaxException;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.records.InvalidRecordException.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Reads, validates and writes session records and replay reports as JSON text.
 *
 * <p>Text is parsed as by {@link JsonText}: strict JSON in UTF-8, without duplicate names, up to 64
 * MiB. Methods that read throw {@link JsonSyntaxException} for any other text, and
 * {@link dev.agentreplay.records.InvalidRecordException} with all problems for a value that breaks
 * constraints of specification 004. Both are {@link IllegalArgumentException}s. Methods that
 * validate do not throw these exceptions, but return the problems.
 *
 * <p>Streams are read to their end and left open. All methods are safe for use by several threads.
 */
public final class SessionRecords {

  private SessionRecords() {}

  /** Reads a record from JSON text in UTF-8. */
  public static SessionRecord read(byte[] utf8) {
    return read(JsonText.parse(utf8));
  }

  /**
   * Reads a record from a stream of JSON text in UTF-8.
   *
   * @throws IOException if the stream cannot be read
   */
  public static SessionRecord read(InputStream utf8) throws IOException {
    return read(bytes(utf8));
  }

  /** Reads a record from a JSON value. */
  public static SessionRecord read(JsonValue value) {
    return RecordForm.of(SessionRecord.class).read(value);
  }

  /** Reads a report from JSON text in UTF-8. */
  public static RecordReplayReport readReport(byte[] utf8) {
    return readReport(JsonText.parse(utf8));
  }

  /**
   * Reads a report from a stream of JSON text in UTF-8.
   *
   * @throws IOException if the stream cannot be read
   */
  public static RecordReplayReport readReport(InputStream utf8) throws IOException {
    return readReport(bytes(utf8));
  }

  /** Reads a report from a JSON value. */
  public static RecordReplayReport readReport(JsonValue value) {
    return RecordForm.of(RecordReplayReport.class).read(value);
  }

  /** Reads a roster of agents from JSON text in UTF-8, which holds an array of its entries. */
  public static List<AgentRosterEntry> readRoster(byte[] utf8) {
    return readRoster(JsonText.parse(utf8));
  }

  /**
   * Reads a roster of agents from a stream of JSON text in UTF-8, which holds an array of its
   * entries.
   *
   * @throws IOException if the stream cannot be read
   */
  public static List<AgentRosterEntry> readRoster(InputStream utf8) throws IOException {
    return readRoster(bytes(utf8));
  }

  /** Reads a roster of agents from a JSON value, which is an array of its entries. */
  public static List<AgentRosterEntry> readRoster(JsonValue value) {
    return RecordForm.of(AgentRosterEntry.class).readList(value);
  }

  /**
   * Validates a session record in JSON text in UTF-8. Returns the problems in the order of the
   * specification; empty when the record meets all constraints. For a text that is not JSON in
   * UTF-8 it returns a single problem with an empty path and a message with the offset of the byte.
   */
  public static List<Problem> validate(byte[] utf8) {
    JsonValue value;
    try {
      value = JsonText.parse(utf8);
    } catch (JsonSyntaxException e) {
      return List.of(new Problem("", String.valueOf(e.getMessage())));
    }
    return validate(value);
  }

  /**
   * Validates a session record in a stream of JSON text; see {@link #validate(byte[])}.
   *
   * @throws IOException if the stream cannot be read
   */
  public static List<Problem> validate(InputStream utf8) throws IOException {
    return validate(bytes(utf8));
  }

  /**
   * Validates a session record in a JSON value. Returns the problems in the order of the
   * specification; empty when the value meets all constraints.
   */
  public static List<Problem> validate(JsonValue value) {
    return RecordForm.of(SessionRecord.class).check(value);
  }

  /**
   * Returns the warnings about a session record in a JSON value; see {@link RecordForm#warnings}.
   */
  public static List<Problem> warnings(JsonValue value) {
    return RecordForm.of(SessionRecord.class).warnings(value);
  }

  /**
   * Returns the text of a record: indented, with members in the order of the specification and a
   * line feed at the end. The record is not checked: {@link RecordObject#problems} does that.
   *
   * @throws IllegalArgumentException if JSON cannot represent a component
   */
  public static String write(RecordObject object) {
    return JsonText.pretty(object.toJson()) + "\n";
  }

  /**
   * Writes the text of a record in UTF-8. The stream is left open.
   *
   * @throws IllegalArgumentException if JSON cannot represent a component
   * @throws IOException if the stream cannot be written
   */
  public static void write(RecordObject object, OutputStream out) throws IOException {
    out.write(write(object).getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] bytes(InputStream stream) throws IOException {
    // one byte more than the limit is enough for the parser to reject the text
    return stream.readNBytes(JsonLimits.defaults().maxBytes() + 1);
  }
}
