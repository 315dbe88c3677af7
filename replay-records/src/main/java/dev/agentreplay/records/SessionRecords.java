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
 * Session records and replay reports as text.
 *
 * <p>Text is read as {@link JsonText} does: UTF-8, strict, no name twice, up to 64 MiB. What reads
 * throws {@link JsonSyntaxException} for anything else, and
 * {@link dev.agentreplay.records.InvalidRecordException}, with all that is wrong, for a value that
 * breaks constraints of specification 004. Both are {@link IllegalArgumentException}s. What
 * validates throws neither: it returns what is wrong.
 *
 * <p>Streams are read to their end, and left open. All methods are safe for use by several threads.
 */
public final class SessionRecords {

  private SessionRecords() {}

  /** The record that JSON text in UTF-8 holds. */
  public static SessionRecord read(byte[] utf8) {
    return read(JsonText.parse(utf8));
  }

  /**
   * The record that a stream of JSON text in UTF-8 holds.
   *
   * @throws IOException if the stream cannot be read
   */
  public static SessionRecord read(InputStream utf8) throws IOException {
    return read(bytes(utf8));
  }

  /** The record that a value stands for. */
  public static SessionRecord read(JsonValue value) {
    return RecordForm.of(SessionRecord.class).read(value);
  }

  /** The report that JSON text in UTF-8 holds. */
  public static RecordReplayReport readReport(byte[] utf8) {
    return readReport(JsonText.parse(utf8));
  }

  /**
   * The report that a stream of JSON text in UTF-8 holds.
   *
   * @throws IOException if the stream cannot be read
   */
  public static RecordReplayReport readReport(InputStream utf8) throws IOException {
    return readReport(bytes(utf8));
  }

  /** The report that a value stands for. */
  public static RecordReplayReport readReport(JsonValue value) {
    return RecordForm.of(RecordReplayReport.class).read(value);
  }

  /** The agents that JSON text in UTF-8 holds: an array of entries of a roster. */
  public static List<AgentRosterEntry> readRoster(byte[] utf8) {
    return readRoster(JsonText.parse(utf8));
  }

  /**
   * The agents that a stream of JSON text in UTF-8 holds: an array of entries of a roster.
   *
   * @throws IOException if the stream cannot be read
   */
  public static List<AgentRosterEntry> readRoster(InputStream utf8) throws IOException {
    return readRoster(bytes(utf8));
  }

  /** The agents that a value stands for: an array of entries of a roster. */
  public static List<AgentRosterEntry> readRoster(JsonValue value) {
    return RecordForm.of(AgentRosterEntry.class).readList(value);
  }

  /**
   * What breaks the constraints of a session record in JSON text in UTF-8; empty when all is well.
   * Of what is not such text there is one problem, with an empty path, whose message says at which
   * byte.
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
   * What breaks the constraints of a session record in a stream of JSON text; see
   * {@link #validate(byte[])}.
   *
   * @throws IOException if the stream cannot be read
   */
  public static List<Problem> validate(InputStream utf8) throws IOException {
    return validate(bytes(utf8));
  }

  /** What breaks the constraints of a session record in a value; empty when all is well. */
  public static List<Problem> validate(JsonValue value) {
    return RecordForm.of(SessionRecord.class).check(value);
  }

  /**
   * What a session record in a value should not have, and is read with all the same; see
   * {@link RecordForm#warnings}.
   */
  public static List<Problem> warnings(JsonValue value) {
    return RecordForm.of(SessionRecord.class).warnings(value);
  }

  /**
   * The text of a record, on several lines, members in the order of the specification, with a line
   * feed at its end. It is not checked: {@link RecordObject#problems} does that.
   *
   * @throws IllegalArgumentException if there is what JSON cannot hold
   */
  public static String write(RecordObject object) {
    return JsonText.pretty(object.toJson()) + "\n";
  }

  /**
   * Writes the text of a record in UTF-8. The stream is left open.
   *
   * @throws IllegalArgumentException if there is what JSON cannot hold
   * @throws IOException if the stream cannot be written
   */
  public static void write(RecordObject object, OutputStream out) throws IOException {
    out.write(write(object).getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] bytes(InputStream stream) throws IOException {
    // one byte more than is allowed is enough to be refused
    return stream.readNBytes(JsonLimits.defaults().maxBytes() + 1);
  }
}
