package dev.agentreplay.verify;

import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import org.jspecify.annotations.Nullable;

/** The ids of the calls that events are about. */
final class CallIds {

  private CallIds() {}

  /** The id of the tool call that an event is about; null when it is about none. */
  static @Nullable String of(ReplayEvent event) {
    if (event instanceof ToolCall call) {
      return call.id();
    }
    return event instanceof ToolResult result ? result.id() : null;
  }
}
