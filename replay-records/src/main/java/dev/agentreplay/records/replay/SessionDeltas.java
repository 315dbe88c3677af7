package dev.agentreplay.records.replay;

import dev.agentreplay.records.AgentRosterEntry.Role;
import dev.agentreplay.records.RecordReplayReport.Progress;
import dev.agentreplay.records.SessionOutputs;
import dev.agentreplay.records.SessionOutputs.LintResult;
import dev.agentreplay.records.SessionOutputs.Scorecard;
import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.TraceMessage;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The differences between a recorded session and its replay in numbers, and of their rosters: what
 * the ComparisonReport of specification 004 shows. The specification does not list its members;
 * docs/session-records.md does. Immutable.
 */
public final class SessionDeltas {

  /** The key of messages whose sender has no role in the roster. */
  public static final String NO_ROLE = "other";

  private final List<RosterChange> rosterChanges;
  private final Map<String, Delta> totals;
  private final Map<TraceMessage.Type, MessageCounts> countsByType = new TreeMap<>();
  private final Map<String, MessageCounts> countsByRole = new TreeMap<>();
  private final Map<TraceMessage.Type, DivergenceTally> byType = new TreeMap<>();
  private final Map<String, DivergenceTally> byRole = new TreeMap<>();

  /**
   * A number of both sessions.
   *
   * @param original the number of the recorded session; null if it is not known
   * @param replayed the number of the replay; null if it is not known
   */
  public record Delta(@Nullable BigDecimal original, @Nullable BigDecimal replayed) {

    static Delta of(@Nullable Long original, @Nullable Long replayed) {
      return new Delta(decimal(original), decimal(replayed));
    }

    private static @Nullable BigDecimal decimal(@Nullable Long number) {
      return number == null ? null : BigDecimal.valueOf(number);
    }

    /** The number of the replay minus that of the recorded session; null unless both are known. */
    public @Nullable BigDecimal difference() {
      return original == null || replayed == null ? null : replayed.subtract(original);
    }
  }

  /**
   * The compared messages of both sessions.
   *
   * @param messages the numbers of the messages
   * @param bytes the sums of their lengths in UTF-8, in bytes
   */
  public record MessageCounts(Delta messages, Delta bytes) {}

  private SessionDeltas(SessionReplayResult result, SessionRecord replayed) {
    SessionRecord original = result.original();
    this.rosterChanges =
        RosterChange.between(original.inputs().agentRoster(), result.report().roster());
    List<MessagePair> pairs =
        result.alignment().stream().filter(pair -> !pair.isInput()).toList();
    this.totals = Collections.unmodifiableMap(totals(result, original, replayed, pairs));
    Lanes before = Lanes.byAgent(original.inputs().agentRoster());
    Lanes after = Lanes.byAgent(result.report().roster());
    Map<TraceMessage.Type, List<MessagePair>> pairsByType = new TreeMap<>();
    Map<String, List<MessagePair>> pairsByRole = new TreeMap<>();
    for (MessagePair pair : pairs) {
      TraceMessage message = pair.any().message();
      pairsByType.computeIfAbsent(message.type(), none -> new ArrayList<>()).add(pair);
      Role role = (pair.original() == null ? after : before).role(message.from());
      pairsByRole
          .computeIfAbsent(role == null ? NO_ROLE : role.id(), none -> new ArrayList<>())
          .add(pair);
    }
    pairsByType.forEach((type, some) -> {
      countsByType.put(type, counts(some));
      byType.put(type, DivergenceTally.of(some));
    });
    pairsByRole.forEach((role, some) -> {
      countsByRole.put(role, counts(some));
      byRole.put(role, DivergenceTally.of(some));
    });
  }

  /**
   * Computes the differences of a verification or comparison.
   *
   * @throws IllegalArgumentException for a trace, which has no replay
   */
  public static SessionDeltas of(SessionReplayResult result) {
    SessionRecord replayed = result.replayed();
    if (replayed == null) {
      throw new IllegalArgumentException("expected a verification or comparison, found a trace");
    }
    return new SessionDeltas(result, replayed);
  }

  private static Map<String, Delta> totals(
      SessionReplayResult result,
      SessionRecord original,
      SessionRecord replayed,
      List<MessagePair> pairs) {
    Map<String, Delta> totals = new LinkedHashMap<>();
    outputs(original.outputs(), replayed.outputs(), totals);
    Progress progress = result.report().progress();
    totals.put("rounds", Delta.of(progress.roundsExpected(), progress.roundsCompleted()));
    boolean isWhole = original.trace().rounds().size() == progress.roundsExpected()
        && progress.roundsCompleted() == progress.roundsExpected();
    totals.put(
        "duration_ms",
        isWhole
            ? Delta.of(
                original.trace().totalDurationMillis(), replayed.trace().totalDurationMillis())
            : Delta.of(null, null));
    MessageCounts counts = counts(pairs);
    totals.put("messages", counts.messages());
    totals.put("bytes", counts.bytes());
    return totals;
  }

