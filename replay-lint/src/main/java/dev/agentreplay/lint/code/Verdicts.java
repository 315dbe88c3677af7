package dev.agentreplay.lint.code;

import dev.agentreplay.lint.pattern.Directive;
import dev.agentreplay.lint.pattern.Directive.Question;
import dev.agentreplay.lint.pattern.LintPatterns;
import dev.agentreplay.lint.pattern.LintRule;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;

/**
 * Judges calls by the patterns of the called class and, for inherited methods, of its supertypes.
 */
public final class Verdicts {

  private static final String OBJECT = "java/lang/Object";

  private final LintPatterns patterns;
  private final ClassIndex index;
  private final Hierarchy hierarchy;
  private final Map<MethodRef, Optional<Verdict>> verdicts = new HashMap<>();
  private final Map<MethodRef, Optional<LintRule>> boundaries = new HashMap<>();

  /**
   * A rule that applies to a call.
   *
   * @param rule the rule
   * @param api the method with the class that the rule is for
   */
  public record Verdict(LintRule rule, MethodRef api) {

    /** Whether the call is reported. */
    public boolean isReport() {
      return rule.directive() == Directive.REPORT;
    }
  }

  /** Creates the verdicts of some patterns. */
  public Verdicts(LintPatterns patterns, ClassIndex index, Hierarchy hierarchy) {
    this.patterns = patterns;
    this.index = index;
    this.hierarchy = hierarchy;
  }

  /** The rule that applies to a call; null if there is none, or the code of the method decides. */
  public @Nullable Verdict of(CallSite call) {
    MethodRef method = call.method();
    Optional<Verdict> known = verdicts.get(method);
    if (known == null) {
      boolean isField = call.opcode() == Opcodes.GETSTATIC || call.opcode() == Opcodes.PUTSTATIC;
      known = Optional.ofNullable(find(method, isField));
      verdicts.put(method, known);
    }
    return known.orElse(null);
  }

  private @Nullable Verdict find(MethodRef method, boolean isField) {
    for (String name : hierarchy.supertypes(method.owner())) {
      LintRule rule = patterns.find(Question.VERDICT, name, method.name(), method.descriptor());
      if (isField && rule != null && rule.pattern().isOfType()) {
        return null; // the pattern is about the methods of the class
      }
      if (rule != null && applies(rule, name, method)) {
        return new Verdict(rule, new MethodRef(name, method.name(), method.descriptor()));
      }
      if (isField || method.name().equals(MethodRef.INIT) || isCode(index.find(name), method)) {
        return null;
      }
    }
    return null;
  }

  /** Whether a class has the code that is called, so that rules of its supertypes are moot. */
  private static boolean isCode(@Nullable ClassInfo type, MethodRef method) {
    if (type == null || !type.descended() || type.isInterface()) {
      return false;
    }
    ClassInfo.Method declared = type.method(method.name(), method.descriptor());
    return declared != null && !declared.isAbstract();
  }

  /** A rule for inherited methods is not one for interfaces, whose objects may override them. */
  private boolean applies(LintRule rule, String declaring, MethodRef method) {
    if (rule.qualifier() == null) {
      return true;
    }
    ClassInfo type = index.find(method.owner());
    if (method.owner().equals(declaring) || type == null || type.isInterface()) {
      return false;
    }
    Hierarchy.Resolved resolved =
        hierarchy.resolve(method.owner(), method.name(), method.descriptor());
    return resolved != null && resolved.type().name().equals(OBJECT);
  }

  /** Whether implementations of a type are tools or models. */
  public boolean isBoundary(String name) {
    return hierarchy.supertypes(name).stream().anyMatch(this::isDeclaredBoundary);
  }

  private boolean isDeclaredBoundary(String name) {
    return isDeclaredBoundary(patterns, name);
  }

  /** Whether there is a rule that makes implementations of a type tools or models. */
  public static boolean isDeclaredBoundary(LintPatterns patterns, String name) {
    LintRule rule = patterns.find(Question.BOUNDARY, name, "", "");
    return rule != null && rule.pattern().isOfType();
  }

  /** Whether a method is one of a tool or model, and not only a part of its implementation. */
  public boolean isOfBoundary(MethodRef method) {
    for (String supertype : hierarchy.supertypes(method.owner())) {
      if (isDeclaredBoundary(supertype)) {
        ClassInfo type = index.find(supertype);
        if (type == null
            ? supertype.equals(method.owner())
            : type.method(method.name(), method.descriptor()) != null) {
          return true;
        }
      }
    }
    return false;
  }

  /** The positions, from 1, of the arguments of a method that are tools or models. */
  public List<Integer> boundaryArguments(MethodRef method) {
    Optional<LintRule> known = boundaries.get(method);
    if (known == null) {
      known = Optional.ofNullable(boundary(method));
      boundaries.put(method, known);
    }
    return known.map(LintRule::arguments).orElse(List.of());
  }

  private @Nullable LintRule boundary(MethodRef method) {
    for (String supertype : hierarchy.supertypes(method.owner())) {
      LintRule rule =
          patterns.find(Question.BOUNDARY, supertype, method.name(), method.descriptor());
      if (rule != null && !rule.pattern().isOfType()) {
        return rule;
      }
    }
    return null;
  }
}
