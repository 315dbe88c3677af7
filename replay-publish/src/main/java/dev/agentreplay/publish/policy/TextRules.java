package dev.agentreplay.publish.policy;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.agentreplay.model.text.Excerpt;
import dev.agentreplay.publish.policy.CustomRule.Does;
import dev.agentreplay.publish.secret.SecretMatch;
import dev.agentreplay.publish.secret.TextScan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rules for the texts that a policy shows, in a fixed order: secrets, custom rules, users in
 * paths, users in URLs, email addresses, and the limit of the length.
 */
final class TextRules {

  private static final String GAP = "...";

  /** The maximum number of times that the rules are applied to a text that they change. */
  static final int MAX_ROUNDS = 5;

  /** The number of names that are remembered as harmless, and the maximum length of one. */
  private static final int MAX_NAMES = 10_000;

  private static final int MAX_NAME = 128;

  private final TextScan scan;
  private final TextOptions options;
  private final Set<String> harmless = new HashSet<>();

  TextRules(TextScan scan, TextOptions options) {
    this.scan = scan;
    this.options = options;
  }

  /**
   * A text after the rules.
   *
   * @param text the text that is shown; null if the text is withheld
   * @param rules the ids of the rules that changed it, the most severe one first
   */
  record Edited(@Nullable String text, List<String> rules) {

    String rule() {
      return rules.get(0);
    }
  }

  /**
   * Applies the rules. Returns null if the text is shown unchanged.
   *
   * @param name the name of the member whose text it is, or in which it is
   * @param custom the custom rules for this text: those with a pattern
   */
  @Nullable
  Edited apply(String name, String text, List<CustomRule> custom) {
    List<String> rules = null;
    String edited = text;
    List<SecretMatch> secrets = scan.scan(name, text);
    if (!secrets.isEmpty()) {
      rules = new ArrayList<>();
      edited = Digests.redact(withoutSecrets(text, secrets, rules));
    }
    for (int i = 0; i < custom.size(); i++) {
      CustomRule rule = custom.get(i);
      Pattern pattern = rule.pattern();
      if (pattern == null) {
        continue;
      }
      if (rule.action() == Does.SHOW) {
        if (pattern.matches(edited)) {
          return rules == null ? null : new Edited(edited, rules);
        }
        continue;
      }
      Matcher matcher = pattern.matcher(edited);
      if (matcher.find()) {
        rules = rules == null ? new ArrayList<>() : rules;
        rules.add(rule.rule());
        if (rule.action() == Does.WITHHOLD) {
          return new Edited(null, rules);
        }
        edited = Digests.redact(matcher.replaceAll(Matcher.quoteReplacement(rule.replacement())));
      }
    }
    for (int round = 0;
        round < MAX_ROUNDS;
        round++) { // so that a second publication changes nothing
      String before = edited;
      edited = orSame(edited, options.userPaths() ? UserPaths.map(edited) : null);
      edited = orSame(edited, options.urlUsers() ? UrlUsers.map(edited) : null);
      rules = noted(rules, "path", !edited.equals(before));
      String address = options.emails() ? EmailAddresses.map(edited) : null;
      rules = noted(rules, "email", address != null);
      edited = orSame(edited, address);
      String shortened = shortened(edited);
      rules = noted(rules, "size", shortened != null);
      edited = orSame(edited, shortened);
      if (edited.equals(before)) {
        break;
      }
    }
    return rules == null ? null : new Edited(edited, rules);
  }

  private static String orSame(String text, @Nullable String edited) {
    return edited == null ? text : edited;
  }

  private static @Nullable List<String> noted(
      @Nullable List<String> rules, String rule, boolean isApplied) {
    if (!isApplied || (rules != null && rules.contains(rule))) {
      return rules;
    }
    List<String> noted = rules == null ? new ArrayList<>() : rules;
    noted.add(rule);
    return noted;
  }

  /** Whether the name of a member may be shown: it has no secret, and no user in a path. */
  boolean isHarmless(String name) {
    if (harmless.contains(name)) {
      return true;
    }
    boolean isHarmless = scan.scan(name).isEmpty()
        && UserPaths.map(name) == null
        && UrlUsers.map(name) == null
        && EmailAddresses.map(name) == null;
    if (isHarmless && name.length() <= MAX_NAME) {
      if (harmless.size() == MAX_NAMES) {
        harmless.clear();
      }
      harmless.add(name);
    }
    return isHarmless;
  }

  /** Whether an id may be shown: it has no secret, and names no user. */
  boolean isHarmlessId(String id) {
    return scan.scanIdentifier(id).isEmpty()
        && UserPaths.map(id) == null
        && UrlUsers.map(id) == null
        && EmailAddresses.map(id) == null;
  }

  private static String withoutSecrets(String text, List<SecretMatch> secrets, List<String> rules) {
    List<SecretMatch> sorted = new ArrayList<>(secrets);
    sorted.sort(Comparator.comparingInt(SecretMatch::from).thenComparingInt(SecretMatch::to));
    TextEdits edits = new TextEdits(text);
    for (int i = 0; i < sorted.size(); ) {
      SecretMatch first = sorted.get(i);
      int to = first.to();
      for (i++; i < sorted.size() && sorted.get(i).from() < to; i++) {
        to = Math.max(to, sorted.get(i).to());
        add(rules, sorted.get(i));
      }
      add(rules, first);
      int from = Excerpt.floor(text, first.from());
      int end = Excerpt.floor(text, to) < to ? to + 1 : to;
      edits.replace(from, end, "[REDACTED:" + first.rule() + "]");
    }
    String edited = edits.result();
    return edited == null ? text : edited;
  }

  private static void add(List<String> rules, SecretMatch secret) {
    String rule = "secret:" + secret.rule();
    if (!rules.contains(rule)) {
      rules.add(rule);
    }
  }

  /** The beginning and the end of a text that is too long; null if it is not. */
  private @Nullable String shortened(String text) {
    int max = options.maxLength();
    if (text.length() <= max || text.codePointCount(0, text.length()) <= max) {
      return null;
    }
    int tail = (max - GAP.length()) / 2;
    int head = max - GAP.length() - tail;
    return text.substring(0, text.offsetByCodePoints(0, head))
        + GAP
        + text.substring(text.offsetByCodePoints(text.length(), -tail));
  }
}
