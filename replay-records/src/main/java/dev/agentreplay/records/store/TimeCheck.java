package dev.agentreplay.records.store;

import dev.agentreplay.records.OperatorIntervention;
import dev.agentreplay.records.RecordTime;
import dev.agentreplay.records.SessionTrace;
import dev.agentreplay.records.TraceMessage;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks the numbers, order, times and durations of rounds, messages and interventions. */
final class TimeCheck {

  /** The difference up to which a duration agrees with times, in milliseconds. */
  private static final long TOLERANCE_MILLIS = 1_000;

  private final SessionTrace trace;
  private final CheckFindings findings;

  private TimeCheck(SessionTrace trace, CheckFindings findings) {
    this.trace = trace;
    this.findings = findings;
  }

  static void check(SessionTrace trace, CheckFindings findings) {
    new TimeCheck(trace, findings).run();
  }

  private void run() {
    List<SessionTrace.Round> rounds = trace.rounds();
    for (int i = 0; i < rounds.size(); i++) {
      round(rounds.get(i), i);
      if (i > 0) {
        order(rounds.get(i - 1), rounds.get(i), CheckFindings.round(i));
      }
    }
    List<OperatorIntervention> interventions = trace.interventions();
    for (int i = 0; i < interventions.size(); i++) {
      inSession("trace.interventions[" + i + "].timestamp", interventions.get(i).timestamp());
    }
    duration("trace.total_duration_ms", trace.totalDurationMillis(), trace.startedAt(), end());
    notBefore("trace.ended_at", end(), "trace.started_at", trace.startedAt());
  }

  private @Nullable RecordTime end() {
    return trace.endedAt();
  }

  private void round(SessionTrace.Round round, int index) {
    String path = CheckFindings.round(index);
    findings.expect(path + ".round_number", (long) index, round.roundNumber());
    inSession(path + ".started_at", round.startedAt());
    notBefore(path + ".ended_at", round.endedAt(), path + ".started_at", round.startedAt());
    notAfter(path + ".ended_at", round.endedAt(), "trace.ended_at", end());
    duration(path + ".duration_ms", round.durationMillis(), round.startedAt(), round.endedAt());
    for (int j = 0; j < round.messages().size(); j++) {
      TraceMessage message = round.messages().get(j);
      String at = CheckFindings.message(index, j) + ".timestamp";
      notBefore(at, message.timestamp(), path + ".started_at", round.startedAt());
      RecordTime end = round.endedAt();
      if (end == null) {
        notAfter(at, message.timestamp(), "trace.ended_at", end());
      } else {
        notAfter(at, message.timestamp(), path + ".ended_at", end);
      }
    }
  }

  /** Checks that a round does not start before the one before it has ended. */
  private void order(SessionTrace.Round before, SessionTrace.Round round, String path) {
    RecordTime end = before.endedAt();
    notBefore(
        path + ".started_at",
        round.startedAt(),
        end == null ? "the start of the round before" : "the end of the round before",
        end == null ? before.startedAt() : end);
  }

  private void inSession(String path, RecordTime time) {
    notBefore(path, time, "trace.started_at", trace.startedAt());
    notAfter(path, time, "trace.ended_at", end());
  }

  private void notBefore(
      String path, @Nullable RecordTime time, String limit, @Nullable RecordTime least) {
    if (time != null && least != null && time.instant().isBefore(least.instant())) {
      findings.problem(
          path, "expected a time not before %s, %s, found %s".formatted(limit, least, time));
    }
  }

  private void notAfter(
      String path, @Nullable RecordTime time, String limit, @Nullable RecordTime most) {
    if (time != null && most != null && time.instant().isAfter(most.instant())) {
      findings.problem(
          path, "expected a time not after %s, %s, found %s".formatted(limit, most, time));
    }
  }

  private void duration(
      String path, @Nullable Long millis, RecordTime start, @Nullable RecordTime end) {
    if (millis == null || end == null || end.instant().isBefore(start.instant())) {
      return;
    }
    long expected = Duration.between(start.instant(), end.instant()).toMillis();
    // neither is negative, so that the difference is in range
    if (Math.abs(millis - expected) > TOLERANCE_MILLIS) {
      findings.problem(
          path, "expected %d, the time from start to end, found %d".formatted(expected, millis));
    }
  }
}
