package com.example.agents;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.ReplayAgent;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Calendar;
import java.util.Date;

/** Reads the clock of the system. */
public final class Clocks implements ReplayAgent {

  @Override
  public void run(AgentScope scope) throws Exception {
    // FOUND clock System.currentTimeMillis
    long millis = System.currentTimeMillis();
    // FOUND clock System.nanoTime
    long nanos = System.nanoTime();
    // FOUND clock Instant.now
    Instant now = Instant.now();
    // FOUND clock LocalDateTime.now
    LocalDateTime local = LocalDateTime.now(ZoneOffset.UTC);
    // FOUND clock Clock.systemUTC
    Clock clock = Clock.systemUTC();
    // FOUND clock Date.<init>
    Date date = new Date();
    // FOUND clock Calendar.getInstance
    Calendar calendar = Calendar.getInstance();
    Clock context = scope.context().clock().withZone(ZoneOffset.UTC);
    Instant fine = Instant.now(context);
    LocalDateTime alsoFine = LocalDateTime.now(context);
    Date dated = new Date(context.millis());
    scope.ask("m", "" + millis + nanos + now + local + fine + alsoFine);
    scope.ask("m", clock.instant() + " " + date + calendar.getTime() + dated);
  }
}
