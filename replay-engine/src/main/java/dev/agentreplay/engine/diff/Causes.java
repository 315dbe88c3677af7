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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringTokenizer;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds the cause of each divergence. A divergence is downstream of an earlier one if the
 * recordings have evidence for it, which is searched for in this order:
 *
 * <ol>
 *   <li>The model, prompt or parameters of a model call differ: any earlier difference in its lane
 *       may be the reason.
 *   <li>Words that differ here differed in the same way in an earlier divergence: in a request, or
 *       in a result before this if they are in a request now.
 *   <li>It is the end of the session, which depends on everything before.
 *   <li>The lane has not converged since its previous divergence: no call and no turn between the
 *       two is matched. This does not hold for a different result of an equal call or an equal
 *       prompt, whose input was the same.
 *   <li>It is a different result of an equal call that started a lane, and that lane diverged
 *       before the result. Such a divergence is listed after the call, so that these are found
 *       last.
 * </ol>
 *
 * <p>The first divergence that matters and has no such evidence is the root cause.
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

  /** The divergence that a divergence is downstream of, and the evidence for it. */
  private record Following(int divergence, Link link) {}

  private final LaneProgress lanes;
  private final LaneResults laneResults;
  private final List<@Nullable Following> following = new ArrayList<>();
  private final Words inputs = new Words();
  private final Words results = new Words();

  /** The calls and turns of which only the result differs, by the numbers of the divergences. */
  private final Map<Integer, Sides<IndexedStep>> answers = new LinkedHashMap<>();

  /** The numbers of the divergences that do not matter. */
  private final Set<Integer> harmless = new HashSet<>();

  /** The number of the last divergence that matters, of any lane; -1 when there is none. */
  private int last = -1;

  /**
   * Creates the causes of the divergences of one comparison.
   *
   * @param lanes the lanes of the sessions, before their first steps
   * @param laneResults the results of the lanes, without any divergence
   */
  Causes(LaneProgress lanes, LaneResults laneResults) {
    this.lanes = lanes;
    this.laneResults = laneResults;
  }

  /** Adds a matched pair of steps. */
  void matched(Sides<IndexedStep> steps) {
    lanes.matched(steps);
  }

  /** Adds a divergence that does not matter. */
  void harmless(Sides<IndexedStep> steps) {
    harmless.add(following.size());
    following.add(null);
    lanes.harmless(steps);
  }

  /** Adds a pair of steps that a published copy does not show completely, as no divergence. */
  void withheld(Sides<IndexedStep> steps) {
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
    last = number;
    boolean isAnswer = isAnswer(kind, steps);
    lanes.diverged(number, steps, isAnswer);
    laneResults.diverged(number, steps, isAnswer);
    if (isAnswer) {
      answers.put(number, steps);
    }
  }

  private @Nullable Following following(
      DivergenceKind kind, Sides<IndexedStep> steps, Words inputsHere, Words resultsHere) {
    Progress before = lanes.before(steps);
    if (kind == DivergenceKind.PROMPT && before.last() >= 0) {
      return new Following(before.last(), Link.PROMPT);
    }
    // results depend on the outside world: only earlier requests can explain them
    int known = Math.max(
        Math.max(inputs.find(inputsHere, number -> true), inputs.find(resultsHere, number -> true)),
        results.find(inputsHere, number -> isAnswered(number, steps)));
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

  /**
   * Whether a result was there before a request. The result of a call that started a lane may have
   * the words of requests in that lane, but these are not from it.
   */
  private boolean isAnswered(int number, Sides<IndexedStep> request) {
    Sides<IndexedStep> answer = answers.get(number);
    return answer == null
        || (isAnswered(answer.left(), request.left())
            && isAnswered(answer.right(), request.right()));
  }

  private static boolean isAnswered(@Nullable IndexedStep call, @Nullable IndexedStep request) {
    Long result = call == null ? null : call.step().resultLine();
    return result == null || request == null || result < request.step().line();
  }

  /** Whether only the result of a call or a turn differs. */
  private static boolean isAnswer(DivergenceKind kind, Sides<IndexedStep> steps) {
    StepKind step = steps.any().step().kind();
    return RESULTS.contains(kind) && (step == StepKind.CALL || step == StepKind.TURN);
  }

  /** Returns the cause of each divergence, in order. */
  List<Cause> causes() {
    followLanes();
    int[] followers = followers();
    List<Cause> causes = new ArrayList<>(followers.length);
    boolean hasRoot = false;
    for (int i = 0; i < followers.length; i++) {
      Following one = following.get(i);
      boolean isRoot = one == null && !hasRoot && !harmless.contains(i);
      hasRoot |= isRoot;
      Role role = one != null ? Role.DOWNSTREAM : isRoot ? Role.ROOT : Role.INDEPENDENT;
      causes.add(new Results.CauseData(
          role,
          one == null ? null : one.divergence(),
          one == null ? null : one.link(),
          followers[i]));
    }
    return causes;
  }

  /** Lets results of calls follow from the lanes that the calls started. */
  private void followLanes() {
    int[] origins = new int[following.size()];
    for (int i = 0; i < origins.length; i++) {
      Following one = following.get(i);
      origins[i] = one == null ? i : one.divergence();
    }
    answers.forEach((number, steps) -> {
      int reason = laneResults.last(steps);
      // the order differs between the logs: what follows from the result may be before it in one
      if (reason >= 0 && following.get(number) == null && origin(origins, reason) != number) {
        following.set(number, new Following(reason, Link.LANE));
        origins[number] = reason;
      }
    });
  }

  /**
   * The divergence that another follows from in the end; itself if it follows from none.
   *
   * @param origins for each divergence, one that it follows from; shortened on the way
   */
  private static int origin(int[] origins, int divergence) {
    int origin = divergence;
    while (origins[origin] != origin) {
      origins[origin] = origins[origins[origin]];
      origin = origins[origin];
    }
    return origin;
  }

  /** The number of divergences that follow from each one, directly or indirectly. */
  private int[] followers() {
    int[] followers = new int[following.size()];
    int[] uncounted = new int[followers.length];
    for (Following one : following) {
      if (one != null) {
        uncounted[one.divergence()]++;
      }
    }
    for (int i = 0; i < followers.length; i++) {
      // a divergence is counted when all that follow from it are
      int next = i;
      Following one = following.get(next);
      while (one != null && uncounted[next] == 0) {
        uncounted[next] = -1;
        followers[one.divergence()] += followers[next] + 1;
        next = one.divergence();
        uncounted[next]--;
        one = following.get(next);
      }
    }
    return followers;
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
     *
     * @param isPossible whether a divergence may be the reason
     */
    int find(Words here, IntPredicate isPossible) {
      Set<Integer> candidates = new HashSet<>();
      here.left.keySet().forEach(word -> candidates.add(left.getOrDefault(word, -1)));
      return here.right.keySet().stream()
          .mapToInt(word -> right.getOrDefault(word, -1))
          .filter(candidates::contains)
          .filter(isPossible)
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
