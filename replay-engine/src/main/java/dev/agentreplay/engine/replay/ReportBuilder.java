package dev.agentreplay.engine.replay;

import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.engine.diff.Divergence;
import dev.agentreplay.engine.diff.DivergenceKind;
import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.diff.NothingRecordedException;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.diff.SeverityPolicy;
import dev.agentreplay.engine.diff.SeverityRating;
import dev.agentreplay.engine.diff.Step;
import dev.agentreplay.engine.diff.StepKind;
import dev.agentreplay.engine.diff.ValueChange;
import dev.agentreplay.engine.exchange.ExchangeKind;
import dev.agentreplay.engine.exchange.ExchangeMatcher;
import dev.agentreplay.engine.exchange.ExchangeMatcher.UnreadValues;
import dev.agentreplay.engine.exchange.MissKind;
import dev.agentreplay.engine.exchange.RecordedExchange;
import dev.agentreplay.engine.exchange.RecordedExchanges;
import dev.agentreplay.engine.exchange.ReplayMiss;
import dev.agentreplay.engine.replay.LedgerEntry.Result;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.text.PlainText;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Builds the report of a replay: compares its session with the recording, and joins the divergences
 * with the entries of the ledger.
 */
final class ReportBuilder {

  private static final String MISS = "MISS";
  private static final String UNREAD = "UNREAD";
  private static final String TIMEOUT = "TIMEOUT";
  private static final String REFUSED = "REFUSED";
  private static final String DRIFT = "DRIFT";
  private static final String UNDECIDED = "UNDECIDED";
  private static final String NOT_REEXECUTED = "NOT_REEXECUTED";

  /** The kinds that leave a replay incomplete or unverified, but are not differences. */
  private static final Set<String> NO_DIFFERENCE = Set.of(TIMEOUT, UNDECIDED, NOT_REEXECUTED);

  /** The least number of divergences that are joined with the ledger. */
  private static final int MIN_JOINED = 10_000;

  private final Replay replay;
  private final RecordingFacts facts;
  private final RecordedExchanges recorded;
  private final ExchangeMatcher matcher;
  private final ReplayRecording recording;
  private final Ledger ledger;
  private final ReplayState state;
  private final Set<Long> served;
  private final Set<Long> executed;
  private final @Nullable Stop stop;

  /** Whether recorded requests are issued, without an agent that needs values. */
  private final boolean isDriven;

  private final List<ReplayDivergence> divergences = new ArrayList<>();

  /** The entries of calls with a miss or a message that are not reported yet, by their number. */
  private final Map<Long, LedgerEntry> entries = new TreeMap<>();

  ReportBuilder(
      Replay replay,
      RecordingFacts facts,
      RecordedExchanges recorded,
      ExchangeMatcher matcher,
      ReplayRecording recording,
      Ledger ledger,
      ReplayState state,
      boolean isDriven) {
    this.replay = replay;
    this.facts = facts;
    this.recorded = recorded;
    this.matcher = matcher;
    this.recording = recording;
    this.ledger = ledger;
    this.state = state;
    this.served = state.served();
    this.executed = state.executed();
    this.stop = state.stopped();
    this.isDriven = isDriven;
  }

  ReplayReport build(
      List<Circumstance> circumstances,
      Instant startedAt,
      Duration duration,
      @Nullable Throwable failure)
      throws IOException {
    List<LedgerEntry> notable = ledger.notable();
    for (LedgerEntry entry : notable) {
      if (entry.kind() != ExchangeKind.VALUE) {
        entries.put(entry.number(), entry);
      }
    }
    SessionDiff diff = compare();
    if (diff != null) {
      join(diff);
    }
    entries.values().forEach(this::addEntry);
    notable.stream().filter(entry -> entry.kind() == ExchangeKind.VALUE).forEach(this::addDrift);
    if (stop == null && !isDriven) {
      matcher.unreadValues().forEach(this::addUnread);
    }
    long notReexecuted = addNotReexecuted();
    Map<String, Long> kinds = count();
    List<String> incomplete = incomplete(kinds, failure);
    ReplayReport.ExchangeCounts exchanges = new ReplayReport.ExchangeCounts(
        recorded.size(),
        served.size(),
        executed.size(),
        recorded.size() - served.size() - executed.size());
    return new ReplayResults.ReportData(
        verdict(kinds, incomplete, exchanges, notReexecuted),
        replay.policy,
        replay.session.log(),
        facts.sessionId,
        recording.keptDirectory(),
        exchanges,
        ledger.requests(),
        ledger.matched(),
        ledger.missed(),
        circumstances,
        listed(),
        kinds,
        notReexecuted,
        incomplete,
        diff,
        state.budget().json(),
        new ReplayReport.Recorded(facts.duration(), facts.inputTokens, facts.outputTokens),
        startedAt,
        duration,
        failure);
  }

  private List<ReplayDivergence> listed() {
    int most = replay.comparison.maxDivergences();
    return divergences.size() <= most ? divergences : divergences.subList(0, most);
  }

