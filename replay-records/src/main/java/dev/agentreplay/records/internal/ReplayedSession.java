package dev.agentreplay.records.internal;

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
public record ReplayedSession(
    SessionRecord record,
    RecordTexts texts,
    long completedRounds,
    @Nullable String failure,
    boolean aborted) {

  /** Checks for null. */
  public ReplayedSession {
    Objects.requireNonNull(record, "record");
    Objects.requireNonNull(texts, "texts");
  }

  /** Returns this session, the comparison of which the user aborted. */
  public ReplayedSession aborted(String reason) {
    return new ReplayedSession(record, texts, completedRounds, reason, true);
  }

  /**
   * Returns another record of the session, which was made elsewhere.
   *
   * @param texts the texts of the other record
   * @param first the number of the first round that is compared, from 0
   * @param last the number of the last round that is compared, inclusive
   */
  public static ReplayedSession of(
      SessionRecord recorded, SessionRecord other, RecordTexts texts, long first, long last) {
    Map<Long, Round> rounds = other.trace().rounds().stream()
        .collect(Collectors.toMap(Round::roundNumber, round -> round, (before, after) -> after));
    long completed = recorded.trace().rounds().stream()
        .filter(round -> round.roundNumber() >= first)
        .filter(round -> round.roundNumber() <= last)
        .filter(round -> isCompleted(round, rounds.get(round.roundNumber()), other))
        .map(Round::roundNumber)
        .distinct()
        .count();
    return new ReplayedSession(other, texts, completed, null, false);
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
