package dev.agentreplay.lint.code;

import dev.agentreplay.lint.pattern.Directive;
import dev.agentreplay.lint.pattern.Directive.Question;
import dev.agentreplay.lint.pattern.LintPatterns;
import dev.agentreplay.lint.pattern.LintRule;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rules of a class or method, also those of its supertypes. */
public final class OrderRules {

  private final LintPatterns patterns;
  private final Hierarchy hierarchy;
  private final Map<MethodRef, Optional<LintRule>> flows = new HashMap<>();
  private final Map<String, Optional<Origin>> types = new HashMap<>();

  /** Creates the rules of some patterns. */
  public OrderRules(LintPatterns patterns, Hierarchy hierarchy) {
    this.patterns = patterns;
    this.hierarchy = hierarchy;
  }

  /** Whether an access to a static field is reported. */
  boolean isReported(MethodRef field) {
    LintRule rule =
        patterns.find(Question.VERDICT, field.owner(), field.name(), field.descriptor());
    return rule != null
        && rule.directive() == Directive.REPORT
        && !rule.pattern().isOfType();
  }

  /** The treatment of the order of receiver and arguments by a call; null if it has none. */
  @Nullable
  Directive flow(MethodRef method) {
    Optional<LintRule> known = flows.get(method);
    if (known == null) {
      known = Optional.ofNullable(find(Question.FLOW, method));
      flows.put(method, known);
    }
    LintRule rule = known.orElse(null);
    return rule == null ? null : rule.directive();
  }

  /** The order of the elements of a class; null if that is not known. */
  @Nullable
  Origin ofType(String name) {
    Optional<Origin> known = types.get(name);
    if (known == null) {
      known = Optional.ofNullable(typeRule(name));
      types.put(name, known);
    }
    return known.orElse(null);
  }

  boolean isMap(Value value) {
    return value.type() != null && hierarchy.supertypes(value.type()).contains("java/util/Map");
  }

  private @Nullable Origin typeRule(String name) {
    for (String supertype : hierarchy.supertypes(name)) {
      LintRule rule = patterns.find(Question.TYPE, supertype, "", "");
      if (rule != null) {
        return rule.directive() != Directive.UNORDERED
            ? new Origin.Ordered(rule.directive() == Directive.SORTS)
            : new Origin.Unordered(name.replace('/', '.').replace('$', '.'));
      }
    }
    return null;
  }

  /** The first rule of a method in its class or, except for constructors, a supertype. */
  private @Nullable LintRule find(Question question, MethodRef method) {
    for (String supertype : hierarchy.supertypes(method.owner())) {
      LintRule rule = patterns.find(question, supertype, method.name(), method.descriptor());
      if (rule != null) {
        return rule;
      }
      if (method.name().equals(MethodRef.INIT)) {
        return null;
      }
    }
    return null;
  }
}
