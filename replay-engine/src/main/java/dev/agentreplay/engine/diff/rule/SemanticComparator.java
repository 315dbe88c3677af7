package dev.agentreplay.engine.diff.rule;

import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Judges whether two texts mean the same: for users who bring a model.
 *
 * <p>It is asked for texts of aligned steps that differ under all other rules, one after the other,
 * and at most as often as {@link SemanticTexts} allows. What it throws ends the comparison: a judge
 * that does not answer is no reason to call texts equal.
 */
@FunctionalInterface
public interface SemanticComparator {

  /**
   * Two texts, and where they stand.
   *
   * @param step the tool or the model
   * @param pointer the place in the left event, a JSON Pointer (RFC 6901)
   * @param before the text of the left session
   * @param after the text of the right session
   */
  record Texts(String step, String pointer, String before, String after) {

    /** Checks for null. */
    public Texts {
      Objects.requireNonNull(step, "step");
      Objects.requireNonNull(pointer, "pointer");
      Objects.requireNonNull(before, "before");
      Objects.requireNonNull(after, "after");
    }
  }

  /**
   * What was found.
   *
   * @param equivalent whether the texts mean the same
   * @param similarity how similar they are, from 0.0 to 1.0; null when that was not measured
   * @param reason why, in words; null when nothing is said
   */
  record Judgement(boolean equivalent, @Nullable Double similarity, @Nullable String reason) {

    /** Checks the range. */
    public Judgement {
      if (similarity != null && !(similarity >= 0 && similarity <= 1)) {
        throw new IllegalArgumentException("similarity must be from 0 to 1: " + similarity);
      }
    }
  }

  /**
   * Compares two texts, as they were recorded.
   *
   * @throws IOException if nobody answers
   */
  Judgement compare(Texts texts) throws IOException;
}
