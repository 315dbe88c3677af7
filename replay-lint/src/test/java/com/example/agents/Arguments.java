package com.example.agents;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.ReplayAgent;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** Lambdas that are arguments of other lambdas and of method references. */
public final class Arguments implements ReplayAgent {

  private static Runnable kept = () -> {};

  interface Handler {
    void handle(String text, Runnable next);
  }

  interface Tools {
    void run(AgentScope scope, Callable<String> tool) throws Exception;
  }

  interface OfQueue {
    void handle(Queue queue, Runnable next);
  }

  interface OfStage {
    void handle(Stage stage, Runnable next);
  }

  interface Factory {
    Queue create(Runnable first);
  }

  interface Sink {
    void accept(Runnable next);
  }

  interface Overloaded {
    void two(AgentScope scope, Callable<String> tool) throws Exception;

    default void two(Callable<String> tool) {}
  }

  private static final class Queue {
    private final List<Runnable> all = new ArrayList<>();

    Queue() {}

    Queue(Runnable first) {
      later(first);
    }

    void add(Runnable next) {
      later(next);
    }

    void later(Runnable next) {
      all.add(next);
    }
  }

  private abstract static class Stage {
    abstract void add(Runnable next);
  }

  private static final class Kept extends Stage {
    private Runnable kept = () -> {};

    @Override
    void add(Runnable next) {
      kept = next;
    }
  }

  @Override
  public void run(AgentScope scope) throws Exception {
    Queue queue = new Queue();
    String captured = scope.toString();
    Handler handler = (text, next) -> {
      captured.length();
      keep(next);
    };
    // FOUND clock System.currentTimeMillis
    handler.handle("text", () -> System.currentTimeMillis());
    OfQueue unbound = Queue::add;
    // FOUND clock System.nanoTime
    unbound.handle(queue, () -> System.nanoTime());
    OfStage overridden = Stage::add;
    OfStage ignoring = (stage, next) -> {};
    ignoring.handle(new Kept(), () -> {});
    // FOUND random Math.random
    overridden.handle(new Kept(), () -> Math.random());
    Factory factory = Queue::new;
    // FOUND environment System.getenv
    factory.create(() -> System.getenv("A"));
    List<Runnable> list = new ArrayList<>();
    Sink sink = list::add;
    Sink none = next -> {};
    none.accept(() -> {});
    // FOUND clock System.nanoTime
    sink.accept(() -> System.nanoTime());
    tools(scope, captured);
  }

  private static void keep(Runnable next) {
    kept = next;
  }

  private static void tools(AgentScope scope, String captured) throws Exception {
    Tools tools = (target, tool) -> target.run("tool " + captured, null, tool);
    tools.run(scope, () -> "" + System.nanoTime()); // only a tool runs it
    Overloaded overloaded = (target, tool) -> target.run(captured + "tool", null, tool);
    overloaded.two(scope, () -> "" + System.nanoTime()); // only a tool runs it
    overloaded.two(() -> "" + System.nanoTime()); // is not called
  }
}
