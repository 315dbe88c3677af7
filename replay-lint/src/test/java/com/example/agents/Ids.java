package com.example.agents;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.ReplayAgent;
import java.util.UUID;

/** Generates ids, and uses those of objects. */
public final class Ids implements ReplayAgent {

  private enum Tool {
    READ
  }

  private static final class Plain {}

  private static final class Named {
    @Override
    public String toString() {
      return "named";
    }

    @Override
    public int hashCode() {
      return 7;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Named;
    }
  }

  private static class Base {}

  private static final class Derived extends Base {
    @Override
    public String toString() {
      return "derived";
    }
  }

  @Override
  public void run(AgentScope scope) throws Exception {
    Plain plain = new Plain();
    // FOUND id UUID.randomUUID
    UUID id = UUID.randomUUID();
    // FOUND id System.identityHashCode
    int identity = System.identityHashCode(plain);
    // FOUND id Object.hashCode
    int hash = plain.hashCode();
    // FOUND id Object.toString
    String text = "it is " + plain;
    // FOUND id Enum.hashCode
    int ofEnum = Tool.READ.hashCode();
    // FOUND id Object.toString
    String ofArray = new int[] {1}.toString();
    Named named = new Named();
    Base base = new Derived();
    String fine = "it is " + named + named.hashCode() + "x".hashCode() + Tool.READ + base;
    UUID alsoFine = scope.context().uuidV4();
    scope.ask("m", id + text + identity + hash + ofEnum + ofArray + fine + alsoFine);
  }
}
