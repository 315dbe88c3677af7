package dev.agentreplay.engine.replay;

import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.engine.diff.Divergence;
import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.exchange.ExchangeKind;
import dev.agentreplay.engine.exchange.ReplayMiss;
import dev.agentreplay.engine.replay.execution.NotExecutedException;
import dev.agentreplay.model.ContentHash;
import org.jspecify.annotations.Nullable;

/**
 * A difference between a replay and its recording: one that the comparison of the two sessions
 * found, or one that only the ledger of the replay knows, or both. Immutable.
 */
public sealed interface ReplayDivergence permits DivergenceData {

  /**
   * The kind: that of a {@link dev.agentreplay.engine.diff.DivergenceKind}, or MISS, UNREAD,
   * TIMEOUT, REFUSED, DRIFT, UNDECIDED or NOT_REEXECUTED.
   */
  String kind();

  /** The severity. */
  DivergenceSeverity severity();

  /** Its role among the others. */
  Divergence.Role role();

  /** The id of the agent whose exchange or event it is; null for the main agent. */
  @Nullable
  String agent();

  /** The line of the exchange or event in the recording, from 1; null if it has none. */
  @Nullable
  Long recordedLine();

  /** The line of the exchange or event in the log of the replay, from 1; null if it has none. */
  @Nullable
  Long replayLine();

  /** The difference in one sentence. */
  String message();

  /** The divergence that the comparison of the sessions found; null if only the ledger has it. */
  @Nullable
  Divergence comparison();

  /**
   * The hash of what identifies the divergence and of what differs
   * ({@link Divergence#fingerprint}): that of the {@link #comparison}, if it has one. Null for a
   * divergence that cannot be accepted, because it is not a difference (TIMEOUT, UNDECIDED,
   * NOT_REEXECUTED), or because the request cannot be stated.
   */
  @Nullable
  ContentHash fingerprint();

  /**
   * The kind of the exchange or value; null if the ledger does not have it, but only the
   * {@link #comparison}.
   */
  @Nullable
  ExchangeKind exchange();

  /**
   * The tool, the model or the source of the value; null if the ledger does not have it, but only
   * the {@link #comparison}.
   */
  @Nullable
  String name();

  /** Whether it is accepted ({@link DiffOptions#accepting}). Its severity is {@code NONE}. */
  boolean isAccepted();

  /** The report on a request that the recording cannot answer; null if it is of another kind. */
  @Nullable
  ReplayMiss miss();

  /**
   * The class of the reason why a request was not executed, which is not a difference: its kind is
   * UNDECIDED; null for any other.
   */
  NotExecutedException.@Nullable Reason notExecuted();
}
