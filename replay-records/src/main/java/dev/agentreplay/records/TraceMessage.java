package dev.agentreplay.records;

import dev.agentreplay.model.json.JsonObject;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A message of a session: what can be checked of it, without its text.
 *
 * @param messageId its number in the mail system, positive
 * @param timestamp when it was sent
 * @param from the name of the agent that sent it, not empty
 * @param type what it is for
 * @param contentHash the SHA-256 of its text in UTF-8
 * @param contentLength the length of its text in UTF-8, in bytes, not negative
 * @param subject its subject line
 * @param acknowledged whether it was acknowledged; where that is not said, it was not
 * @param extra members that no component holds
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
   * The record of a message with this text.
   *
   * @throws IllegalArgumentException if the text holds a lone surrogate, and so has no UTF-8 form
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

  /** With another number. */
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

  /** With another subject. */
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

  /** Acknowledged, or not. */
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

  /** What a message in a session is for. */
  public enum Type implements RecordConstant {
    /** Opens the session. */
    KICKOFF,
    /** Proposes a change of the artifact. */
    DELTA,
    /** Attacks what another one proposed. */
    CRITIQUE,
    /** Says that a message was received. */
    ACK,
    /** Adds evidence. */
    EVIDENCE,
    /** Reports the result of a test. */
    RESULT,
    /** Is about the session itself. */
    ADMIN,
    /** Asks for the artifact to be compiled, or says that it was. */
    COMPILE,
    /** Publishes the artifact. */
    PUBLISH;

    @Override
    public String id() {
      return name();
    }
  }
}
