package dev.agentreplay.engine.replay;

import dev.agentreplay.engine.replay.policy.StreamPace;
import dev.agentreplay.model.Chunks;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
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
   * Serves the pieces of a result, if it was streamed.
   *
   * @throws InterruptedException if this thread is interrupted
   */
  void serve(ReplayEvent result, LivePieces pieces) throws InterruptedException {
    Chunks chunks = result instanceof ModelResult model
        ? model.timing().chunks()
        : ((ToolResult) result).timing().chunks();
    String text = chunks.isEmpty() ? null : text(result.content().value(), chunks.totalLength());
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

  /** The text of a length in code points: the value, or the first one in it. */
  private static @Nullable String text(@Nullable JsonValue value, long length) {
    if (value instanceof JsonString string) {
      String text = string.value();
      return text.codePointCount(0, text.length()) == length ? text : null;
    } else if (value instanceof JsonObject object) {
      for (int i = 0; i < object.size(); i++) {
        String text = text(object.value(i), length);
        if (text != null) {
          return text;
        }
      }
    } else if (value instanceof JsonArray array) {
      for (JsonValue element : array) {
        String text = text(element, length);
        if (text != null) {
          return text;
        }
      }
    }
    return null;
  }
}
