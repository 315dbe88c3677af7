package com.example.agents;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.ReplayAgent;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Starts threads. */
public final class Threads implements ReplayAgent {

  @Override
  public void run(AgentScope scope) throws Exception {
    // FOUND thread Thread.<init>
    Thread thread = new Thread(() -> {});
    thread.start();
    // FOUND thread Executors.newFixedThreadPool
    ExecutorService service = Executors.newFixedThreadPool(2);
    // FOUND thread Executor.execute
    service.execute(() -> {});
    // FOUND thread CompletableFuture.supplyAsync
    CompletableFuture<String> future = CompletableFuture.supplyAsync(() -> "x");
    // FOUND thread CompletionStage.handleAsync
    future.handleAsync((text, failure) -> text);
    // FOUND thread CompletionStage.acceptEitherAsync
    future.acceptEitherAsync(future, text -> {});
    // FOUND thread CompletableFuture.orTimeout
    future.orTimeout(1, TimeUnit.SECONDS).handle((text, failure) -> text);
    // FOUND thread Collection.parallelStream
    long count = List.of(1, 2).parallelStream().count();
    Thread.sleep(scope.context().jitter(java.time.Duration.ofMillis(1)).toMillis());
    scope.ask("m", future.get() + count);
  }
}
