package dev.agentreplay.engine.diff;

import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Payment;
import dev.agentreplay.model.RecordedValue;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.RuntimeEvent;
import dev.agentreplay.model.StepComplete;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What tells events of one session from those of another, whatever they say. */
final class Identities {

  private Identities() {}

  /** A hash of the ids that an event bears. */
  static int of(ReplayEvent event) {
    return Objects.hash(event.meta().sessionId(), id(event));
  }

  private static @Nullable Object id(ReplayEvent event) {
    if (event instanceof ToolCall call) {
      return call.id() + "\n" + call.stepId();
    } else if (event instanceof ToolResult result) {
      return result.id();
    } else if (event instanceof ModelCall call) {
      return call.id();
    } else if (event instanceof ModelResult result) {
      return result.id();
    }
    if (event instanceof Payment payment) {
      return payment.proof() + "\n" + payment.jobHash();
    } else if (event instanceof RuntimeEvent runtime) {
      return runtime.seq() + "\n" + runtime.idempotencyKey();
    } else if (event instanceof RecordedValue recorded) {
      return recorded.value();
    }
    return event instanceof StepComplete step ? step.stepId() : null;
  }
}
