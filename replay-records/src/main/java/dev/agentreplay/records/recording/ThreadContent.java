package dev.agentreplay.records.recording;

import dev.agentreplay.records.AgentRosterEntry;
import dev.agentreplay.records.RecordTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The content of an export or a log, in the form of a record.
 *
 * @param id the id of the thread or session; null if it is not known
 * @param roster the agents; empty if they are not known
 * @param artifact the last text, if it is taken as the final artifact; else null
 */
record ThreadContent(
    @Nullable String id,
    List<ThreadRound> rounds,
    List<AgentRosterEntry> roster,
    RecordTime start,
    RecordTime end,
    @Nullable Artifact artifact) {

  /**
   * The text of an artifact, and the place that it comes from.
   *
   * @param text the text
   * @param source the place, for the ledger
   * @param rule the sentence for the ledger
   */
  record Artifact(String text, String source, String rule) {}

  List<ThreadMessage> messages() {
    return rounds.stream().flatMap(round -> round.messages().stream()).toList();
  }
}
