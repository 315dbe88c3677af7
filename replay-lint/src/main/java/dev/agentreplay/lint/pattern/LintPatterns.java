package dev.agentreplay.lint.pattern;

import dev.agentreplay.lint.pattern.Directive.Question;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The patterns of a scan: the calls that are reported and allowed, the boundaries of tools and
 * models, the entry points, and the collections without an order. {@link #defaults} has those of
 * docs/lint-patterns.md; a file of the caller's overrides them:
 *
 * <pre>
 * # lint.patterns
 * report clock com.acme.Times.now -&gt; context.clock().instant()
 * allow java.lang.System.getenv
 * boundary com.acme.Tool
 * </pre>
 *
 * <p>Of the rules of one file that answer the same question, the most specific one that matches
 * wins; a rule of a later file wins over all rules of earlier ones. Immutable, safe for use by
 * several threads.
 */
public final class LintPatterns {

  private static final String RESOURCE = "lint-patterns.txt";

  private static final LintPatterns DEFAULTS = new LintPatterns(List.of(read()));

  private final List<RuleTable> tables;

  private LintPatterns(List<RuleTable> tables) {
    this.tables = List.copyOf(tables);
  }

  /** The patterns of the library. */
  public static LintPatterns defaults() {
    return DEFAULTS;
  }

  /** The text of the patterns of the library, with comments. */
  static String text() {
    try (InputStream in = LintPatterns.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException("the jar of replay-lint lacks " + RESOURCE);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static RuleTable read() {
    try {
      return new RuleTable(new PatternParser(RESOURCE).parse(text()));
    } catch (LintFileException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Returns these patterns with those of a file, which win over them.
   *
   * @param file a text in UTF-8 with one rule a line
   * @throws LintFileException if the file has an error
   * @throws IOException if the file cannot be read
   */
  public LintPatterns plus(Path file) throws IOException {
    return plus(file.toString(), text(file));
  }

  /**
   * Returns these patterns with those of a text, which win over them.
   *
   * @param name the name of the text, for messages
   * @throws LintFileException if the text has an error
   */
  public LintPatterns plus(String name, String text) throws LintFileException {
    List<RuleTable> all = new ArrayList<>(tables);
    all.add(new RuleTable(new PatternParser(name).parse(text)));
    return new LintPatterns(all);
  }

  static String text(Path file) throws IOException {
    try {
      return Files.readString(file);
    } catch (CharacterCodingException e) {
      throw new IOException(file + ": expected UTF-8, found other bytes", e);
    }
  }

  /** All rules, in the order of the files. */
  public List<LintRule> rules() {
    return tables.stream().flatMap(table -> table.rules().stream()).toList();
  }

  /**
   * Returns the rule that answers a question about a method; null if none does.
   *
   * @param owner the internal name of the class, with slashes
   * @param name the name of the method; empty for the class itself
   * @param descriptor the descriptor of the method
   */
  public @Nullable LintRule find(Question question, String owner, String name, String descriptor) {
    for (int i = tables.size() - 1; i >= 0; i--) {
      LintRule found = tables.get(i).find(question, owner, name, descriptor);
      if (found != null) {
        return found;
      }
    }
    return null;
  }
}
