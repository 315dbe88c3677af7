package dev.agentreplay.lint;

import dev.agentreplay.lint.code.ClassIndex;
import dev.agentreplay.lint.code.ClassInfo;
import dev.agentreplay.lint.code.ClassInfo.LambdaInfo;
import dev.agentreplay.lint.code.ClassInfo.Method;
import dev.agentreplay.lint.code.Hierarchy;
import dev.agentreplay.lint.code.Hierarchy.Resolved;
import dev.agentreplay.lint.code.MethodRef;
import dev.agentreplay.lint.code.Verdicts;
import dev.agentreplay.lint.pattern.Directive;
import dev.agentreplay.lint.pattern.LintPatterns;
import dev.agentreplay.lint.pattern.LintRule;
import dev.agentreplay.lint.pattern.MemberPattern;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Finds the methods at which agents begin. */
final class EntryPoints {

  private final ClassIndex index;
  private final Hierarchy hierarchy;
  private final Verdicts verdicts;
  private final SortedMap<MethodRef, Resolved> found = new TreeMap<>();
  private final List<String> unmatched = new ArrayList<>();

  EntryPoints(ClassIndex index, Hierarchy hierarchy, Verdicts verdicts) {
    this.index = index;
    this.hierarchy = hierarchy;
    this.verdicts = verdicts;
  }

  /** The entry points, sorted. */
  Collection<Resolved> found() {
    return found.values();
  }

  /** The patterns that match no method. */
  List<String> unmatched() {
    return unmatched;
  }

  /** Adds the methods that match one of the patterns. */
  void addMatches(List<MemberPattern> patterns) {
    for (MemberPattern pattern : patterns) {
      boolean matches = false;
      for (ClassInfo type : index.scanned()) {
        if (type.descended() && pattern.matchesType(type.name())) {
          for (Method method : type.methods()) {
            if (pattern.matches(type.name(), method.name(), method.descriptor())) {
              matches |= add(type, method);
            }
          }
        }
      }
      if (!matches) {
        unmatched.add(pattern.toString());
      }
    }
  }

  /**
   * Adds the methods of some classes that the directives {@code entry} describe; all methods of a
   * class that has none of these.
   *
   * @param classes patterns of classes
   */
  void addDefaultsOf(List<MemberPattern> classes, LintPatterns patterns) {
    EntryPoints all = new EntryPoints(index, hierarchy, verdicts);
    all.addDefaults(patterns);
    List<MemberPattern> others = new ArrayList<>(classes);
    all.found.forEach((ref, method) -> {
      for (MemberPattern type : classes) {
        if (type.matchesType(ref.owner())) {
          found.put(ref, method);
          others.remove(type);
        }
      }
    });
    addMatches(others);
  }

  /** Adds the methods that the directives {@code entry} describe. */
  void addDefaults(LintPatterns patterns) {
    List<LintRule> rules = patterns.rules().stream()
        .filter(rule -> rule.directive() == Directive.ENTRY)
        .toList();
    for (ClassInfo type : index.scanned()) {
      if (type.descended()) {
        rules.forEach(rule -> addDefaults(type, rule));
      }
    }
  }

  private void addDefaults(ClassInfo type, LintRule rule) {
    boolean isImplemented = "implements".equals(rule.qualifier());
    if (isImplemented && !type.isInterface() && isSubtype(type.name(), rule.pattern())) {
      for (String supertype : hierarchy.supertypes(type.name())) {
        ClassInfo inherited = index.find(supertype);
        if (inherited != null && inherited.descended()) {
          inherited.methods().stream()
              .filter(method -> !method.isStatic() && !method.isPrivate())
              .filter(method -> !isTool(type, method))
              .forEach(method -> add(inherited, method));
        }
      }
    }
    if (!isImplemented) {
      addTakers(type, rule.pattern());
    }
    for (LambdaInfo lambda : type.lambdas()) {
      boolean begins = isImplemented
          ? isSubtype(lambda.type(), rule.pattern())
          : rule.pattern().matchesArgument(lambda.instantiated());
      if (begins) {
        MethodRef body = lambda.body();
        Resolved resolved = hierarchy.resolve(body.owner(), body.name(), body.descriptor());
        if (resolved != null
            && resolved.type().descended()
            && !resolved.method().isAbstract()) {
          found.put(resolved.ref(), resolved);
        }
      }
    }
  }

  /** Adds the methods with a parameter, and the constructors of their objects. */
  private void addTakers(ClassInfo type, MemberPattern parameter) {
    boolean hasInstance = false;
    for (Method method : type.methods()) {
      if (parameter.matchesArgument(method.descriptor()) && !isTool(type, method)) {
        boolean added = add(type, method);
        hasInstance |= added && !method.isStatic();
      }
    }
    if (hasInstance) {
      type.methods().stream()
          .filter(method -> method.name().equals(MethodRef.INIT))
          .forEach(constructor -> add(type, constructor));
    }
  }

  /** Whether a method of a class, which may be an agent, too, is that of a tool or model. */
  private boolean isTool(ClassInfo type, Method method) {
    return verdicts.isOfBoundary(new MethodRef(type.name(), method.name(), method.descriptor()));
  }

  private boolean isSubtype(String name, MemberPattern pattern) {
    return hierarchy.supertypes(name).stream().anyMatch(pattern::matchesType);
  }

  /** Adds a method with code of its own; static initializers are reached from it. */
  private boolean add(ClassInfo type, Method method) {
    if (method.isAbstract() || method.isSynthetic() || method.name().equals(MethodRef.CLINIT)) {
      return false;
    }
    Resolved resolved = new Resolved(type, method);
    found.put(resolved.ref(), resolved);
    return true;
  }
}
