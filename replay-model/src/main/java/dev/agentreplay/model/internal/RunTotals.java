package dev.agentreplay.model.internal;

import dev.agentreplay.model.CommandRun;
import dev.agentreplay.model.EventRules;
import dev.agentreplay.model.Payment;
import dev.agentreplay.model.RecordingGap;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.Verification;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.receipt.TrajectoryReceipt.Metrics;
import org.jspecify.annotations.Nullable;

/** The totals of a run, as its receipt states them: made and verified by the same fold. */
public final class RunTotals {

  /** What a receipt calls the number of events that were not recorded. */
  public static final String UNRECORDED_EVENTS = "unrecorded_events";

  private long answeredCalls;
  private long latencyMillis;
  private long paymentsMsats;
  private long unrecordedEvents;
  private @Nullable Boolean verificationPassed;

  /** The totals of no events. */
  public RunTotals() {}

  /** Adds an event that is not a result. */
  public void add(ReplayEvent event) {
    if (event instanceof Verification verification) {
      for (CommandRun run : verification.commands()) {
        boolean passed = run.exitCode() != null && run.exitCode() == 0;
        verificationPassed = passed && !Boolean.FALSE.equals(verificationPassed);
      }
    } else if (event instanceof Payment payment) {
      paymentsMsats = EventRules.addTotal(paymentsMsats, payment.amountMsats());
    } else if (event instanceof RecordingGap gap) {
      unrecordedEvents = EventRules.addTotal(unrecordedEvents, gap.events());
    }
  }

  /** Adds a result that answers a call. */
  public void addAnswer(ToolResult result) {
    answeredCalls++;
    latencyMillis = EventRules.addTotal(latencyMillis, result.latencyMillis());
  }

  /** How many events were not recorded. */
  public long unrecordedEvents() {
    return unrecordedEvents;
  }

  /** The members of a receipt that are beyond its form: what was not recorded, if anything. */
  public JsonObject toExtra() {
    return unrecordedEvents == 0
        ? JsonObject.EMPTY
        : JsonObject.of(UNRECORDED_EVENTS, unrecordedEvents);
  }

  /** The totals so far. */
  public Metrics toMetrics() {
    return new Metrics(answeredCalls, latencyMillis, verificationPassed, paymentsMsats);
  }
}
