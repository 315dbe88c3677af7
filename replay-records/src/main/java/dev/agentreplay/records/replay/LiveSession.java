package dev.agentreplay.records.replay;

import dev.agentreplay.records.RecordTime;
import dev.agentreplay.records.SessionInputs;
import dev.agentreplay.records.SessionTrace.Round;
import dev.agentreplay.records.TraceMessage;
import dev.agentreplay.records.replay.RoundThread.Limit;
import dev.agentreplay.records.replay.RoundThread.StoppedException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Runs the agents of a session record, one round after the other, until a round fails or a limit is
 * reached. Only rounds that ended count.
 */
final class LiveSession {

  static final Duration GRACE = Duration.ofSeconds(5);
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  private final SessionReplay replay;
  private final AgentRunner agents;
  private final List<Round> all;
  private final List<Round> rounds;
  private final InputMessages rule;
  private final RoundFeed feed;
  private final ReceivedMessages received;
  private final LiveBudget budget;
  private final LiveRecord record;
  private final RoundThread thread;
  private final LiveProgress progress;

  private LiveSession(SessionReplay replay, SessionInputs inputs, Duration grace, Duration interval)
      throws SessionReplayRefusedException {
    this.replay = replay;
    this.agents = Objects.requireNonNull(replay.agents, "agents");
    this.budget = new LiveBudget(replay.budget, inputs.agentRoster());
    this.all = replay.record.trace().rounds();
    this.rounds = all.stream().filter(this::runs).toList();
    this.rule = InputMessages.of(replay.record);
    this.feed = new RoundFeed(replay, inputs, rule);
    this.received = new ReceivedMessages(inputs.agentRoster());
    this.record = new LiveRecord(replay.record.sessionId(), inputs, replay.clock);
    this.thread = new RoundThread(replay.abort, grace);
    this.progress = new LiveProgress(replay.listeners, rounds.size(), interval, grace);
  }

  /**
   * Runs the rounds of a replay.
   *
   * @param inputs the inputs of the session, with the roster that runs
   * @throws SessionReplayRefusedException if the budget limits money, and the cost of the roster is
   *     not known; nothing has run then
   * @throws InterruptedException if this thread is interrupted; the agents are interrupted then
   */
  static ReplayedSession run(SessionReplay replay, SessionInputs inputs)
      throws SessionReplayRefusedException, InterruptedException {
    return run(replay, inputs, GRACE, INTERVAL);
  }

  /**
   * Runs the rounds of a replay.
   *
   * @param grace the time after which agents that ignore an interrupt are abandoned
   * @param interval the time between two reports of progress
   */
  static ReplayedSession run(
      SessionReplay replay, SessionInputs inputs, Duration grace, Duration interval)
      throws SessionReplayRefusedException, InterruptedException {
    LiveSession session = new LiveSession(replay, inputs, grace, interval);
    try (session.progress) {
      return session.run();
    }
  }

  private boolean runs(Round round) {
    return round.roundNumber() >= replay.firstRound && round.roundNumber() <= replay.lastRound;
  }

  private ReplayedSession run() throws InterruptedException {
    String failure = null;
    for (int i = 0; i < all.size() && failure == null; i++) {
      Round round = all.get(i);
      failure = round(round, i + 1 < all.size() ? all.get(i + 1) : null);
    }
    boolean isAborted = failure != null && replay.abort.reason() != null;
    return new ReplayedSession(
        record.record(), record.texts(replay.texts), record.completed(), failure, isAborted);
  }

  /** Runs a round, if it is to be replayed; returns the reason why the replay ends with it. */
  private @Nullable String round(Round round, @Nullable Round next) throws InterruptedException {
    String place = "round %d: ".formatted(round.roundNumber());
    try {
      if (!runs(round)) {
        if (round.roundNumber() < replay.firstRound) {
          feed.skip(round);
        }
        return null;
      }
      String exceeded = replayed(round, next);
      if (exceeded != null) {
        return place + exceeded;
      }
    } catch (IOException e) {
      return place + e.getMessage();
    } catch (StoppedException e) {
      return place + e.getMessage();
    }
    return record.completed() == rounds.size() ? end() : null;
  }

  /** Runs a round; returns the budget that it exceeded. */
  private @Nullable String replayed(Round round, @Nullable Round next)
      throws IOException, StoppedException, InterruptedException {
    progress.round(round.roundNumber(), record.completed(), record.messages());
    String reason = replay.abort.reason();
    if (reason != null) {
      throw new StoppedException("aborted: " + reason);
    }
    RoundContext context = feed.context(round, next);
    RecordTime start = record.now();
    RoundMessages sent = thread.run(
        "replay-round-" + round.roundNumber(),
        () -> Objects.requireNonNull(agents.round(context), "the agents returned null"),
        limit(round.durationMillis()));
    List<TraceMessage> messages = received.check(sent, record.now());
    record.add(round, rule, context, start, sent, messages);
    feed.sent(messages, sent.messages());
    return budget.add(sent, messages);
  }

  /** Ends the agents; returns the reason why that failed. */
  private @Nullable String end() throws InterruptedException {
    try {
      return thread.run(
          "replay-end",
          () -> {
            agents.end();
            return null;
          },
          limit(null));
    } catch (StoppedException e) {
      return "after the last round: " + e.getMessage();
    }
  }

  private Limit limit(@Nullable Long recordedMillis) {
    Duration round = replay.timeouts.round(recordedMillis);
    return new Limit(
            round,
            "the agents did not finish in %s, the time-out of a round"
                .formatted(RoundThread.seconds(round)))
        .or(remaining(replay.timeouts.overall(), "the time-out of the replay"))
        .or(remaining(replay.budget.time(), "the budget of time"));
  }

  private @Nullable Limit remaining(@Nullable Duration time, String name) {
    return time == null
        ? null
        : new Limit(
            time.minus(progress.elapsed()),
            "the agents did not finish in %s, %s".formatted(RoundThread.seconds(time), name));
  }
}
