package dev.agentreplay.engine.replay;

import dev.agentreplay.engine.diff.Divergence;
import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.exchange.ExchangeKind;
import dev.agentreplay.engine.exchange.MatchRung;
import dev.agentreplay.engine.exchange.ReplayMiss;
import dev.agentreplay.engine.fingerprint.EntryFact;
import dev.agentreplay.engine.replay.divergence.DivergenceCounts;
import dev.agentreplay.engine.replay.execution.NotExecutedException;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayPolicy;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.text.PlainText;
import dev.agentreplay.verify.VerificationReport;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The implementations of the result interfaces. */
final class ReplayResults {

  private ReplayResults() {}

  /**
   * The exchange that a divergence of the ledger is about.
   *
   * @param name the tool, the model or the source of the value
   * @param fact the facts that identify the divergence; null if they are not known, such as those
   *     of a request that cannot be recorded
   */
  record Subject(ExchangeKind exchange, String name, @Nullable EntryFact fact) {

    static Subject of(Ledger.Notable notable) {
      return new Subject(notable.entry().kind(), notable.entry().name(), notable.fact());
    }
  }

  record DivergenceData(
      String kind,
      DivergenceSeverity severity,
      Divergence.Role role,
      @Nullable String agent,
      @Nullable Long recordedLine,
      @Nullable Long replayLine,
      String message,
      @Nullable Divergence comparison,
      @Nullable ReplayMiss miss,
      NotExecutedException.@Nullable Reason notExecuted,
      @Nullable ContentHash fingerprint,
      boolean isAccepted,
      @Nullable Subject subject)
      implements ReplayDivergence {

    /** Returns a divergence that only the ledger has. */
    static DivergenceData ofLedger(
        String kind,
        DivergenceSeverity severity,
        @Nullable String agent,
        @Nullable Long recordedLine,
        String message,
        @Nullable ReplayMiss miss,
        @Nullable Subject subject) {
      return new DivergenceData(
          kind,
          severity,
          Divergence.Role.INDEPENDENT,
          agent,
          recordedLine,
          null,
          message,
          null,
          miss,
          null,
          null,
          false,
          subject);
    }

    @Override
    public @Nullable ExchangeKind exchange() {
      return subject == null ? null : subject.exchange();
    }

    @Override
    public @Nullable String name() {
      return subject == null ? null : subject.name();
    }

    DivergenceData withRole(Divergence.Role newRole) {
      return new DivergenceData(
          kind,
          severity,
          newRole,
          agent,
          recordedLine,
          replayLine,
          message,
          comparison,
          miss,
          notExecuted,
          fingerprint,
          isAccepted,
          subject);
    }

    DivergenceData withFingerprint(ContentHash newFingerprint) {
      return new DivergenceData(
          kind,
          severity,
          role,
          agent,
          recordedLine,
          replayLine,
          message,
          comparison,
          miss,
          notExecuted,
          newFingerprint,
          isAccepted,
          subject);
    }

    DivergenceData asAccepted() {
      return new DivergenceData(
          kind,
          DivergenceSeverity.NONE,
          Divergence.Role.INDEPENDENT,
          agent,
          recordedLine,
          replayLine,
          message,
          comparison,
          miss,
          notExecuted,
          fingerprint,
          true,
          subject);
    }
  }

  record ReportData(
      ReplayVerdict verdict,
      ReplayPolicy policy,
      Path recording,
      @Nullable String sessionId,
      @Nullable Path directory,
      ExchangeCounts exchanges,
      long requests,
      Map<MatchRung, Long> matched,
      long missed,
      VerificationReport verification,
      List<Circumstance> circumstances,
      List<ReplayDivergence> divergences,
      List<ReplayDivergence> accepted,
      long acceptedCount,
      Set<ContentHash> notFound,
      DivergenceCounts counts,
      long notReexecuted,
      Map<String, Agreement> agreement,
      List<String> incomplete,
      @Nullable SessionDiff comparison,
      JsonObject budget,
      Isolation isolation,
      Recorded recorded,
      Instant startedAt,
      Duration duration,
      @Nullable Throwable failure,
      @Nullable Stop stop,
      @Nullable ReplayMissException firstMiss,
      ReplayVerdict verdictIfAccepted,
      DivergenceSeverity failOn,
      @Nullable Forked fork)
      implements ReplayReport {

    ReportData {
      circumstances = List.copyOf(circumstances);
      divergences = List.copyOf(divergences);
      accepted = List.copyOf(accepted);
      notFound = Set.copyOf(notFound);
      agreement = Collections.unmodifiableMap(new TreeMap<>(agreement));
      incomplete = List.copyOf(incomplete);
    }

    @Override
    public ReplayMode mode() {
      return policy.mode();
    }

    @Override
    public boolean isStopped() {
      return stop != null;
    }

    @Override
    public boolean isAborted() {
      return stop != null && stop.cause() == Stop.Cause.ABORT;
    }

    @Override
    public Map<String, Long> divergencesByKind() {
      return counts.byKind();
    }

    @Override
    public boolean hasFailures() {
      return counts.hasFrom(failOn);
    }

    @Override
    public String headline() {
      long exchanged = exchanges.served() + exchanges.executed();
      String what = mode() == ReplayMode.VALIDATION
          ? "verified " + PlainText.count(exchanges.recorded(), "exchange")
          : exchanged == exchanges.recorded()
              ? "replayed " + PlainText.count(exchanged, "exchange")
              : "replayed %d of %s"
                  .formatted(exchanged, PlainText.count(exchanges.recorded(), "exchange"));
      StringBuilder text = new StringBuilder(what)
          .append(" in ")
          .append(seconds(duration))
          .append(" (recorded: ")
          .append(seconds(recorded.duration()));
      if (recorded.tokens() > 0) {
        text.append(", ").append(String.format(Locale.ROOT, "%,d tokens", recorded.tokens()));
      }
      return text.append(')').toString();
    }

    private static String seconds(Duration duration) {
      double seconds = duration.toNanos() / 1e9;
      return seconds < 9.995
          ? String.format(Locale.ROOT, "%.2f s", seconds)
          : String.format(Locale.ROOT, "%,.0f s", seconds);
    }
  }
}
