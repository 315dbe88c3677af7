package dev.agentreplay.engine.diff.rule;

import dev.agentreplay.engine.diff.pattern.PathPattern;
import dev.agentreplay.engine.diff.pattern.ScalarRule;
import dev.agentreplay.engine.diff.pattern.TextScope;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** The parts of rules that comparisons apply, in types of this module alone. */
@SuppressWarnings("exports")
public final class RuleParts {

  private RuleParts() {}

  /** The path that a rule applies to; null when it has none. */
  public static @Nullable PathPattern path(ComparisonRule rule) {
    if (rule instanceof Ignore ignore) {
      return ignore.path();
    }
    if (rule instanceof UnorderedArray unordered) {
      return unordered.path();
    }
    if (rule instanceof Tolerance tolerance) {
      return tolerance.path();
    }
    return rule instanceof FuzzyText fuzzy ? fuzzy.path() : null;
  }

  /** What a rule does to scalars in a scope; null when it leaves them as they are. */
  public static @Nullable ScalarRule scalars(ComparisonRule rule, TextScope scope) {
    if (rule instanceof Ignore ignore) {
      return scope == TextScope.ALL ? ignore.scalars() : null;
    }
    return rule instanceof Normalizer normalizer && normalizer.holdsIn(scope)
        ? normalizer.scalars()
        : null;
  }

  /**
   * The failure of a {@link ScalarRule}, with the place of the text and the side of its session.
   */
  public static UncheckedIOException at(
      String pointer, @Nullable String side, UncheckedIOException failure) {
    return failure.getCause() instanceof RunawayPatternException runaway
        ? new UncheckedIOException(runaway.at(pointer, side))
        : failure;
  }
}
