package dev.agentreplay.records;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.text.Surrogates;
import dev.agentreplay.records.SessionInputs.ProtocolVersions;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;

/**
 * A session as specification 004 records it: inputs, trace, outputs.
 *
 * @param id the id of the record: {@code REC-}, the session, {@code -}, a time in digits
 * @param sessionId the session, which is the thread of its messages; not empty
 * @param createdAt when the record was made
 * @param inputs what the session started with
 * @param trace what happened in it
 * @param outputs what it produced
 * @param schemaVersion the version of the record's schema
 * @param extra members that no component holds
 */
public record SessionRecord(
    String id,
    String sessionId,
    RecordTime createdAt,
    SessionInputs inputs,
    SessionTrace trace,
    SessionOutputs outputs,
    String schemaVersion,
    JsonObject extra)
    implements RecordObject {

  /**
   * The version of the schema where a record does not say. Specification 004 names no default; the
   * schema that it describes, {@code session-replay.ts}, has this one, without the {@code v} of
   * {@link ProtocolVersions#DEFAULT_VERSION}.
   */
  public static final String DEFAULT_SCHEMA_VERSION = "0.1";

  /** Checks for null. */
  public SessionRecord {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(sessionId, "sessionId");
    Objects.requireNonNull(createdAt, "createdAt");
    Objects.requireNonNull(inputs, "inputs");
    Objects.requireNonNull(trace, "trace");
    Objects.requireNonNull(outputs, "outputs");
    Objects.requireNonNull(schemaVersion, "schemaVersion");
    Objects.requireNonNull(extra, "extra");
  }

  /**
   * The record of a session that begins now: see {@link #createEmpty(String, RecordTime)}.
   *
   * @throws IllegalArgumentException if the session id is empty
   */
  public static SessionRecord createEmpty(String sessionId) {
    return createEmpty(sessionId, RecordTime.of(Instant.now().truncatedTo(ChronoUnit.MILLIS)));
  }

  /**
   * The record of a session that begins, with default versions and nothing in it. Its id is
   * {@code REC-<session>-<time>}, where the time is in milliseconds since 1970. The session id may
   * be any text; in the id of the record, each character but ASCII letters, digits, {@code _} and
   * {@code -} is {@code _}, and {@code s} comes first where it begins with neither letter nor
   * digit.
   *
   * @throws IllegalArgumentException if the session id is empty
   */
  public static SessionRecord createEmpty(String sessionId, RecordTime now) {
    if (sessionId.isEmpty()) {
      throw new IllegalArgumentException("session id must not be empty");
    }
    return new SessionRecord(
        recordId(sessionId, now.instant()),
        sessionId,
        now,
        SessionInputs.of(Kickoff.of(sessionId)),
        SessionTrace.of(now),
        SessionOutputs.EMPTY,
        DEFAULT_SCHEMA_VERSION,
        JsonObject.EMPTY);
  }

  /**
   * The SHA-256 of a text in UTF-8; {@link ContentHash#hex()} is how records write it.
   *
   * @throws IllegalArgumentException if the text holds a lone surrogate, and so has no UTF-8 form
   */
  public static ContentHash contentHash(String text) {
    return ContentHash.sha256(utf8(text));
  }

  /**
   * The length of a text in UTF-8, in bytes.
   *
   * @throws IllegalArgumentException if the text holds a lone surrogate, and so has no UTF-8 form
   */
  public static long contentLength(String text) {
    return utf8(text).length;
  }

  /**
   * Whether there is enough to replay: a round, an agent, and the hash of a final artifact, which
   * may be any text but the empty one.
   */
  public boolean isReplayable() {
    return !trace.rounds().isEmpty()
        && !inputs.agentRoster().isEmpty()
        && !outputs.finalArtifactHash().isEmpty();
  }

  /** With other inputs. */
  public SessionRecord withInputs(SessionInputs newInputs) {
    return new SessionRecord(
        id, sessionId, createdAt, newInputs, trace, outputs, schemaVersion, extra);
  }

  /** With another trace. */
  public SessionRecord withTrace(SessionTrace newTrace) {
    return new SessionRecord(
        id, sessionId, createdAt, inputs, newTrace, outputs, schemaVersion, extra);
  }

  /** With other outputs. */
  public SessionRecord withOutputs(SessionOutputs newOutputs) {
    return new SessionRecord(
        id, sessionId, createdAt, inputs, trace, newOutputs, schemaVersion, extra);
  }

  private static byte[] utf8(String text) {
    int lone = Surrogates.indexOfLone(text);
    if (lone >= 0) {
      throw new IllegalArgumentException(
          "text has a lone surrogate U+%04X at index %d".formatted((int) text.charAt(lone), lone));
    }
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** The id of a record that is made at a time, of a session with any id but the empty one. */
  private static String recordId(String sessionId, Instant time) {
    String session = sessionId.replaceAll("[^\\w-]", "_");
    boolean isWellBegun = session.matches("[A-Za-z0-9].*");
    return "REC-" + (isWellBegun ? session : "s" + session) + "-" + time.toEpochMilli();
  }
}
