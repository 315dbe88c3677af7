package dev.agentreplay.publish.secret;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Finds all occurrences of several words in a text at once (Aho and Corasick), in upper or lower
 * case, in one pass over a table of transitions. Immutable and safe for use by several threads.
 */
final class KeywordAutomaton {

  private static final int[] NONE = {};

  /** The class of each ASCII character; 0 for one that is in no word. */
  private final byte[] classOf = new byte[128];

  private final int shift;

  /** The next state by state and class. */
  private final char[] next;

  /** The words that end in each state, from {@link #firstFinal}; the longest first. */
  private final int[][] ends;

  /** The first of the states in which a word ends, which are the last ones. */
  private final int firstFinal;

  /** Receives occurrences. */
  interface Occurrences {

    /**
     * Adds an occurrence.
     *
     * @param word the index of the word
     * @param end the index in the text after its last character
     */
    void add(int word, int end);
  }

  /**
   * Creates the automaton of words.
   *
   * @param words words of ASCII characters, of which upper-case letters are found as lower-case
   *     ones
   */
  KeywordAutomaton(List<String> words) {
    int classes = classify(words);
    shift = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, classes - 1));
    List<int[]> trie = new ArrayList<>();
    List<int[]> found = new ArrayList<>();
    build(words, trie, found);
    int[] order = link(trie, found);
    // renumber: the states in which words end are the last ones
    int size = trie.size();
    if (size > Character.MAX_VALUE) {
      throw new IllegalArgumentException("the words have too many characters: " + size);
    }
    int[] number = new int[size];
    int count = 0;
    for (int state : order) {
      if (found.get(state).length == 0) {
        number[state] = count++;
      }
    }
    firstFinal = count;
    ends = new int[size - count][];
    for (int state : order) {
      if (found.get(state).length > 0) {
        ends[count - firstFinal] = found.get(state);
        number[state] = count++;
      }
    }
    next = new char[size << shift];
    for (int state = 0; state < size; state++) {
      for (int c = 0; c < classes; c++) {
        next[(number[state] << shift) + c] = (char) number[trie.get(state)[c]];
      }
    }
  }

  private int classify(List<String> words) {
    int classes = 1;
    for (String word : words) {
      for (int i = 0; i < word.length(); i++) {
        char c = word.charAt(i);
        if (c >= 128 || c != CharSet.lower(c)) {
          throw new IllegalArgumentException("not a word of lower-case ASCII: " + word);
        }
        if (classOf[c] == 0) {
          classOf[c] = (byte) classes++;
        }
      }
    }
    for (char c = 'A'; c <= 'Z'; c++) {
      classOf[c] = classOf[CharSet.lower(c)];
    }
    return classes;
  }

  private void build(List<String> words, List<int[]> trie, List<int[]> found) {
    trie.add(emptyRow());
    found.add(NONE);
    for (int w = 0; w < words.size(); w++) {
      String word = words.get(w);
      if (word.isEmpty()) {
        throw new IllegalArgumentException("a word must not be empty");
      }
      int state = 0;
      for (int i = 0; i < word.length(); i++) {
        int c = classOf[word.charAt(i)];
        int following = trie.get(state)[c];
        if (following < 0) {
          following = trie.size();
          trie.get(state)[c] = following;
          trie.add(emptyRow());
          found.add(NONE);
        }
        state = following;
      }
      found.set(state, append(found.get(state), new int[] {w}));
    }
  }

  private int[] emptyRow() {
    int[] row = new int[1 << shift];
    Arrays.fill(row, -1);
    return row;
  }

  /** Completes the transitions. Returns the states in the order of their depth. */
  private static int[] link(List<int[]> trie, List<int[]> found) {
    int[] order = new int[trie.size()];
    int[] fallback = new int[trie.size()];
    int count = 0;
    ArrayDeque<Integer> queue = new ArrayDeque<>();
    queue.add(0);
    while (!queue.isEmpty()) {
      int state = queue.remove();
      order[count++] = state;
      int[] row = trie.get(state);
      for (int c = 0; c < row.length; c++) {
        int shorter = state == 0 ? 0 : trie.get(fallback[state])[c];
        if (row[c] < 0) {
          row[c] = shorter;
          continue;
        }
        fallback[row[c]] = shorter;
        found.set(row[c], append(found.get(row[c]), found.get(shorter)));
        queue.add(row[c]);
      }
    }
    return order;
  }

  private static int[] append(int[] left, int[] right) {
    int[] both = Arrays.copyOf(left, left.length + right.length);
    System.arraycopy(right, 0, both, left.length, right.length);
    return both;
  }

  /** Finds all occurrences, in the order of their ends. */
  void find(String text, Occurrences occurrences) {
    char[] table = next;
    byte[] classes = classOf;
    int finals = firstFinal;
    int width = shift;
    int state = 0;
    for (int i = 0, length = text.length(); i < length; i++) {
      char c = text.charAt(i);
      state = table[(state << width) + (c < 128 ? classes[c] : otherClass(c))];
      if (state >= finals) {
        for (int word : ends[state - finals]) {
          occurrences.add(word, i + 1);
        }
      }
    }
  }

  /** Whether a text has any of the words. */
  boolean findsIn(String text) {
    int state = 0;
    for (int i = 0, length = text.length(); i < length; i++) {
      char c = text.charAt(i);
      state = next[(state << shift) + (c < 128 ? classOf[c] : otherClass(c))];
      if (state >= firstFinal) {
        return true;
      }
    }
    return false;
  }

  /** The class of a character above 127: two of them are other forms of K and S. */
  private int otherClass(char c) {
    return c == '\u212a' ? classOf['k'] : c == '\u017f' ? classOf['s'] : 0;
  }
}
