package dev.agentreplay.publish.secret;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds secrets in texts by {@link SecretRules}, and replaces them.
 *
 * <pre>{@code
 * SecretScanner scanner = SecretScanner.of(SecretRules.bundled());
 * scanner.redact("PGPASSWORD=tR0ub4dor3 psql"); // PGPASSWORD=[REDACTED:pgpassword] psql
 * }</pre>
 *
 * <p>A text is a value as a program has it: without the quotes and escapes of the JSON around it.
 * Text in it that is encoded is decoded once, as with gitleaks' {@code --max-decode-depth 1}: the
 * escapes of a string of JSON, percent-encoding, base64, base64url and hexadecimal digits. A secret
 * in it is reported as the range of the encoded text. A secret that arrives in several pieces is
 * found only in the whole text.
 *
 * <p>The time is linear in the length of the text: one pass finds keywords and the literals of the
 * rules, and regular expressions, which run in linear time as well, search the text around them.
 * Comments such as {@code gitleaks:allow} are not respected, because a text is not trusted.
 *
 * <p>Immutable and safe for use by several threads.
 */
public final class SecretScanner implements TextScan {

  /** The number of times that a redacted text is scanned for secrets that appear only then. */
  private static final int MAX_ROUNDS = 8;

  /** The rules that are more special precede, then the longer match. */
  private static final Comparator<RuleSearch.Found> BY_PRECEDENCE =
      Comparator.<RuleSearch.Found, Boolean>comparing(found -> found.rule().isGeneric())
          .thenComparing(found -> found.secretFrom() - found.secretTo());

  /** Letters, digits, and what separates the parts of ids and of the names of agents. */
  private static final Pattern IDENTIFIER =
      Pattern.compile("(?:[A-Za-z0-9._:|#+-]|(?<!/)/){1,256}");

  private final SecretRules rules;
  private final RuleIndex index;

  /** The ids of the rules of which a text may have marks. */
  private final NavigableSet<String> marks;

  SecretScanner(SecretRules rules) {
    this.rules = rules;
    this.index = new RuleIndex(rules.rules());
    this.marks = new TreeSet<>(SecretRules.bundled().ids());
    this.marks.addAll(rules.ids());
  }

  /** Returns the scanner with rules; it is the same for the same rules. */
  public static SecretScanner of(SecretRules rules) {
    return rules.scanner();
  }

  /** The rules of this scanner. */
  public SecretRules rules() {
    return rules;
  }

  /**
   * Finds the secrets in a text. Matches that overlap are one, with the rule of the more special
   * one; a mark that {@link #redact} has written is in none.
   *
   * @return the matches in their order, which do not overlap
   */
  @Override
  public List<SecretMatch> scan(String text) {
    return scan(text, false);
  }

  /**
   * Finds the secrets in the value of a member of an object: those of {@link #scan(String)}, and
   * those that are known by the name, as in {@code "password": "tR0ub4dor3"}.
   *
   * @return the matches in the value
   */
  @Override
  public List<SecretMatch> scan(String name, String value) {
    if (name.isEmpty() || value.isEmpty() || !index.hasWord(name)) {
      return scan(value);
    }
    String before = name.replace('"', ' ') + "\": \"";
    String text = RedactionMark.covered(value, marks);
    List<RuleSearch.Found> found = find(text, false);
    List<RuleSearch.Found> named = new ArrayList<>();
    index.find(before + text + "\"", false, named);
    for (RuleSearch.Found match : named) {
      int from = Math.max(0, match.secretFrom() - before.length());
      int to = Math.min(text.length(), match.secretTo() - before.length());
      if (from < to) {
        found.add(new RuleSearch.Found(match.rule(), from, to, from, to));
      }
    }
    return merged(text, found);
  }

  /**
   * Finds the secrets in an id, which may be random and long: only by rules whose secrets have a
   * prefix of their own, such as {@code github_pat_}, and none by entropy or by the text around it.
   * A text with other characters than ids have, such as a space, is scanned as any text.
   */
  @Override
  public List<SecretMatch> scanIdentifier(String id) {
    return scan(id, IDENTIFIER.matcher(id).matches());
  }

  /** Replaces each secret in a text by {@code [REDACTED:rule]}. Repeating it changes nothing. */
  public String redact(String text) {
    return redact(text, this::scan);
  }

