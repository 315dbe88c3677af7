package dev.agentreplay.lint.pattern;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A reason not to report calls of a method, nor those that are reached only through it: a line of a
 * file, or an annotation {@code dev.agentreplay.io.context.AllowedNondeterminism}. A file has one a
 * line:
 *
 * <pre>
 * # lint.suppressions
 * com.acme.Agent.trace of clock because the time is only logged
 * com.acme.Cache of order, java.lang.System.nanoTime because the cache is not recorded
 * com.acme.legacy.** because it is not part of the agent
 * </pre>
 *
 * <p>Before {@code of} is a {@link MemberPattern} of methods, after it categories and patterns of
 * called methods; without {@code of}, all calls are covered. Immutable, safe for use by several
 * threads.
 */
public final class Suppression {

  private final MemberPattern location;
  private final List<Selector> of;
  private final String reason;
  private final String source;

  private Suppression(MemberPattern location, List<Selector> of, String reason, String source) {
    this.location = location;
    this.of = List.copyOf(of);
    this.reason = reason;
    this.source = source;
  }

  /**
   * Creates the suppression of an annotation.
   *
   * @param location the annotated class or method
   * @param of the categories and patterns; empty for all calls
   * @throws IllegalArgumentException if the reason is blank, or one of the calls is invalid
   */
  public static Suppression ofAnnotation(MemberPattern location, List<String> of, String reason) {
    if (reason.isBlank()) {
      throw new IllegalArgumentException("expected a reason, found \"" + reason + '"');
    }
    return new Suppression(
        location, of.stream().map(Selector::parse).toList(), reason, "annotation");
  }

  /**
   * Reads a file of suppressions.
   *
   * @param file a text in UTF-8 with one suppression a line
   * @throws LintFileException if the file has an error, such as a missing reason
   * @throws IOException if the file cannot be read
   */
  public static List<Suppression> read(Path file) throws IOException {
    return parse(file.toString(), LintPatterns.text(file));
  }

  /**
   * Parses the text of a file of suppressions.
   *
   * @param name the name of the text, for messages
   * @throws LintFileException if the text has an error, such as a missing reason
   */
  public static List<Suppression> parse(String name, String text) throws LintFileException {
    List<Suppression> all = new ArrayList<>();
    Map<String, Integer> lines = new HashMap<>();
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      if (!LineTokens.isBlank(line)) {
        LineTokens tokens = new LineTokens(name, number, line);
        Suppression suppression = parse(tokens, name + ":" + number);
        Integer earlier = lines.put(suppression.location + " " + suppression.of, number);
        if (earlier != null) {
          throw tokens.error("the same suppression is in line %d already".formatted(earlier));
        }
        all.add(suppression);
      }
    }
    return all;
  }

  private static Suppression parse(LineTokens tokens, String source) throws LintFileException {
    MemberPattern location = tokens.pattern(tokens.require("a pattern of methods"));
    List<Selector> of = new ArrayList<>();
    String word = tokens.require("of or because");
    if (word.equals("of")) {
      boolean more = true;
      while (more) {
        String selected = tokens.require("a category or a pattern");
        more = selected.endsWith(",");
        of.add(selector(tokens, more ? selected.substring(0, selected.length() - 1) : selected));
      }
      word = tokens.require("because");
    }
    if (!word.equals("because")) {
      throw tokens.error(
          "expected %s, found %s".formatted(of.isEmpty() ? "of or because" : "because", word));
    }
    String reason = tokens.rest();
    if (reason.isEmpty()) {
      throw tokens.error("expected a reason after because, found the end of the line");
    }
    return new Suppression(location, of, reason, source);
  }

  private static Selector selector(LineTokens tokens, String text) throws LintFileException {
    try {
      return Selector.parse(text);
    } catch (IllegalArgumentException e) {
      throw tokens.error(String.valueOf(e.getMessage()));
    }
  }

  /** The classes or methods in which calls are not reported. */
  public MemberPattern location() {
    return location;
  }

  /** The categories and patterns of calls that are not reported; empty if all are not. */
  public List<String> of() {
    return of.stream().map(Selector::toString).toList();
  }

  /** The reason. */
  public String reason() {
    return reason;
  }

  /** The file and line, or {@code annotation}. */
  public String source() {
    return source;
  }

  /** Whether a call of a category is covered, given its method by the names in class files. */
  public boolean covers(Category category, String owner, String name, String descriptor) {
    return of.isEmpty()
        || of.stream().anyMatch(selector -> selector.covers(category, owner, name, descriptor));
  }

  /** Returns location and calls, such as {@code com.acme.Agent.trace of clock}. */
  @Override
  public String toString() {
    String calls = of.stream().map(Selector::toString).collect(Collectors.joining(", "));
    return of.isEmpty() ? location.toString() : location + " of " + calls;
  }
}
