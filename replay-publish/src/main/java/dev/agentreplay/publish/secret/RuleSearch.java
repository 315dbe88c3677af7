package dev.agentreplay.publish.secret;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.agentreplay.publish.secret.PatternNode.Group;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the secrets of one rule in a text. The regular expression, which is slow, searches only the
 * parts of the text around a literal of it that an automaton does not exclude. Safe for use by
 * several threads.
 */
final class RuleSearch {

  /** The length of a literal that identifies a token, such as "npm_". */
  private static final int MIN_PREFIX = 3;

  /**
   * The beginning of most regular expressions of gitleaks. The rest matches without it, and the
   * same secret: the beginning takes as few characters as possible. It makes a search slow.
   */
  private static final String OPTIONAL = "(?i)[\\w.-]{0,50}?";

  private static final int MAX_OPTIONAL = 50;
  private static final CharSet IN_OPTIONAL =
      CharSet.WORD.or(CharSet.of('.')).or(CharSet.of('-')).ignoringCase();

  /** The number of characters after a literal, and before it, by which most are excluded. */
  private static final int LOOKAHEAD = 4;

  private static final int LOOKBEHIND = 80;

  /** The automaton of a pattern, created when it is first used. */
  private static final class Automaton {
    private final PatternNode pattern;
    private volatile @Nullable LazyAutomaton automaton;
    private volatile boolean isTooLarge;

    Automaton(PatternNode pattern) {
      this.pattern = pattern;
    }

    /** The automaton; null if it is too large. */
    @Nullable
    LazyAutomaton get() {
      LazyAutomaton known = automaton;
      if (known == null && !isTooLarge) {
        known = LazyAutomaton.of(pattern);
        isTooLarge = known == null;
        automaton = known;
      }
      return known;
    }
  }

  /** A literal of the regular expression, with the pattern from there on and that before it. */
  private static final class Locator {
    final PatternFactor factor;
    final Automaton suffix;

    /** The pattern before the literal, read backwards; null if there may be anything. */
    final @Nullable Automaton prefix;

    Locator(PatternFactor factor) {
      this.factor = factor;
      this.suffix = new Automaton(factor.suffix());
      this.prefix = PatternNode.matchesEmpty(factor.prefix())
          ? null
          : new Automaton(PatternNode.reversed(factor.prefix()));
    }

    boolean mayMatch(String text, int from, int literal) {
      LazyAutomaton after = suffix.get();
      if (after != null && !after.mayBegin(text, from, literal + LOOKAHEAD)) {
        return false;
      }
      LazyAutomaton before = prefix == null ? null : prefix.get();
      return before == null || before.mayEnd(text, from, LOOKBEHIND);
    }
  }

  private final SecretRule rule;
  private final List<Locator> locators = new ArrayList<>();

  /** The whole pattern, if it has no literals. */
  private final @Nullable Automaton whole;

  /** The maximum number of characters before a match that belong to it. */
  private final int maxOptional;

  /** The regular expression that searches, created when it is first used. */
  private volatile @Nullable Pattern search;

  /** The groups with names, which describe a secret and are not the secret. */
  private final Set<Integer> named;

  private final boolean isIdentifying;

  RuleSearch(SecretRule rule) {
    this.rule = rule;
    this.named = new HashSet<>(rule.regex().namedGroups().values());
    PatternNode pattern = PatternParser.parse(rule.regex().pattern());
    List<PatternFactor> factors = pattern == null ? List.of() : PatternFactor.of(pattern);
    factors.forEach(factor -> locators.add(new Locator(factor)));
    this.whole = pattern == null || !factors.isEmpty() ? null : new Automaton(pattern);
    this.maxOptional = factors.size() == 1
            && factors.get(0).maxBefore() == MAX_OPTIONAL
            && rule.regex().pattern().startsWith(OPTIONAL)
        ? MAX_OPTIONAL
        : 0;
    this.isIdentifying = pattern != null && !rule.isGeneric() && beginsWithLiteral(pattern);
  }

