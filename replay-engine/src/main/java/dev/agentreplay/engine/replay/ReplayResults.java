package dev.agentreplay.engine.replay;

import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.exchange.MatchRung;
import dev.agentreplay.engine.replay.divergence.DivergenceCounts;
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
      long acceptedUnread,
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
