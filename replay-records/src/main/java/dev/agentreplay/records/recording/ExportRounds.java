package dev.agentreplay.records.recording;

import dev.agentreplay.records.RecordHash;
import dev.agentreplay.records.RecordTime;
import dev.agentreplay.records.TraceMessage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Divides the messages of an export into rounds. Round 0 begins with the first message. COMPILE or
 * PUBLISH ends a round; PUBLISH and ACK that directly follow belong to it. A round lasts from its
 * earliest to its latest message.
 */
final class ExportRounds {

  private final boolean hasArtifacts;
  private final Ledger ledger;
  private final List<ThreadRound> rounds = new ArrayList<>();
  private List<ThreadMessage> current = new ArrayList<>();

  /** Whether a message has ended the current round. */
  private boolean hasEnded;

  private ExportRounds(boolean hasArtifacts, Ledger ledger) {
    this.hasArtifacts = hasArtifacts;
    this.ledger = ledger;
  }

  /**
   * Divides messages, of which there is at least one.
   *
   * @param hasArtifacts whether the texts of COMPILE and PUBLISH messages are artifacts
   */
  static List<ThreadRound> of(List<ThreadMessage> messages, boolean hasArtifacts, Ledger ledger) {
    ExportRounds rounds = new ExportRounds(hasArtifacts, ledger);
    messages.forEach(rounds::add);
    rounds.finish();
    rounds.noteKickoffs(messages);
    return List.copyOf(rounds.rounds);
  }

  private void add(ThreadMessage message) {
    if (hasEnded
        && message.type() != TraceMessage.Type.PUBLISH
        && message.type() != TraceMessage.Type.ACK) {
      end();
    }
    current.add(message);
    hasEnded |= isEnd(message);
  }

  private static boolean isEnd(ThreadMessage message) {
    return message.type() == TraceMessage.Type.COMPILE
        || message.type() == TraceMessage.Type.PUBLISH;
  }

  private void finish() {
    ledger.generated(
        "trace.rounds",
        "messages",
        "COMPILE or PUBLISH ends a round, which lasts from its earliest to its latest message.");
    if (!hasEnded) {
      ledger.assumed(
          "trace.rounds[%d].ended_at".formatted(rounds.size()),
          "No COMPILE or PUBLISH ends the last round: it ends with its last message.");
    }
    end();
    if (!hasArtifacts
        && rounds.stream()
            .anyMatch(round -> round.messages().stream().anyMatch(ExportRounds::isEnd))) {
      ledger.leftOut(
          "trace.rounds[].compiled_artifact_hash",
          "messages COMPILE and PUBLISH",
          "Their texts are not taken as compiled artifacts.");
    }
  }

  private void end() {
    RecordTime start = current.get(0).time();
    rounds.add(ThreadRound.spanning(start, start, current, artifact()));
    current = new ArrayList<>();
    hasEnded = false;
  }

  /** Returns the hash of the first COMPILE of the current round, else of its first PUBLISH. */
  private @Nullable RecordHash artifact() {
    if (!hasArtifacts) {
      return null;
    }
    ThreadMessage found = first(TraceMessage.Type.COMPILE);
    found = found == null ? first(TraceMessage.Type.PUBLISH) : found;
    if (found == null) {
      return null;
    }
    ledger.generated(
        "trace.rounds[%d].compiled_artifact_hash".formatted(rounds.size()),
        found.source(),
        "The text of the %s message is taken as the compiled artifact."
            .formatted(found.type().id()));
    return RecordHash.ofContent(found.text());
  }

  private @Nullable ThreadMessage first(TraceMessage.Type type) {
    return current.stream()
        .filter(message -> message.type() == type)
        .findFirst()
        .orElse(null);
  }

  private void noteKickoffs(List<ThreadMessage> messages) {
    List<ThreadMessage> kickoffs = messages.stream()
        .filter(message -> message.type() == TraceMessage.Type.KICKOFF)
        .toList();
    if (kickoffs.isEmpty()) {
      ledger.noted("trace.rounds[0]", "", "The export does not have a KICKOFF.");
      return;
    }
    int before = messages.indexOf(kickoffs.get(0));
    if (before > 0) {
      ledger.noted(
          "trace.rounds[0]",
          messages.get(0).source(),
          "Round 0 has %s before the KICKOFF.".formatted(count(before)));
    }
    for (ThreadMessage again : kickoffs.subList(1, kickoffs.size())) {
      ledger.noted(
          "trace.rounds[].messages[]", again.source(), "A later KICKOFF does not begin a round.");
    }
  }

  private static String count(int messages) {
    return messages == 1 ? "1 message" : messages + " messages";
  }
}
