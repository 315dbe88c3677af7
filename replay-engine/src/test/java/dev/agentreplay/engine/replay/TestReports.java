package dev.agentreplay.engine.replay;

import dev.agentreplay.engine.diff.Divergence;
import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.exchange.MatchRung;
import dev.agentreplay.engine.exchange.ReplayMiss;
import dev.agentreplay.engine.replay.divergence.DivergenceCounts;
import dev.agentreplay.engine.replay.execution.NotExecutedException;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayPolicy;
import dev.agentreplay.io.recording.ReplayWriter;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.VerificationReport;
import dev.agentreplay.verify.VerifyPolicy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reports of replays with fixed values, for the tests of what is rendered. */
public final class TestReports {

  private static final VerificationReport VERIFICATION = verification();

  private TestReports() {}

  /** The verification of a session without calls. */
  private static VerificationReport verification() {
    try {
      Path directory = Files.createTempDirectory("verified");
      Path log = directory.resolve(Session.LOG_NAME);
      try (ReplayWriter writer = ReplayWriter.create(log, ReplayHeader.of("test@1"))) {
        writer.emit(SessionEnd.of(Status.SUCCESS));
      }
      VerificationReport report =
          SessionVerifier.of(VerifyPolicy.defaults()).verify(Session.open(directory));
      Files.delete(log);
      Files.delete(directory);
      return report;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A report on a replay that served everything. */
  public static ReplayReport identical() {
    return report(ReplayVerdict.IDENTICAL, List.of(), List.of(), null, null);
  }

  /**
   * A report that has something of everything: the divergences of a comparison, and those of a
   * ledger.
   */
  public static ReplayReport mixed(SessionDiff diff, ReplayMiss miss, String text) {
    ReplayDivergences compared = new ReplayDivergences(false, java.util.Set.of());
    compared.add(diff);
    List<ReplayDivergence> divergences = new ArrayList<>(compared.first(Integer.MAX_VALUE));
    divergences.add(ofLedger("MISS", DivergenceSeverity.MAJOR, text, 7L, null, miss));
    divergences.add(
        ofLedger("UNREAD", DivergenceSeverity.MODERATE, "one value " + text, 9L, "one", null));
    divergences.add(
        ofLedger("TIMEOUT", DivergenceSeverity.MAJOR, text + " timed out", 11L, null, null));
    divergences.add(
        ofLedger("REFUSED", DivergenceSeverity.MAJOR, text + " refused", null, null, null));
    divergences.add(ofLedger("DRIFT", DivergenceSeverity.MINOR, text + " drifts", 13L, null, null));
    divergences.add(
        ofLedger("UNDECIDED", DivergenceSeverity.MAJOR, text + " has no result", 15L, null, null));
    divergences.add(
        ofLedger("NOT_REEXECUTED", DivergenceSeverity.MINOR, text + ": 2 calls", 17L, null, null));
    divergences.add(notExecuted(text + " was not executed: too much memory", 19));
    return report(
        ReplayVerdict.DIVERGED,
        divergences,
        List.of("1 exchange timed out", text),
        diff,
        new IllegalStateException("no file " + text));
  }

  private static ReplayDivergence notExecuted(String message, long line) {
    return new DivergenceData(
        "UNDECIDED",
        DivergenceSeverity.MAJOR,
        Divergence.Role.INDEPENDENT,
        null,
        line,
        null,
        message,
        null,
        null,
        NotExecutedException.Reason.LIMIT,
        null,
        false,
        null);
  }

  private static ReplayDivergence ofLedger(
      String kind,
      DivergenceSeverity severity,
      String message,
      @Nullable Long line,
      @Nullable String agent,
      @Nullable ReplayMiss miss) {
    return new DivergenceData(
        kind,
        severity,
        Divergence.Role.INDEPENDENT,
        agent,
        line,
        null,
        miss == null ? message : miss.message(),
        null,
        miss,
        null,
        null,
        false,
        null);
  }

  private static ReplayReport report(
      ReplayVerdict verdict,
      List<ReplayDivergence> divergences,
      List<String> incomplete,
      @Nullable SessionDiff diff,
      @Nullable Throwable failure) {
    boolean isIdentical = verdict == ReplayVerdict.IDENTICAL;
    Map<MatchRung, Long> matched = new EnumMap<>(MatchRung.class);
    matched.put(MatchRung.EXACT, 10L);
    if (!isIdentical) {
      matched.put(MatchRung.OUT_OF_ORDER, 1L);
    }
    List<Circumstance> circumstances = isIdentical
        ? List.of()
        : List.of(
            new Circumstance("end", null, null, "the recording has no end"),
            new Circumstance(
                "versions.runtime",
                JsonString.of("21"),
                JsonString.of("17"),
                "versions.runtime differs from the recording"));
    return new ReplayResults.ReportData(
        verdict,
        ReplayPolicy.of(ReplayMode.TOOLS_LIVE).withEffect("search", Effect.PURE),
        Path.of("sessions", "fix-auth", "REPLAY.jsonl"),
        "fix-auth",
        isIdentical ? null : Path.of("replayed"),
        isIdentical
            ? new ReplayReport.ExchangeCounts(10, 10, 0, 0)
            : new ReplayReport.ExchangeCounts(14, 9, 2, 3),
        isIdentical ? 10 : 12,
        matched,
        isIdentical ? 0 : 1,
        VERIFICATION,
        circumstances,
        divergences,
        List.of(),
        0,
        0,
        java.util.Set.of(),
        counts(divergences),
        isIdentical ? 0 : 2,
        isIdentical
            ? Map.of()
            : Map.of(
                "search", new ReplayReport.Agreement(1, 2),
                "gpt-5", new ReplayReport.Agreement(1_000, 1_000)),
        incomplete,
        diff,
        JsonObject.of("calls", 2, "tokens", 0),
        isIdentical ? Isolation.NO_PROGRAMS : isolation(incomplete.get(1)),
        new ReplayReport.Recorded(Duration.ofSeconds(41), 12_000, 300),
        Instant.parse("2026-01-02T03:04:05Z"),
        Duration.ofMillis(50),
        failure,
        isIdentical ? null : new Stop(Stop.Cause.MISS, "a miss"),
        null,
        isIdentical ? ReplayVerdict.IDENTICAL : ReplayVerdict.INCOMPLETE,
        dev.agentreplay.engine.diff.DivergenceSeverity.MINOR,
        null);
  }

  private static Isolation isolation(String text) {
    return new Isolation(
        "bubblewrap",
        JsonObject.of("network", "network namespace", "files", "mount namespace"),
        JsonObject.of("time_zone", "Europe/Vienna"),
        List.of("the clock", text));
  }

  private static DivergenceCounts counts(List<ReplayDivergence> divergences) {
    DivergenceCounts counts = new DivergenceCounts();
    divergences.forEach(each -> counts.add(each.kind(), each.severity(), 1));
    return counts;
  }
}
