package dev.agentreplay.cli.input;

import dev.agentreplay.cli.text.Style;
import dev.agentreplay.engine.diff.DiffLimits;
import dev.agentreplay.engine.diff.DiffOptions;
import dev.agentreplay.engine.diff.rule.ComparisonRule;
import dev.agentreplay.engine.diff.rule.FuzzyText;
import dev.agentreplay.engine.diff.rule.Ignore;
import dev.agentreplay.engine.diff.rule.Normalizer;
import dev.agentreplay.engine.diff.rule.Tolerance;
import dev.agentreplay.engine.diff.rule.UnorderedArray;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The rules that a comparison is made under. */
public final class DiffRules {

  @Option(
      names = "--ignore",
      paramLabel = "RULE",
      split = ",",
      description = "timestamps, durations or ids inside of values; /json/pointer, where * is any"
          + " member and ** any below; tool:NAME. Several with commas, or repeated.")
  private List<String> ignored = new ArrayList<>();

  @Option(
      names = "--normalize",
      paramLabel = "RULE",
      description = "Before texts are compared: ansi, uuids, dates, temp, workspace=PATH, or"
          + " NAME:REGEX=>REPLACEMENT. Can be repeated; applied in that order.")
  private List<String> normalizers = new ArrayList<>();

  @Option(
      names = "--tolerance",
      paramLabel = "/PTR=N",
      description = "Numbers there may differ by N, or by N%%. Can be repeated.")
  private List<String> tolerances = new ArrayList<>();

  @Option(
      names = "--unordered",
      paramLabel = "/PTR[=KEY]",
      description = "The order of an array says nothing; KEY is the member of its elements, or a"
          + " pointer, by which they are known again. Can be repeated.")
  private List<String> unordered = new ArrayList<>();

  @Option(
      names = "--fuzzy",
      paramLabel = "N",
      description = "Texts that are alike by N, 0 to 1 or a percentage, are close: minor.")
  private @Nullable String fuzzy;

  @Option(names = "--strict", description = "Compare ids, times and latencies, too.")
  private boolean strict;

  @Option(
      names = "--max-divergences",
      paramLabel = "N",
      defaultValue = "100",
      description = "List up to so many divergences (default: ${DEFAULT-VALUE}); all are counted.")
  private int maxDivergences;

  @Option(
      names = "--max-steps",
      paramLabel = "N",
      description = "Refuse a session of more steps (default: 250000); a step takes about 1 KB of"
          + " memory.")
  private int maxSteps = DiffLimits.defaults().maxSteps();

  @Option(
      names = "--max-elements",
      paramLabel = "N",
      description = "Compare two arrays of more elements together as a whole (default: 100000).")
  private int maxElements = DiffLimits.defaults().maxElements();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  /** The options that a comparison is made with. */
  public DiffOptions options() {
    requirePositiveOrZero("--max-divergences", maxDivergences);
    requirePositiveOrZero("--max-steps", maxSteps);
    requirePositiveOrZero("--max-elements", maxElements);
    List<ComparisonRule> rules = new ArrayList<>();
    ignored.forEach(text -> rules.add(parse("--ignore", text, Ignore::parse)));
    normalizers.forEach(text -> rules.add(parse("--normalize", text, Normalizer::parse)));
    tolerances.forEach(text -> rules.add(parse("--tolerance", text, Tolerance::parse)));
    unordered.forEach(text -> rules.add(parse("--unordered", text, DiffRules::unordered)));
    if (fuzzy != null) {
      rules.add(parse("--fuzzy", fuzzy, DiffRules::fuzzy));
    }
    return DiffOptions.defaults()
        .plus(rules.toArray(ComparisonRule[]::new))
        .withStrict(strict)
        .withMaxDivergences(maxDivergences)
        .withLimits(DiffLimits.defaults().withMaxSteps(maxSteps).withMaxElements(maxElements));
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

  private ParameterException wrong(String option, String message) {
    return new ParameterException(spec.commandLine(), option + ": " + Style.plain(message));
  }

  private static UnorderedArray unordered(String text) {
    int equals = text.lastIndexOf('=');
    return equals < 0
        ? UnorderedArray.at(text)
        : UnorderedArray.at(text.substring(0, equals)).keyedBy(text.substring(equals + 1));
  }

  private static FuzzyText fuzzy(String text) {
    boolean isPercentage = text.endsWith("%");
    String number = isPercentage ? text.substring(0, text.length() - 1) : text;
    if (!number.matches("[0-9]{1,3}(\\.[0-9]{1,9})?")) {
      throw new IllegalArgumentException(
          "expected a similarity such as 0.9 or 90%, found \"" + text + '"');
    }
    return FuzzyText.atLeast(Double.parseDouble(number) / (isPercentage ? 100 : 1));
  }
}
