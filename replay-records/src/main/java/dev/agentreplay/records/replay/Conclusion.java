package dev.agentreplay.records.replay;

import dev.agentreplay.model.text.PlainText;
import dev.agentreplay.records.AgentRosterEntry.Role;
import dev.agentreplay.records.RecordReplayReport.Severity;
import dev.agentreplay.records.internal.ReplayedSession;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The conclusion of a report, in one or two sentences. */
final class Conclusion {

  private final SessionReplay replay;
  private final ReplayedSession replayed;
  private final List<MessageDivergence> divergences;
  private final Map<MessageMeasure, Long> measures;
  private final long expectedRounds;

  Conclusion(
      SessionReplay replay,
      ReplayedSession replayed,
      List<MessageDivergence> divergences,
      Map<MessageMeasure, Long> measures,
      long expectedRounds) {
    this.replay = replay;
    this.replayed = replayed;
    this.divergences = divergences;
    this.measures = measures;
    this.expectedRounds = expectedRounds;
  }

  String of(SessionReplayVerdict verdict) {
    return switch (verdict) {
      case MATCHED -> "Session is reproducible within acceptable bounds." + noJudge();
      case DIVERGED -> "Significant divergence in " + mostDivergent() + "." + noJudge();
      case UNDECIDED -> undecided();
      case INCOMPLETE ->
        "Replay is incomplete: %d of %s.%s"
            .formatted(
                replayed.completedRounds(), PlainText.count(expectedRounds, "round"), failure());
    };
  }

  /** The first line of the reason why the replay is incomplete, as a sentence. */
  private String failure() {
    if (replayed.failure() == null) {
      return "";
    }
    String line = replayed.failure().lines().findFirst().orElse("").strip();
    String reason = line.endsWith(":") ? line.substring(0, line.length() - 1) : line;
    return reason.isEmpty()
        ? ""
        : " " + reason.substring(0, 1).toUpperCase(Locale.ROOT) + reason.substring(1) + ".";
  }

  private String undecided() {
    long texts = divergences.stream()
        .filter(divergence -> divergence.kind() == MessageDivergence.Kind.UNDECIDED)
        .count();
    if (texts > 0) {
      return "Not decided: %s cannot be compared.".formatted(PlainText.count(texts, "message"));
    }
    return measures.isEmpty()
        ? "Not decided: neither session has a message of an agent to compare."
        : "Not decided: the texts of the final artifacts are missing.";
  }

  /** Says that a measure of characters knows no meanings, if one was used. */
  private String noJudge() {
    return replay.rules.judge() == null && measures.containsKey(MessageMeasure.TEXT)
        ? " Texts that differ were compared by their characters, not by their meaning."
        : "";
  }

  /** The work of the agents with the worst divergences; the final artifact if there are none. */
  private String mostDivergent() {
    Lanes before = Lanes.byAgent(replay.record.inputs().agentRoster());
    Lanes after = Lanes.byAgent(replayed.record().inputs().agentRoster());
    Map<String, Map<Severity, Integer>> worst = new LinkedHashMap<>();
    for (MessageDivergence divergence : divergences) {
      String agent = divergence.reported().agent();
      Role role = divergence.kind() == MessageDivergence.Kind.ADDED
          ? after.role(agent)
          : before.role(agent);
      worst
          .computeIfAbsent(
              role == null ? "the messages of " + agent : work(role),
              none -> new EnumMap<>(Severity.class))
          .merge(divergence.reported().severity(), 1, Integer::sum);
    }
    return worst.entrySet().stream()
        .max(Map.Entry.comparingByValue(by(Severity.MAJOR)
            .thenComparing(by(Severity.MODERATE))
            .thenComparing(by(Severity.MINOR))))
        .map(Map.Entry::getKey)
        .orElse("the final artifact");
  }

  private static Comparator<Map<Severity, Integer>> by(Severity severity) {
    return Comparator.comparing(counts -> counts.getOrDefault(severity, 0));
  }

  private static String work(Role role) {
    return switch (role) {
      case HYPOTHESIS_GENERATOR -> "hypothesis generation";
      case TEST_DESIGNER -> "test design";
      case ADVERSARIAL_CRITIC -> "adversarial critique";
    };
  }
}
