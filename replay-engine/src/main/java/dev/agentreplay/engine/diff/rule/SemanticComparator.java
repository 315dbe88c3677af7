package dev.agentreplay.engine.diff.rule;

import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Judges whether two texts have the same meaning, for example with a language model.
 *
 * <p>It is called for texts of aligned steps that differ under all other rules, one pair after the
 * other on the thread that calls {@link dev.agentreplay.engine.diff.SessionDiff#between}, and at
 * most as often as {@link SemanticTexts} allows. An exception that it throws ends the comparison:
 * texts are never called equivalent because a model did not answer.
 */
@FunctionalInterface
public interface SemanticComparator {

  /**
   * Two texts with their place.
   *
   * @param step the name of the tool or the model
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
   * The judgment of two texts.
   *
   * @param equivalent whether the texts have the same meaning
   * @param similarity the similarity of the texts, from 0.0 to 1.0; null when it was not measured
   * @param reason the reason, in words; null when there is none
   */
  record Judgment(boolean equivalent, @Nullable Double similarity, @Nullable String reason) {

    /**
     * Checks the range.
     *
     * @throws IllegalArgumentException if {@code similarity} is out of range
     */
    public Judgment {
      if (similarity != null && !(similarity >= 0 && similarity <= 1)) {
        throw new IllegalArgumentException("similarity must be from 0 to 1: " + similarity);
      }
    }
  }

  /**
   * Compares two texts, which are given as recorded.
   *
   * @throws IOException if there is no judgment, for example because a model does not answer; it
   *     ends the comparison
   */
  Judgment compare(Texts texts) throws IOException;
}
