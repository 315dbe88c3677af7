package dev.agentreplay.mcp;

import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The responses of one side that are awaited. Requests with the same id are answered in the order
 * in which they were sent. Safe for use by several threads.
 */
final class Awaited {

  private final Map<JsonValue, Deque<CompletableFuture<Message>>> open = new HashMap<>();
  private @Nullable Exception end;

  /**
   * Sends a request, and waits for its response.
   *
   * @param sent is run when the request is sent
   * @throws CancellationException if it was cancelled
   * @throws ExecutionException if it could not be sent, or the side has ended
   */
  Message ask(Message request, Receiver to, Runnable sent)
      throws InterruptedException, ExecutionException {
    JsonValue id = Objects.requireNonNull(request.id());
    CompletableFuture<Message> response = new CompletableFuture<>();
    try {
      if (add(id, response)) {
        to.send(request.text(), response::completeExceptionally);
      }
      sent.run();
      return response.get();
    } finally {
      remove(id, response);
    }
  }

  private synchronized boolean add(JsonValue id, CompletableFuture<Message> response) {
    if (end != null) {
      response.completeExceptionally(end);
      return false;
    }
    open.computeIfAbsent(id, any -> new ArrayDeque<>(1)).add(response);
    return true;
  }

  private synchronized void remove(JsonValue id, CompletableFuture<Message> response) {
    Deque<CompletableFuture<Message>> waiting = open.get(id);
    if (waiting != null) {
      waiting.removeIf(each -> each == response);
      if (waiting.isEmpty()) {
        open.remove(id);
      }
    }
  }

  /** Returns the oldest request that waits for a response with an id; null if none does. */
  private synchronized @Nullable CompletableFuture<Message> take(@Nullable JsonValue id) {
    Deque<CompletableFuture<Message>> waiting = id == null ? null : open.get(id);
    return waiting == null ? null : waiting.poll();
  }

  /** Passes a response to the thread that waits for it. Returns whether one does. */
  boolean accept(@Nullable JsonValue id, Message response) {
    CompletableFuture<Message> waiting = take(id);
    return waiting != null && waiting.complete(response);
  }

  /** Ends the wait for a response. Returns whether a thread waited for it. */
  boolean cancel(@Nullable JsonValue id, String reason) {
    CompletableFuture<Message> waiting = take(id);
    return waiting != null && waiting.completeExceptionally(new CancellationException(reason));
  }

  /** Ends all waits, also later ones, with the reason for which the side has ended. */
  void end(Exception reason) {
    for (CompletableFuture<Message> each : endAndTake(reason)) {
      each.completeExceptionally(reason);
    }
  }

  private synchronized List<CompletableFuture<Message>> endAndTake(Exception reason) {
    end = end == null ? reason : end;
    return open.values().stream().flatMap(Deque::stream).toList();
  }
}