  private Pattern search() {
    Pattern known = search;
    if (known == null) {
      String regex = rule.regex().pattern();
      known = maxOptional == 0
          ? rule.regex()
          : Pattern.compile("(?i)" + regex.substring(OPTIONAL.length()));
      search = known;
    }
    return known;
  }

  SecretRule rule() {
    return rule;
  }

  /** The number of sets of literals; 0 if the regular expression has none. */
  int locators() {
    return locators.size();
  }

  /** The literals of a set. */
  List<String> literals(int locator) {
    return locators.get(locator).factor.literals();
  }

  /** Whether a text has a keyword of this rule if it has one of the literals. */
  boolean hasKeywordInLiterals() {
    return locators.stream()
        .flatMap(locator -> locator.factor.literals().stream())
        .allMatch(literal -> rule.keywords().stream().anyMatch(literal::contains));
  }

  /**
   * Whether the secret itself begins with a literal, so that it is known without the text around
   * it.
   */
  boolean isIdentifying() {
    return isIdentifying;
  }

  private boolean beginsWithLiteral(PatternNode pattern) {
    List<PatternNode> secrets = new ArrayList<>();
    collectSecrets(pattern, secrets);
    if (secrets.isEmpty()) {
      secrets.add(pattern);
    }
    return secrets.stream().allMatch(secret -> {
      List<String> literals = PatternFactor.literals(List.of(secret));
      return !literals.isEmpty()
          && literals.stream().allMatch(literal -> literal.length() >= MIN_PREFIX);
    });
  }

  private void collectSecrets(PatternNode node, List<PatternNode> secrets) {
    if (node instanceof Group group) {
      int secret = rule.secretGroup();
      if (secret == 0 ? !named.contains(group.number()) : secret == group.number()) {
        secrets.add(group.part());
      } else {
        collectSecrets(group.part(), secrets);
      }
    } else if (node instanceof PatternNode.Sequence sequence) {
      sequence.parts().forEach(part -> collectSecrets(part, secrets));
    } else if (node instanceof PatternNode.Choice choice) {
      choice.options().forEach(option -> collectSecrets(option, secrets));
    } else if (node instanceof PatternNode.Repeat repeat) {
      collectSecrets(repeat.part(), secrets);
    }
  }

  /** Whether a literal may be in a match, by the characters that follow and those before. */
  boolean mayMatch(int locator, String text, int from, int literal) {
    return locators.get(locator).mayMatch(text, from, literal);
  }

  /**
   * Finds the secrets in a text.
   *
   * @param begins for each set of literals the places in which they are, ascending; empty if the
   *     rule has none, so that the whole text is searched
   */
  List<Found> find(String text, List<int[]> begins) {
    List<LazyAutomaton.Part> parts = new ArrayList<>();
    for (int i = 0; i < begins.size(); i++) {
      if (begins.get(i).length == 0) {
        continue;
      }
      Locator locator = locators.get(i);
      LazyAutomaton automaton = locator.suffix.get();
      if (automaton == null) {
        return findInAll(text);
      }
      parts.addAll(automaton.parts(text, begins.get(i), locator.factor.maxBefore() - maxOptional));
    }
    if (begins.isEmpty()) {
      return findInAll(text);
    }
    return findIn(text, begins.size() == 1 ? parts : merged(parts));
  }

  private List<Found> findInAll(String text) {
    LazyAutomaton automaton = whole == null ? null : whole.get();
    if (automaton != null) {
      return findIn(
          text, automaton.parts(text, IntStream.range(0, text.length()).toArray(), 0));
    }
    return findIn(text, List.of(new LazyAutomaton.Part(0, text.length(), text.length())));
  }

  private static List<LazyAutomaton.Part> merged(List<LazyAutomaton.Part> parts) {
    parts.sort(Comparator.comparingInt(LazyAutomaton.Part::first));
    List<LazyAutomaton.Part> merged = new ArrayList<>();
    parts.forEach(part -> LazyAutomaton.add(merged, part));
    return merged;
  }

