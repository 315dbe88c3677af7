package dev.agentreplay.publish.secret;

import com.google.re2j.Matcher;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Finds the secrets of rules as gitleaks does: each regular expression reads the whole text. */
final class NaiveScan {

  private NaiveScan() {}

  static List<RuleSearch.Found> find(List<SecretRule> rules, String text) {
    List<RuleSearch.Found> found = new ArrayList<>();
    String lower = text.toLowerCase(Locale.ROOT).replace('\u017f', 's');
    for (SecretRule rule : rules) {
      if (rule.keywords().isEmpty() || rule.keywords().stream().anyMatch(lower::contains)) {
        find(rule, text, found);
      }
    }
    return found;
  }

  private static void find(SecretRule rule, String text, List<RuleSearch.Found> found) {
    Set<Integer> named = new HashSet<>(rule.regex().namedGroups().values());
    Matcher matcher = rule.regex().matcher(text);
    int next = 0;
    while (next <= text.length() && matcher.find(next)) {
      int from = matcher.start();
      int to = matcher.end();
      next = to > from ? to : to + 1;
      int group = rule.secretGroup();
      for (int g = 1; group == 0 && g <= matcher.groupCount(); g++) {
        if (!named.contains(g) && matcher.start(g) >= 0 && matcher.end(g) > matcher.start(g)) {
          group = g;
        }
      }
      int secretFrom = group == 0 ? from : matcher.start(group);
      int secretTo = group == 0 ? to : matcher.end(group);
      while (group == 0 && secretFrom < secretTo && text.charAt(secretFrom) == '\n') {
        secretFrom++;
      }
      while (group == 0 && secretFrom < secretTo && text.charAt(secretTo - 1) == '\n') {
        secretTo--;
      }
      if (secretFrom < secretTo
          && rule.accepts(new Allowlist.Candidate(text, from, to, secretFrom, secretTo))) {
        found.add(new RuleSearch.Found(rule, from, to, secretFrom, secretTo));
      }
    }
  }
}
