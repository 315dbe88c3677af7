package com.example.agents;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.ReplayAgent;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Lambdas that capture earlier ones, and methods that pass lambdas to each other. */
public final class Chains implements ReplayAgent {

  interface Middleware {
    String handle(String request, UnaryOperator<String> next);
  }

  private final List<Middleware> all;

  public Chains(List<Middleware> all) {
    this.all = all;
  }

  @Override
  public void run(AgentScope scope) throws Exception {
    scope.ask("m", chain(request -> request).apply("request"));
    scope.ask("m", mutual().get());
    tools(scope);
    // FOUND clock System.currentTimeMillis
    even(scope, 2, () -> "" + System.currentTimeMillis());
    // FOUND id System.identityHashCode
    odd(scope, 2, () -> "" + System.identityHashCode(scope));
    // both are parameters that only tools run
    first(scope, 2, () -> "" + System.nanoTime());
    second(scope, 2, () -> "" + System.nanoTime());
  }

  private UnaryOperator<String> chain(UnaryOperator<String> last) {
    UnaryOperator<String> next = last;
    for (Middleware middleware : all) {
      UnaryOperator<String> inner = next;
      next = request -> {
        // FOUND clock System.nanoTime
        return middleware.handle(request + System.nanoTime(), inner);
      };
    }
    return next;
  }

  private Supplier<String> mutual() {
    Supplier<String> one = () -> "";
    Supplier<String> two = () -> "";
    for (int i = 0; i < all.size(); i++) {
      Supplier<String> before = two;
      // FOUND random Math.random
      one = () -> before.get() + Math.random();
      Supplier<String> after = one;
      // FOUND environment System.getenv
      two = () -> after.get() + System.getenv("A");
    }
    return two;
  }

  private void tools(AgentScope scope) throws Exception {
    Callable<String> next = () -> "";
    for (int i = 0; i < all.size(); i++) {
      Callable<String> inner = next;
      next = () -> inner + "!" + System.nanoTime(); // only a tool runs it
    }
    scope.run("chain", null, next);
  }

  private static void even(AgentScope scope, int depth, Supplier<String> body) throws Exception {
    if (depth > 0) {
      odd(scope, depth - 1, body);
    }
    scope.ask("m", body.get());
  }

  private static void odd(AgentScope scope, int depth, Supplier<String> body) throws Exception {
    if (depth > 0) {
      even(scope, depth - 1, body);
    }
  }

  private static void first(AgentScope scope, int depth, Callable<String> body) throws Exception {
    if (depth > 0) {
      second(scope, depth - 1, body);
    }
  }

  private static void second(AgentScope scope, int depth, Callable<String> body) throws Exception {
    scope.run("second", null, body);
    if (depth > 0) {
      first(scope, depth - 1, body);
    }
  }
}
