package com.example.agents;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.ReplayAgent;
import dev.agentreplay.io.context.AllowedNondeterminism;
import java.util.UUID;

/** Allows some of its calls. */
public final class Suppressed implements ReplayAgent {

  @Override
  public void run(AgentScope scope) throws Exception {
    trace("begins");
    shared();
    scope.ask("m", id());
    unused();
    one();
    new Legacy().work();
  }

  @AllowedNondeterminism(reason = "the time is only printed", of = "clock")
  private static void trace(String text) {
    Runnable print = () -> System.out.println(System.nanoTime() + text); // ALLOWED
    print.run();
    shared();
    other();
    late();
    // FOUND random Math.random
    System.out.println(Math.random());
  }

  private static void shared() {
    // FOUND clock System.currentTimeMillis
    System.out.println(System.currentTimeMillis());
  }

  private static void one() {
    two();
  }

  private static void two() {
    late();
  }

  /** Is reached on a longer way without a suppression. */
  private static void late() {
    // FOUND clock System.currentTimeMillis
    System.out.println(System.currentTimeMillis());
  }

  private static void other() {
    System.out.println(System.currentTimeMillis()); // ALLOWED
  }

  @AllowedNondeterminism(reason = "not recorded", of = "java.util.UUID.randomUUID")
  private static String id() {
    // FOUND clock System.nanoTime
    return UUID.randomUUID() + "" + System.nanoTime();
  }

  @AllowedNondeterminism(reason = "nothing to allow", of = "thread")
  private static void unused() {}

  @AllowedNondeterminism(reason = "is replaced soon")
  private static final class Legacy {
    void work() {
      System.out.println(Math.random() + System.nanoTime()); // ALLOWED
    }
  }
}
