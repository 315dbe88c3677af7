package dev.agentreplay.records.internal;

import dev.agentreplay.records.RecordTime;
import dev.agentreplay.records.SessionTrace.Round;
import dev.agentreplay.records.TraceMessage;
import dev.agentreplay.records.agents.RoundContext;
import dev.agentreplay.records.agents.RoundMessages;
import dev.agentreplay.records.internal.RoundThread.Limit;
import dev.agentreplay.records.internal.RoundThread.StoppedException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Runs the agents of a session record, one round after the other, until a round fails or a limit is
 * reached. Only rounds that ended count.
 */
public final class LiveSession {

  /** The time after which agents that ignore an interrupt are abandoned. */
  public static final Duration GRACE = Duration.ofSeconds(5);

  private static final Duration INTERVAL = Duration.ofSeconds(1);

  private final LiveOptions options;
  private final List<Round> all;
  private final List<Round> rounds;
  private final InputMessages rule;
  private final RoundFeed feed;
  private final ReceivedMessages received;
  private final LiveBudget budget;
  private final LiveRecord record;
  private final RoundThread thread;
  private final LiveProgress progress;

  private LiveSession(LiveOptions options, Duration grace, Duration interval) {
    this.options = options;
    this.budget = new LiveBudget(options.budget(), options.inputs().agentRoster());
    this.all = options.record().trace().rounds();
    this.rounds = all.stream().filter(options::runs).toList();
    this.rule = InputMessages.of(options.record());
    this.feed = new RoundFeed(options, rule);
    this.received = new ReceivedMessages(options.inputs().agentRoster());
    this.record = new LiveRecord(options.record().sessionId(), options.inputs(), options.clock());
    this.thread = new RoundThread(options.abort(), grace);
    this.progress = new LiveProgress(options.receivers(), rounds.size(), interval, grace);
  }

  /**
   * Runs the rounds of a replay.
   *
   * @throws IllegalArgumentException if the budget limits money, and the cost of the roster is not
   *     known ({@link LiveBudget#unknownCost}); nothing has run then
   * @throws InterruptedException if this thread is interrupted; the agents are interrupted then
   */
  public static ReplayedSession run(LiveOptions options) throws InterruptedException {
    return run(options, GRACE, INTERVAL);
  }

  /**
   * Runs the rounds of a replay.
   *
   * @param grace the time after which agents that ignore an interrupt are abandoned
   * @param interval the time between two reports of progress
   */
  public static ReplayedSession run(LiveOptions options, Duration grace, Duration interval)
      throws InterruptedException {
    LiveSession session = new LiveSession(options, grace, interval);
    try (session.progress) {
      return session.run();
    }
  }

  private ReplayedSession run() throws InterruptedException {
    String failure = null;
    for (int i = 0; i < all.size() && failure == null; i++) {
      Round round = all.get(i);
      failure = round(round, i + 1 < all.size() ? all.get(i + 1) : null);
    }
    boolean isAborted = failure != null && options.abort().reason() != null;
    return new ReplayedSession(
        record.record(), record.texts(options.texts()), record.completed(), failure, isAborted);
  }

  /** Runs a round, if it is to be replayed; returns the reason why the replay ends with it. */
  private @Nullable String round(Round round, @Nullable Round next) throws InterruptedException {
    String place = "round %d: ".formatted(round.roundNumber());
    try {
      if (!options.runs(round)) {
        if (round.roundNumber() < options.firstRound()) {
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
    String reason = options.abort().reason();
    if (reason != null) {
      throw new StoppedException("aborted: " + reason);
    }
    RoundContext context = feed.context(round, next);
    RecordTime start = record.now();
    RoundMessages sent = thread.run(
        "replay-round-" + round.roundNumber(),
        () -> Objects.requireNonNull(options.agents().round(context), "the agents returned null"),
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
            options.agents().end();
            return null;
          },
          limit(null));
    } catch (StoppedException e) {
      return "after the last round: " + e.getMessage();
    }
  }

  private Limit limit(@Nullable Long recordedMillis) {
    Duration round = options.timeouts().round(recordedMillis);
    return new Limit(
            round,
            "the agents did not finish in %s, the time-out of a round"
                .formatted(RoundThread.seconds(round)))
        .or(remaining(options.timeouts().overall(), "the time-out of the replay"))
        .or(remaining(options.budget().time(), "the budget of time"));
  }

  private @Nullable Limit remaining(@Nullable Duration time, String name) {
    return time == null
        ? null
        : new Limit(
            time.minus(progress.elapsed()),
            "the agents did not finish in %s, %s".formatted(RoundThread.seconds(time), name));
  }
}
