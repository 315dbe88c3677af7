package dev.agentreplay.records.report;

import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.PlainText;
import dev.agentreplay.records.AgentRosterEntry;
import dev.agentreplay.records.RecordReplayReport.Divergence;
import dev.agentreplay.records.RecordReplayReport.Mode;
import dev.agentreplay.records.RecordReplayReport.Progress;
import dev.agentreplay.records.RecordReplayReport.Severity;
import dev.agentreplay.records.replay.DivergenceTally;
import dev.agentreplay.records.replay.MessageDivergence;
import dev.agentreplay.records.replay.MessageDivergence.Kind;
import dev.agentreplay.records.replay.MessageMeasure;
import dev.agentreplay.records.replay.MessagePair;
import dev.agentreplay.records.replay.MessagePair.Placed;
import dev.agentreplay.records.replay.RosterChange;
import dev.agentreplay.records.replay.SessionReplayResult;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The words that several reports have in common. */
final class SessionWording {

  private static final Severity[] MOST_SEVERE_FIRST = {
    Severity.MAJOR, Severity.MODERATE, Severity.MINOR, Severity.NONE
  };

  private SessionWording() {}

  /** A percentage with up to two decimals, rounded down. */
  static String percent(double percentage) {
    BigDecimal rounded =
        BigDecimal.valueOf(percentage).setScale(2, RoundingMode.DOWN).stripTrailingZeros();
    return rounded.toPlainString() + "%";
  }

  /** The similarity of the artifacts, or why there is none. */
  static String artifact(SessionReplayResult result) {
    return result.isArtifactCompared()
        ? percent(result.report().similarity().artifact())
        : "not compared, a text is missing";
  }

  static String rounds(SessionReplayResult result) {
    Progress progress = result.report().progress();
    return outOf(progress.roundsCompleted(), progress.roundsExpected());
  }

  static String messages(SessionReplayResult result) {
    Progress progress = result.report().progress();
    return outOf(progress.messagesMatched(), progress.messagesExpected());
  }

  private static String outOf(long some, long all) {
    return some + "/" + all;
  }

  /** The sign of a number that is to be reached. */
  static String sign(long some, long all) {
    return some == all ? "✓" : "✗";
  }

  /** The numbers of divergences by severity; {@code none} if there are none. */
  static String divergences(DivergenceTally tally) {
    List<String> parts = new ArrayList<>();
    for (Severity severity : MOST_SEVERE_FIRST) {
      if (tally.count(severity) > 0) {
        parts.add(tally.count(severity) + " " + severity.id());
      }
    }
    if (tally.undecided() > 0) {
      parts.add(tally.undecided() + " undecided");
    }
    return parts.isEmpty() ? "none" : String.join(", ", parts);
  }

  /** The numbers of pairs that each measure decided. */
  static String measures(SessionReplayResult result) {
    List<String> parts = new ArrayList<>();
    for (MessageMeasure measure : MessageMeasure.values()) {
      Long count = result.measures().get(measure);
      if (count != null) {
        parts.add(
            count + (measure == MessageMeasure.NONE ? " not compared" : " by " + measure.id()));
      }
    }
    return String.join(", ", parts);
  }

  /** The thresholds of a match; empty for a trace, which has none. */
  static String thresholds(SessionReplayResult result) {
    if (!(result.report().extra().get("thresholds") instanceof JsonObject thresholds)) {
      return "";
    }
    JsonValue artifact = thresholds.get("artifact");
    return "similarity at least %s%%, major divergences at most %s%s"
        .formatted(
            number(thresholds.get("similarity")),
            number(thresholds.get("max_major")),
            artifact == null ? "" : ", final artifact at least " + number(artifact) + "%");
  }

  private static String number(@Nullable JsonValue value) {
    return value instanceof JsonNumber number ? plain(number.asDouble()) : "?";
  }

  /** A number without zeros at its end. */
  private static String plain(double number) {
    return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
  }

  /** The place of a divergence, such as {@code Round 1, Message 4 (test_designer)}. */
  static String place(SessionReplayResult result, MessagePair pair) {
    Placed placed = pair.any();
    String role = role(result, pair);
    return "Round %d, Message %d%s (%s)"
        .formatted(
            placed.round(),
            placed.index(),
            pair.original() == null ? " of the replay" : "",
            role.isEmpty() ? placed.message().from() : role);
  }

  /** The role of the sender of a pair; empty if the roster does not have the sender. */
  static String role(SessionReplayResult result, MessagePair pair) {
    return pair.original() == null
        ? role(result.report().roster(), pair.any().message().from())
        : role(result.original().inputs().agentRoster(), pair.any().message().from());
  }

  static String role(List<AgentRosterEntry> roster, String agent) {
    return roster.stream()
        .filter(entry -> entry.agentName().equals(agent))
        .map(entry -> entry.role().id())
        .findFirst()
        .orElse("");
  }

  /** The pairs of messages whose round was replayed and that diverge, in order. */
  static List<MessagePair> divergent(SessionReplayResult result) {
    return result.alignment().stream()
        .filter(pair -> pair.divergence() != null && !isNotReplayed(pair))
        .toList();
  }

