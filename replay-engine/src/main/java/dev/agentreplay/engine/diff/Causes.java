package dev.agentreplay.engine.diff;

import dev.agentreplay.engine.diff.Divergence.Cause;
import dev.agentreplay.engine.diff.Divergence.Link;
import dev.agentreplay.engine.diff.Divergence.Role;
import dev.agentreplay.engine.diff.LaneProgress.Progress;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringTokenizer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the cause of each divergence. The first divergence that matters is the root cause. A later
 * one is downstream of an earlier one if the recordings have evidence for it, which is searched for
 * in this order:
 *
 * <ol>
 *   <li>The model, prompt or parameters of a model call differ: any earlier difference in its lane
 *       may be the reason.
 *   <li>Words that differ here differed in the same way in an earlier divergence: in a request, or
 *       in a result if they are in a request now.
 *   <li>It is the end of the session, which depends on everything before.
 *   <li>The lane has not converged since its previous divergence: no call and no turn between the
 *       two is matched. This does not hold for a different result of an equal call or an equal
 *       prompt, whose input was the same.
 * </ol>
 *
 * <p>A difference of one agent is not the reason for that of a different agent only because it is
 * earlier: {@link LaneProgress} says what is before a lane. Words may pass from any lane to any
 * other.
 *
 * <p>These are heuristics, not proofs: only recorded values are considered.
 */
final class Causes {

  private static final Set<DivergenceKind> INPUTS = EnumSet.of(
      DivergenceKind.TOOL,
      DivergenceKind.PARAMS,
      DivergenceKind.PROMPT,
      DivergenceKind.SETTINGS,
      DivergenceKind.START,
      DivergenceKind.PLAN);

  /** The kinds of differences in the result of an equal call or prompt. */
  private static final Set<DivergenceKind> RESULTS =
      EnumSet.of(DivergenceKind.OUTCOME, DivergenceKind.OUTPUT, DivergenceKind.RESPONSE);

  private static final int MAX_WORDS = 256;
  private static final int MAX_TEXT = 20_000;
  private static final int MAX_KNOWN = 100_000;
  private static final int MIN_WORD = 2;
  private static final String BLANKS = " \t\r\n,;:()[]{}<>\"'=`|";

  /** The earlier divergence that a divergence is downstream of, and the evidence for it. */
  private record Following(int divergence, Link link) {}

  private final LaneProgress lanes;
  private final List<@Nullable Following> following = new ArrayList<>();
  private final Words inputs = new Words();
  private final Words results = new Words();

  /** The number of the first divergence that matters; -1 when there is none. */
  private int first = -1;

  /** The number of the last divergence that matters, of any lane; -1 when there is none. */
  private int last = -1;

  /**
   * Creates the causes of the divergences of one comparison.
   *
   * @param lanes the lanes of the sessions, before their first steps
   */
  Causes(LaneProgress lanes) {
    this.lanes = lanes;
  }

  /** Adds a matched pair of steps. */
  void matched(Sides<IndexedStep> steps) {
    lanes.matched(steps);
  }

  /** Adds a divergence that does not matter. */
  void harmless(Sides<IndexedStep> steps) {
    following.add(null);
    lanes.harmless(steps);
  }

  /** Adds a divergence that matters. */
  void divergence(DivergenceKind kind, Sides<IndexedStep> steps, List<ValueChange> values) {
    int number = following.size();
    Words inputsHere = new Words();
    Words resultsHere = new Words();
    for (ValueChange value : values) {
      Words words = INPUTS.contains(value.kind()) ? inputsHere : resultsHere;
      words.add(value, number);
    }
    following.add(following(kind, steps, inputsHere, resultsHere));
    inputs.addAll(inputsHere);
    results.addAll(resultsHere);
    first = first < 0 ? number : first;
    last = number;
    lanes.diverged(number, steps, isAnswer(kind, steps));
  }

