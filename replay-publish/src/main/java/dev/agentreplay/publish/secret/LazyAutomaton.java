package dev.agentreplay.publish.secret;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A deterministic automaton that is built while it reads texts. It finds the parts of a text that
 * may match a pattern, given the places where a match may begin: every match is in one of them, but
 * not every one of them has a match. It reads each character of a text at most once for that. Safe
 * for use by several threads.
 */
final class LazyAutomaton {

  /** The maximum number of states that are kept; with more of them, all are built again. */
  private static final int MAX_KEPT = 1000;

  /** The number of assertions of the end of the text that may follow each other. */
  private static final int MAX_ENDS = 4;

  /** The id of the state from which there is no match. */
  private static final int DEAD = 2;

  private final PatternStates states;
  private volatile Kept kept;

  private LazyAutomaton(PatternStates states) {
    this.states = states;
    this.kept = new Kept(states, states.start);
  }

  /** Creates the automaton of a pattern; null if it would be too large. */
  static @Nullable LazyAutomaton of(PatternNode pattern) {
    PatternStates states = PatternStates.of(pattern);
    return states == null ? null : new LazyAutomaton(states);
  }

  /**
   * The states that were found. An id is twice the index of a state, plus 1 if a match may end
   * there; 0 is a transition that is not known yet. Threads read the transitions without a lock:
   * one that they do not see yet is found again under it.
   */
  private static final class Kept {
    private final PatternStates states;
    private final int[][] rows = new int[MAX_KEPT][];
    private final int[][] sets = new int[MAX_KEPT][];
    private final Map<Members, Integer> ids = new HashMap<>();
    private int size = 2;

    /** The state at the beginning of a match. */
    final int start;

    /** The state of the set that was given. */
    final int first;

    Kept(PatternStates states, int[] set) {
      this.states = states;
      rows[1] = new int[states.classes + 1];
      Arrays.fill(rows[1], DEAD);
      sets[1] = new int[0];
      start = id(states.start);
      first = id(set);
      rows[1][states.classes] = start;
    }

    /** The state after one; 0 if there is no room for it. */
    int next(int id, int column) {
      int[] row = rows[id >> 1];
      int next = row == null ? 0 : row[column];
      return next != 0 ? next : find(id, column);
    }

    private synchronized int find(int id, int column) {
      int next = id(following(sets[id >> 1], column));
      rows[id >> 1][column] = next;
      return next;
    }

    private int[] following(int[] set, int column) {
      BitSet members = new BitSet(states.size());
      if (column == states.classes) { // a match may begin here, too
        add(members, set);
        add(members, states.start);
      } else {
        for (int state : set) {
          if (state != PatternStates.END && states.reads(state, column)) {
            add(members, states.after[state]);
          }
        }
      }
      return members.stream().toArray();
    }

    private static void add(BitSet members, int[] set) {
      for (int state : set) {
        members.set(state);
      }
    }

    /** The id of a set of states, which is kept; 0 if there is no room for it. */
    synchronized int id(int[] set) {
      if (set.length == 0) {
        return DEAD;
      }
      Members members = new Members(set);
      Integer known = ids.get(members);
      if (known != null) {
        return known;
      }
      if (size == MAX_KEPT) {
        return 0;
      }
      int id = size << 1 | (set[0] == PatternStates.END ? 1 : 0);
      rows[size] = new int[states.classes + 1];
      sets[size++] = set;
      ids.put(members, id);
      return id;
    }

    synchronized int[] set(int id) {
      return sets[id >> 1];
    }
  }

  private static final class Members {
    private final int[] set;

    Members(int[] set) {
      this.set = set;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Members that && Arrays.equals(set, that.set);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(set);
    }
  }

  /**
   * A part of a text in which a match may be.
   *
   * @param first the first index at which a match may begin
   * @param last the last index at which a match may begin
   * @param end the index after the last character that a match may have
   */
  record Part(int first, int last, int end) {}

