package dev.agentreplay.publish.secret;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The rules by the words in a text: one pass over a text finds the rules that may match and the
 * places where they may. Immutable and safe for use by several threads.
 */
final class RuleIndex {

  private static final int[] NONE = {};

  private final List<RuleSearch> rules;
  private final List<String> words;
  private final @Nullable KeywordAutomaton automaton;

  /** The sets of literals that have each word. */
  private final int[][] locators;

  /** The rules that each word is a keyword of, and whose literals do not have it. */
  private final int[][] keywords;

  /** The rule of each set of literals, and its number in the rule. */
  private final int[] ruleOf;

  private final int[] numberOf;

  /** The rules without literals. */
  private final int[] unlocated;

  /** Whether a keyword of the rule must be found, which its literals may not have. */
  private final boolean[] needsKeyword;

  RuleIndex(List<SecretRule> all) {
    rules = all.stream().map(RuleSearch::new).toList();
    needsKeyword = new boolean[rules.size()];
    Map<String, List<Integer>> located = new LinkedHashMap<>();
    Map<String, List<Integer>> activated = new LinkedHashMap<>();
    List<int[]> sets = new ArrayList<>();
    for (int r = 0; r < rules.size(); r++) {
      RuleSearch search = rules.get(r);
      for (int i = 0; i < search.locators(); i++) {
        for (String literal : search.literals(i)) {
          located.computeIfAbsent(literal, any -> new ArrayList<>()).add(sets.size());
        }
        sets.add(new int[] {r, i});
      }
      List<String> own = search.rule().keywords();
      needsKeyword[r] =
          !own.isEmpty() && (search.locators() == 0 || !search.hasKeywordInLiterals());
      if (needsKeyword[r]) {
        for (String keyword : own) {
          activated.computeIfAbsent(keyword, any -> new ArrayList<>()).add(r);
        }
      }
    }
    unlocated = IntStream.range(0, rules.size())
        .filter(r -> rules.get(r).locators() == 0)
        .toArray();
    ruleOf = sets.stream().mapToInt(set -> set[0]).toArray();
    numberOf = sets.stream().mapToInt(set -> set[1]).toArray();
    Map<String, Integer> ids = new LinkedHashMap<>();
    located.keySet().forEach(word -> ids.putIfAbsent(word, ids.size()));
    activated.keySet().forEach(word -> ids.putIfAbsent(word, ids.size()));
    words = List.copyOf(ids.keySet());
    locators = words.stream().map(word -> array(located.get(word))).toArray(int[][]::new);
    keywords = words.stream().map(word -> array(activated.get(word))).toArray(int[][]::new);
    automaton = words.isEmpty() ? null : new KeywordAutomaton(words);
  }

  private static int[] array(@Nullable List<Integer> numbers) {
    return numbers == null ? NONE : numbers.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Whether a text has any word of a rule. */
  boolean hasWord(String text) {
    return automaton != null && automaton.findsIn(text);
  }

  /**
   * Finds the secrets in a text.
   *
   * @param identifyingOnly whether only rules apply whose secrets begin with a literal
   * @param found the list to which they are added
   */
  void find(String text, boolean identifyingOnly, List<RuleSearch.Found> found) {
    Hits hits = new Hits(text, identifyingOnly);
    if (automaton != null) {
      automaton.find(text, hits);
    }
    hits.sort();
    for (int from = 0; from < hits.size; ) {
      int r = hits.rule(from);
      int to = from + 1;
      while (to < hits.size && hits.rule(to) == r) {
        to++;
      }
      if (!needsKeyword[r] || hits.hasKeyword(r)) {
        found.addAll(rules.get(r).find(text, hits.begins(rules.get(r), from, to)));
      }
      from = to;
    }
    for (int r : unlocated) {
      if (!identifyingOnly && (!needsKeyword[r] || hits.hasKeyword(r))) {
        found.addAll(rules.get(r).find(text, List.of()));
      }
    }
  }

  /** The literals and keywords in a text. */
  private final class Hits implements KeywordAutomaton.Occurrences {

    private final String text;
    private final boolean identifyingOnly;
    private long @Nullable [] activated;

    /** The set of literals (upper half) and the begin (lower half) of each literal. */
    private long[] places = {};

    private int size;

    Hits(String text, boolean identifyingOnly) {
      this.text = text;
      this.identifyingOnly = identifyingOnly;
    }

    @Override
    public void add(int word, int end) {
      int length = words.get(word).length();
      for (int set : locators[word]) {
        RuleSearch rule = rules.get(ruleOf[set]);
        if ((!identifyingOnly || rule.isIdentifying())
            && rule.mayMatch(numberOf[set], text, end - length, length)) {
          if (size == places.length) {
            places = Arrays.copyOf(places, Math.max(16, 2 * size));
          }
          places[size++] = (long) set << 32 | (end - length);
        }
      }
      for (int rule : keywords[word]) {
        long[] bits = activated;
        if (bits == null) {
          bits = new long[(rules.size() + 63) / 64];
          activated = bits;
        }
        bits[rule >> 6] |= 1L << rule;
      }
    }

    /** The rule of a place. */
    int rule(int place) {
      return ruleOf[(int) (places[place] >>> 32)];
    }

    boolean hasKeyword(int rule) {
      return activated != null && (activated[rule >> 6] >>> rule & 1) != 0;
    }

    void sort() {
      if (size > 1) {
        Arrays.sort(places, 0, size);
      }
    }

    /** The places of the literals of a rule, for each of its sets. */
    List<int[]> begins(RuleSearch rule, int from, int to) {
      List<int[]> begins = new ArrayList<>(rule.locators());
      int next = from;
      for (int i = 0; i < rule.locators(); i++) {
        int first = next;
        while (next < to && numberOf[(int) (places[next] >>> 32)] == i) {
          next++;
        }
        int[] own = new int[next - first];
        for (int k = 0; k < own.length; k++) {
          own[k] = (int) places[first + k];
        }
        begins.add(own);
      }
      return begins;
    }
  }
}