  private @Nullable Following following(
      DivergenceKind kind, Sides<IndexedStep> steps, Words inputsHere, Words resultsHere) {
    Progress before = lanes.before(steps);
    if (kind == DivergenceKind.PROMPT && before.last() >= 0) {
      return new Following(before.last(), Link.PROMPT);
    }
    // results depend on the outside world: only earlier requests can explain them
    int known = Math.max(
        Math.max(inputs.find(inputsHere), inputs.find(resultsHere)), results.find(inputsHere));
    if (known >= 0) {
      return new Following(known, Link.VALUE);
    }
    if (last >= 0 && steps.any().step().kind() == StepKind.END) {
      return new Following(last, Link.END);
    }
    return before.last() < 0 || before.hasMet() || isAnswer(kind, steps)
        ? null
        : new Following(before.last(), Link.ADJACENT);
  }

  /** Whether only the result of a call or a turn differs. */
  private static boolean isAnswer(DivergenceKind kind, Sides<IndexedStep> steps) {
    StepKind step = steps.any().step().kind();
    return RESULTS.contains(kind) && (step == StepKind.CALL || step == StepKind.TURN);
  }

  /** Returns the cause of each divergence, in order. */
  List<Cause> causes() {
    int[] followers = new int[following.size()];
    for (int i = followers.length - 1; i >= 0; i--) {
      Following one = following.get(i);
      if (one != null) {
        followers[one.divergence()] += followers[i] + 1;
      }
    }
    List<Cause> causes = new ArrayList<>(followers.length);
    for (int i = 0; i < followers.length; i++) {
      Following one = following.get(i);
      Role role = one != null ? Role.DOWNSTREAM : i == first ? Role.ROOT : Role.INDEPENDENT;
      causes.add(new Results.CauseData(
          role,
          one == null ? null : one.divergence(),
          one == null ? null : one.link(),
          followers[i]));
    }
    return causes;
  }

  /** Words that only one side has, with the number of the last divergence that has them. */
  private static final class Words {
    private final Map<String, Integer> left = new HashMap<>();
    private final Map<String, Integer> right = new HashMap<>();

    void add(ValueChange value, int divergence) {
      Set<String> lefts = words(value.before());
      Set<String> rights = words(value.after());
      Set<String> both = new HashSet<>(lefts);
      both.retainAll(rights);
      lefts.stream()
          .filter(word -> !both.contains(word))
          .forEach(word -> left.put(word, divergence));
      rights.stream()
          .filter(word -> !both.contains(word))
          .forEach(word -> right.put(word, divergence));
    }

    void addAll(Words more) {
      if (left.size() + right.size() < MAX_KNOWN) {
        left.putAll(more.left);
        right.putAll(more.right);
      }
    }

    /**
     * The number of the last divergence that shares a differing word with {@code here} on both
     * sides; -1 when there is none.
     */
    int find(Words here) {
      Set<Integer> candidates = new HashSet<>();
      here.left.keySet().forEach(word -> candidates.add(left.getOrDefault(word, -1)));
      return here.right.keySet().stream()
          .mapToInt(word -> right.getOrDefault(word, -1))
          .filter(candidates::contains)
          .max()
          .orElse(-1);
    }

    private static Set<String> words(@Nullable JsonValue value) {
      Set<String> words = new HashSet<>();
      if (value == null) {
        return words;
      }
      StringBuilder text = new StringBuilder();
      append(text, value);
      StringTokenizer tokens = new StringTokenizer(text.toString(), BLANKS);
      while (tokens.hasMoreTokens() && words.size() < MAX_WORDS) {
        String word = tokens.nextToken();
        if (word.length() >= MIN_WORD) {
          words.add(word);
        }
      }
      return words;
    }

    /** Appends the beginning of a value, because a value may be long and may differ many times. */
    private static void append(StringBuilder text, JsonValue value) {
      if (value instanceof JsonArray array) {
        for (int i = 0; i < array.size() && text.length() < MAX_TEXT; i++) {
          append(text.append(','), array.get(i));
        }
      } else if (value instanceof JsonObject object) {
        for (int i = 0; i < object.size() && text.length() < MAX_TEXT; i++) {
          append(text.append(','), object.name(i));
          append(text.append(':'), object.value(i));
        }
      } else {
        append(text, value instanceof JsonString string ? string.value() : value.toString());
      }
    }

    private static void append(StringBuilder text, String part) {
      text.append(part, 0, Math.max(0, Math.min(part.length(), MAX_TEXT - text.length())));
    }
  }
}
