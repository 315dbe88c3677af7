package dev.agentreplay.engine.replay;

/** Reports the end of a replay to its log, its metrics, and a flight recording. */
final class ReplayObservation {

  private final Replay replay;
  private final ReplayEndEvent trace = new ReplayEndEvent();

  private ReplayObservation(Replay replay) {
    this.replay = replay;
  }

  /** Observes a replay that starts now. */
  static ReplayObservation start(Replay replay) {
    ReplayObservation started = new ReplayObservation(replay);
    started.trace.begin();
    return started;
  }

  void ended(ReplayResults.ReportData report, ReplayLog log) {
    trace.end();
    if (trace.shouldCommit()) {
      trace.session = log.session();
      trace.mode = report.mode().id();
      trace.verdict = report.verdict().id();
      trace.requests = report.requests();
      trace.divergences = report.divergenceCount();
      trace.commit();
    }
    log.ended(report);
    ReplayMetrics metrics = replay.metrics;
    if (metrics == null) {
      return;
    }
    try {
      metrics.replayed(report.mode(), report.verdict(), report.duration());
      report
          .counts()
          .forEach(
              (kind, severity, count) -> metrics.diverged(report.mode(), kind, severity, count));
    } catch (RuntimeException e) {
      log.metricsFailed(e);
    }
  }
}
