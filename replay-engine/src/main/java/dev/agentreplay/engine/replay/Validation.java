package dev.agentreplay.engine.replay;

import dev.agentreplay.engine.diff.EventComparison;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.exchange.MatchRung;
import dev.agentreplay.engine.exchange.RecordedExchanges;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.verify.Verdict;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A replay in the mode {@link ReplayMode#VALIDATION}, in which nothing runs. */
final class Validation {

  private final Replay replay;

  private Validation(Replay replay) {
    this.replay = replay;
  }

  static Validation of(Replay replay) {
    return new Validation(replay);
  }

  ReplayReport run() throws IOException {
    ReplayObservation observation = ReplayObservation.start(replay);
    Instant startedAt = Instant.now();
    long start = System.nanoTime();
    RecordingFacts facts = new RecordingFacts(replay.session);
    try (RecordedExchanges recorded = RecordedExchanges.read(
        replay.session, canonical -> EventComparison.of(replay.comparison, canonical), facts)) {
      ReplayLog log = new ReplayLog(replay, facts);
      log.started(ReplayMode.VALIDATION, facts, recorded.size());
      RecordingCheck check = RecordingCheck.of(replay, facts, recorded);
      if (check.verification().verdict() != Verdict.INVALID) {
        check.requireReplayable();
      }
      log.circumstances(check.circumstances(), replay.listeners);
      SessionDiff diff = replay.against == null
          ? null
          : SessionDiff.between(replay.session, replay.against, replay.comparison);
      ReplayResults.ReportData report = report(check, recorded, diff, startedAt, start);
      observation.ended(report, log);
      replay.listeners.forEach(listener -> log.tell(() -> listener.ended(report, replay.against)));
      return report;
    }
  }

  private ReplayResults.ReportData report(
      RecordingCheck check,
      RecordedExchanges recorded,
      @Nullable SessionDiff diff,
      Instant startedAt,
      long start) {
    RecordingFacts facts = check.facts();
    ReplayDivergences divergences = new ReplayDivergences(false);
    if (diff != null) {
      divergences.add(diff);
    }
    List<String> incomplete = incomplete(check, recorded);
    Map<MatchRung, Long> matched = new EnumMap<>(MatchRung.class);
    for (MatchRung rung : MatchRung.values()) {
      matched.put(rung, 0L);
    }
    return new ReplayResults.ReportData(
        verdict(check, diff, incomplete),
        replay.policy,
        replay.session.log(),
        facts.sessionId,
        null,
        new ReplayReport.ExchangeCounts(recorded.size(), 0, 0, recorded.size()),
        0,
        Collections.unmodifiableMap(matched),
        0,
        check.verification(),
        check.circumstances(),
        divergences.first(replay.comparison.maxDivergences()),
        divergences.counts(),
        0,
        Map.of(),
        incomplete,
        diff,
        JsonObject.EMPTY,
        Isolation.NO_PROGRAMS,
        new ReplayReport.Recorded(facts.duration(), facts.inputTokens, facts.outputTokens),
        startedAt,
        Duration.ofNanos(System.nanoTime() - start),
        null);
  }

  private static List<String> incomplete(RecordingCheck check, RecordedExchanges recorded) {
    List<String> reasons = new ArrayList<>();
    long undecided =
        recorded.all().stream().filter(exchange -> !exchange.isAnswered()).count();
    if (undecided > 0) {
      reasons.add(ReportBuilder.undecided(undecided));
    }
    if (check.hasGaps()) {
      reasons.add(ReportBuilder.HAS_GAPS);
    }
    if (check.facts().end == null) {
      reasons.add(ReportBuilder.HAS_NO_END);
    }
    return reasons;
  }

  private ReplayVerdict verdict(
      RecordingCheck check, @Nullable SessionDiff diff, List<String> incomplete) {
    Verdict verification = check.verification().verdict();
    if (verification == Verdict.INVALID || (diff != null && !diff.isIdentical())) {
      return ReplayVerdict.DIVERGED;
    } else if (!incomplete.isEmpty()) {
      return ReplayVerdict.INCOMPLETE;
    }
    return (verification == Verdict.VALID || diff != null) && replay.accepts(check.circumstances())
        ? ReplayVerdict.IDENTICAL
        : ReplayVerdict.UNVERIFIED;
  }
}
