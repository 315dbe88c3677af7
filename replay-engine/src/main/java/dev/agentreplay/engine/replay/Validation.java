package dev.agentreplay.engine.replay;

import dev.agentreplay.engine.diff.EventComparison;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.exchange.MatchRung;
import dev.agentreplay.engine.exchange.RecordedExchanges;
import dev.agentreplay.engine.published.PublishedCopy;
import dev.agentreplay.engine.replay.ReplayRefusedException.Reason;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.settings.CircumstanceNames;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerificationReport;
import dev.agentreplay.verify.VerifyPolicy;
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
    if (replay.against != null && PublishedCopy.find(replay.against) != null) {
      throw new ReplayRefusedException(
          ReplayRefusedException.Reason.PUBLISHED,
          "%s: a published copy withholds values: compare it with replay diff"
              .formatted(replay.against.log()));
    }
    ReplayObservation observation = ReplayObservation.start(replay);
    Instant startedAt = Instant.now();
    long start = System.nanoTime();
    RecordingFacts facts = new RecordingFacts(replay.session);
    try (RecordedExchanges recorded = RecordedExchanges.read(
        replay.session, canonical -> EventComparison.of(replay.comparison, canonical), facts)) {
      ReplayLog log = new ReplayLog(replay, facts);
      log.started(ReplayMode.VALIDATION, facts, recorded.size());
      RecordingCheck check = RecordingCheck.of(replay, facts, recorded);
      check.requireOriginal();
      if (check.verification().verdict() != Verdict.INVALID) {
        check.requireReplayable();
      }
      OtherRecording other = replay.against == null ? null : OtherRecording.verify(replay.against);
      if (other != null && !replay.isForced) {
        other.requireValid();
      }
      log.circumstances(check.circumstances(), replay.listeners);
      SessionDiff diff = replay.against == null
          ? null
          : SessionDiff.between(replay.session, replay.against, replay.comparison);
      ReplayResults.ReportData report = report(check, other, recorded, diff, startedAt, start);
      observation.ended(report, log);
      replay.listeners.forEach(listener -> log.tell(() -> listener.ended(report, replay.against)));
      return report;
    }
  }

  private ReplayResults.ReportData report(
      RecordingCheck check,
      @Nullable OtherRecording other,
      RecordedExchanges recorded,
      @Nullable SessionDiff diff,
      Instant startedAt,
      long start) {
    RecordingFacts facts = check.facts();
    ReplayDivergences divergences = new ReplayDivergences(false, replay.comparison.accepted());
    if (diff != null) {
      divergences.add(diff);
    }
    List<Circumstance> circumstances = new ArrayList<>(check.circumstances());
    if (other != null && !other.isValid()) {
      circumstances.add(other.circumstance());
    }
    List<String> incomplete = incomplete(check, recorded);
    Map<MatchRung, Long> matched = new EnumMap<>(MatchRung.class);
    for (MatchRung rung : MatchRung.values()) {
      matched.put(rung, 0L);
    }
    ReplayVerdict accepted = verdictIfAccepted(check, other, diff, incomplete);
    return new ReplayResults.ReportData(
        diff == null || diff.isIdentical() ? accepted : ReplayVerdict.DIVERGED,
        replay.policy,
        replay.session.log(),
        facts.sessionId,
        null,
        new ReplayReport.ExchangeCounts(recorded.size(), 0, 0, recorded.size()),
        0,
        Collections.unmodifiableMap(matched),
        0,
        check.verification(),
        circumstances,
        divergences.first(replay.comparison.maxDivergences()),
        divergences.accepted().first(replay.comparison.maxDivergences()),
        divergences.accepted().count(),
        divergences.accepted().unread(),
        divergences.accepted().notFound(),
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
        null,
        null,
        null,
        accepted,
        replay.comparison.failOnOrMinor(),
        null);
  }

  private static List<String> incomplete(RecordingCheck check, RecordedExchanges recorded) {
    List<String> reasons = new ArrayList<>();
    long undecided =
        recorded.all().stream().filter(exchange -> !exchange.isAnswered()).count();
    if (undecided > 0) {
      reasons.add(RecordingCheck.undecided(undecided));
    }
    if (check.hasGaps()) {
      reasons.add(RecordingCheck.HAS_GAPS);
    }
    if (check.facts().end == null) {
      reasons.add(RecordingCheck.HAS_NO_END);
    }
    return reasons;
  }

  private ReplayVerdict verdictIfAccepted(
      RecordingCheck check,
      @Nullable OtherRecording other,
      @Nullable SessionDiff diff,
      List<String> incomplete) {
    Verdict verification = check.verification().verdict();
    if (verification == Verdict.INVALID) {
      return ReplayVerdict.DIVERGED;
    } else if (!incomplete.isEmpty()) {
      return ReplayVerdict.INCOMPLETE;
    }
    boolean isOtherValid = other == null || other.isValid();
    return (verification == Verdict.VALID || diff != null)
            && isOtherValid
            && replay.accepts(check.circumstances())
        ? ReplayVerdict.IDENTICAL
        : ReplayVerdict.UNVERIFIED;
  }

  /**
   * The recording with which a validation compares. It is verified without requirements: keys,
   * checkpoints and required evidence are those of the recording that is validated.
   */
  private static final class OtherRecording {

    private final Session session;
    private final VerificationReport verification;

    private OtherRecording(Session session, VerificationReport verification) {
      this.session = session;
      this.verification = verification;
    }

    static OtherRecording verify(Session session) throws IOException {
      return new OtherRecording(
          session, SessionVerifier.of(VerifyPolicy.defaults()).verify(session));
    }

    boolean isValid() {
      return verification.verdict() == Verdict.VALID
          || verification.verdict() == Verdict.UNVERIFIED;
    }

    /**
     * Refuses a recording that is not valid; one that cannot be read is for the comparison, which
     * states the place.
     */
    void requireValid() throws ReplayRefusedException {
      if (verification.verdict() == Verdict.INVALID) {
        throw new ReplayRefusedException(
            Reason.INVALID, "%s: %s".formatted(session.log(), message()));
      }
    }

    Circumstance circumstance() {
      return new Circumstance(
          CircumstanceNames.AGAINST, JsonString.of(verification.verdict().id()), null, message());
    }

    private String message() {
      String first = verification.findings().stream()
          .filter(finding -> VerifyPolicy.defaults().failing().contains(finding.code()))
          .findFirst()
          .map(OtherRecording::text)
          .orElse("");
      return "the recording to compare with is %s%s"
          .formatted(verification.verdict().id(), first);
    }

    private static String text(Finding finding) {
      return ": %s: %s".formatted(finding.code(), finding.message());
    }
  }
}
