package dev.agentreplay.mcp;

import dev.agentreplay.model.json.JsonValue;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The responses of one side that are awaited. Safe for use by several threads. */
final class Awaited {

  private final Map<JsonValue, CompletableFuture<Message>> open = new ConcurrentHashMap<>();
  private volatile boolean isEnded;

  /**
   * Sends a request, and waits for its response.
   *
   * @throws CancellationException if it was cancelled, or the side has ended
   */
  Message ask(JsonValue id, String request, Consumer<String> to)
      throws InterruptedException, ExecutionException {
    CompletableFuture<Message> response = new CompletableFuture<>();
    open.put(id, response);
    try {
      if (isEnded) {
        throw new CancellationException("the other side has ended");
      }
      to.accept(request);
      return response.get();
    } finally {
      open.remove(id, response);
    }
  }

  /** Passes a response to the thread that waits for it. Returns whether one does. */
  boolean accept(@Nullable JsonValue id, Message response) {
    CompletableFuture<Message> waiting = id == null ? null : open.get(id);
    return waiting != null && waiting.complete(response);
  }

  /** Ends the wait for a response. */
  void cancel(@Nullable JsonValue id, String reason) {
    CompletableFuture<Message> waiting = id == null ? null : open.get(id);
    if (waiting != null) {
      waiting.completeExceptionally(new CancellationException(reason));
    }
  }

  /** Ends all waits, because the side has ended. */
  void end() {
    isEnded = true;
    open.values()
        .forEach(each ->
            each.completeExceptionally(new CancellationException("the other side has ended")));
  }
}
