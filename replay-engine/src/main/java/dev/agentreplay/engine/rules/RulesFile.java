package dev.agentreplay.engine.rules;

import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.diff.rule.ComparisonRule;
import dev.agentreplay.engine.diff.rule.FuzzyText;
import dev.agentreplay.engine.diff.rule.Ignore;
import dev.agentreplay.engine.diff.rule.Normalizer;
import dev.agentreplay.engine.diff.rule.Tolerance;
import dev.agentreplay.engine.diff.rule.UnorderedArray;
import dev.agentreplay.io.file.RegularFiles;
import dev.agentreplay.model.text.Excerpt;
import dev.agentreplay.model.text.NearestName;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a comparison in a text file, which tests and the command line share. By convention
 * the file is {@value #NAME}, next to the recordings that are compared under its rules.
 *
 * <pre>
 * # one rule a line
 * ignore timestamps,ids,/output/etag,tool:think
 * normalize temp
 * normalize port:localhost:[0-9]+=&gt;localhost:PORT
 * tolerance /output/load=2%
 * unordered /output/items=id
 * fuzzy /answer=0.8
 * fail-on moderate
 * </pre>
 *
 * <p>The file is UTF-8 text. Each line has a word, a space and a value: the name and the value of
 * an option of {@code replay diff}. Blank lines, and lines that begin with {@code #}, are skipped.
 *
 * <ul>
 *   <li>{@code ignore}: one or more values of {@link Ignore#parse}, separated by commas
 *   <li>{@code normalize}: a value of {@link Normalizer#parse}
 *   <li>{@code tolerance}: a value of {@link Tolerance#parse}
 *   <li>{@code unordered}: a value of {@link UnorderedArray#parse}
 *   <li>{@code fuzzy}: a value of {@link FuzzyText#parse}
 *   <li>{@code strict}, without a value: {@link DiffOptions#strict}
 *   <li>{@code fail-on}, once: {@code minor}, {@code moderate} or {@code major}, the lowest
 *       severity with which the comparison fails ({@link DiffOptions#failOn})
 * </ul>
 *
 * <p>Immutable and safe for use by several threads.
 */
public final class RulesFile {

  /** The usual name of the file. */
  public static final String NAME = "replay.rules";

  private static final int MAX_BYTES = 1 << 20;
  private static final List<String> WORDS =
      List.of("ignore", "normalize", "tolerance", "unordered", "fuzzy", "strict", "fail-on");
  private static final List<String> SEVERITIES = Stream.of(DivergenceSeverity.values())
      .filter(severity -> severity != DivergenceSeverity.NONE)
      .map(DivergenceSeverity::id)
      .toList();

  private final List<ComparisonRule> rules = new ArrayList<>();
  private boolean strict;
  private @Nullable DivergenceSeverity failOn;

  private RulesFile() {}

  /**
   * Reads a file of at most 1 MiB.
   *
   * @throws RulesFormatException if it is not a file of rules; the message has the file, the line,
   *     and what was expected
   * @throws IOException if it cannot be read, or is not a regular file
   */
  public static RulesFile read(Path file) throws IOException {
    byte[] bytes = RegularFiles.read(file, MAX_BYTES);
    if (bytes == null) {
      throw RulesFormatException.of(
          file, "expected rules of at most %d bytes, found more".formatted(MAX_BYTES));
    }
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw RulesFormatException.of(file, "expected rules as text in UTF-8, found other bytes");
    }
    try {
      return parse(text);
    } catch (RulesFormatException e) {
      throw e.in(file);
    }
  }

  /**
   * Parses the text of a file.
   *
   * @throws RulesFormatException if a line is not a rule; the message has the line, and what was
   *     expected
   */
  public static RulesFile parse(String text) throws RulesFormatException {
    RulesFile file = new RulesFile();
    int number = 0;
    for (String line :
        (text.startsWith("\uFEFF") ? text.substring(1) : text).lines().toList()) {
      number++;
      String rule = line.strip();
      if (!rule.isEmpty() && !rule.startsWith("#")) {
        try {
          file.add(rule);
        } catch (IllegalArgumentException e) {
          throw RulesFormatException.at(number, String.valueOf(e.getMessage()), e);
        }
      }
    }
    return file;
  }

  private void add(String line) {
    String word = line.split("\\s", 2)[0];
    String value = line.substring(word.length()).strip();
    if (!WORDS.contains(word)) {
      throw new IllegalArgumentException("expected %s or %s, found \"%s\"%s"
          .formatted(
              String.join(", ", WORDS.subList(0, WORDS.size() - 1)),
              WORDS.get(WORDS.size() - 1),
              Excerpt.of(word),
              NearestName.suggestion(word, WORDS)));
    }
    try {
      add(word, value);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(word + ": " + e.getMessage(), e);
    }
  }

  private void add(String word, String value) {
    switch (word) {
      case "ignore" -> {
        for (String each : value.split(",", -1)) {
          rules.add(Ignore.parse(each.strip()));
        }
      }
      case "normalize" -> rules.add(Normalizer.parse(value));
      case "tolerance" -> rules.add(Tolerance.parse(value));
      case "unordered" -> rules.add(UnorderedArray.parse(value));
      case "fuzzy" -> rules.add(FuzzyText.parse(value));
      case "strict" -> {
        if (!value.isEmpty()) {
          throw new IllegalArgumentException(
              "expected no value, found \"" + Excerpt.of(value) + '"');
        }
        strict = true;
      }
      default -> {
        if (failOn != null) {
          throw new IllegalArgumentException("is stated twice, " + failOn.id() + " before");
        }
        failOn = severity(value);
      }
    }
  }

  private static DivergenceSeverity severity(String text) {
    for (DivergenceSeverity severity : DivergenceSeverity.values()) {
      if (severity != DivergenceSeverity.NONE && severity.id().equals(text)) {
        return severity;
      }
    }
    throw new IllegalArgumentException("expected minor, moderate or major, found \"%s\"%s"
        .formatted(Excerpt.of(text), NearestName.suggestion(text, SEVERITIES)));
  }

  /** The options of a comparison under these rules: the default ones with what the file states. */
  public DiffOptions options() {
    return applyTo(DiffOptions.defaults());
  }

  /**
   * Returns options with the rules of this file after their own rules, which so take precedence: of
   * several rules for one place, such as two keys of an unordered array, the first decides. A
   * comparison is strict if the file or the options say so. The {@link DiffOptions#failOn} of the
   * options takes precedence over that of the file.
   */
  public DiffOptions applyTo(DiffOptions options) {
    List<ComparisonRule> all = new ArrayList<>(options.rules());
    all.addAll(rules);
    return new DiffOptions(
        all,
        options.severity(),
        strict || options.strict(),
        options.maxDivergences(),
        options.limits(),
        options.partners(),
        options.failOn() == null ? failOn : options.failOn(),
        options.accepted());
  }
}
