package dev.agentreplay.records.replay;

import dev.agentreplay.engine.replay.policy.ReplayBudget;
import dev.agentreplay.records.AgentRosterEntry;
import dev.agentreplay.records.RecordHash;
import dev.agentreplay.records.SessionInputs;
import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.SessionTrace;
import dev.agentreplay.records.agents.AgentRunner;
import dev.agentreplay.records.agents.Feed;
import dev.agentreplay.records.agents.OnInterventions;
import dev.agentreplay.records.agents.RoundTimeouts;
import dev.agentreplay.records.internal.InputMessages;
import dev.agentreplay.records.internal.ListenerCalls;
import dev.agentreplay.records.internal.LiveSession;
import dev.agentreplay.records.internal.ReplayAbort;
import dev.agentreplay.records.internal.ReplayedSession;
import dev.agentreplay.records.internal.RoundThread;
import dev.agentreplay.records.internal.TextLookup;
import dev.agentreplay.records.store.RecordTexts;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Replays a session record: runs its agents again, or takes another record of the session, and
 * reports each difference from the recorded messages (specification 004, "Replay Modes").
 *
 * <pre>{@code
 * SessionReplayResult result = SessionReplay.of(record).texts(texts).agents(runner).run();
 * if (result.verdict() != SessionReplayVerdict.MATCHED) {
 *   System.out.println(result.report().conclusion());
 * }
 * }</pre>
 *
 * <p>With a {@link #roster} it is a comparison: other agents run, and messages are paired by role.
 * Without one it is a verification: the recorded agents run, and messages are paired by agent.
 *
 * <p>A replay can run several times, unless it was aborted. It is not for use by several threads,
 * except for {@link #abort}.
 */
public final class SessionReplay {

  final SessionRecord record;
  RecordTexts texts = RecordTexts.none();

  @Nullable
  SessionInputs present;

  @Nullable
  List<AgentRosterEntry> roster;

  @Nullable
  AgentRunner agents;

  @Nullable
  SessionRecord against;

  RecordTexts othersTexts = RecordTexts.none();
  long firstRound;
  long lastRound = Long.MAX_VALUE;
  Feed feed = Feed.RECORDED;
  OnInterventions onInterventions = OnInterventions.REAPPLY;
  OnInputs onInputs = OnInputs.WARN;
  boolean isForced;
  ReplayThresholds thresholds = ReplayThresholds.defaults();
  MessageRules rules = MessageRules.defaults();
  RoundTimeouts timeouts = RoundTimeouts.defaults();
  ReplayBudget budget = ReplayBudget.unlimited();

  @Nullable
  Long seed;

  InstantSource clock = InstantSource.system();
  final List<SessionReplayListener> listeners = new ArrayList<>();
  final ReplayAbort abort = new ReplayAbort();

  private SessionReplay(SessionRecord record) {
    this.record = record;
  }

  /** Creates a replay of a record. */
  public static SessionReplay of(SessionRecord record) {
    return new SessionReplay(Objects.requireNonNull(record, "record"));
  }

  /** Sets the texts of the record; none by default. */
  public SessionReplay texts(RecordTexts newTexts) {
    texts = Objects.requireNonNull(newTexts, "texts");
    return this;
  }

  /**
   * Sets the present inputs, which are compared with the recorded ones before anything runs: the
   * protocol versions, evidence and kickoff that the agents use now. By default they are taken to
   * be the recorded ones, or those of the {@linkplain #against other record}.
   */
  public SessionReplay inputs(@Nullable SessionInputs newInputs) {
    present = newInputs;
    return this;
  }

  /** Sets a different roster, which makes this a comparison; null, the default, for none. */
  public SessionReplay roster(@Nullable List<AgentRosterEntry> newRoster) {
    roster = newRoster == null ? null : List.copyOf(newRoster);
    return this;
  }

  /** Sets the runner of the agents. */
  public SessionReplay agents(@Nullable AgentRunner runner) {
    agents = runner;
    return this;
  }

  /**
   * Sets another record of the session, which was made elsewhere, in place of agents that run.
   *
   * @param itsTexts the texts of the other record
   */
  public SessionReplay against(@Nullable SessionRecord other, RecordTexts itsTexts) {
    against = other;
    othersTexts = Objects.requireNonNull(itsTexts, "itsTexts");
    return this;
  }

  /**
   * Sets the rounds to replay; all by default.
   *
   * @param first the number of the first round, from 0
   * @param last the number of the last round, inclusive
   * @throws IllegalArgumentException if it is less than the first, or that is negative; or if the
   *     record has none of these rounds, because a replay of nothing would match
   */
  public SessionReplay rounds(long first, long last) {
    if (first < 0 || last < first) {
      throw new IllegalArgumentException(
          "rounds: expected 0 <= first <= last, found %d and %d".formatted(first, last));
    }
    List<Long> numbers = record.trace().rounds().stream()
        .map(SessionTrace.Round::roundNumber)
        .sorted()
        .toList();
    if (numbers.stream().noneMatch(number -> number >= first && number <= last)) {
      throw new IllegalArgumentException("no round of the record is from %d%s; %s"
          .formatted(
              first,
              last == Long.MAX_VALUE ? "" : " to " + last,
              numbers.isEmpty()
                  ? "it has none"
                  : "it has rounds from %d to %d"
                      .formatted(numbers.get(0), numbers.get(numbers.size() - 1))));
    }
    firstRound = first;
    lastRound = last;
    return this;
  }

  /** Sets whose messages the agents are given. */
  public SessionReplay feed(Feed newFeed) {
    feed = Objects.requireNonNull(newFeed, "feed");
    return this;
  }

  /** Sets the behavior when operators intervened in the recorded session. */
  public SessionReplay onInterventions(OnInterventions behavior) {
    onInterventions = Objects.requireNonNull(behavior, "behavior");
    return this;
  }

  /** Sets the behavior when inputs differ from the recorded ones. */
  public SessionReplay onInputs(OnInputs behavior) {
    onInputs = Objects.requireNonNull(behavior, "behavior");
    return this;
  }

  /**
   * Sets whether a record is replayed that is not replayable, or whose recorded texts are not all
   * there for the agents.
   */
  public SessionReplay force(boolean force) {
    isForced = force;
    return this;
  }

  /** Sets the thresholds of a match. */
  public SessionReplay thresholds(ReplayThresholds newThresholds) {
    thresholds = Objects.requireNonNull(newThresholds, "thresholds");
    return this;
  }

  /** Sets the rules by which messages are compared. */
  public SessionReplay comparedBy(MessageRules newRules) {
    rules = Objects.requireNonNull(newRules, "rules");
    return this;
  }

  /** Sets the time-outs of agents that run. */
  public SessionReplay timeouts(RoundTimeouts newTimeouts) {
    timeouts = Objects.requireNonNull(newTimeouts, "timeouts");
    return this;
  }

  /**
   * Sets the budget of agents that run: {@code calls} are messages that they send, {@code bytes}
   * the length of their texts in UTF-8, {@code tokens} those that they count. At a limit the replay
   * ends as incomplete, after the round that exceeded it; the time also ends a round that runs. A
   * limit of tokens or money needs agents that count their tokens, and one of money also the price
   * of each model of the roster, which is the same, because agents do not count by model.
   */
  public SessionReplay budget(ReplayBudget newBudget) {
    budget = Objects.requireNonNull(newBudget, "budget");
    return this;
  }

  /** Sets the seed of the context of agents; null, the default, for a fixed one. */
  public SessionReplay seed(@Nullable Long newSeed) {
    seed = newSeed;
    return this;
  }

  /** Sets the clock from which the report takes its time; that of the system by default. */
  public SessionReplay clock(InstantSource newClock) {
    clock = Objects.requireNonNull(newClock, "clock");
    return this;
  }

  /** Adds a listener. */
  public SessionReplay listener(SessionReplayListener listener) {
    listeners.add(Objects.requireNonNull(listener, "listener"));
    return this;
  }

  /**
   * Aborts the replay: the agents or the judge are interrupted, and its verdict is
   * {@link SessionReplayVerdict#INCOMPLETE}. The messages that the agents have sent are compared,
   * as far as no judge is needed. May be called by any thread, also before the replay starts. Later
   * aborts are ignored.
   *
   * @param reason the reason, for the report
   */
  public void abort(String reason) {
    abort.abort(Objects.requireNonNull(reason, "reason"));
  }

  /**
   * Runs the replay.
   *
   * @throws IllegalStateException unless either agents or another record are set
   * @throws SessionReplayRefusedException if the record is not replayed
   * @throws IOException if a text cannot be read
   * @throws InterruptedException if this thread is interrupted; the agents or the judge are then,
   *     too
   */
  public SessionReplayResult run() throws IOException, InterruptedException {
    if ((agents == null) == (against == null)) {
      throw new IllegalStateException("a replay needs either agents or another record");
    }
    SessionInputs inputs = presentInputs();
    List<InputDifference> differences = InputCheck.check(this, inputs);
    ListenerCalls.toEach(listeners, listener -> listener.inputs(differences));
    ReplayedSession replayed = agents != null
        ? LiveReplay.run(this, agents, inputs)
        : ReplayedSession.of(record, against, othersTexts, firstRound, lastRound);
    return compare(replayed, differences);
  }

  /** The session with the abort of its comparison, if it was not aborted before. */
  private ReplayedSession afterAbort(ReplayedSession replayed) {
    String reason = abort.reason();
    return reason == null || replayed.failure() != null
        ? replayed
        : replayed.aborted("aborted: " + reason);
  }

  /** The inputs of the replay, with the roster that runs. */
  private SessionInputs presentInputs() {
    SessionInputs inputs =
        present != null ? present : against != null ? against.inputs() : record.inputs();
    List<AgentRosterEntry> running = roster != null
        ? roster
        : against != null ? against.inputs().agentRoster() : record.inputs().agentRoster();
    return inputs.withAgentRoster(running);
  }

  private SessionReplayResult compare(ReplayedSession replayed, List<InputDifference> differences)
      throws IOException, InterruptedException {
    TextLookup originalTexts = new TextLookup(texts);
    TextLookup replayedTexts = new TextLookup(replayed.texts());
    MeasuredTexts measured = new MeasuredTexts(rules, new RoundThread(abort, LiveSession.GRACE));
    MessageComparison comparison = new MessageComparison(originalTexts, replayedTexts, measured);
    TextKeys keys = TextKeys.of(record, originalTexts, replayed.record(), replayedTexts, measured);
    List<MessageComparison.Compared> pairs = new ArrayList<>();
    for (AlignedMessages aligned : MessageAlignment.of(
        messages(record, InputMessages.of(record), keys),
        messages(replayed.record(), InputMessages.ofReplay(replayed.record(), record), keys),
        originalTexts,
        replayedTexts)) {
      pairs.add(comparison.compare(aligned));
    }
    ArtifactComparison artifact = ArtifactComparison.of(
        artifact(record), originalTexts, artifact(replayed.record()), replayedTexts, measured);
    return new ReplayReportBuilder(this, afterAbort(replayed), differences, pairs, artifact)
        .build();
  }

  /** The final artifact of a session; if later rounds are left out, the last one before them. */
  private RecordHash artifact(SessionRecord session) {
    List<SessionTrace.Round> all = record.trace().rounds();
    if (all.stream().allMatch(round -> round.roundNumber() <= lastRound)) {
      return session.outputs().finalArtifactHash();
    }
    return session.trace().rounds().stream()
        .filter(round -> round.roundNumber() >= firstRound && round.roundNumber() <= lastRound)
        .map(SessionTrace.Round::compiledArtifactHash)
        .filter(Objects::nonNull)
        .reduce(RecordHash.NONE, (before, after) -> after);
  }

  private Map<Long, List<LaneMessage>> messages(
      SessionRecord session, InputMessages inputs, TextKeys keys) {
    List<AgentRosterEntry> agents = session.inputs().agentRoster();
    Lanes lanes = roster == null ? Lanes.byAgent(agents) : Lanes.byRole(agents);
    return LaneMessage.byRound(session, inputs, lanes, keys, firstRound, lastRound);
  }

  /**
   * Steps through the record without running anything: each text is checked against its hash, and
   * nothing is compared.
   *
   * @throws SessionReplayRefusedException if the record has none of the rounds to replay
   * @throws IOException if a text cannot be read
   */
  public SessionReplayResult trace() throws IOException {
    return TraceReplay.of(this);
  }
}