  // ---- the comparison of the sessions

  private @Nullable SessionDiff compare() throws IOException {
    DiffOptions options = replay
        .comparison
        .withSeverity(this::judge)
        .withMaxDivergences(Math.max(replay.comparison.maxDivergences(), MIN_JOINED));
    try {
      return SessionDiff.between(replay.session, recording.session(), options);
    } catch (NothingRecordedException nothing) {
      return null;
    }
  }

  /**
   * Rates a difference. What the agent of a replay does not state, because its runtime did when it
   * was recorded, and what a replay did not reach because it was stopped, does not count as a
   * divergence.
   */
  private SeverityRating judge(SeverityPolicy.Change change) {
    StepKind step = change.step().kind();
    if (change.kind() == DivergenceKind.MISSING && stop != null) {
      return new SeverityRating(DivergenceSeverity.NONE, "not reached");
    } else if (!isExchange(step)
        && change.kind() == DivergenceKind.MISSING
        && !recording.states(step)) {
      return new SeverityRating(DivergenceSeverity.NONE, "not stated");
    } else if (step == StepKind.START && facts.start == null) {
      return new SeverityRating(DivergenceSeverity.NONE, "added by the replay");
    }
    return replay.comparison.severity().judge(change);
  }

  private static boolean isExchange(StepKind step) {
    return step == StepKind.CALL || step == StepKind.TURN;
  }

  static boolean matters(Divergence divergence) {
    return divergence.severity() != DivergenceSeverity.NONE;
  }

  /** Adds the divergences of the comparison, joined with the entries of the ledger. */
  private void join(SessionDiff diff) throws IOException {
    Map<Long, Long> requests = requests();
    for (Divergence divergence : diff.divergences()) {
      if (!matters(divergence)) {
        continue;
      }
      Step right = divergence.right();
      Long request = right == null ? null : requests.get(right.line());
      LedgerEntry entry = request == null ? null : entries.remove(request);
      if (entry != null && entry.result() != Result.CANCELLED) {
        divergences.add(of(entry, divergence));
      } else if (entry == null) {
        divergences.add(ofReplay(divergence));
      }
    }
  }

