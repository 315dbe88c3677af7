package dev.agentreplay.publish.secret;

import dev.agentreplay.publish.secret.PatternNode.Chars;
import dev.agentreplay.publish.secret.PatternNode.Choice;
import dev.agentreplay.publish.secret.PatternNode.Group;
import dev.agentreplay.publish.secret.PatternNode.Repeat;
import dev.agentreplay.publish.secret.PatternNode.Sequence;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The states of a nondeterministic automaton for a pattern (Thompson's construction). State 0 is
 * the end of a match; each other one reads a character of a set. Immutable once it is built.
 */
final class PatternStates {

  /** The state at the end of a match. */
  static final int END = 0;

  /** The maximum number of states, also of those that read no character. */
  private static final int MAX_STATES = 20_000;

  private static final class TooManyStatesException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooManyStatesException() {
      super(null, null, false, false);
    }
  }

  /** The set of each state; null for one that reads no character. */
  private final List<@Nullable CharSet> sets = new ArrayList<>();

  /** The states after each state. */
  private final List<int[]> next = new ArrayList<>();

  /** The reading states, and the end, at the beginning of a match. */
  final int[] start;

  /** The reading states, and the end, after each reading state. */
  final int[][] after;

  /** The number of classes of characters that all sets treat in the same way. */
  final int classes;

  /** The class of each symbol of {@link CharSet}. */
  final byte[] classOf = new byte[CharSet.SYMBOLS];

  /** A symbol of each class. */
  private final int[] symbolOf = new int[CharSet.SYMBOLS];

  private PatternStates(PatternNode pattern) {
    add(null);
    int first = build(pattern, END);
    start = readingStates(first);
    after = new int[sets.size()][];
    for (int state = 1; state < after.length; state++) {
      if (sets.get(state) != null) {
        after[state] = readingStates(next.get(state)[0]);
      }
    }
    classes = classify();
    next.clear();
  }

  /** Creates the states of a pattern; null if there are too many. */
  static @Nullable PatternStates of(PatternNode pattern) {
    try {
      return new PatternStates(pattern);
    } catch (TooManyStatesException tooMany) {
      return null;
    }
  }

  /** Whether a state reads a character of a class. */
  boolean reads(int state, int characterClass) {
    CharSet set = sets.get(state);
    return set != null && set.has(symbolOf[characterClass]);
  }

  /** The number of states. */
  int size() {
    return sets.size();
  }

  private int add(@Nullable CharSet set, int... following) {
    if (sets.size() >= MAX_STATES) {
      throw new TooManyStatesException();
    }
    sets.add(set);
    next.add(following);
    return sets.size() - 1;
  }

  /** Adds the states of a pattern before the state that follows it. Returns the first one. */
  private int build(PatternNode node, int following) {
    if (node instanceof Chars chars) {
      return add(chars.set(), following);
    } else if (node instanceof PatternNode.TextEnd) {
      return add(CharSet.TEXT_END, following);
    } else if (node instanceof Group group) {
      return build(group.part(), following);
    } else if (node instanceof Choice choice) {
      int[] options =
          choice.options().stream().mapToInt(o -> build(o, following)).toArray();
      return add(null, options);
    } else if (node instanceof Repeat repeat) {
      return build(repeat, following);
    }
    int first = following;
    List<PatternNode> parts = ((Sequence) node).parts();
    for (int i = parts.size() - 1; i >= 0; i--) {
      first = build(parts.get(i), first);
    }
    return first;
  }

  private int build(Repeat repeat, int following) {
    int first = following;
    if (repeat.max() == PatternNode.UNBOUNDED) {
      int loop = add(null, following, following);
      next.get(loop)[0] = build(repeat.part(), loop);
      first = loop;
    } else {
      for (int i = repeat.min(); i < repeat.max(); i++) {
        first = add(null, build(repeat.part(), first), following);
      }
    }
    for (int i = 0; i < repeat.min(); i++) {
      first = build(repeat.part(), first);
    }
    return first;
  }

  private int[] readingStates(int from) {
    BitSet seen = new BitSet();
    BitSet reading = new BitSet();
    int[] stack = new int[16];
    int size = 0;
    stack[size++] = from;
    while (size > 0) {
      int state = stack[--size];
      if (seen.get(state)) {
        continue;
      }
      seen.set(state);
      if (state == END || sets.get(state) != null) {
        reading.set(state);
        continue;
      }
      for (int following : next.get(state)) {
        if (size == stack.length) {
          stack = Arrays.copyOf(stack, 2 * size);
        }
        stack[size++] = following;
      }
    }
    return reading.stream().toArray();
  }

  private int classify() {
    List<CharSet> distinct = new ArrayList<>();
    for (CharSet set : sets) {
      if (set != null && !distinct.contains(set)) {
        distinct.add(set);
      }
    }
    Map<BitSet, Integer> found = new HashMap<>();
    for (int symbol = 0; symbol < CharSet.SYMBOLS; symbol++) {
      BitSet members = new BitSet();
      for (int i = 0; i < distinct.size(); i++) {
        members.set(i, distinct.get(i).has(symbol));
      }
      Integer known = found.putIfAbsent(members, found.size());
      int id = known == null ? found.size() - 1 : known;
      classOf[symbol] = (byte) id;
      symbolOf[id] = symbol;
    }
    return found.size();
  }
}