  /** The number of messages whose round was not replayed, with their rounds; empty if none. */
  static String notReplayed(SessionReplayResult result) {
    List<MessagePair> pairs =
        result.alignment().stream().filter(SessionWording::isNotReplayed).toList();
    if (pairs.isEmpty()) {
      return "";
    }
    List<String> rounds =
        pairs.stream().map(pair -> Long.toString(pair.any().round())).distinct().toList();
    String last = rounds.get(rounds.size() - 1);
    return PlainText.count(pairs.size(), "message")
        + (rounds.size() == 1
            ? " of round " + last
            : " of rounds " + rounds.get(0) + " to " + last);
  }

  static boolean isNotReplayed(MessagePair pair) {
    MessageDivergence divergence = pair.divergence();
    return divergence != null && divergence.kind() == Kind.NOT_REPLAYED;
  }

  /** The kind and the severity of a divergence. */
  static String kind(MessageDivergence divergence) {
    String severity = divergence.reported().severity().id();
    return switch (divergence.kind()) {
      case TEXT -> severity;
      case UNDECIDED -> divergence.kind().id();
      case TYPE, SENDER, ORDER, ROUND, MISSING, NOT_REPLAYED, ADDED ->
        divergence.kind().id() + ", " + severity;
    };
  }

  /**
   * The semantic match of two messages in the words of the origin of specification 004,
   * {@code YES}, {@code PARTIAL} or {@code NO}; and {@code UNDECIDED} if it is not known.
   */
  static String semanticMatch(MessageDivergence divergence) {
    Divergence reported = divergence.reported();
    if (divergence.kind() == Kind.UNDECIDED) {
      return "UNDECIDED";
    } else if (reported.semanticMatch()) {
      return "YES";
    }
    return reported.severity() == Severity.MAJOR ? "NO" : "PARTIAL";
  }

  /** The summary of a message, or why it has none. */
  static String summary(MessageDivergence divergence, boolean isOriginal) {
    Divergence reported = divergence.reported();
    boolean isAlone = isOriginal
        ? divergence.kind() == Kind.ADDED
        : divergence.kind() == Kind.MISSING || divergence.kind() == Kind.NOT_REPLAYED;
    if (isAlone) {
      return "(no such message)";
    }
    String summary = isOriginal ? reported.originalSummary() : reported.replayedSummary();
    return summary.isEmpty() ? "(no text)" : summary;
  }

  /** The explanation of a divergence, which begins with the measure that decided it. */
  static String explanation(MessageDivergence divergence) {
    String explanation = divergence.reported().explanation();
    return explanation == null ? divergence.measure().id() : explanation;
  }

  /** A change of the roster in words. */
  static String change(RosterChange change) {
    return change.role().id() + ": " + agent(change.original()) + " → " + agent(change.replayed());
  }

  private static String agent(@Nullable AgentRosterEntry agent) {
    if (agent == null) {
      return "no agent";
    }
    String version = agent.modelVersion() == null ? "" : " " + agent.modelVersion();
    Double temperature = agent.temperature();
    return "%s (%s, %s%s%s)"
        .formatted(
            agent.agentName(),
            agent.program(),
            agent.model(),
            version,
            temperature == null ? "" : ", temperature " + plain(temperature));
  }

  /** The name of a mode with its session, such as {@code verification of S}. */
  static String title(SessionReplayResult result) {
    return result.report().mode().id() + " of " + result.report().originalSessionId();
  }

  /** The next step; null if there is none. */
  static @Nullable String next(SessionReplayResult result) {
    boolean isTrace = result.report().mode() == Mode.TRACE;
    return switch (result.verdict()) {
      case MATCHED -> null;
      case DIVERGED -> isTrace ? "restore the altered texts from a copy" : afterDivergence(result);
      case UNDECIDED ->
        hasJudgeFailed(result)
            ? "a judge that answers, or a replay without --judge, decides the rest"
            : "--content DIR names a directory with the missing texts";
      case INCOMPLETE ->
        "what was replayed so far is compared; a replay of all rounds shows the rest";
    };
  }

  private static boolean hasJudgeFailed(SessionReplayResult result) {
    return result.divergences().stream()
        .filter(divergence -> divergence.kind() == MessageDivergence.Kind.UNDECIDED)
        .anyMatch(divergence -> explanation(divergence).contains("the judge failed"));
  }

  private static String afterDivergence(SessionReplayResult result) {
    boolean isByText = result.measures().containsKey(MessageMeasure.TEXT)
        && !result.measures().containsKey(MessageMeasure.JUDGE);
    return isByText
        ? "--judge CMD decides whether messages in other words have the same meaning"
        : "--html FILE shows both texts of each message side by side";
  }

  /** A duration. */
  static String duration(long millis) {
    if (millis < 1_000) {
      return millis + " ms";
    } else if (millis < 60_000) {
      return String.format(Locale.ROOT, "%.1f s", Math.floor(millis / 100.0) / 10);
    }
    long minutes = millis / 60_000;
    return minutes < 60
        ? "%d min %d s".formatted(minutes, millis % 60_000 / 1_000)
        : "%d h %d min".formatted(minutes / 60, minutes % 60);
  }

  /** A name on one line, with at most 60 characters. */
  static String name(String name) {
    return PlainText.fit(name, 60);
  }
}
