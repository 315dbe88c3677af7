package dev.agentreplay.records;

import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.text.Surrogates;
import dev.agentreplay.records.SessionInputs.ProtocolVersions;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A session record as defined by specification 004: inputs, trace and outputs of a session of
 * several agents. Use {@link #createEmpty(String)} to start one, and {@link SessionRecords} to read
 * and write it. Immutable and safe for use by several threads.
 *
 * @param id the id of the record: {@code REC-}, the session, {@code -}, a time in digits
 * @param sessionId the id of the session, which is the thread of its messages; not empty
 * @param createdAt the time at which the record was created
 * @param inputs the inputs of the session
 * @param trace the rounds, messages and interventions of the session
 * @param outputs the outputs of the session
 * @param schemaVersion the version of the record's schema
 * @param extra members without a component
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
   * The default version of the schema. Specification 004 does not name a default; the schema that
   * it describes, {@code session-replay.ts}, has this one, without the {@code v} of
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
   * Creates the record of a session that starts now: see {@link #createEmpty(String, RecordTime)}.
   *
   * @throws IllegalArgumentException if the session id is empty
   */
  public static SessionRecord createEmpty(String sessionId) {
    return createEmpty(sessionId, RecordTime.of(Instant.now().truncatedTo(ChronoUnit.MILLIS)));
  }

  /**
   * Creates the record of a session that starts at the given time, with default versions and
   * without rounds, agents and outputs. Its id is {@code REC-<session>-<time>}, with the time in
   * milliseconds since 1970. The session id may be any text except the empty one; in the id of the
   * record, each character other than ASCII letters, digits, {@code _} and {@code -} is replaced by
   * {@code _}, and {@code s} is prepended if it does not begin with a letter or digit.
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
   * Computes the SHA-256 of a text in UTF-8, which records write as {@link ContentHash#hex()}.
   *
   * @throws IllegalArgumentException if the text has a lone surrogate, and therefore no UTF-8 form
   */
  public static ContentHash contentHash(String text) {
    return ContentHash.sha256(utf8(text));
  }

  /**
   * Returns the length of a text in UTF-8, in bytes.
   *
   * @throws IllegalArgumentException if the text has a lone surrogate, and therefore no UTF-8 form
   */
  public static long contentLength(String text) {
    return utf8(text).length;
  }

  /**
   * Whether a text has the form of the id of a record: {@code REC-}, a letter or digit and any
   * number of letters, digits, {@code _} and {@code -}, {@code -}, digits; all in ASCII. Such an id
   * is also the name of a file on every common file system, unless it is too long.
   */
  public static boolean isId(String text) {
    return SessionTables.RECORD_ID.matcher(text).matches();
  }

  /**
   * Whether the record is sufficient for a replay: it has a round, an agent, and a hash of the
   * final artifact that is not empty.
   */
  public boolean isReplayable() {
    return replayObstacles().isEmpty();
  }

  /**
   * Returns the reasons why the record is not sufficient for a replay, each with the path of the
   * member, and what is expected and found; empty if it {@linkplain #isReplayable is}.
   */
  public List<String> replayObstacles() {
    List<String> obstacles = new ArrayList<>(0);
    if (trace.rounds().isEmpty()) {
      obstacles.add("trace.rounds: expected at least one round, found none");
    }
    if (inputs.agentRoster().isEmpty()) {
      obstacles.add("inputs.agent_roster: expected at least one agent, found none");
    }
    if (outputs.finalArtifactHash().isEmpty()) {
      obstacles.add("outputs.final_artifact_hash: expected a hash, found empty text");
    }
    return List.copyOf(obstacles);
  }

  /** Returns a copy with the given inputs. */
  public SessionRecord withInputs(SessionInputs newInputs) {
    return new SessionRecord(
        id, sessionId, createdAt, newInputs, trace, outputs, schemaVersion, extra);
  }

  /** Returns a copy with the given trace. */
  public SessionRecord withTrace(SessionTrace newTrace) {
    return new SessionRecord(
        id, sessionId, createdAt, inputs, newTrace, outputs, schemaVersion, extra);
  }

  /** Returns a copy with the given outputs. */
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

  /** Returns the id of a record that is created at a time, for a session id that is not empty. */
  private static String recordId(String sessionId, Instant time) {
    String session = sessionId.replaceAll("[^\\w-]", "_");
    boolean isWellBegun = session.matches("[A-Za-z0-9].*");
    return "REC-" + (isWellBegun ? session : "s" + session) + "-" + time.toEpochMilli();
  }
}
