package dev.agentreplay.records.replay;

import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.store.RecordTexts;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The session with which the recorded one is compared.
 *
 * @param record its record, with the rounds that were replayed
 * @param texts its texts
 * @param completedRounds the number of rounds that were completed
 * @param failure the reason why not all were completed; null if all were
 * @param aborted whether the user aborted it
 */
record ReplayedSession(
    SessionRecord record,
    RecordTexts texts,
    long completedRounds,
    @Nullable String failure,
    boolean aborted) {

  ReplayedSession {
    Objects.requireNonNull(record, "record");
    Objects.requireNonNull(texts, "texts");
  }
}
