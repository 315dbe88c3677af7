package dev.agentreplay.records.internal;

import dev.agentreplay.engine.replay.policy.ReplayBudget;
import dev.agentreplay.records.SessionInputs;
import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.SessionTrace.Round;
import dev.agentreplay.records.agents.AgentRunner;
import dev.agentreplay.records.agents.Feed;
import dev.agentreplay.records.agents.OnInterventions;
import dev.agentreplay.records.agents.RoundTimeouts;
import dev.agentreplay.records.store.RecordTexts;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The options of a replay whose agents run. Immutable, except for the abort.
 *
 * @param record the record of the session that is replayed
 * @param texts its texts
 * @param inputs the inputs of the replay, with the roster that runs
 * @param isComparison whether agents run in place of those with their role, and not their name
 * @param agents the runner of the agents
 * @param firstRound the number of the first round that runs, from 0
 * @param lastRound the number of the last round that runs, inclusive
 * @param feed the source of the messages that the agents are given
 * @param onInterventions whether the agents are given the recorded interventions
 * @param timeouts the time-outs of the agents
 * @param budget the budget of the agents
 * @param seed the seed of the contexts; null for a fixed one
 * @param clock the clock from which the record of the replay takes its times
 * @param receivers the receivers of the progress
 * @param abort the abort of the replay
 */
public record LiveOptions(
    SessionRecord record,
    RecordTexts texts,
    SessionInputs inputs,
    boolean isComparison,
    AgentRunner agents,
    long firstRound,
    long lastRound,
    Feed feed,
    OnInterventions onInterventions,
    RoundTimeouts timeouts,
    ReplayBudget budget,
    @Nullable Long seed,
    InstantSource clock,
    List<ProgressReceiver> receivers,
    ReplayAbort abort) {

  /** Checks for null, and copies the list. */
  public LiveOptions {
    Objects.requireNonNull(record, "record");
    Objects.requireNonNull(texts, "texts");
    Objects.requireNonNull(inputs, "inputs");
    Objects.requireNonNull(agents, "agents");
    Objects.requireNonNull(feed, "feed");
    Objects.requireNonNull(onInterventions, "onInterventions");
    Objects.requireNonNull(timeouts, "timeouts");
    Objects.requireNonNull(budget, "budget");
    Objects.requireNonNull(clock, "clock");
    receivers = List.copyOf(receivers);
    Objects.requireNonNull(abort, "abort");
  }

  /** Whether a recorded round runs. */
  boolean runs(Round round) {
    return round.roundNumber() >= firstRound && round.roundNumber() <= lastRound;
  }

  /** The agents that run, each in place of recorded ones. */
  RunningRoster roster() {
    return isComparison
        ? RunningRoster.byRole(record.inputs().agentRoster(), inputs.agentRoster())
        : RunningRoster.byName(inputs.agentRoster());
  }
}
