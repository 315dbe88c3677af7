package dev.agentreplay.engine.report;

import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.check.CallPairing;
import dev.agentreplay.model.json.JsonObject;
import org.jspecify.annotations.Nullable;

/** What the events of a session come to, also those that are not embedded. */
final class EventTotals {

  private final CallPairing<Boolean> pairing = new CallPairing<>();
  private long calls;
  private long answered;
  private long failed;
  private long latencyMillis;

  void add(ReplayEvent event) {
    if (event instanceof ToolCall call) {
      calls++;
      pairing.call(call.id(), true);
    } else if (event instanceof ToolResult result) {
      if (pairing.result(result.id()) != null) {
        answered++;
        failed += result.outcome().succeeded() ? 0 : 1;
      }
      add(result.latencyMillis());
    } else if (event instanceof ModelResult result) {
      add(result.latencyMillis());
    }
  }

  private void add(@Nullable Long millis) {
    latencyMillis += millis == null ? 0 : millis;
  }

  /** How many tool calls there were so far. */
  long calls() {
    return calls;
  }

  JsonObject toJson() {
    return JsonObject.of(
        "calls", calls, "answered", answered, "failed", failed, "latency", latencyMillis);
  }
}
