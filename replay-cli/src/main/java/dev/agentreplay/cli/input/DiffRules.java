package dev.agentreplay.cli.input;

import dev.agentreplay.cli.text.Style;
import dev.agentreplay.engine.diff.DiffLimits;
import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.engine.diff.rule.ComparisonRule;
import dev.agentreplay.engine.diff.rule.FuzzyText;
import dev.agentreplay.engine.diff.rule.Ignore;
import dev.agentreplay.engine.diff.rule.Tolerance;
import dev.agentreplay.engine.diff.rule.UnorderedArray;
import dev.agentreplay.engine.report.TextOptions;
import dev.agentreplay.model.text.NearestName;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The rules that a comparison is made under. */
public final class DiffRules {

  /** The divergences from which a text lists the most important ones. */
  private static final int RANKED_IN_TEXT = 1000;

  private static final List<String> IGNORED =
      Stream.of(Ignore.Kind.values()).map(Ignore.Kind::id).toList();

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
      paramLabel = "N",
      description =
          "Similarity above 0 and up to 1, or a percentage, from which differing texts are"
              + " minor.")
  private @Nullable String fuzzy;

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

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  /**
   * The options of a comparison.
   *
   * @param isText whether the report is a text, which lists the root cause before all others and
   *     therefore needs more divergences than it lists
   */
  public DiffOptions options(boolean isText) {
    if (maxDivergences != null) {
      requirePositiveOrZero("--max-divergences", maxDivergences);
    }
    requirePositiveOrZero("--max-steps", maxSteps);
    requirePositiveOrZero("--max-elements", maxElements);
    List<ComparisonRule> rules = new ArrayList<>();
    ignored.forEach(text -> rules.add(parse("--ignore", text, Ignore::parse, IGNORED)));
    rules.addAll(normalize.normalizers());
    tolerances.forEach(text -> rules.add(parse("--tolerance", text, Tolerance::parse)));
    unordered.forEach(text -> rules.add(parse("--unordered", text, DiffRules::unordered)));
    if (fuzzy != null) {
      rules.add(parse("--fuzzy", fuzzy, DiffRules::fuzzy));
    }
    int listed = maxDivergences == null ? DiffOptions.defaults().maxDivergences() : maxDivergences;
    return DiffOptions.defaults()
        .plus(rules.toArray(ComparisonRule[]::new))
        .withStrict(strict)
        .withMaxDivergences(isText ? Math.max(listed, RANKED_IN_TEXT) : listed)
        .withLimits(DiffLimits.defaults().withMaxSteps(maxSteps).withMaxElements(maxElements));
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
    return parse(option, text, parser, List.of());
  }

  private <T> T parse(String option, String text, Function<String, T> parser, List<String> names) {
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException e) {
      throw wrong(option, e.getMessage() + NearestName.suggestion(text, names));
    }
  }

  private ParameterException wrong(String option, String message) {
    return new ParameterException(spec.commandLine(), option + ": " + Style.plain(message));
  }

  private static UnorderedArray unordered(String text) {
    int equals = text.lastIndexOf('=');
    if (equals >= 0 && equals == text.length() - 1) {
      throw new IllegalArgumentException(
          "expected /PTR or /PTR=KEY, found an empty KEY: \"" + text + '"');
    }
    return equals < 0
        ? UnorderedArray.at(text)
        : UnorderedArray.at(text.substring(0, equals)).keyedBy(text.substring(equals + 1));
  }

  static FuzzyText fuzzy(String text) {
    boolean isPercentage = text.endsWith("%");
    String number = isPercentage ? text.substring(0, text.length() - 1) : text;
    if (number.matches("[0-9]{1,3}(\\.[0-9]{1,9})?")) {
      double similarity = Double.parseDouble(number) / (isPercentage ? 100 : 1);
      if (similarity > 0 && similarity <= 1) {
        return FuzzyText.atLeast(similarity);
      }
    }
    throw new IllegalArgumentException(
        "expected a similarity above 0 and up to 1, such as 0.8 or 80%, found \"" + text + '"');
  }
}
