package dev.agentreplay.mcp;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Ends a server when the JVM ends, and lets its session be ended before the JVM has ended. */
final class Termination implements AutoCloseable {

  private static final long MAX_SECONDS = 5;

  private final Process server;
  private final CountDownLatch isOver = new CountDownLatch(1);
  private final Thread hook = new Thread(this::terminate, "replay-mcp-end");
  private volatile boolean hasBegun;

  Termination(Process server) {
    this.server = server;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  private void terminate() {
    hasBegun = true;
    McpProxy.end(server);
    try {
      isOver.await(MAX_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether the JVM is ending. */
  boolean hasBegun() {
    return hasBegun;
  }

  @Override
  public void close() {
    isOver.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException shuttingDown) {
      // the hook runs already
    }
  }
}
