package com.example.agents;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.ReplayAgent;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;

/** Calls whose code is found by the hierarchy of classes. */
public final class Dispatches implements ReplayAgent {

  interface Step {
    String next();

    default String twice() {
      return next() + next();
    }
  }

  static final class Timed implements Step {
    @Override
    public String next() {
      // FOUND clock System.nanoTime
      return "" + System.nanoTime();
    }
  }

  static final class Unused implements Comparator<String> {
    @Override
    public int compare(String a, String b) {
      return Math.random() < 0.5 ? -1 : 1; // never created
    }
  }

  static final class Shuffled implements Comparator<String> {
    @Override
    public int compare(String a, String b) {
      // FOUND random Math.random
      return Math.random() < 0.5 ? -1 : 1;
    }
  }

  static class Base {
    // FOUND id UUID.randomUUID
    static final UUID ID = UUID.randomUUID();

    String inherited() {
      // FOUND clock System.currentTimeMillis
      return "" + System.currentTimeMillis();
    }

    String overridden() {
      // FOUND environment System.getenv
      return System.getenv("X");
    }
  }

  static final class Derived extends Base {
    @Override
    String overridden() {
      return super.overridden() + "!";
    }
  }

  abstract static class Generic<T> {
    abstract String format(T value);

    String all(T value) {
      return format(value);
    }
  }

  static final class OfText extends Generic<String> {
    @Override
    String format(String value) {
      // FOUND random Math.random
      return value + Math.random();
    }
  }

  private final Step step;
  // FOUND thread Thread.getId
  private final Step lambda = () -> "" + Thread.currentThread().getId();

  public Dispatches(Step step) {
    this.step = step;
  }

  @Override
  public void run(AgentScope scope) throws Exception {
    scope.ask("m", step.twice() + lambda.next());
    scope.ask("m", List.of("a", "b").stream().sorted(new Shuffled()).toList().toString());
    Derived derived = new Derived();
    scope.ask("m", derived.inherited() + derived.overridden());
    scope.ask("m", new OfText().all("x"));
    scope.ask("m", "" + recursive(3));
  }

  private int recursive(int depth) {
    return depth == 0 ? 0 : other(depth - 1);
  }

  private int other(int depth) {
    // FOUND clock System.nanoTime
    long now = System.nanoTime();
    return now > 0 ? recursive(depth) : 1;
  }

  /** Is an entry point, because it takes a scope. */
  static final class Nested {

    private static void withScope(String name, AgentScope scope) throws Exception {
      // FOUND random Math.random
      scope.ask(name, "" + Math.random());
    }
  }
}
