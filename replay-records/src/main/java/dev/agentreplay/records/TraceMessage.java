package dev.agentreplay.records;

import dev.agentreplay.model.json.JsonObject;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A message of a session, with the hash and length of its text instead of the text.
 *
 * @param messageId the number of the message in the mail system, positive
 * @param timestamp the time at which the message was sent
 * @param from the name of the agent that sent it, not empty
 * @param type the purpose of the message
 * @param contentHash the SHA-256 of the text in UTF-8
 * @param contentLength the length of the text in UTF-8, in bytes, not negative
 * @param subject the subject line
 * @param acknowledged whether the message was acknowledged; null means false
 * @param extra members without a component
 */
public record TraceMessage(
    @Nullable Long messageId,
    RecordTime timestamp,
    String from,
    Type type,
    RecordHash contentHash,
    long contentLength,
    @Nullable String subject,
    @Nullable Boolean acknowledged,
    JsonObject extra)
    implements RecordObject {

  /** Checks for null. */
  public TraceMessage {
    Objects.requireNonNull(timestamp, "timestamp");
    Objects.requireNonNull(from, "from");
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(contentHash, "contentHash");
    Objects.requireNonNull(extra, "extra");
  }

  /**
   * Creates the record of a message with the given text.
   *
   * @throws IllegalArgumentException if the text has a lone surrogate, and therefore no UTF-8 form
   */
  public static TraceMessage of(RecordTime timestamp, String from, Type type, String text) {
    return new TraceMessage(
        null,
        timestamp,
        from,
        type,
        RecordHash.ofContent(text),
        SessionRecord.contentLength(text),
        null,
        null,
        JsonObject.EMPTY);
  }

  /** Returns a copy with the given number. */
  public TraceMessage withMessageId(@Nullable Long newMessageId) {
    return new TraceMessage(
        newMessageId,
        timestamp,
        from,
        type,
        contentHash,
        contentLength,
        subject,
        acknowledged,
        extra);
  }

  /** Returns a copy with the given subject. */
  public TraceMessage withSubject(@Nullable String newSubject) {
    return new TraceMessage(
        messageId,
        timestamp,
        from,
        type,
        contentHash,
        contentLength,
        newSubject,
        acknowledged,
        extra);
  }

  /** Returns a copy with the given state of acknowledgement. */
  public TraceMessage withAcknowledged(@Nullable Boolean newAcknowledged) {
    return new TraceMessage(
        messageId,
        timestamp,
        from,
        type,
        contentHash,
        contentLength,
        subject,
        newAcknowledged,
        extra);
  }

  /** The purpose of a message in a session. */
  public enum Type implements RecordConstant {
    /** Opens the session. */
    KICKOFF,
    /** Proposes a change to the artifact. */
    DELTA,
    /** Criticizes the proposal of another agent. */
    CRITIQUE,
    /** Acknowledges a message. */
    ACK,
    /** Adds evidence. */
    EVIDENCE,
    /** Reports the result of a test. */
    RESULT,
    /** Concerns the session itself. */
    ADMIN,
    /** Requests the compilation of the artifact, or reports it. */
    COMPILE,
    /** Publishes the artifact. */
    PUBLISH;

    @Override
    public String id() {
      return name();
    }
  }
}
