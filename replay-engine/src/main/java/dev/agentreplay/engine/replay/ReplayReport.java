package dev.agentreplay.engine.replay;

import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.engine.diff.Divergence;
import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.exchange.MatchRung;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayPolicy;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.ForkOrigin;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.verify.VerificationReport;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The report of a replay. Immutable and safe for use by several threads. */
public sealed interface ReplayReport permits ReplayResults.ReportData {

  /**
   * The recorded exchanges: {@code recorded = served + executed + unread}.
   *
   * @param recorded the number of exchanges in the recording
   * @param served the number that was answered from the recording
   * @param executed the number that was executed
   * @param unread the number that the agent did not request, or that was refused or not executed
   */
  record ExchangeCounts(long recorded, long served, long executed, long unread) {}

  /**
   * The agreement of executed exchanges with the recording.
   *
   * @param same the number whose result does not differ from the recorded one
   * @param of the number of executed exchanges
   */
  record Agreement(long same, long of) {

    /** The sum of two agreements. */
    public Agreement plus(Agreement other) {
      return new Agreement(same + other.same, of + other.of);
    }
  }

  /**
   * The time and tokens of the recording, which a replay that serves it saves.
   *
   * @param duration its duration
   * @param inputTokens the tokens that its models read
   * @param outputTokens the tokens that its models wrote
   */
  record Recorded(Duration duration, long inputTokens, long outputTokens) {

    /** The number of tokens. */
    public long tokens() {
      return inputTokens + outputTokens;
    }
  }

  /**
   * The fork that a replay made.
   *
   * @param origin the point and the changes, as the header of its session states them
   * @param isReached whether the agent made a request after the point
   */
  record Forked(ForkOrigin origin, boolean isReached) {}

  /** The verdict. */
  ReplayVerdict verdict();

  /** The mode. */
  ReplayMode mode();

  /** The policy. */
  ReplayPolicy policy();

  /** The path of the recording's log. */
  Path recording();

  /** The id of the recorded session; null if the log does not state one. */
  @Nullable
  String sessionId();

  /** The directory of the session that the replay recorded; null if it was not kept. */
  @Nullable
  Path directory();

  /** The counts of the recorded exchanges. */
  ExchangeCounts exchanges();

  /** The number of requests of the agent: the sum of {@link #matched} and {@link #missed}. */
  long requests();

  /** The number of requests that were matched by each rule. */
  Map<MatchRung, Long> matched();

  /** The number of requests that no recorded exchange matches. */
  long missed();

  /** The verification of the recording, before anything ran. */
  VerificationReport verification();

  /** The differences between the recorded and the present circumstances. */
  List<Circumstance> circumstances();

  /** The divergences, at most as many as the options of the comparison allow. */
  List<ReplayDivergence> divergences();

  /**
   * The accepted divergences, at most as many as the options of the comparison allow, which are not
   * among the others and do not count ({@link DiffOptions#accepting}). They do not make an
   * incomplete or unverified replay identical.
   */
  List<ReplayDivergence> accepted();

  /** The number of accepted divergences, listed or not. */
  long acceptedCount();

  /**
   * The number of recorded exchanges that were not served because of accepted divergences, listed
   * or not.
   */
  long acceptedUnread();

  /**
   * The accepted fingerprints that no divergence of the replay has. In a replay that was stopped,
   * what was not reached is among them.
   */
  Set<ContentHash> notFound();

  /** The number of divergences by kind, complete, without those of the severity {@code NONE}. */
  Map<String, Long> divergencesByKind();

  /** The fork that the replay made; null if it is none. */
  @Nullable
  Forked fork();

  /**
   * The number of recorded exchanges that were served although the mode is to execute everything.
   */
  long notReexecuted();

  /**
   * The agreement of the exchanges that were executed in the mode {@link ReplayMode#NODE}, each
   * from its own recorded context, by the name of their tool or model; empty in other modes.
   */
  Map<String, Agreement> agreement();

  /** The reasons why the replay is incomplete; empty if it is complete. */
  List<String> incomplete();

  /** The comparison of the recording with the replay; null if there was nothing to compare. */
  @Nullable
  SessionDiff comparison();

  /** The used part of the budget, as JSON: {@code calls}, {@code tokens}, {@code bytes} ... */
  JsonObject budget();

  /** The isolation of programs; {@link Isolation#NO_PROGRAMS} if none was started. */
  Isolation isolation();

  /** The duration and the tokens of the recorded session. */
  Recorded recorded();

  /** The time at which the replay started. */
  Instant startedAt();

  /** The duration of the replay, without pauses. */
  Duration duration();

  /** The exception that the agent threw; null if it returned. */
  @Nullable
  Throwable failure();

  /**
   * Whether the replay was stopped before its agent returned: at a miss or divergence, at a limit,
   * or by an abort.
   */
  boolean isStopped();

  /** Whether the caller aborted the replay. */
  boolean isAborted();

  /**
   * The exception that the agent got for its first request without an answer: its stack trace is
   * the place of the request, also if the agent caught it. Null if there was none.
   */
  @Nullable
  ReplayMissException firstMiss();

  /**
   * The verdict if the divergences are accepted, such as those of a low severity: never
   * {@code DIVERGED}, unless the recording is not valid.
   */
  ReplayVerdict verdictIfAccepted();

  /** The lowest severity of a divergence with which the replay fails; minor by default. */
  DivergenceSeverity failOn();

  /** Whether a divergence, listed or not, is as severe as {@link DiffOptions#failOn}. */
  boolean hasFailures();

  /**
   * Whether the replay passes: its verdict is {@code IDENTICAL}, or would be without divergences
   * that are less severe than {@link DiffOptions#failOn}.
   */
  default boolean passes() {
    return switch (verdict()) {
      case IDENTICAL -> true;
      case DIVERGED ->
        !hasFailures() && verdictIfAccepted() == ReplayVerdict.IDENTICAL && failure() == null;
      case INCOMPLETE, UNVERIFIED -> false;
    };
  }

  /**
   * Whether the replay shows less than it should: it is incomplete or unverified, also beneath
   * divergences that are less severe than {@link DiffOptions#failOn}. A replay that neither passes
   * nor is inconclusive has diverged.
   */
  default boolean isInconclusive() {
    return switch (verdict()) {
      case IDENTICAL -> false;
      case DIVERGED -> !passes() && !hasFailures() && verdictIfAccepted() != ReplayVerdict.DIVERGED;
      case INCOMPLETE, UNVERIFIED -> true;
    };
  }

  /** Whether the verdict is {@code IDENTICAL}. */
  default boolean isIdentical() {
    return verdict() == ReplayVerdict.IDENTICAL;
  }

  /** The number of divergences. */
  default long divergenceCount() {
    return divergencesByKind().values().stream().mapToLong(Long::longValue).sum();
  }

  /** The first divergence that is not downstream of another; null if there is none. */
  default @Nullable ReplayDivergence root() {
    return divergences().stream()
        .filter(divergence -> divergence.role() == Divergence.Role.ROOT)
        .findFirst()
        .orElse(divergences().isEmpty() ? null : divergences().get(0));
  }

  /**
   * The first line of a text report, such as "replayed 18 exchanges in 0.05 s (recorded: 41 s,
   * 12,300 tokens)".
   */
  String headline();
}
