package dev.agentreplay.engine.exchange;

import dev.agentreplay.engine.diff.EventComparison;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.RecordedValue;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Matches the requests of a replay with the exchanges of a recording, each of which is taken by one
 * request at most, unless that was not executed. The rules are those of {@link MatchRung}, tried in
 * this order, within the lane of the request. Safe for use by several threads.
 */
public final class ExchangeMatcher {

  /** The most recorded requests with which one request is compared under the rules. */
  static final int MAX_COMPARED = 1_000;

  /**
   * The most bytes of recorded requests with which one request is compared under the rules, unless
   * these are less than {@value #MIN_COMPARED}.
   */
  private static final long MAX_BYTES = 4L << 20;

  private static final int MIN_COMPARED = 16;

  private final RecordedExchanges recording;
  private final EventComparison comparison;
  private final boolean byPosition;
  private final PromptGrowth growth;
  private final LivePrompts prompts;
  private final MissFinder misses;
  private final ReentrantLock lock = new ReentrantLock();

  /** Whether not all requests were compared that may be equal under the rules. */
  private boolean isCut;

  /** The result of matching a request. */
  public sealed interface Result permits Matched, Missed {}

  /**
   * A request that is matched.
   *
   * @param exchange the recorded exchange, which no other request gets unless it is released
   * @param rung the rule
   */
  public record Matched(RecordedExchange exchange, MatchRung rung) implements Result {}

  /**
   * A request that no exchange matches.
   *
   * @param miss the report
   */
  public record Missed(ReplayMiss miss) implements Result {}

  /**
   * Creates a matcher of a recording of which no exchange is taken.
   *
   * @param byPosition whether a different request of the same tool, or of a model, at the same
   *     place is matched
   */
  public ExchangeMatcher(RecordedExchanges recording, boolean byPosition) {
    this.recording = recording;
    this.comparison = recording.comparison();
    this.byPosition = byPosition;
    this.growth = new PromptGrowth(recording);
    this.prompts = new LivePrompts(growth);
    this.misses = new MissFinder(recording);
  }

