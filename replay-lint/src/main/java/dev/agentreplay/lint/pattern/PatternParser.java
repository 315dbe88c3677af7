package dev.agentreplay.lint.pattern;

import dev.agentreplay.lint.pattern.Directive.Question;
import dev.agentreplay.model.text.NearestName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the lines of a file of patterns. */
final class PatternParser {

  private static final String REMEDY = "->";
  private static final String INHERITED = "inherited";
  private static final List<String> ENTRIES = List.of("implements", "parameter");

  private final String file;

  /** The subject of a rule, by which a second one is recognized. */
  private record Subject(Question question, MemberPattern pattern, @Nullable String qualifier) {}

  PatternParser(String file) {
    this.file = file;
  }

  List<LintRule> parse(String text) throws LintFileException {
    List<LintRule> rules = new ArrayList<>();
    Map<Subject, Integer> lines = new HashMap<>();
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      if (LineTokens.isBlank(line)) {
        continue;
      }
      LineTokens tokens = new LineTokens(file, number, line);
      LintRule rule = rule(tokens);
      Integer earlier =
          lines.put(new Subject(rule.question(), rule.pattern(), rule.qualifier()), number);
      if (earlier != null) {
        throw tokens.error("%s is in line %d already".formatted(rule.pattern(), earlier));
      }
      rules.add(rule);
    }
    return rules;
  }

  private static LintRule rule(LineTokens tokens) throws LintFileException {
    String word = tokens.require("a directive");
    Directive directive = Directive.ofId(word);
    if (directive == null) {
      List<String> ids = Arrays.stream(Directive.values()).map(Directive::id).toList();
      throw tokens.error("expected one of %s, found %s%s"
          .formatted(String.join(", ", ids), word, NearestName.suggestion(word, ids)));
    }
    Category category = directive == Directive.REPORT ? category(tokens) : null;
    String subject = tokens.require("a pattern");
    String qualifier = null;
    if (directive == Directive.REPORT && subject.equals(INHERITED)) {
      qualifier = subject;
      subject = tokens.require("a pattern");
    } else if (directive == Directive.ENTRY) {
      if (!ENTRIES.contains(subject)) {
        throw tokens.error("expected implements or parameter, found " + subject);
      }
      qualifier = subject;
      subject = tokens.require("a class");
    }
    MemberPattern pattern = tokens.pattern(subject);
    requireForm(directive, pattern, tokens);
    List<Integer> arguments =
        directive == Directive.BOUNDARY ? arguments(pattern, tokens) : List.of();
    String remedy = "";
    String next = tokens.next();
    if (next != null) {
      if (!next.equals(REMEDY) || directive != Directive.REPORT) {
        throw tokens.error("expected %sthe end of the line, found %s"
            .formatted(directive == Directive.REPORT ? "-> with a remedy, or " : "", next));
      }
      remedy = tokens.rest();
      if (remedy.isEmpty()) {
        throw tokens.error("expected a remedy after ->");
      }
    }
    return new LintRule(directive, pattern, category, qualifier, arguments, remedy, tokens.line());
  }

  private static Category category(LineTokens tokens) throws LintFileException {
    String word = tokens.require("a category");
    Category category = Category.ofId(word);
    if (category == null) {
      List<String> ids = Arrays.stream(Category.values()).map(Category::id).toList();
      throw tokens.error("expected a category, one of %s, found %s%s"
          .formatted(String.join(", ", ids), word, NearestName.suggestion(word, ids)));
    }
    return category;
  }

  private static void requireForm(Directive directive, MemberPattern pattern, LineTokens tokens)
      throws LintFileException {
    switch (directive) {
      case ENTRY, TRUST, DESCEND, UNORDERED -> {
        if (!pattern.isOfType()) {
          throw tokens.error(
              directive.id() + " expects a class or a package, found the method " + pattern);
        }
      }
      case SOURCE, PASSES, FILLS, ITERATES, CONVERTS, COLLECTS, KEEPS, COMMUTES -> {
        if (pattern.isOfType()) {
          throw tokens.error(directive.id() + " expects a method, found " + pattern);
        }
      }
      default -> {}
    }
  }

  private static List<Integer> arguments(MemberPattern pattern, LineTokens tokens)
      throws LintFileException {
    List<Integer> arguments = new ArrayList<>();
    for (String word = tokens.next(); word != null; word = tokens.next()) {
      if (!word.matches("[1-9][0-9]{0,2}")) {
        throw tokens.error("expected the position of an argument, from 1, found " + word);
      }
      arguments.add(Integer.valueOf(word));
    }
    if (pattern.isOfType() != arguments.isEmpty()) {
      throw tokens.error(
          pattern.isOfType()
              ? "a boundary that is a type has no arguments"
              : "a boundary that is a method names the positions of its arguments");
    }
    return arguments;
  }
}