  /**
   * Whether a match may begin at an index, by the next characters alone.
   *
   * @param characters the maximum number of characters that are read
   */
  boolean mayBegin(String text, int from, int characters) {
    Reading reading = new Reading();
    reading.begin();
    int to = Math.min(text.length(), from + characters);
    for (int i = from; i < to && reading.isOpen(); i++) {
      reading.readCharacter(text.charAt(i));
    }
    return reading.state != DEAD;
  }

  /**
   * Whether a text that ends at an index may match the pattern of which this automaton has the
   * {@link PatternNode#reversed}, by the characters before the index alone.
   *
   * @param characters the maximum number of characters that are read
   */
  boolean mayEnd(String text, int to, int characters) {
    Reading reading = new Reading();
    reading.begin();
    int from = Math.max(0, to - characters);
    for (int i = to - 1; i >= from && reading.isOpen(); i--) {
      reading.readCharacter(text.charAt(i));
    }
    return reading.state != DEAD;
  }

  /**
   * Finds the parts of a text that may match.
   *
   * @param begins the indexes at which the pattern of this automaton may begin, ascending
   * @param before the maximum number of characters of a match before such an index
   */
  List<Part> parts(String text, int[] begins, int before) {
    List<Part> parts = new ArrayList<>();
    Reading reading = new Reading();
    int k = 0;
    while (k < begins.length) {
      int first = begins[k++];
      int last = first;
      int end = -1;
      reading.begin();
      int i = first;
      while (i < text.length()) {
        int symbol = symbol(text, i);
        if (symbol >= 0) {
          reading.read(states.classOf[symbol]);
        }
        if (reading.state == DEAD) {
          break;
        }
        i++;
        if ((reading.state & 1) != 0) {
          end = i;
        }
        if (k < begins.length && begins[k] <= i) {
          reading.read(states.classes);
          while (k < begins.length && begins[k] <= i) {
            last = begins[k++];
          }
        }
      }
      for (int ends = 0; i == text.length() && ends < MAX_ENDS; ends++) {
        reading.read(states.classOf[CharSet.END]);
        if ((reading.state & 1) != 0) {
          end = i;
        }
      }
      if (end > 0) {
        add(parts, new Part(Math.max(0, first - before), last, end));
      }
    }
    return parts;
  }

  /** A state that changes with each symbol. */
  private final class Reading {
    private Kept known = kept;
    private boolean isCertain = true;
    int state;

    void begin() {
      state = known.start;
    }

    /** Whether more characters may exclude a match. */
    boolean isOpen() {
      return isCertain && state != DEAD && (state & 1) == 0;
    }

    /** Reads an ASCII character; any other one, which may be a part of one, excludes nothing. */
    void readCharacter(char c) {
      if (c < CharSet.OTHER) {
        read(states.classOf[c]);
      } else {
        isCertain = false;
      }
    }

    /** Reads a class of symbols, or with the class after the last one the beginning of a match. */
    void read(int column) {
      int next = known.next(state, column);
      if (next == 0) { // forget all states but one
        Kept renewed = new Kept(states, known.set(state));
        kept = renewed;
        known = renewed;
        next = renewed.next(renewed.first, column);
      }
      state = next;
    }
  }

  /** Adds a part, which does not begin before the last one, or joins it with that. */
  static void add(List<Part> parts, Part part) {
    Part previous = parts.isEmpty() ? null : parts.get(parts.size() - 1);
    if (previous == null || part.first() > previous.last()) {
      parts.add(part);
      return;
    }
    parts.set(
        parts.size() - 1,
        new Part(
            previous.first(),
            Math.max(previous.last(), part.last()),
            Math.max(previous.end(), part.end())));
  }

  /** The symbol of a character; -1 for the second half of a surrogate pair. */
  private static int symbol(String text, int i) {
    char c = text.charAt(i);
    if (c < CharSet.OTHER) {
      return c;
    }
    return Character.isLowSurrogate(c) && i > 0 && Character.isHighSurrogate(text.charAt(i - 1))
        ? -1
        : CharSet.OTHER;
  }
}