  /**
   * Matches a request.
   *
   * @param call the call, with its parameters or prompt in full; its id is ignored
   * @param agent the id of the agent that makes it; null for the main agent
   * @throws IOException if the recording cannot be read, or was changed
   */
  public Result match(ReplayEvent call, @Nullable String agent) throws IOException {
    ReplayEvent request = RequestKeys.request(call);
    RequestKey key = RequestKeys.exact(request, recording.canonicalization());
    lock.lock();
    try {
      isCut = false;
      LaneExchanges lane = recording.find(agent);
      Matched matched = lane == null ? null : find(lane, request, key);
      if (lane == null || matched == null) {
        if (lane != null) {
          lane.miss();
        }
        MissFinder.Found found = misses.find(lane, request, key, agent, isCut);
        if (request instanceof ModelCall model && found.nearest() != null) {
          prompts.add(found.nearest(), model);
        }
        return new Missed(found.miss());
      }
      boolean isAgain = matched.exchange().isTaken;
      if (!isAgain) {
        lane.take(matched.exchange());
      }
      if (request instanceof ModelCall model) {
        if (!isAgain) {
          prompts.taken(matched.exchange());
        }
        prompts.add(matched.exchange(), model);
      }
      return matched;
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Matched find(LaneExchanges lane, ReplayEvent request, RequestKey key)
      throws IOException {
    RecordedExchange released = lane.takeReleased(key);
    if (released != null) {
      return new Matched(released, MatchRung.OUT_OF_ORDER);
    }
    RecordedExchange first = lane.firstOpen();
    if (first == null) {
      return null;
    }
    RecordedExchange next = lane.afterLast();
    for (RecordedExchange inOrder :
        new @Nullable RecordedExchange[] {lane.afterMissed(), next, first}) {
      if (inOrder != null && inOrder.key.equals(key)) {
        return new Matched(inOrder, MatchRung.EXACT);
      }
    }
    RecordedExchange same = lane.sameAs(key);
    if (same != null) {
      return new Matched(same, MatchRung.OUT_OF_ORDER);
    }
    RecordedExchange close = close(lane, request, key);
    if (close != null) {
      return new Matched(close, MatchRung.RULES);
    }
    if (request instanceof ModelCall model) {
      RecordedExchange grown = prompts.continuedBy(model, lane.agent());
      if (grown != null) {
        return new Matched(grown, MatchRung.DELTA);
      }
    }
    return byPosition ? atPlace(next == null ? first : next, request) : null;
  }

  /**
   * Releases an exchange whose request was not executed, or not answered in time: the same request
   * gets it again.
   *
   * @param call the call that it was matched with
   * @param agent the id of the agent that made it; null for the main agent
   */
  public void release(RecordedExchange exchange, ReplayEvent call, @Nullable String agent) {
    RequestKey key = RequestKeys.exact(RequestKeys.request(call), recording.canonicalization());
    lock.lock();
    try {
      LaneExchanges lane = recording.find(agent);
      if (lane != null) {
        lane.release(key, exchange);
      }
    } finally {
      lock.unlock();
    }
  }

  /** The first exchange whose request is equal under the rules of the comparison. */
  private @Nullable RecordedExchange close(LaneExchanges lane, ReplayEvent request, RequestKey key)
      throws IOException {
    if (comparison.isExact()) {
      return null;
    }
    RecordedExchange normal = lane.normalAs(RequestKeys.normal(request, comparison));
    if (normal != null) {
      return normal;
    }
    long bytes = 0;
    int compared = 0;
    for (RecordedExchange open : lane.open(key, MAX_COMPARED + 1)) {
      // without tolerances, what may be equal has the same normal key, unless it is only a hash
      if (!open.name().equals(key.name()) || !(comparison.isTolerant() || open.isHashOnly)) {
        continue;
      }
      bytes += open.bytes;
      if (compared == MAX_COMPARED || (compared >= MIN_COMPARED && bytes > MAX_BYTES)) {
        isCut = true;
        return null;
      }
      compared++;
      ReplayEvent recorded = RequestKeys.request(recording.call(open));
      if (comparison.compare(recorded, request).isEmpty()) {
        return open;
      }
    }
    return null;
  }

  private static @Nullable Matched atPlace(RecordedExchange place, ReplayEvent request) {
    boolean isSameTool = place.kind() == ExchangeKind.ofCall(request)
        && (place.kind() == ExchangeKind.MODEL_CALL
            || place.name().equals(RequestKeys.name(request)));
    return isSameTool ? new Matched(place, MatchRung.POSITION) : null;
  }

  /**
   * Adds a result of this replay that differs from the recorded one: where it is in later prompts,
   * {@link MatchRung#DELTA} takes it for the recorded one.
   */
  public void addDifference(JsonValue actual, JsonValue recorded) {
    lock.lock();
    try {
      growth.addDifference(actual, recorded);
    } finally {
      lock.unlock();
    }
  }

  /** The number of prompts of this replay that are kept. */
  int keptPrompts() {
    lock.lock();
    try {
      return prompts.size();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Reports a request that was matched, but cannot be answered.
   *
   * @param call the call of the request
   */
  public static ReplayMiss unanswerable(
      RecordedExchange exchange, ReplayEvent call, MissKind kind) {
    return MissFinder.unanswerable(exchange, call, kind);
  }

  /** Reports a request that was matched, but differs from the recorded one. */
  public static ReplayMiss differs(RecordedExchange exchange, ReplayEvent call) {
    return MissFinder.differs(exchange, call);
  }

  /**
   * Reports a request that was matched, but made before an earlier one.
   *
   * @param before the line of the recorded call that was not requested
   */
  public static ReplayMiss early(RecordedExchange exchange, ReplayEvent call, long before) {
    return MissFinder.early(exchange, call, before);
  }

  /**
   * The line of the first exchange before a line that is not taken; null if there is none.
   *
   * @param agents the agents whose exchanges count
   */
  public @Nullable Long firstOpenBefore(long line, Predicate<@Nullable String> agents) {
    lock.lock();
    try {
      Long first = null;
      for (LaneExchanges lane : recording.lanes()) {
        RecordedExchange open = agents.test(lane.agent()) ? lane.firstOpen() : null;
        if (open != null && open.line() < line && (first == null || open.line() < first)) {
          first = open.line();
        }
      }
      return first;
    } finally {
      lock.unlock();
    }
  }

  /** Reports a request that was matched, but whose answer was streamed in unknown pieces. */
  public static ReplayMiss unservableStream(RecordedExchange exchange, ReplayEvent call) {
    return MissFinder.unservableStream(exchange, call);
  }

  /**
   * Reports a value that was requested, and is not recorded.
   *
   * @param ordinal the number of values of the source that were requested in the lane before
   */
  public ReplayMiss unrecorded(@Nullable String agent, String source, long ordinal) {
    LaneExchanges lane = recording.find(agent);
    LaneExchanges.Values values = lane == null ? null : lane.values().get(source);
    return MissFinder.value(agent, source, ordinal, values == null ? 0 : values.all.size());
  }

  /**
   * Reports a value that was requested, and is recorded with a different type.
   *
   * @param line the line of the recorded value, from 1
   * @param reason the difference in words
   */
  public ReplayMiss differs(@Nullable String agent, String source, long line, String reason) {
    return MissFinder.value(agent, source, line, reason);
  }

  /**
   * Returns the next value of a source.
   *
   * @return the value; null if the recording has no further value of the source in the lane
   * @throws IOException if the recording cannot be read, or was changed
   */
  public @Nullable NextValue value(@Nullable String agent, String source) throws IOException {
    lock.lock();
    try {
      LaneExchanges lane = recording.find(agent);
      LaneExchanges.Values values = lane == null ? null : lane.values().get(source);
      if (lane == null || values == null || values.served >= values.all.size()) {
        return null;
      }
      LaneExchanges.Value value = values.all.get(values.served++);
      int expected = lane.nextValue;
      lane.nextValue = value.place() + 1;
      return new NextValue(
          (RecordedValue) recording.load(value.position()),
          value.position().line(),
          value.place(),
          expected);
    } finally {
      lock.unlock();
    }
  }

  /**
   * A recorded value that a replay returns.
   *
   * @param event the value
   * @param line its line in the recording, from 1
   * @param place its number among the values of all sources of its lane, from 0
   * @param expected the number of the value that follows the one of the lane that was returned
   *     before
   */
  public record NextValue(RecordedValue event, long line, int place, int expected) {

    /**
     * Whether it was recorded as the next one, of all sources, after the value of its lane that was
     * returned before.
     */
    public boolean isInOrder() {
      return place == expected;
    }
  }

  /**
   * The values that were not requested.
   *
   * @param agent the id of the agent; null for the main agent
   * @param source the source
   * @param count their number
   * @param line the line of the first, from 1
   * @param ordinal the number of the first in its source and lane, from 0
   */
  public record UnreadValues(
      @Nullable String agent, String source, long count, long line, long ordinal) {}

  /** The values that were not requested, by lane and source. */
  public List<UnreadValues> unreadValues() {
    lock.lock();
    try {
      return recording.lanes().stream()
          .flatMap(lane -> lane.values().entrySet().stream()
              .filter(entry -> entry.getValue().served < entry.getValue().all.size())
              .sorted(Map.Entry.comparingByKey())
              .map(entry -> unread(lane.agent(), entry.getKey(), entry.getValue())))
          .toList();
    } finally {
      lock.unlock();
    }
  }

  private static UnreadValues unread(
      @Nullable String agent, String source, LaneExchanges.Values values) {
    long line = values.all.get(values.served).position().line();
    return new UnreadValues(agent, source, values.all.size() - values.served, line, values.served);
  }
}
