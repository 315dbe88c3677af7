package com.example.agents;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.ReplayAgent;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/** Lambdas and method references, some of which are tools. */
public final class Lambdas {

  private Lambdas() {}

  public static ReplayAgent lambda() {
    return scope -> {
      // FOUND clock System.nanoTime
      List.of("a").forEach(name -> log(name + System.nanoTime()));
      // FOUND clock Instant.now
      Supplier<Instant> clock = Instant::now;
      Supplier<StringBuilder> builders = Lambdas::builder;
      scope.ask("m", clock.get() + builders.get().toString());
    };
  }

  public static ReplayAgent reference() {
    return Lambdas::asMethod;
  }

  private static void asMethod(AgentScope scope) throws Exception {
    scope.run("time", null, System::currentTimeMillis);
    scope.run("id", null, () -> UUID.randomUUID().toString());
    tool(scope, "wrapped", () -> "" + Math.random());
    Callable<String> body = () -> "" + System.getenv();
    scope.run("captured", null, () -> tool(scope, "inner", body));
    // FOUND id System.identityHashCode
    leaky(scope, () -> "" + System.identityHashCode(scope));
    // FOUND random Math.random
    scope.run("both", null, () -> 1, result -> result, json -> Math.random());
  }

  private static StringBuilder builder() {
    // FOUND clock System.currentTimeMillis
    return new StringBuilder().append(System.currentTimeMillis());
  }

  private static Object tool(AgentScope scope, String name, Callable<String> body)
      throws Exception {
    return scope.run(name, "the parameters", body);
  }

  private static void leaky(AgentScope scope, Callable<String> body) throws Exception {
    scope.run("one", null, body);
    body.call();
  }

  private static void log(String text) {
    text.length();
  }
}