  /**
   * The numbers of the requests, by the lines of their calls in the log of the replay. The
   * comparison has not all of them: it leaves out the tools that it ignores.
   */
  private Map<Long, Long> requests() throws IOException {
    Map<Long, Long> requests = new HashMap<>();
    if (entries.isEmpty()) {
      return requests;
    }
    try (ReplayReader reader = recording.session().reader()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        if (line.event() instanceof ToolCall || line.event() instanceof ModelCall) {
          requests.put(line.position().line(), requests.size() + 1L);
        }
      }
    }
    return requests;
  }

  private ReplayDivergence of(LedgerEntry entry, @Nullable Divergence comparison) {
    ReplayMiss miss = entry.miss();
    Step left = comparison == null ? null : comparison.left();
    Step right = comparison == null ? null : comparison.right();
    return new ReplayResults.DivergenceData(
        kind(entry),
        DivergenceSeverity.MAJOR,
        comparison == null ? role() : comparison.role(),
        entry.agent(),
        left != null ? Long.valueOf(left.line()) : entry.line(),
        right == null ? null : right.line(),
        miss != null ? miss.message() : String.valueOf(entry.message()),
        comparison,
        miss);
  }

  private static String kind(LedgerEntry entry) {
    if (entry.miss() != null) {
      return entry.miss().kind() == MissKind.UNDECIDED ? UNDECIDED : MISS;
    }
    return entry.result() == Result.TIMED_OUT ? TIMEOUT : REFUSED;
  }

  private ReplayDivergence ofReplay(Divergence divergence) {
    Step left = divergence.left();
    if (left == null || divergence.kind() != DivergenceKind.MISSING || !isExchange(left.kind())) {
      return ofComparison(divergence);
    }
    return new ReplayResults.DivergenceData(
        UNREAD,
        divergence.severity(),
        divergence.role(),
        left.agent(),
        left.line(),
        null,
        "%s on line %d was not requested".formatted(left.name(), left.line()),
        divergence,
        null);
  }

  static ReplayDivergence ofComparison(Divergence divergence) {
    Step left = divergence.left();
    Step right = divergence.right();
    Step step = divergence.step();
    List<ValueChange> values = divergence.changes().stream()
        .flatMap(change -> change.values().stream())
        .toList();
    String place = values.isEmpty() ? "" : ", first at " + values.get(0).pointer();
    return new ReplayResults.DivergenceData(
        divergence.kind().id(),
        divergence.severity(),
        divergence.role(),
        step.agent(),
        left == null ? null : left.line(),
        right == null ? null : right.line(),
        "%s: %s%s".formatted(step.name(), words(divergence.kind()), place),
        divergence,
        null);
  }

  private static String words(DivergenceKind kind) {
    return switch (kind) {
      case MISSING -> "is missing";
      case ADDED -> "was added";
      case MOVED -> "is in a different place";
      default -> kind.id().toLowerCase(Locale.ROOT).replace('_', ' ') + " differs";
    };
  }

  // ---- the ledger

  private Divergence.Role role() {
    boolean hasRoot = divergences.stream().anyMatch(other -> other.role() == Divergence.Role.ROOT);
    return hasRoot ? Divergence.Role.INDEPENDENT : Divergence.Role.ROOT;
  }

  private void addEntry(LedgerEntry entry) {
    if (entry.result() != Result.CANCELLED) {
      divergences.add(of(entry, null));
    }
  }

  private void addDrift(LedgerEntry entry) {
    ReplayMiss miss = entry.miss();
    divergences.add(new ReplayResults.DivergenceData(
        DRIFT,
        miss == null ? DivergenceSeverity.MINOR : DivergenceSeverity.MAJOR,
        role(),
        entry.agent(),
        entry.line(),
        null,
        miss != null ? miss.message() : String.valueOf(entry.message()),
        null,
        miss));
  }

  private void addUnread(UnreadValues unread) {
    divergences.add(new ReplayResults.DivergenceData(
        UNREAD,
        DivergenceSeverity.MODERATE,
        role(),
        unread.agent(),
        unread.line(),
        null,
        "%s of %s, from line %d on, were not requested"
            .formatted(
                PlainText.count(unread.count(), "recorded value"), unread.source(), unread.line()),
        null,
        null));
  }

  /** Adds what was served in a mode that is to execute it. Returns the number of exchanges. */
  private long addNotReexecuted() {
    ReplayMode mode = replay.policy.mode();
    if (mode != ReplayMode.FULL && mode != ReplayMode.NODE) {
      return 0;
    }
    Map<String, List<RecordedExchange>> byName = new TreeMap<>();
    for (RecordedExchange exchange : recorded.all()) {
      if (served.contains(exchange.line())) {
        byName.computeIfAbsent(exchange.name(), name -> new ArrayList<>()).add(exchange);
      }
    }
    byName.forEach((name, exchanges) -> divergences.add(new ReplayResults.DivergenceData(
        NOT_REEXECUTED,
        DivergenceSeverity.MINOR,
        Divergence.Role.INDEPENDENT,
        null,
        exchanges.stream()
            .min(Comparator.comparingLong(RecordedExchange::line))
            .orElseThrow()
            .line(),
        null,
        "%s: %s served from the recording, not executed"
            .formatted(name, PlainText.count(exchanges.size(), "call")),
        null,
        null)));
    return served.size();
  }

  // ---- the verdict

  private Map<String, Long> count() {
    Map<String, Long> kinds = new TreeMap<>();
    divergences.forEach(divergence -> kinds.merge(divergence.kind(), 1L, Long::sum));
    return kinds;
  }

  /** The numbers of the divergences of a comparison, by kind. */
  static Map<String, Long> kinds(SessionDiff diff) {
    Map<String, Long> kinds = new TreeMap<>();
    diff.divergences().stream()
        .filter(ReportBuilder::matters)
        .forEach(divergence -> kinds.merge(divergence.kind().id(), 1L, Long::sum));
    return kinds;
  }

  private List<String> incomplete(Map<String, Long> kinds, @Nullable Throwable failure) {
    List<String> reasons = new ArrayList<>();
    Stop cut = state.cut();
    if (cut != null) {
      reasons.add(cut.reason());
    } else if (stop != null && kinds.isEmpty()) {
      reasons.add(stop.reason()); // a difference that the policy rates as none
    }
    long timedOut = kinds.getOrDefault(TIMEOUT, 0L);
    if (timedOut > 0) {
      reasons.add(PlainText.count(timedOut, "exchange") + " timed out");
    }
    long undecided = kinds.getOrDefault(UNDECIDED, 0L);
    if (undecided > 0) {
      reasons.add(PlainText.count(undecided, "recorded call") + " without a result");
    }
    if (facts.end == null) {
      reasons.add("the recording has no end");
    } else if (failure != null
        && stop == null
        && facts.end.status().isSuccess()
        && !differs(kinds)) {
      reasons.add("the agent failed: " + Failure.message(failure));
    }
    return reasons;
  }

  private static boolean differs(Map<String, Long> kinds) {
    return !NO_DIFFERENCE.containsAll(kinds.keySet());
  }

  private static ReplayVerdict verdict(
      Map<String, Long> kinds,
      List<String> incomplete,
      ReplayReport.ExchangeCounts exchanges,
      long notReexecuted) {
    if (differs(kinds)) {
      return ReplayVerdict.DIVERGED;
    } else if (!incomplete.isEmpty()) {
      return ReplayVerdict.INCOMPLETE;
    }
    boolean nothing = exchanges.served() + exchanges.executed() == 0;
    return nothing || notReexecuted > 0 ? ReplayVerdict.UNVERIFIED : ReplayVerdict.IDENTICAL;
  }
}
