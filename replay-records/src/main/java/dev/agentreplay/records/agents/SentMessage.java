package dev.agentreplay.records.agents;

import dev.agentreplay.records.RecordTime;
import dev.agentreplay.records.TraceMessage;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A message with its text: one that an agent is given, or that it sends.
 *
 * @param from the name of the agent or operator that sent it, not empty
 * @param type the purpose of the message
 * @param subject the subject line; null for none
 * @param text the text; null if a given message was recorded without it
 * @param timestamp the time at which it was sent; null for the time at which the replay gets it
 */
public record SentMessage(
    String from,
    TraceMessage.Type type,
    @Nullable String subject,
    @Nullable String text,
    @Nullable RecordTime timestamp) {

  /** Checks for null. */
  public SentMessage {
    Objects.requireNonNull(from, "from");
    Objects.requireNonNull(type, "type");
  }

  /** Creates a message that an agent sends. */
  public static SentMessage of(String from, TraceMessage.Type type, String text) {
    return new SentMessage(from, type, null, Objects.requireNonNull(text, "text"), null);
  }

  /** Returns a copy with the given subject. */
  public SentMessage withSubject(@Nullable String newSubject) {
    return new SentMessage(from, type, newSubject, text, timestamp);
  }
}
