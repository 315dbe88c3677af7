package dev.agentreplay.records.replay;

import dev.agentreplay.records.SessionInputs;
import dev.agentreplay.records.agents.AgentRunner;
import dev.agentreplay.records.internal.LiveBudget;
import dev.agentreplay.records.internal.LiveOptions;
import dev.agentreplay.records.internal.LiveSession;
import dev.agentreplay.records.internal.ProgressReceiver;
import dev.agentreplay.records.internal.ReplayedSession;
import java.util.List;

/** Runs the agents of a replay, and reports their progress to its listeners. */
final class LiveReplay {

  private LiveReplay() {}

  /**
   * Runs the rounds of a replay.
   *
   * @param inputs the inputs of the session, with the roster that runs
   * @throws SessionReplayRefusedException if the budget limits money, and the cost of the roster is
   *     not known; nothing has run then
   * @throws InterruptedException if this thread is interrupted; the agents are interrupted then
   */
  static ReplayedSession run(SessionReplay replay, AgentRunner agents, SessionInputs inputs)
      throws SessionReplayRefusedException, InterruptedException {
    String unknownCost = LiveBudget.unknownCost(replay.budget, inputs.agentRoster());
    if (unknownCost != null) {
      throw new SessionReplayRefusedException(
          SessionReplayRefusedException.Reason.BUDGET, unknownCost, List.of());
    }
    return LiveSession.run(new LiveOptions(
        replay.record,
        replay.texts,
        inputs,
        replay.roster != null,
        agents,
        replay.firstRound,
        replay.lastRound,
        replay.feed,
        replay.onInterventions,
        replay.timeouts,
        replay.budget,
        replay.seed,
        replay.clock,
        replay.listeners.stream().<ProgressReceiver>map(ListenerProgress::new).toList(),
        replay.abort));
  }

  /** A listener of the replay as a receiver, which the log names. */
  private record ListenerProgress(SessionReplayListener listener) implements ProgressReceiver {

    @Override
    public void progress(Progress progress) {
      listener.progress(new SessionReplayListener.Progress(
          progress.round(),
          progress.completed(),
          progress.expected(),
          progress.messages(),
          progress.elapsed()));
    }

    @Override
    public String toString() {
      return String.valueOf(listener);
    }
  }
}
