package dev.agentreplay.cli.input;

import dev.agentreplay.cli.text.UsageException;
import dev.agentreplay.engine.diff.DiffLimits;
import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.diff.rule.ComparisonRule;
import dev.agentreplay.engine.diff.rule.FuzzyText;
import dev.agentreplay.engine.diff.rule.Ignore;
import dev.agentreplay.engine.diff.rule.Tolerance;
import dev.agentreplay.engine.diff.rule.UnorderedArray;
import dev.agentreplay.engine.report.TextOptions;
import dev.agentreplay.engine.rules.RulesFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The rules that a comparison is made under. */
public final class DiffRules {

  /** The divergences from which a text lists the most important ones. */
  private static final int RANKED_IN_TEXT = 1000;

  @Option(
      names = "--rules",
      paramLabel = "FILE",
      description = "File of rules, one a line, such as the replay.rules next to recordings of"
          + " tests: the name of one of these options without dashes, and its value. Repeatable.")
  private List<Path> files = new ArrayList<>();

  @Option(
      names = "--ignore",
      paramLabel = "RULE",
      split = ",",
      description = "Rule for what is not compared: timestamps, durations or ids inside values;"
          + " /json/pointer (* is any member, ** any depth), also into JSON in text; tool:NAME."
          + " Comma-separated, repeatable.")
  private List<String> ignored = new ArrayList<>();

  @Mixin
  private NormalizeOption normalize = new NormalizeOption();

  @Option(
      names = "--tolerance",
      paramLabel = "/PTR=N",
      description = "Tolerance for numbers at a JSON Pointer: N, or N%%. Repeatable.")
  private List<String> tolerances = new ArrayList<>();

  @Option(
      names = "--unordered",
      paramLabel = "/PTR[=KEY]",
      description = "Array at a JSON Pointer to compare without its order; KEY is the member, or"
          + " pointer, that identifies an element. Repeatable.")
  private List<String> unordered = new ArrayList<>();

  @Option(
      names = "--fuzzy",
      paramLabel = "[/PTR=]N",
      description = "Similarity above 0 and up to 1, or a percentage, from which differing texts,"
          + " or those at a JSON Pointer, are minor. Repeatable.")
  private List<String> fuzzy = new ArrayList<>();

  @Option(
      names = "--fail-on",
      paramLabel = "SEVERITY",
      completionCandidates = Candidates.Severities.class,
      description = "Lowest severity that makes the exit code 1: ${COMPLETION-CANDIDATES}"
          + " (default: that of --rules, or else minor).")
  private @Nullable DivergenceSeverity failOn;

  @Option(
      names = "--strict",
      description = "Also compare ids, times, latencies, and recorded values of clocks and random"
          + " generators.")
  private boolean strict;

  @Option(
      names = "--max-divergences",
      paramLabel = "N",
      description = "Maximum number of divergences listed (default: 20 in text, otherwise 100; a"
          + " Markdown table has at most 50). All are counted.")
  private @Nullable Integer maxDivergences;

  @Option(
      names = "--max-steps",
      paramLabel = "N",
      description = "Maximum number of steps in a session (default: 250000); a step takes about"
          + " 1 KB of memory.")
  private int maxSteps = DiffLimits.defaults().maxSteps();

  @Option(
      names = "--max-elements",
      paramLabel = "N",
      description = "Number of elements above which two arrays are compared as a whole"
          + " (default: 100000).")
  private int maxElements = DiffLimits.defaults().maxElements();

  /**
   * The options of a comparison.
   *
   * @param isText whether the report is a text, which lists the root cause before all others and
   *     therefore needs more divergences than it lists
   * @throws IOException if a file of rules cannot be read
   */
  public DiffOptions options(boolean isText) throws IOException {
    if (maxDivergences != null) {
      requirePositiveOrZero("--max-divergences", maxDivergences);
    }
    requirePositiveOrZero("--max-steps", maxSteps);
    requirePositiveOrZero("--max-elements", maxElements);
    List<ComparisonRule> rules = new ArrayList<>();
    ignored.forEach(text -> rules.add(parse("--ignore", text, Ignore::parse)));
    rules.addAll(normalize.normalizers());
    tolerances.forEach(text -> rules.add(parse("--tolerance", text, Tolerance::parse)));
    unordered.forEach(text -> rules.add(parse("--unordered", text, UnorderedArray::parse)));
    fuzzy.forEach(text -> rules.add(parse("--fuzzy", text, FuzzyText::parse)));
    int listed = maxDivergences == null ? DiffOptions.defaults().maxDivergences() : maxDivergences;
    DiffOptions options = DiffOptions.defaults()
        .plus(rules.toArray(ComparisonRule[]::new))
        .withStrict(strict)
        .withMaxDivergences(isText ? Math.max(listed, RANKED_IN_TEXT) : listed)
        .withLimits(DiffLimits.defaults().withMaxSteps(maxSteps).withMaxElements(maxElements));
    if (failOn != null) {
      options = options.failingFrom(failOn);
    }
    for (int i = files.size() - 1; i >= 0; i--) { // a later file takes precedence
      options = RulesFile.read(files.get(i)).applyTo(options);
    }
    return options;
  }

  /** The files of rules. */
  public List<Path> files() {
    return List.copyOf(files);
  }

  /** The maximum number of divergences in a text report. */
  public int maxInText() {
    return maxDivergences == null ? TextOptions.DEFAULT_MAX_DIVERGENCES : maxDivergences;
  }

  private void requirePositiveOrZero(String option, int value) {
    if (value < 0) {
      throw wrong(option, "expected 0 or more, found " + value);
    }
  }

  private <T> T parse(String option, String text, Function<String, T> parser) {
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException e) {
      throw wrong(option, String.valueOf(e.getMessage()));
    }
  }

  private UsageException wrong(String option, String message) {
    return new UsageException(option + ": " + message);
  }
}
