package dev.agentreplay.records.internal;

import dev.agentreplay.model.text.PlainText;
import dev.agentreplay.model.text.Surrogates;
import dev.agentreplay.records.AgentRosterEntry;
import dev.agentreplay.records.RecordTime;
import dev.agentreplay.records.TraceMessage;
import dev.agentreplay.records.agents.RoundMessages;
import dev.agentreplay.records.agents.SentMessage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks what agents sent in a round, and makes the messages of a record of it. */
final class ReceivedMessages {

  private static final int SHOWN = 60;

  private final Set<String> agents = new LinkedHashSet<>();

  /** Creates the check for the agents of a roster. */
  ReceivedMessages(List<AgentRosterEntry> roster) {
    roster.forEach(agent -> agents.add(agent.agentName()));
  }

  /**
   * Returns the messages, with the given time if they state none.
   *
   * @throws IOException if one is not from an agent that runs, is a kickoff, has no text, or has
   *     one without a UTF-8 form, as the artifact may; the message names the place
   */
  List<TraceMessage> check(RoundMessages sent, RecordTime now) throws IOException {
    List<TraceMessage> messages = new ArrayList<>();
    for (SentMessage message : sent.messages()) {
      messages.add(check("messages[%d]".formatted(messages.size()), message, now));
    }
    requireUtf8("artifact", sent.artifact());
    return messages;
  }

  private TraceMessage check(String place, SentMessage message, RecordTime now) throws IOException {
    if (!agents.contains(message.from())) {
      throw new IOException("%s.from: expected an agent of the roster (%s), found \"%s\""
          .formatted(place, String.join(", ", agents), PlainText.fit(message.from(), SHOWN)));
    }
    if (message.type() == TraceMessage.Type.KICKOFF) {
      throw new IOException(place + ".type: expected a message of an agent, found KICKOFF, which"
          + " only opens a session");
    }
    String text = message.text();
    if (text == null) {
      throw new IOException(place + ".text: expected a text, found none");
    }
    requireUtf8(place + ".text", text);
    requireUtf8(place + ".subject", message.subject());
    RecordTime time = message.timestamp();
    return TraceMessage.of(time == null ? now : time, message.from(), message.type(), text)
        .withSubject(message.subject());
  }

  private static void requireUtf8(String place, @Nullable String text) throws IOException {
    int lone = text == null ? -1 : Surrogates.indexOfLone(text);
    if (text != null && lone >= 0) {
      throw new IOException(place + ": " + Surrogates.lone(text, lone).getMessage());
    }
  }
}
