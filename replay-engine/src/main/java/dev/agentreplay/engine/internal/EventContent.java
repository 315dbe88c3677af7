package dev.agentreplay.engine.internal;

import dev.agentreplay.model.Content;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.RuntimeEvent;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import org.jspecify.annotations.Nullable;

/** What events are about: the one value that may be in a log as itself, as a hash or as a blob. */
public final class EventContent {

  private EventContent() {}

  /** The content of an event; {@link Content#NONE} where there is none. */
  public static Content of(ReplayEvent event) {
    if (event instanceof ToolCall call) {
      return new Content(call.params(), call.paramsHash(), null, null);
    } else if (event instanceof ToolResult result) {
      return result.output();
    } else if (event instanceof ModelCall call) {
      return call.prompt();
    } else if (event instanceof ModelResult result) {
      return result.answer();
    }
    return event instanceof RuntimeEvent runtime ? runtime.payload() : Content.NONE;
  }

  /** The member of a line that holds the value of the content, in every dialect; null for none. */
  public static @Nullable String member(ReplayEvent event) {
    return switch (event.kind()) {
      case TOOL_CALL -> "params";
      case TOOL_RESULT -> "output";
      case MODEL_CALL -> "prompt";
      case MODEL_RESULT -> "answer";
      case RUNTIME_EVENT -> "payload";
      default -> null;
    };
  }
}