  /** Replaces the secrets in the value of a member, as {@link #scan(String, String)} finds them. */
  public String redact(String name, String value) {
    return redact(value, text -> scan(name, text));
  }

  /** Replaces the secrets in an id, as {@link #scanIdentifier} finds them. */
  public String redactIdentifier(String id) {
    return redact(id, this::scanIdentifier);
  }

  private interface Scan {
    List<SecretMatch> scan(String text);
  }

  private static String redact(String text, Scan scan) {
    String redacted = text;
    for (int round = 0; round < MAX_ROUNDS; round++) {
      List<SecretMatch> matches = scan.scan(redacted);
      if (matches.isEmpty()) {
        return redacted;
      }
      redacted = replaced(redacted, matches);
    }
    List<SecretMatch> rest = scan.scan(redacted);
    // a text made so that each secret hides the next one
    return rest.isEmpty() ? redacted : RedactionMark.of(rest.get(0).rule());
  }

  /** Replaces matches by their marks. */
  static String replaced(String text, List<SecretMatch> matches) {
    StringBuilder redacted = new StringBuilder(text.length());
    int copied = 0;
    for (SecretMatch match : matches) {
      redacted.append(text, copied, match.from()).append(RedactionMark.of(match.rule()));
      copied = match.to();
    }
    return redacted.append(text, copied, text.length()).toString();
  }

  private List<SecretMatch> scan(String given, boolean identifyingOnly) {
    if (given.isEmpty()) {
      return List.of();
    }
    String text = RedactionMark.covered(given, marks);
    return merged(text, find(text, identifyingOnly));
  }

  private List<RuleSearch.Found> find(String text, boolean identifyingOnly) {
    List<RuleSearch.Found> found = new ArrayList<>();
    index.find(text, identifyingOnly, found);
    List<RuleSearch.Found> decoded = new ArrayList<>();
    DecodedText unescaped = TextDecoder.unescaped(text);
    if (unescaped != null) {
      index.find(unescaped.text(), identifyingOnly, decoded);
      decoded.forEach(match -> found.add(inSource(match, unescaped, null)));
      decoded.clear();
    }
    DecodedText unencoded = TextDecoder.unencoded(unescaped == null ? text : unescaped.text());
    if (unencoded != null) {
      index.find(unencoded.text(), identifyingOnly, decoded);
      for (RuleSearch.Found match : decoded) {
        int gap = unencoded.text().indexOf(TextDecoder.GAP, match.from());
        if (unencoded.hasDecoded(match.from(), match.to()) && (gap < 0 || gap >= match.to())) {
          found.add(inSource(match, unencoded, unescaped));
        }
      }
    }
    return found;
  }

  private static RuleSearch.Found inSource(
      RuleSearch.Found match, DecodedText decoded, @Nullable DecodedText before) {
    int from = decoded.sourceFrom(match.secretFrom());
    int to = decoded.sourceTo(match.secretTo());
    if (before != null) {
      from = before.sourceFrom(from);
      to = before.sourceTo(to);
    }
    return new RuleSearch.Found(match.rule(), from, to, from, to);
  }

  /** Joins matches that overlap, and leaves out covered marks. */
  private static List<SecretMatch> merged(String text, List<RuleSearch.Found> found) {
    if (found.isEmpty()) {
      return List.of();
    }
    found.sort(Comparator.comparingInt(RuleSearch.Found::secretFrom));
    List<SecretMatch> matches = new ArrayList<>();
    for (int i = 0; i < found.size(); ) {
      RuleSearch.Found best = found.get(i);
      int from = best.secretFrom();
      int to = best.secretTo();
      for (i++; i < found.size() && found.get(i).secretFrom() < to; i++) {
        to = Math.max(to, found.get(i).secretTo());
        best = BY_PRECEDENCE.compare(found.get(i), best) < 0 ? found.get(i) : best;
      }
      addUncovered(text, best.rule().id(), from, to, matches);
    }
    return List.copyOf(matches);
  }

  private static void addUncovered(
      String text, String rule, int from, int to, List<SecretMatch> matches) {
    int begin = from;
    while (begin < to) {
      if (RedactionMark.isCover(text.charAt(begin))) {
        begin++;
        continue;
      }
      int end = begin;
      while (end < to && !RedactionMark.isCover(text.charAt(end))) {
        end++;
      }
      matches.add(new SecretMatch(rule, begin, end));
      begin = end;
    }
  }
}
