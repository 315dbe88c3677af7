package dev.agentreplay.lint.pattern;

import dev.agentreplay.lint.pattern.Directive.Question;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A line of a file of patterns. Immutable, safe for use by several threads. */
public final class LintRule {

  private final Directive directive;
  private final MemberPattern pattern;
  private final @Nullable Category category;
  private final @Nullable String qualifier;
  private final List<Integer> arguments;
  private final String remedy;
  private final int line;

  LintRule(
      Directive directive,
      MemberPattern pattern,
      @Nullable Category category,
      @Nullable String qualifier,
      List<Integer> arguments,
      String remedy,
      int line) {
    this.directive = directive;
    this.pattern = pattern;
    this.category = category;
    this.qualifier = qualifier;
    this.arguments = List.copyOf(arguments);
    this.remedy = remedy;
    this.line = line;
  }

  /** The directive. */
  public Directive directive() {
    return directive;
  }

  /** The packages, classes or methods that the rule is about. */
  public MemberPattern pattern() {
    return pattern;
  }

  /** The category of what is reported; null for other directives. */
  public @Nullable Category category() {
    return category;
  }

  /**
   * The word before the pattern: {@code inherited} of a report, which is then one only for classes
   * that inherit the method; {@code implements} or {@code parameter} of an entry point; null if
   * there is none.
   */
  public @Nullable String qualifier() {
    return qualifier;
  }

  /** The positions, from 1, of the arguments that are tools or models; empty for a type. */
  public List<Integer> arguments() {
    return arguments;
  }

  /** The replacement of a reported call; empty if the rule has none. */
  public String remedy() {
    return remedy;
  }

  /** The line in its file, from 1. */
  public int line() {
    return line;
  }

  Question question() {
    return directive.question(pattern.isOfType());
  }

  /** Returns the rule as a line of a file, without its remedy. */
  @Override
  public String toString() {
    StringBuilder out = new StringBuilder(directive.id());
    if (category != null) {
      out.append(' ').append(category.id());
    }
    if (qualifier != null) {
      out.append(' ').append(qualifier);
    }
    out.append(' ').append(pattern);
    arguments.forEach(argument -> out.append(' ').append(argument));
    return out.toString();
  }
}
