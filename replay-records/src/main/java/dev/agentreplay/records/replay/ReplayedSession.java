package dev.agentreplay.records.replay;

import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.SessionTrace.Round;
import dev.agentreplay.records.store.RecordTexts;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
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

  /** Returns this session, the comparison of which the user aborted. */
  ReplayedSession aborted(String reason) {
    return new ReplayedSession(record, texts, completedRounds, reason, true);
  }

  /** Returns another record of the session, which was made elsewhere. */
  static ReplayedSession of(SessionReplay replay, SessionRecord other) {
    Map<Long, Round> rounds = other.trace().rounds().stream()
        .collect(Collectors.toMap(Round::roundNumber, round -> round, (first, next) -> next));
    long completed = replay.record.trace().rounds().stream()
        .filter(round -> round.roundNumber() >= replay.firstRound)
        .filter(round -> round.roundNumber() <= replay.lastRound)
        .filter(round -> isCompleted(round, rounds.get(round.roundNumber()), other))
        .map(Round::roundNumber)
        .distinct()
        .count();
    return new ReplayedSession(other, replay.othersTexts, completed, null, false);
  }

  /** Whether a round ended, or did not end in the recorded session either. */
  private static boolean isCompleted(Round recorded, @Nullable Round round, SessionRecord other) {
    if (round == null) {
      return false;
    }
    boolean isFollowed = other.trace().rounds().stream()
        .anyMatch(later -> later.roundNumber() > round.roundNumber());
    return round.endedAt() != null
        || other.trace().endedAt() != null
        || isFollowed
        || recorded.endedAt() == null;
  }
}
