package dev.agentreplay.records.internal;

import dev.agentreplay.engine.replay.policy.ReplayBudget;
import dev.agentreplay.records.SessionInputs;
import dev.agentreplay.records.agents.AgentRunner;
import dev.agentreplay.records.agents.Feed;
import dev.agentreplay.records.agents.OnInterventions;
import dev.agentreplay.records.agents.RoundTimeouts;
import dev.agentreplay.records.store.RecordTexts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A run of agents in the session of {@link ThreeRounds}, whose options tests change. */
public final class LiveRun {

  private final AgentRunner agents;
  private final ReplayAbort abort = new ReplayAbort();
  private final List<ProgressReceiver> receivers = new ArrayList<>();
  private RecordTexts texts = ThreeRounds.texts();
  private SessionInputs inputs = ThreeRounds.RECORD.inputs();
  private boolean isComparison;
  private long firstRound;
  private long lastRound = Long.MAX_VALUE;
  private Feed feed = Feed.RECORDED;
  private OnInterventions onInterventions = OnInterventions.REAPPLY;
  private RoundTimeouts timeouts = RoundTimeouts.defaults();
  private ReplayBudget budget = ReplayBudget.unlimited();
  private @Nullable Long seed;

  LiveRun(AgentRunner agents) {
    this.agents = agents;
  }

  public LiveRun texts(RecordTexts newTexts) {
    texts = newTexts;
    return this;
  }

  /** Sets the inputs of a verification. */
  public LiveRun inputs(SessionInputs newInputs) {
    inputs = newInputs;
    return this;
  }

  /** Sets the inputs of a comparison. */
  public LiveRun comparison(SessionInputs newInputs) {
    isComparison = true;
    return inputs(newInputs);
  }

  public LiveRun rounds(long first, long last) {
    firstRound = first;
    lastRound = last;
    return this;
  }

  public LiveRun feed(Feed newFeed) {
    feed = newFeed;
    return this;
  }

  public LiveRun onInterventions(OnInterventions behavior) {
    onInterventions = behavior;
    return this;
  }

  public LiveRun timeouts(RoundTimeouts newTimeouts) {
    timeouts = newTimeouts;
    return this;
  }

  public LiveRun budget(ReplayBudget newBudget) {
    budget = newBudget;
    return this;
  }

  public LiveRun seed(long newSeed) {
    seed = newSeed;
    return this;
  }

  public LiveRun receiver(ProgressReceiver receiver) {
    receivers.add(receiver);
    return this;
  }

  public void abort(String reason) {
    abort.abort(reason);
  }

  /** Runs the agents, which end when they are interrupted, with one report for each round. */
  public ReplayedSession run() throws InterruptedException {
    return run(Duration.ofSeconds(30), Duration.ofHours(1));
  }

  /**
   * Runs the agents.
   *
   * @param grace the time after which agents that ignore an interrupt are abandoned
   * @param interval the time between two reports of progress
   */
  public ReplayedSession run(Duration grace, Duration interval) throws InterruptedException {
    LiveOptions options = new LiveOptions(
        ThreeRounds.RECORD,
        texts,
        inputs,
        isComparison,
        agents,
        firstRound,
        lastRound,
        feed,
        onInterventions,
        timeouts,
        budget,
        seed,
        ThreeRounds.NOW,
        receivers,
        abort);
    return LiveSession.run(options, grace, interval);
  }
}
