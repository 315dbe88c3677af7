package dev.agentreplay.engine.diff;

import dev.agentreplay.engine.agreement.FlakinessReport;
import dev.agentreplay.engine.diff.AlignedStep.Relation;
import dev.agentreplay.engine.diff.Divergence.Cause;
import dev.agentreplay.engine.diff.Divergence.Link;
import dev.agentreplay.engine.diff.Divergence.Role;
import dev.agentreplay.model.ContentHash;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Comparisons of runs with one session, written down: {@code =} is a step of the left session that
 * the run has, {@code ~x} one that is {@code x} in the run, {@code >} one that is elsewhere,
 * {@code -} one that is missing, {@code +n:x} a step named {@code n}, which is {@code x}, that only
 * the run has. A step that ends with {@code !} follows from an earlier divergence; one that ends
 * with {@code 0} does not matter.
 */
public final class TestRuns {

  private TestRuns() {}

  /** The agreement of runs with a session that has the steps {@code a}, {@code b}, and so on. */
  public static FlakinessReport agreement(String... runs) {
    return FlakinessReport.of(Arrays.stream(runs).map(TestRuns::run).toList());
  }

  /** One comparison; its divergences are all listed. */
  public static SessionDiff run(String run) {
    return run(run, Integer.MAX_VALUE);
  }

  public static SessionDiff run(String run, int listed) {
    List<AlignedStep> alignment = new ArrayList<>();
    List<Divergence> divergences = new ArrayList<>();
    int left = 0;
    int right = 0;
    for (String word : run.split(" ")) {
      Relation relation =
          switch (word.charAt(0)) {
            case '=' -> Relation.MATCHED;
            case '~' -> Relation.CHANGED;
            case '>' -> Relation.MOVED;
            case '-' -> Relation.MISSING;
            case '+' -> Relation.ADDED;
            default -> throw new IllegalArgumentException(word);
          };
      String rest = word.substring(1).replaceAll("[!0]$", "");
      String name = Character.toString('a' + left);
      Step one = relation == Relation.ADDED ? null : step(left++, name, name);
      Step other =
          switch (relation) {
            case MISSING -> null;
            case MATCHED, MOVED -> step(right++, name, name);
            case CHANGED -> step(right++, name, rest);
            case ADDED -> step(right++, rest.split(":")[0], rest);
          };
      Integer number = relation == Relation.MATCHED ? null : (Integer) divergences.size();
      if (number != null) {
        divergences.add(divergence(number, one, other, word));
      }
      alignment.add(TestResults.alignedStep(relation, one, other, number));
    }
    return TestResults.sessionDiff(
        TestResults.comparedSession("left", null, left + 2L, 0),
        TestResults.comparedSession("run " + run, null, right + 2L, 0),
        TestResults.diffSummary(
            TestResults.stepCounts(0, 0, 0, 0, 0, 0, 0),
            TestResults.stepCounts(0, 0, 0, 0, 0, 0, 0),
            Map.of(),
            Map.of(),
            Map.of(),
            Map.of(),
            Map.of(),
            0,
            0,
            0),
        null,
        divergences.subList(0, Math.min(listed, divergences.size())),
        alignment,
        List.of());
  }

  private static Divergence divergence(int number, Step left, Step right, String word) {
    DivergenceSeverity severity =
        word.endsWith("0") ? DivergenceSeverity.NONE : DivergenceSeverity.MAJOR;
    Cause cause = word.endsWith("!")
        ? TestResults.cause(Role.DOWNSTREAM, number - 1, Link.ADJACENT, 0)
        : TestResults.cause(number == 0 ? Role.ROOT : Role.INDEPENDENT, null, null, 0);
    DivergenceKind kind = right == null ? DivergenceKind.MISSING : DivergenceKind.OUTPUT;
    return TestResults.divergence(
        number, kind, new SeverityRating(severity, "test"), cause, left, right, 1, List.of());
  }

  private static Step step(int index, String name, String content) {
    return TestResults.step(
        StepKind.CALL,
        index,
        index,
        name,
        2 + 2L * index,
        3 + 2L * index,
        null,
        true,
        "",
        ContentHash.sha256(content.getBytes(StandardCharsets.UTF_8)));
  }
}
