package dev.agentreplay.engine.diff.value;

import dev.agentreplay.engine.diff.pattern.FolderPatterns;
import dev.agentreplay.engine.diff.pattern.IdPatterns;
import dev.agentreplay.engine.diff.pattern.MemberName;
import dev.agentreplay.engine.diff.pattern.PathPattern;
import dev.agentreplay.engine.diff.pattern.ScalarRule;
import dev.agentreplay.engine.diff.pattern.TextRule;
import dev.agentreplay.engine.diff.pattern.TextScope;
import dev.agentreplay.engine.diff.pattern.TimePatterns;
import dev.agentreplay.engine.diff.rule.ComparisonRule;
import dev.agentreplay.engine.diff.rule.FuzzyText;
import dev.agentreplay.engine.diff.rule.Ignore;
import dev.agentreplay.engine.diff.rule.Normalizer;
import dev.agentreplay.engine.diff.rule.Tolerance;
import dev.agentreplay.engine.diff.rule.UnorderedArray;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A rule with its patterns compiled. Immutable.
 *
 * @param rule the rule
 * @param path the pattern of the places that it applies to; null when it does not have one
 * @param scalars its effect on scalars; null when it does not change them
 */
public record CompiledRule(
    ComparisonRule rule, @Nullable PathPattern path, @Nullable ScalarRule scalars) {

  private static final Pattern ANSI_CODE = Pattern.compile("(?:\\x1B\\[|\\x9B)[0-?]*+[ -/]*+[@-~]"
      + "|\\x1B[\\]PX^_][^\\x07\\x1B]*+(?:\\x07|\\x1B\\\\)"
      + "|\\x1B[ -/]*+[0-~]");

  /** Compiles a rule. */
  public static CompiledRule of(ComparisonRule rule) {
    String place = place(rule);
    return new CompiledRule(
        rule,
        place == null ? null : PathPattern.parse(place),
        rule instanceof Ignore.Kind kind
            ? ignored(kind)
            : rule instanceof Normalizer normalizer ? normalized(normalizer) : null);
  }

  private static @Nullable String place(ComparisonRule rule) {
    if (rule instanceof Ignore.Place ignored) {
      return ignored.pattern();
    }
    if (rule instanceof UnorderedArray unordered) {
      return unordered.place();
    }
    if (rule instanceof Tolerance tolerance) {
      return tolerance.place();
    }
    return rule instanceof FuzzyText fuzzy ? fuzzy.place() : null;
  }

  private static ScalarRule ignored(Ignore.Kind kind) {
    return switch (kind) {
      case TIMESTAMPS ->
        TextRule.replacing("timestamp", TimePatterns.TIMESTAMP)
            .andNumbers(
                (member, number) -> TimePatterns.isEpoch(number) && MemberName.isMoment(member));
      case DURATIONS ->
        TextRule.replacing("duration", TimePatterns.DURATION)
            .andNumbers((member, number) -> MemberName.isDuration(member));
      case IDS ->
        TextRule.replacing("id", IdPatterns.UUID, IdPatterns.ULID, IdPatterns.PREFIXED)
            .where(IdPatterns::isMeant);
    };
  }

  private static ScalarRule normalized(Normalizer normalizer) {
    if (normalizer instanceof Normalizer.Folder folder) {
      return TextRule.replacing(folder.name(), FolderPatterns.folder(folder.path()));
    }
    if (normalizer instanceof Normalizer.Expression expression) {
      return new OwnPattern(expression);
    }
    return switch ((Normalizer.Kind) normalizer) {
      case ANSI_CODES -> TextRule.removing(ANSI_CODE);
      case UUIDS -> TextRule.replacing("uuid", IdPatterns.UUID);
      case DATES -> TextRule.replacing("date", TimePatterns.TIMESTAMP, TimePatterns.DATE_ALONE);
      case TEMPORARY_FOLDERS -> TextRule.replacing("temp", FolderPatterns.TEMPORARY);
    };
  }

  /** Returns the effect of the rule on scalars in a scope; null when it does not change them. */
  public @Nullable ScalarRule scalars(TextScope scope) {
    boolean isOfFolders =
        rule instanceof Normalizer.Folder || rule == Normalizer.Kind.TEMPORARY_FOLDERS;
    return scope == TextScope.ALL || (scope == TextScope.FOLDERS && isOfFolders) ? scalars : null;
  }
}
