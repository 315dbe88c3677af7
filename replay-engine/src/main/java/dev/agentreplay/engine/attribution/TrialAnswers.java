package dev.agentreplay.engine.attribution;

import dev.agentreplay.engine.attribution.RecordedRun.Asked;
import dev.agentreplay.engine.attribution.RecordedRun.Call;
import dev.agentreplay.engine.replay.execution.AnswerSource;
import dev.agentreplay.model.ReplayEvent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Answers the requests of a trial that its recording does not answer. A request that the first
 * recording has, and that is made once more, gets its last result again, unless the trial takes
 * over a result of this request. Any other gets that of the second recording, or of an earlier
 * trial. Asked by one thread at a time.
 */
final class TrialAnswers implements AnswerSource {

  private final RecordedRun first;
  private final RecordedRun second;
  private final Map<Asked, Map<Integer, ReplayEvent>> executed;
  private final Set<Long> taken;
  private final Map<Asked, Integer> times = new HashMap<>();
  private volatile boolean hasServedExecuted;

  /**
   * Creates the answers of one trial.
   *
   * @param executed the results that earlier trials executed, by their number among those of the
   *     same request
   * @param taken the lines of the calls in the first recording whose results are taken over
   */
  TrialAnswers(
      RecordedRun first,
      RecordedRun second,
      Map<Asked, Map<Integer, ReplayEvent>> executed,
      Set<Long> taken) {
    this.first = first;
    this.second = second;
    this.executed = executed;
    this.taken = taken;
  }

  @Override
  public @Nullable ReplayEvent answer(ReplayEvent call, @Nullable String agent) {
    Asked asked = new Asked(agent, RecordedRun.key(call));
    List<Call> own = first.same(asked);
    List<Call> others = second.same(asked);
    int number = own.size() + times.merge(asked, 1, Integer::sum) - 1;
    boolean isTaken = own.stream().anyMatch(each -> taken.contains(each.line));
    if (!own.isEmpty() && !isTaken) {
      return known(own.get(own.size() - 1));
    }
    if (!others.isEmpty() && (isTaken || number < others.size())) {
      return known(others.get(Math.min(number, others.size() - 1)));
    }
    ReplayEvent result = executed.getOrDefault(asked, Map.of()).get(number);
    hasServedExecuted |= result != null; // by one thread at a time
    return result;
  }

  /** Whether an answer is one that an earlier trial executed. */
  boolean hasServedExecuted() {
    return hasServedExecuted;
  }

  private static @Nullable ReplayEvent known(Call call) {
    return RecordedRun.isKnown(call.result) ? call.result : null;
  }
}
