package com.example.agents;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.ReplayAgent;
import dev.agentreplay.io.context.AllowedNondeterminism;
import java.util.UUID;

/** Allows calls in constructors, and in classes that patterns cannot name. */
public final class SuppressedClasses implements ReplayAgent {

  @AllowedNondeterminism(reason = "constructor")
  public SuppressedClasses() {
    System.out.println(System.nanoTime()); // ALLOWED
  }

  public SuppressedClasses(String text) {
    // FOUND clock System.nanoTime
    System.out.println(text + System.nanoTime());
  }

  @Override
  public void run(AgentScope scope) throws Exception {
    Agent anonymous = new Agent() {
      @Override
      @AllowedNondeterminism(reason = "method of an anonymous class")
      public void work() {
        System.out.println(System.nanoTime()); // ALLOWED
      }

      @Override
      public void more() {
        // FOUND clock System.nanoTime
        System.out.println(System.nanoTime());
      }
    };

    class Local extends Agent {
      @Override
      @AllowedNondeterminism(reason = "method of a local class")
      public void work() {
        System.out.println(UUID.randomUUID()); // ALLOWED
      }
    }

    @AllowedNondeterminism(reason = "local class")
    class Allowed extends Agent {
      @Override
      public void work() {
        System.out.println(Math.random()); // ALLOWED
      }
    }

    for (Agent agent : new Agent[] {anonymous, new Local(), new Allowed()}) {
      agent.work();
      agent.more();
    }
    new lower().work();
  }

  private abstract static class Agent {
    abstract void work();

    void more() {}
  }
}

@AllowedNondeterminism(reason = "class in lower case", of = "clock")
final class lower {
  void work() {
    System.out.println(System.currentTimeMillis()); // ALLOWED
    // FOUND id UUID.randomUUID
    System.out.println(UUID.randomUUID());
  }
}
