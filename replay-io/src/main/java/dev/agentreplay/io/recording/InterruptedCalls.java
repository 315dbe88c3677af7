package dev.agentreplay.io.recording;

import dev.agentreplay.model.Content;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelCall.Parameters;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.check.CallPairing;
import dev.agentreplay.model.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The calls without a result in a log that is resumed: the last ones of each kind, up to a maximum
 * number. Parameters of tools are kept up to a maximum size, those of models and prompts are not.
 * Not safe for use by several threads.
 */
final class InterruptedCalls {

  /** The maximum number of calls of a kind. */
  static final int MAX = 1_000;

  /** The maximum length in bytes of all lines of tool calls whose parameters are kept. */
  static final int MAX_BYTES = 32 << 20;

  /**
   * A call of a tool.
   *
   * @param bytes the length of its line; 0 if its parameters are not kept
   */
  private record Kept(ToolCall call, int bytes) {}

  private final CallPairing<Kept> tools = new CallPairing<>(MAX);
  private final CallPairing<ModelCall> models = new CallPairing<>(MAX);
  private int bytes;

  /** Adds an event of the log, and the length of its line. */
  void add(ReplayEvent event, int length) {
    String agent = event.meta().agent();
    if (event instanceof ToolCall call) {
      Kept kept =
          length > MAX_BYTES - bytes ? new Kept(withoutParams(call), 0) : new Kept(call, length);
      bytes += kept.bytes;
      release(tools.call(call.id(), agent, kept));
    } else if (event instanceof ToolResult result) {
      release(tools.result(result.id(), agent));
    } else if (event instanceof ModelCall call) {
      models.call(call.id(), agent, withoutPrompt(call));
    } else if (event instanceof ModelResult result) {
      models.result(result.id(), agent);
    }
  }

  private void release(@Nullable Kept call) {
    bytes -= call == null ? 0 : call.bytes;
  }

  private static ToolCall withoutParams(ToolCall call) {
    Content params = call.params();
    return call.withParams(new Content(null, params.hash(), params.blob(), params.preview()))
        .withMeta(call.meta().withExtra(JsonObject.EMPTY));
  }

  private static ModelCall withoutPrompt(ModelCall call) {
    return new ModelCall(
        call.id(),
        call.model(),
        Content.NONE,
        Parameters.NONE,
        call.meta().withExtra(JsonObject.EMPTY));
  }

  /** The calls of tools without a result, in order. */
  List<ToolCall> tools() {
    return tools.open().stream().map(Kept::call).toList();
  }

  /** The calls of models without a result, in order. */
  List<ModelCall> models() {
    return models.open();
  }
}