  private List<Found> findIn(String text, List<LazyAutomaton.Part> parts) {
    List<Found> found = new ArrayList<>();
    int done = 0;
    for (LazyAutomaton.Part part : parts) {
      done = find(text, part, done, found);
    }
    return found;
  }

  /**
   * Finds the matches that begin in a part, and not before the end of the last one. Returns the end
   * of the last one.
   */
  private int find(String text, LazyAutomaton.Part part, int done, List<Found> found) {
    int begin = Math.max(done, part.first());
    if (isInSurrogatePair(text, begin)) {
      begin--;
    }
    int base = Math.max(0, begin - 1); // an assertion looks at the characters around
    int end = Math.min(text.length(), part.end() + 2);
    if (begin > part.last() || begin > end) {
      return done;
    }
    Matcher matcher = search().matcher(text.substring(base, end));
    int least = done;
    int next = begin;
    while (next <= end && matcher.find(next - base)) {
      int matchFrom = base + matcher.start();
      int matchTo = base + matcher.end();
      if (matchFrom > part.last()) {
        break;
      }
      if (matchTo == end && end < text.length()) {
        // matched by an assertion of the end of the text, which is not here
        end = (int) Math.min(text.length(), 2L * end - base);
        matcher = search().matcher(text.substring(base, end));
        continue;
      }
      if (matchTo > matchFrom) {
        addSecret(text, base, matcher, begin(text, matchFrom, least), found);
      }
      next = matchTo > matchFrom ? matchTo : matchTo + 1;
      least = next;
    }
    return least;
  }

  private static boolean isInSurrogatePair(String text, int at) {
    return at > 0
        && at < text.length()
        && Character.isLowSurrogate(text.charAt(at))
        && Character.isHighSurrogate(text.charAt(at - 1));
  }

  /** The beginning of a match with the characters before it that belong to it. */
  private int begin(String text, int from, int least) {
    int begin = from;
    while (begin > least && from - begin < maxOptional) {
      char c = text.charAt(begin - 1);
      boolean isIn = c < CharSet.OTHER ? IN_OPTIONAL.has(c) : c == '\u212a' || c == '\u017f';
      if (!isIn) {
        break;
      }
      begin--;
    }
    return begin;
  }

  private void addSecret(String text, int base, Matcher matcher, int matchFrom, List<Found> found) {
    int from = matcher.start();
    int to = matcher.end();
    int group = secretGroup(matcher);
    if (group > 0) {
      from = matcher.start(group);
      to = matcher.end(group);
    } else {
      while (from < to && text.charAt(base + from) == '\n') {
        from++;
      }
      while (to > from && text.charAt(base + to - 1) == '\n') {
        to--;
      }
    }
    Allowlist.Candidate candidate =
        new Allowlist.Candidate(text, matchFrom, base + matcher.end(), base + from, base + to);
    if (from < to && rule.accepts(candidate)) {
      found.add(new Found(
          rule, candidate.from(), candidate.to(), candidate.secretFrom(), candidate.secretTo()));
    }
  }

  /** The group that is the secret; 0 for the whole match, -1 for none. */
  private int secretGroup(Matcher matcher) {
    int stated = rule.secretGroup();
    if (stated > 0) {
      return stated;
    }
    return IntStream.rangeClosed(1, matcher.groupCount())
        .filter(
            g -> !named.contains(g) && matcher.start(g) >= 0 && matcher.end(g) > matcher.start(g))
        .findFirst()
        .orElse(0);
  }

  /**
   * A secret that was found.
   *
   * @param from the index of the first character of the match
   * @param to the index after the last one
   * @param secretFrom the index of the first character of the secret in it
   * @param secretTo the index after the last one
   */
  record Found(SecretRule rule, int from, int to, int secretFrom, int secretTo) {}
}
