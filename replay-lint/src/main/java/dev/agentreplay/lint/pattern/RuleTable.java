package dev.agentreplay.lint.pattern;

import dev.agentreplay.lint.pattern.Directive.Question;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The rules of one file, of which the most specific one is found. */
final class RuleTable {

  private static final String TREES = "**";

  private final List<LintRule> rules;

  /** The rules of each question by the class, the package with a final slash, or {@code **}. */
  private final Map<Question, Map<String, List<LintRule>>> byName = new EnumMap<>(Question.class);

  RuleTable(List<LintRule> rules) {
    this.rules = List.copyOf(rules);
    for (LintRule rule : rules) {
      String key = rule.pattern().form() == MemberPattern.Form.PACKAGE_TREE
          ? TREES
          : rule.pattern().internalName();
      byName
          .computeIfAbsent(rule.question(), question -> new HashMap<>())
          .computeIfAbsent(key, name -> new ArrayList<>())
          .add(rule);
    }
  }

  List<LintRule> rules() {
    return rules;
  }

  /** The most specific rule of a method; of a class, if the name is empty. */
  @Nullable
  LintRule find(Question question, String owner, String name, String descriptor) {
    Map<String, List<LintRule>> named = byName.get(question);
    if (named == null) {
      return null;
    }
    LintRule found = best(named.get(owner), owner, name, descriptor);
    if (found == null) {
      String folder = owner.substring(0, owner.lastIndexOf('/') + 1);
      found = best(named.get(folder), owner, name, descriptor);
    }
    return found == null ? best(named.get(TREES), owner, name, descriptor) : found;
  }

  private static @Nullable LintRule best(
      @Nullable List<LintRule> candidates, String owner, String name, String descriptor) {
    LintRule best = null;
    for (LintRule rule : candidates == null ? List.<LintRule>of() : candidates) {
      if (rule.pattern().matches(owner, name, descriptor)
          && (best == null || rule.pattern().compareSpecificity(best.pattern()) > 0)) {
        best = rule;
      }
    }
    return best;
  }
}
