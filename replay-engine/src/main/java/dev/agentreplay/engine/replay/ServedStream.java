package dev.agentreplay.engine.replay;

import dev.agentreplay.engine.replay.policy.StreamPace;
import dev.agentreplay.model.Chunks;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonValue;
import org.jspecify.annotations.Nullable;

/** Serves the pieces of recorded streams. */
final class ServedStream {

  private final StreamPace pace;
  private final ReplayState state;

  ServedStream(StreamPace pace, ReplayState state) {
    this.pace = pace;
    this.state = state;
  }

  /**
   * Whether the agent can get the pieces of a result, if it gets any: their text is known.
   *
   * @param value the answer or output
   */
  static boolean isServable(ReplayEvent result, @Nullable JsonValue value) {
    Chunks chunks = result instanceof ModelResult model ? model.timing().chunks() : Chunks.NONE;
    return chunks.isEmpty() || chunks.textIn(value) != null;
  }

  /**
   * Serves the pieces of a result, if it was streamed.
   *
   * @throws InterruptedException if this thread is interrupted
   */
  void serve(ReplayEvent result, LivePieces pieces) throws InterruptedException {
    Chunks chunks = result instanceof ModelResult model
        ? model.timing().chunks()
        : ((ToolResult) result).timing().chunks();
    String text = chunks.textIn(result.content().value());
    if (text == null) {
      return;
    }
    long start = System.nanoTime();
    int from = 0;
    for (int i = 0; i < chunks.size(); i++) {
      if (pace == StreamPace.RECORDED) {
        state.sleep(chunks.offsetMillis(i) - (System.nanoTime() - start) / 1_000_000);
      }
      int to = text.offsetByCodePoints(from, chunks.length(i));
      pieces.accept(chunks.offsetMillis(i), text.substring(from, to));
      from = to;
    }
  }
}
