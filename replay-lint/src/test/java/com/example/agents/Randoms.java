package com.example.agents;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.ReplayAgent;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;

/** Draws random numbers. */
public final class Randoms implements ReplayAgent {

  // FOUND random Random.<init>
  private final Random own = new Random();

  @Override
  public void run(AgentScope scope) throws Exception {
    // FOUND random Math.random
    double number = Math.random();
    // FOUND random ThreadLocalRandom.current
    int next = ThreadLocalRandom.current().nextInt(7);
    // FOUND random SecureRandom.<init>
    SecureRandom secure = new SecureRandom();
    List<String> list = new ArrayList<>(List.of("a", "b"));
    // FOUND random Collections.shuffle
    Collections.shuffle(list);
    Collections.shuffle(list, new Random(42));
    int fine = scope.context().random().nextInt(6);
    scope.ask("m", "" + number + next + secure.nextInt() + own.nextInt() + list + fine);
  }
}
