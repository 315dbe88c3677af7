package dev.agentreplay.mcp;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** The first failure of the threads of a run, which ends it. Safe for use by several threads. */
final class RunFailure {

  private final CompletableFuture<Void> failure = new CompletableFuture<>();

  void set(Throwable cause) {
    failure.completeExceptionally(cause);
  }

  /** Runs an action when the failure is set. */
  void onSet(Runnable action) {
    CompletableFuture<Void> unused = failure.whenComplete((none, cause) -> action.run());
  }

  boolean isSet() {
    return failure.isDone();
  }

  /** Throws the failure if there is one. */
  void check() throws IOException, InterruptedException {
    if (failure.isDone()) {
      await(failure);
    }
  }

  /** Waits for an event, or for the failure, which is thrown. */
  void await(CompletableFuture<?> event) throws IOException, InterruptedException {
    try {
      CompletableFuture.anyOf(failure, event).get();
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof Error error) {
        throw error;
      } else if (cause instanceof RuntimeException unexpected) {
        throw unexpected;
      } else if (cause instanceof IOException io) {
        throw io;
      }
      throw new IllegalStateException(cause);
    }
  }
}