  private static void outputs(
      SessionOutputs original, SessionOutputs replayed, Map<String, Delta> totals) {
    SessionOutputs.Counts before = isStated(original) ? original.counts() : null;
    SessionOutputs.Counts after = isStated(replayed) ? replayed.counts() : null;
    totals.put(
        "hypothesis_count",
        Delta.of(
            before == null ? null : before.hypotheses(),
            after == null ? null : after.hypotheses()));
    totals.put(
        "test_count",
        Delta.of(before == null ? null : before.tests(), after == null ? null : after.tests()));
    totals.put(
        "assumption_count",
        Delta.of(original.counts().assumptions(), replayed.counts().assumptions()));
    totals.put(
        "anomaly_count",
        Delta.of(original.counts().anomalies(), replayed.counts().anomalies()));
    totals.put(
        "critique_count",
        Delta.of(original.counts().critiques(), replayed.counts().critiques()));
    LintResult lintBefore = before == null ? null : original.lintResult();
    LintResult lintAfter = after == null ? null : replayed.lintResult();
    totals.put(
        "lint_errors",
        Delta.of(
            lintBefore == null ? null : lintBefore.errors(),
            lintAfter == null ? null : lintAfter.errors()));
    totals.put(
        "lint_warnings",
        Delta.of(
            lintBefore == null ? null : lintBefore.warnings(),
            lintAfter == null ? null : lintAfter.warnings()));
    totals.put(
        "scorecard_points", new Delta(points(original.scorecard()), points(replayed.scorecard())));
  }

  /** Whether outputs state anything but a hash: those of agents that only ran do not. */
  private static boolean isStated(SessionOutputs outputs) {
    return !outputs.counts().equals(SessionOutputs.EMPTY.counts())
        || !outputs.lintResult().equals(LintResult.CLEAN)
        || !outputs.scorecard().equals(Scorecard.NONE);
  }

  private static @Nullable BigDecimal points(Scorecard scorecard) {
    Double points = scorecard.points();
    return points == null || !Double.isFinite(points) ? null : BigDecimal.valueOf(points);
  }

  private static MessageCounts counts(List<MessagePair> pairs) {
    long[] messages = new long[2];
    long[] bytes = new long[2];
    for (MessagePair pair : pairs) {
      add(pair.original(), 0, messages, bytes);
      add(pair.replayed(), 1, messages, bytes);
    }
    return new MessageCounts(Delta.of(messages[0], messages[1]), Delta.of(bytes[0], bytes[1]));
  }

  private static void add(
      MessagePair.@Nullable Placed placed, int side, long[] messages, long[] bytes) {
    if (placed != null) {
      messages[side]++;
      bytes[side] += placed.message().contentLength();
    }
  }

  /** The changes of the roster; agents without a change are not listed. */
  public List<RosterChange> rosterChanges() {
    return rosterChanges;
  }

  /**
   * The numbers of the sessions by name, in this order: {@code hypothesis_count},
   * {@code test_count}, {@code assumption_count}, {@code anomaly_count}, {@code critique_count},
   * {@code lint_errors}, {@code lint_warnings}, {@code scorecard_points}; {@code rounds}, those
   * that were to be replayed and those that were completed; {@code duration_ms}, only if all rounds
   * were replayed; {@code messages} and {@code bytes}, of the messages that are compared. Outputs
   * that a record does not state are not known.
   */
  public Map<String, Delta> totals() {
    return totals;
  }

  /** The compared messages by the type of the recorded one, or of an added one. */
  public Map<TraceMessage.Type, MessageCounts> countsByType() {
    return Collections.unmodifiableMap(countsByType);
  }

  /** The compared messages by the role of their sender, or {@link #NO_ROLE}. */
  public Map<String, MessageCounts> countsByRole() {
    return Collections.unmodifiableMap(countsByRole);
  }

  /** The divergences by the type of the recorded message, or of an added one. */
  public Map<TraceMessage.Type, DivergenceTally> byType() {
    return Collections.unmodifiableMap(byType);
  }

  /** The divergences by the role of the sender, or {@link #NO_ROLE}. */
  public Map<String, DivergenceTally> byRole() {
    return Collections.unmodifiableMap(byRole);
  }
}
