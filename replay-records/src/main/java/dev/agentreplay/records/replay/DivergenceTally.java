package dev.agentreplay.records.replay;

import dev.agentreplay.records.RecordReplayReport.Severity;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;

/**
 * The numbers of compared messages that matched, diverged by severity, and are undecided. Each pair
 * of messages, and each message without a counterpart, is counted once; inputs are not counted. An
 * undecided pair, which a report calls moderate, is not counted under a severity. Immutable.
 */
public final class DivergenceTally {

  private final long matched;
  private final Map<Severity, Long> bySeverity = new EnumMap<>(Severity.class);
  private final long undecided;

  private DivergenceTally(Collection<MessagePair> pairs) {
    long withoutDivergence = 0;
    long withoutDecision = 0;
    for (MessagePair pair : pairs) {
      MessageDivergence divergence = pair.divergence();
      if (pair.isInput()) {
        continue;
      }
      if (divergence == null) {
        withoutDivergence++;
      } else if (divergence.kind() == MessageDivergence.Kind.UNDECIDED) {
        withoutDecision++;
      } else {
        bySeverity.merge(divergence.reported().severity(), 1L, Long::sum);
      }
    }
    this.matched = withoutDivergence;
    this.undecided = withoutDecision;
  }

  /** Counts the messages of a replay. */
  public static DivergenceTally of(SessionReplayResult result) {
    return of(result.alignment());
  }

  /** Counts some messages of a replay. */
  static DivergenceTally of(Collection<MessagePair> pairs) {
    return new DivergenceTally(pairs);
  }

  /** The number of pairs without a divergence. */
  public long matched() {
    return matched;
  }

  /** The number of divergences of a severity, without those that are undecided. */
  public long count(Severity severity) {
    return bySeverity.getOrDefault(severity, 0L);
  }

  /** The number of pairs that cannot be compared. */
  public long undecided() {
    return undecided;
  }

  /** The number of divergences of all severities, and of undecided pairs. */
  public long divergences() {
    return undecided + bySeverity.values().stream().mapToLong(Long::longValue).sum();
  }
}
