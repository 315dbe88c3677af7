package dev.agentreplay.model.receipt;

import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.Payment;
import dev.agentreplay.model.RecordingGap;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.Verification;
import dev.agentreplay.model.Verification.CommandRun;
import dev.agentreplay.model.check.EventRules;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.receipt.TrajectoryReceipt.Metrics;
import org.jspecify.annotations.Nullable;

/**
 * The totals of a run that its end and its receipt state. Both the writer and the verifier compute
 * them with this class. Not safe for use by several threads.
 */
public final class RunTotals {

  private static final long MSATS = 1_000;

  private long toolCalls;
  private long totalLatencyMillis;
  private long answeredCalls;
  private long latencyMillis;
  private long paymentsMsats;
  private boolean paid;
  private @Nullable Long tokens;
  private long unrecordedEvents;
  private @Nullable Boolean verificationPassed;

  /** Creates totals of 0 events. */
  public RunTotals() {}

  /** Adds an event. For a result that answers a call the caller also calls {@link #addAnswer}. */
  public void add(ReplayEvent event) {
    if (event instanceof ToolCall) {
      toolCalls++;
    } else if (event instanceof ToolResult result) {
      totalLatencyMillis = EventRules.addTotal(totalLatencyMillis, result.latencyMillis());
    } else if (event instanceof Verification verification) {
      for (CommandRun run : verification.commands()) {
        boolean passed = run.exitCode() != null && run.exitCode() == 0;
        verificationPassed = passed && !Boolean.FALSE.equals(verificationPassed);
      }
    } else if (event instanceof Payment payment) {
      paymentsMsats = EventRules.addTotal(paymentsMsats, payment.amountMsats());
      paid |= payment.amountMsats() != null;
    } else if (event instanceof ModelResult result) {
      addTokens(result.tokens().input());
      addTokens(result.tokens().output());
    } else if (event instanceof RecordingGap gap) {
      unrecordedEvents = EventRules.addTotal(unrecordedEvents, gap.events());
    }
  }

  /** Adds a result to those that answer a call. */
  public void addAnswer(ToolResult result) {
    answeredCalls++;
    latencyMillis = EventRules.addTotal(latencyMillis, result.latencyMillis());
  }

  private void addTokens(@Nullable Long stated) {
    if (stated != null) {
      tokens = EventRules.addTotal(tokens == null ? 0 : tokens, stated);
    }
  }

  /** The number of tool calls, answered or not. */
  public long toolCalls() {
    return toolCalls;
  }

  /** The sum of the latencies of all results of tools, in milliseconds. */
  public long totalLatencyMillis() {
    return totalLatencyMillis;
  }

  /** The number of tokens that models read and wrote; null when no event states it. */
  public @Nullable Long tokens() {
    return tokens;
  }

  /**
   * The sum of the payments in satoshis; null when there are none, or the sum is not a whole number
   * of satoshis.
   */
  public @Nullable Long sats() {
    return paid && paymentsMsats % MSATS == 0 ? paymentsMsats / MSATS : null;
  }

  /** The number of events that were not recorded. */
  public long unrecordedEvents() {
    return unrecordedEvents;
  }

  /**
   * Returns the additional members of a receipt: {@code unrecorded_events} if events were not
   * recorded, else none.
   */
  public JsonObject toExtra() {
    return unrecordedEvents == 0
        ? JsonObject.EMPTY
        : JsonObject.of(Names.UNRECORDED_EVENTS, unrecordedEvents);
  }

  /** Returns the totals so far. */
  public Metrics toMetrics() {
    return new Metrics(answeredCalls, latencyMillis, verificationPassed, paymentsMsats);
  }
}
