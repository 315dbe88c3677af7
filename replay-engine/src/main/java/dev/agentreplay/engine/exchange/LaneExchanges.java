package dev.agentreplay.engine.exchange;

import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.RecordedValue;
import dev.agentreplay.model.finding.Position;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The exchanges and values of one lane of a recording. Not safe for use by several threads. */
final class LaneExchanges {

  /** The most exchanges among which those before a given one are searched. */
  private static final int MAX_SEARCHED = 256;

  /** The exchanges with one key, in order: the first that is not taken, and the last. */
  private static final class Queue {
    @Nullable
    RecordedExchange first;

    RecordedExchange last;

    long size = 1;

    Queue(RecordedExchange only) {
      this.first = only;
      this.last = only;
    }
  }

  /** A recorded value. */
  record Value(int place, Position position) {}

  /** The values of one source, in order. */
  static final class Values {
    final List<Value> all = new ArrayList<>();
    int served;
  }

  private final @Nullable String agent;
  private final List<RecordedExchange> exchanges = new ArrayList<>();
  private final Map<RequestKey, Queue> same = new HashMap<>();
  private final Map<RequestKey, Queue> normal = new HashMap<>();
  private final Map<ExchangeKind, OpenExchanges> ofKind = new EnumMap<>(ExchangeKind.class);
  private final Map<String, OpenExchanges> ofTool = new HashMap<>();
  private final Map<String, Values> values = new HashMap<>();

  /** The exchanges whose requests were not executed, by the keys of these. */
  private final Map<RequestKey, ArrayDeque<RecordedExchange>> released = new HashMap<>();

  private int valueCount;

  /** The place of the first exchange that is not taken. */
  private int firstOpen;

  /** The place after the last exchange that was taken. */
  private int afterLast;

  /** The number of requests that were missed since. */
  private int missed;

  /** The place of the next value, if values are requested in the recorded order. */
  int nextValue;

  private @Nullable Conversations conversations = new Conversations();

  LaneExchanges(@Nullable String agent) {
    this.agent = agent;
  }

  @Nullable
  String agent() {
    return agent;
  }

  /**
   * Adds a call.
   *
   * @param model the call with its prompt, if it is one of a model; else null
   */
  RecordedExchange add(
      RequestKey key, @Nullable RequestKey normalKey, ReplayLine call, @Nullable ModelCall model) {
    RecordedExchange exchange = new RecordedExchange(key, normalKey, agent, exchanges.size(), call);
    exchanges.add(exchange);
    ofKind.computeIfAbsent(key.kind(), kind -> new OpenExchanges()).add(exchange);
    if (key.kind() == ExchangeKind.TOOL_CALL) {
      ofTool.computeIfAbsent(key.name(), name -> new OpenExchanges()).add(exchange);
    }
    if (conversations != null && model != null) {
      conversations.add(exchange, model);
    }
    Queue queue = same.get(key);
    if (queue == null) {
      same.put(key, new Queue(exchange));
    } else {
      queue.last.nextSame = exchange;
      queue.last = exchange;
      queue.size++;
    }
    if (normalKey != null) {
      Queue close = normal.get(normalKey);
      if (close == null) {
        normal.put(normalKey, new Queue(exchange));
      } else {
        close.last.nextNormal = exchange;
        close.last = exchange;
      }
    }
    return exchange;
  }

  /** Ends reading. */
  void end() {
    conversations = null;
  }

  void add(RecordedValue value, Position position) {
    values
        .computeIfAbsent(value.source(), source -> new Values())
        .all
        .add(new Value(valueCount++, position));
  }

  List<RecordedExchange> exchanges() {
    return Collections.unmodifiableList(exchanges);
  }

  Map<String, Values> values() {
    return values;
  }

  /** The first exchange that is not taken; null if all are. */
  @Nullable
  RecordedExchange firstOpen() {
    while (firstOpen < exchanges.size() && exchanges.get(firstOpen).isTaken) {
      firstOpen++;
    }
    return firstOpen < exchanges.size() ? exchanges.get(firstOpen) : null;
  }

  /** The first exchanges before a given one that are not taken, at most a number of them. */
  List<RecordedExchange> openBefore(RecordedExchange other, int limit) {
    RecordedExchange first = firstOpen();
    if (first == null) {
      return List.of();
    }
    int end = Math.min(other.place(), first.place() + MAX_SEARCHED);
    return exchanges.subList(first.place(), Math.max(first.place(), end)).stream()
        .filter(exchange -> !exchange.isTaken)
        .limit(limit)
        .toList();
  }

  /** The exchange after the last one that was taken; null if it is taken or there is none. */
  @Nullable
  RecordedExchange afterLast() {
    return open(afterLast);
  }

  /**
   * The exchange after the last one that was taken, and one for each request that was missed since;
   * null if it is taken or there is none.
   */
  @Nullable
  RecordedExchange afterMissed() {
    return open(afterLast + missed);
  }

  private @Nullable RecordedExchange open(int place) {
    RecordedExchange exchange = place < exchanges.size() ? exchanges.get(place) : null;
    return exchange == null || exchange.isTaken ? null : exchange;
  }

  /** Notes that the request that took an exchange was not executed. */
  void release(RequestKey key, RecordedExchange exchange) {
    released.computeIfAbsent(key, same -> new ArrayDeque<>()).add(exchange);
  }

  /** The first exchange that was released by a request with a key; null if there is none. */
  @Nullable
  RecordedExchange takeReleased(RequestKey key) {
    ArrayDeque<RecordedExchange> exchanges = released.get(key);
    return exchanges == null ? null : exchanges.poll();
  }

  /** Notes that a request was missed. */
  void miss() {
    missed++;
  }

  /** The first exchange with a key that is not taken; null if there is none. */
  @Nullable
  RecordedExchange sameAs(RequestKey key) {
    Queue queue = same.get(key);
    while (queue != null && queue.first != null && queue.first.isTaken) {
      queue.first = queue.first.nextSame;
    }
    return queue == null ? null : queue.first;
  }

  /** The first exchange with a key after normalization that is not taken; null if there is none. */
  @Nullable
  RecordedExchange normalAs(RequestKey key) {
    Queue queue = normal.get(key);
    while (queue != null && queue.first != null && queue.first.isTaken) {
      queue.first = queue.first.nextNormal;
    }
    return queue == null ? null : queue.first;
  }

  /** The last exchange with a key, taken or not; null if the lane never had one. */
  @Nullable
  RecordedExchange lastSame(RequestKey key) {
    Queue queue = same.get(key);
    return queue == null ? null : Objects.requireNonNull(queue.last);
  }

  /** Takes an exchange for a request. */
  void take(RecordedExchange exchange) {
    exchange.isTaken = true;
    afterLast = exchange.place() + 1;
    missed = 0;
  }

  /** The first exchanges that are not taken, of the tool of a request, or of all models. */
  List<RecordedExchange> open(RequestKey request, int limit) {
    OpenExchanges open = like(request);
    return open == null ? List.of() : open.first(limit);
  }

  /** The number of exchanges of the tool of a request, or of all models, taken or not. */
  long count(RequestKey request) {
    OpenExchanges all = like(request);
    return all == null ? 0 : all.total();
  }

  private @Nullable OpenExchanges like(RequestKey request) {
    return request.kind() == ExchangeKind.TOOL_CALL
        ? ofTool.get(request.name())
        : ofKind.get(request.kind());
  }

  /** The number of exchanges with a key, taken or not. */
  long countSame(RequestKey key) {
    Queue queue = same.get(key);
    return queue == null ? 0 : queue.size;
  }
}
