package dev.agentreplay.engine.exchange;

import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.model.finding.Position;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An exchange of a recording: a call with its result. It holds positions and hashes, not values:
 * {@link RecordedExchanges} reads those.
 */
public final class RecordedExchange {

  private final ExchangeKind kind;
  private final String name;
  private final @Nullable String agent;
  private final int place;
  final RequestKey key;

  /**
   * The request after normalization by the rules of the comparison; null if they change nothing.
   */
  final @Nullable RequestKey normal;

  final Position call;

  /** The length of the line of the call. */
  final int bytes;

  /** Whether the log has only the hash of the request, or a blob. */
  final boolean isHashOnly;

  @Nullable
  Position result;

  @Nullable
  Long latencyMillis;

  /** Whether a request was matched with it; guarded by the lock of its matcher. */
  boolean isTaken;

  /** The next exchange of its lane with the same key, and with the same normal key. */
  @Nullable
  RecordedExchange nextSame;

  @Nullable
  RecordedExchange nextNormal;

  /** The model call with most messages in common from the first on; null if there is none. */
  @Nullable
  RecordedExchange base;

  /** The number of messages that it has in common with its base. */
  int prefix;

  /** The longest model call all of whose messages it begins with, if that is not its base. */
  @Nullable
  RecordedExchange beginning;

  /** The number of messages of its prompt, and their hash. */
  int messages;

  long messagesHash;

  /** The calls that continue this one. */
  private @Nullable OpenExchanges continuing;

  RecordedExchange(
      RequestKey key,
      @Nullable RequestKey normal,
      @Nullable String agent,
      int place,
      ReplayLine call) {
    this.kind = key.kind();
    this.name = key.name();
    this.agent = agent;
    this.place = place;
    this.key = key;
    this.normal = normal;
    this.call = call.position();
    this.bytes = call.length();
    this.isHashOnly = call.event().content().value() == null;
  }

  /** Makes this a call that continues others. */
  @SuppressWarnings("ReferenceEquality") // exchanges have identity
  void follow(RecordedExchange newBase, int common, @Nullable RecordedExchange newBeginning) {
    base = newBase;
    prefix = common;
    newBase.addContinuing(this);
    if (newBeginning != null && newBeginning != newBase) {
      beginning = newBeginning;
      newBeginning.addContinuing(this);
    }
  }

  private void addContinuing(RecordedExchange exchange) {
    if (continuing == null) {
      continuing = new OpenExchanges();
    }
    continuing.add(exchange);
  }

  @SuppressWarnings("ReferenceEquality") // exchanges have identity
  private int prefixWith(RecordedExchange other) {
    return other == base ? prefix : other.messages;
  }

  /** Whether a call that is not taken continues this one. */
  boolean isContinued() {
    return continuing != null && !continuing.first(1).isEmpty();
  }

  /** The first calls that are not taken, and continue this one after a number of messages. */
  List<RecordedExchange> continuing(int messagesInCommon, int limit) {
    return continuing == null
        ? List.of()
        : continuing.first(limit).stream()
            .filter(next -> next.prefixWith(this) == messagesInCommon)
            .toList();
  }

  /** The kind of the exchange. */
  public ExchangeKind kind() {
    return kind;
  }

  /** The tool or the model; empty for a model call that states none. */
  public String name() {
    return name;
  }

  /** The id of the agent: its lane; null for the main agent. */
  public @Nullable String agent() {
    return agent;
  }

  /** Its number among the exchanges of its lane, from 0. */
  public int place() {
    return place;
  }

  /** The line of the call, from 1. */
  public long line() {
    return call.line();
  }

  /** Whether the recording has a result of the call. */
  public boolean isAnswered() {
    return result != null;
  }

  /** The recorded latency in milliseconds; null if it is not recorded. */
  public @Nullable Long latencyMillis() {
    return latencyMillis;
  }
}
