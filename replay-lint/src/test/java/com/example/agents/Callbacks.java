package com.example.agents;

import com.example.library.Client;
import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.ReplayAgent;
import java.io.Closeable;
import java.util.Comparator;
import java.util.UUID;
import java.util.concurrent.Callable;

/** Objects whose code is called through types of the JDK and of a library. */
public final class Callbacks implements ReplayAgent {

  private static final class Step implements Runnable {
    @Override
    public void run() {
      // FOUND clock System.nanoTime
      System.nanoTime();
    }
  }

  private static final class ByTime implements Comparator<String> {
    @Override
    public int compare(String a, String b) {
      // FOUND random Math.random
      return Math.random() < 0.5 ? -1 : 1;
    }
  }

  private static final class Resource implements Closeable {
    @Override
    public void close() {
      // FOUND id UUID.randomUUID
      UUID.randomUUID();
    }
  }

  // FOUND thread Thread.<init>
  private static final class Worker extends Thread {
    @Override
    public void run() {
      // FOUND environment System.getenv
      System.getenv("A");
    }
  }

  private static final class Quiet implements Runnable {
    @Override
    public void run() {}

    public long time() {
      return System.nanoTime(); // no type of the JDK has it
    }

    @Override
    public String toString() {
      return "" + System.nanoTime(); // is not called
    }
  }

  private static final class Tool implements Callable<Long> {
    @Override
    public Long call() {
      return System.nanoTime();
    }
  }

  private static final class Watcher implements Client.Listener {
    @Override
    public void onRequest(String request) {
      // FOUND clock System.currentTimeMillis
      log(request + System.currentTimeMillis());
    }

    private void log(String text) {
      text.length();
    }

    @Override
    public String toString() {
      return "" + System.nanoTime(); // is not called
    }
  }

  @Override
  public void run(AgentScope scope) throws Exception {
    Runnable step = new Step();
    step.run();
    Comparator<String> byTime = new ByTime();
    scope.ask("m", "" + byTime.compare("a", "b"));
    Callable<String> inner = new Callable<>() {
      @Override
      public String call() {
        // FOUND clock System.nanoTime
        return "" + System.nanoTime();
      }
    };
    scope.ask("m", inner.call());
    try (Closeable resource = new Resource()) {
      scope.ask("m", "resource " + (resource != null));
    }
    Worker worker = new Worker();
    worker.setName("worker");
    Runnable quiet = new Quiet();
    quiet.run();
    Object tool = new Tool();
    scope.ask("m", "" + tool.getClass().getName());
    scope.run("tool", null, new Tool());
    new Client().with(new Watcher()).send("request");
  }
}
