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

/** The totals of a run, as its end and its receipt state them: made and verified by one fold. */
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

  /** The totals of no events. */
  public RunTotals() {}

  /** Adds an event; of a result that answers a call {@link #addAnswer} is told, too. */
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

  /** Counts a result among those that answer a call. */
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

  /** The tokens that models read and wrote, where an event says so; else null. */
  public @Nullable Long tokens() {
    return tokens;
  }

  /** The sum of the payments in satoshis; null when there are none, or it is no whole number. */
  public @Nullable Long sats() {
    return paid && paymentsMsats % MSATS == 0 ? paymentsMsats / MSATS : null;
  }

  /** How many events were not recorded. */
  public long unrecordedEvents() {
    return unrecordedEvents;
  }

  /** The members of a receipt that are beyond its form: what was not recorded, if anything. */
  public JsonObject toExtra() {
    return unrecordedEvents == 0
        ? JsonObject.EMPTY
        : JsonObject.of(Names.UNRECORDED_EVENTS, unrecordedEvents);
  }

  /** The totals so far. */
  public Metrics toMetrics() {
    return new Metrics(answeredCalls, latencyMillis, verificationPassed, paymentsMsats);
  }
}
