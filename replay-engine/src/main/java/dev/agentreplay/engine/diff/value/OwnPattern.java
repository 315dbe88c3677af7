package dev.agentreplay.engine.diff.value;

import dev.agentreplay.engine.diff.pattern.Rewriting;
import dev.agentreplay.engine.diff.pattern.ScalarRule;
import dev.agentreplay.engine.diff.rule.Normalizer;
import dev.agentreplay.engine.diff.rule.RunawayPatternException;
import dev.agentreplay.model.text.Excerpt;
import java.io.UncheckedIOException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Replaces the matches of a user's regular expression. The number of steps is bounded, against
 * catastrophic backtracking.
 */
final class OwnPattern implements ScalarRule {

  private static final long STEPS = 1_000_000;
  private static final int STEPS_A_CHARACTER = 1_000;

  private final Normalizer.Expression rule;
  private final Pattern pattern;

  OwnPattern(Normalizer.Expression rule) {
    this.rule = rule;
    this.pattern = Pattern.compile(rule.regex());
  }

  @Override
  public void rewrite(String member, Rewriting text) {
    try {
      text.replace(pattern.matcher(new Bounded(text.text())), match -> rule.replacement());
    } catch (StackOverflowError e) {
      throw runaway("more stack than is available", text.text(), e);
    }
  }

  private UncheckedIOException runaway(
      String what, String text, @Nullable StackOverflowError cause) {
    return new UncheckedIOException(new RunawayPatternException(
        rule.regex(),
        "normalizer \"" + rule.name() + "\", " + Excerpt.of(rule.regex()) + ", takes " + what
            + " for a text of " + text.length() + " characters, \"" + Excerpt.of(text) + "\"",
        cause));
  }

  /** A text that may be read a bounded number of times. */
  private final class Bounded implements CharSequence {
    private final String text;
    private long stepsLeft;

    Bounded(String text) {
      this.text = text;
      this.stepsLeft = STEPS + (long) STEPS_A_CHARACTER * text.length();
    }

    @Override
    public char charAt(int index) {
      if (stepsLeft-- == 0) {
        throw runaway("too long", text, null);
      }
      return text.charAt(index);
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return text.subSequence(start, end);
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
