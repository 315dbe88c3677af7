package com.example.agents;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.ReplayAgent;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/** Objects that pass themselves to code that calls them. */
public final class Receivers implements ReplayAgent {

  private static final List<Object> REGISTRY = new ArrayList<>();

  private static final class Passing implements Runnable {
    @Override
    public void run() {
      // FOUND clock System.nanoTime
      System.nanoTime();
    }

    void go() {
      Optional.of(1).ifPresentOrElse(y -> {}, this);
    }
  }

  private abstract static class Registering {
    Registering() {
      REGISTRY.add(this);
    }
  }

  private static final class Registered extends Registering implements Runnable {
    @Override
    public void run() {
      // FOUND random Math.random
      Math.random();
    }
  }

  private static class Base implements Runnable {
    @Override
    public void run() {}

    void go(List<Runnable> tasks) {
      start(tasks, this);
    }

    private static void start(List<Runnable> tasks, Runnable task) {
      tasks.add(task);
    }
  }

  private static final class Derived extends Base {
    @Override
    public void run() {
      // FOUND environment System.getenv
      System.getenv("A");
    }

    @Override
    void go(List<Runnable> tasks) {
      super.go(tasks);
    }
  }

  interface Starting extends Runnable {
    default void go(List<Runnable> tasks) {
      tasks.add(this);
    }
  }

  private static final class Started implements Starting {
    @Override
    public void run() {
      // FOUND clock System.currentTimeMillis
      System.currentTimeMillis();
    }
  }

  private static final class Captured implements Runnable {
    @Override
    public void run() {
      // FOUND id System.identityHashCode
      System.identityHashCode("");
    }

    void go(List<Runnable> tasks) {
      Captured self = this;
      tasks.add(() -> tasks.add(self));
    }
  }

  private static final class Numbers extends AbstractList<Long> {
    @Override
    public Long get(int index) {
      // FOUND clock System.nanoTime
      return System.nanoTime();
    }

    @Override
    public int size() {
      return 1;
    }

    boolean hasZero() {
      return contains(0L);
    }
  }

  private static final class Quiet implements Runnable {
    private int calls;

    Quiet() {
      super();
      count();
    }

    @Override
    public void run() {
      System.nanoTime(); // is not called
    }

    void go(List<Runnable> tasks) {
      tasks.add(() -> count());
      tasks.add(this::count);
      tasks.add(() -> hashCode());
    }

    private void count() {
      calls++;
    }
  }

  private static final class Tool implements Callable<String> {
    @Override
    public String call() {
      return "" + System.nanoTime(); // only a tool runs it
    }

    void go(AgentScope scope) throws Exception {
      scope.run("tool", null, this);
      other(scope, this);
    }

    private static void other(AgentScope scope, Callable<String> tool) throws Exception {
      scope.run("other", null, tool);
    }
  }

  /** An agent whose entry point is a method with a scope. */
  private static final class OfScope implements Runnable {
    private final List<Runnable> tasks = new ArrayList<>();

    @Override
    public void run() {
      // FOUND random Math.random
      Math.random();
    }

    void step(AgentScope scope) throws Exception {
      tasks.add(this);
      scope.run("step", null, () -> "done");
    }
  }

  @Override
  public void run(AgentScope scope) throws Exception {
    List<Runnable> tasks = new ArrayList<>();
    new Passing().go();
    new Registered();
    new Derived().go(tasks);
    new Started().go(tasks);
    new Captured().go(tasks);
    scope.ask("m", "" + new Numbers().hasZero());
    new Quiet().go(tasks);
    new Tool().go(scope);
  }
}
