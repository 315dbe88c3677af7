package dev.agentreplay.engine.replay;

import dev.agentreplay.engine.exchange.MatchRung;

/**
 * The start of an exchange.
 *
 * @param micros the time from the start of the replay, in microseconds
 * @param trace the event of the exchange in a flight recording
 */
record ExchangeStart(long micros, ReplayExchangeEvent trace) {

  static ExchangeStart now(ActiveTime time) {
    ReplayExchangeEvent trace = new ReplayExchangeEvent();
    trace.begin();
    return new ExchangeStart(time.micros(), trace);
  }

  /** Commits the event of the answered exchange, if it is recorded. */
  void trace(LedgerEntry entry, String session) {
    trace.end();
    if (!trace.shouldCommit()) {
      return;
    }
    MatchRung rung = entry.rung();
    Long line = entry.line();
    trace.session = session;
    trace.kind = entry.kind().id();
    trace.name = entry.name();
    trace.result = entry.result().id();
    trace.match = rung == null ? null : rung.id();
    trace.line = line == null ? 0 : line;
    trace.commit();
  }
}
