package dev.agentreplay.engine.report;

import dev.agentreplay.engine.diff.Divergence;
import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.replay.ReplayDivergence;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.model.text.PlainText;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The numbers of the divergences of a replay: those in its report, and in its comparison. */
final class RunDivergences {

  private static final Set<String> EXPLAINED = Set.of("REFUSED", "TIMEOUT");

  private final ReplayReport report;
  private final Map<Integer, Integer> numbers = new HashMap<>();

  RunDivergences(ReplayReport report) {
    this.report = report;
    List<ReplayDivergence> all = report.divergences();
    for (int i = 0; i < all.size(); i++) {
      Divergence compared = all.get(i).comparison();
      if (compared != null) {
        numbers.putIfAbsent(compared.number(), i);
      }
    }
  }

  /**
   * The number from 0 in the report of a divergence with a number in the comparison; negative if
   * the report does not list it.
   */
  int number(int compared) {
    return numbers.getOrDefault(compared, -1);
  }

  /** The number of divergences that are not listed. */
  long unlisted() {
    long listed = report.divergences().stream()
        .filter(divergence -> divergence.severity() != DivergenceSeverity.NONE)
        .count();
    return Math.max(0, report.divergenceCount() - listed);
  }

  /** The agent of a divergence in brackets if there are several agents; otherwise empty. */
  static String lane(ReplayDivergence divergence) {
    return divergence.agent() == null ? "" : "[" + divergence.agent() + "] ";
  }

  /** The place of a divergence that only the ledger has. */
  static String place(ReplayDivergence divergence) {
    String recorded =
        divergence.recordedLine() == null ? "" : "- line " + divergence.recordedLine();
    String replayed = divergence.replayLine() == null ? "" : "+ line " + divergence.replayLine();
    return recorded + (recorded.isEmpty() || replayed.isEmpty() ? "" : "   ") + replayed;
  }

  /**
   * Whether the message explains it better than the comparison: a miss, a refusal, a time-out, or a
   * call that was not executed.
   */
  static boolean isExplained(ReplayDivergence divergence) {
    return divergence.miss() != null
        || divergence.notExecuted() != null
        || EXPLAINED.contains(divergence.kind());
  }

  /** The message of a divergence, or the report on its miss, in lines. */
  static List<String> lines(ReplayDivergence divergence) {
    String text =
        divergence.miss() == null ? divergence.message() : divergence.miss().message();
    return text.lines().toList();
  }

  /** The same lines without control characters. */
  static List<String> plainLines(ReplayDivergence divergence) {
    return lines(divergence).stream().map(PlainText::of).toList();
  }
}
