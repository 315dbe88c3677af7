package dev.agentreplay.engine.diff;

import dev.agentreplay.engine.diff.rule.Closeness;
import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A place in an event where two steps differ. Immutable.
 *
 * <p>Places refer to the compared form of an event, which has the member names of the dialect
 * {@code event}. The line of the log may hold the value in a different place or form: in another
 * dialect, with another spelling of a status, or as a blob or a hash. A pointer continues into a
 * text that holds JSON if a rule selects something in the text, as
 * {@link dev.agentreplay.engine.diff.rule.ComparisonRule} documents; then
 * {@link dev.agentreplay.canonical.JsonText#find} finds its value, and a patch replaces the whole
 * text. {@link EventChange} has the recorded lines and the patch between them.
 */
public sealed interface ValueChange permits Results.ValueChangeData {

  /**
   * The details of a difference between two values: the places inside them, the parts of their
   * texts that rules replaced, the contents of the files whose hashes they are, or the reason why
   * they were not compared.
   */
  sealed interface Detail permits Rewritten, Places, FileContents, Withheld {}

  /** Two texts that rules changed: they were compared with the replacements in place. */
  sealed interface Rewritten extends Detail permits Results.RewrittenData {

    /** The replaced parts of the left text, in order and disjoint. */
    List<Replacement> before();

    /** The replaced parts of the right text, in order and disjoint. */
    List<Replacement> after();
  }

  /**
   * Two objects or arrays that are reported as a whole, because they differ in too many places or
   * are too long to be aligned.
   */
  sealed interface Places extends Detail permits Results.PlacesData {

    /** The first places in them that differ; empty when their elements were not compared. */
    List<ValueChange> first();

    /** The number of places in them that differ; null when they were not compared completely. */
    @Nullable
    Integer count();
  }

  /**
   * The contents of a file whose hashes differ. There are none if neither session has a content, or
   * the divergence is not listed.
   */
  sealed interface FileContents extends Detail permits Results.FileContentsData {

    /** The content in each session; null where the file does not exist. */
    Sides<FileContent> sides();

    /** Whether each content is text, so that the texts can be compared line by line. */
    default boolean areTexts() {
      FileContent left = sides().left();
      FileContent right = sides().right();
      return (left == null || left.text() != null) && (right == null || right.text() != null);
    }
  }

  /**
   * A value that was not compared, because a published copy withholds it, or shows only a
   * replacement of it. The change has the kind {@link DivergenceKind#WITHHELD}; its values are
   * those that the sessions show, and a JSON null on both sides if neither shows one.
   */
  sealed interface Withheld extends Detail permits Results.WithheldData {

    /**
     * The reason of the left session for not showing the value; null if it shows it or has none.
     */
    @Nullable
    Reason left();

    /**
     * The reason of the right session for not showing the value; null if it shows it or has none.
     */
    @Nullable
    Reason right();

    /** Whether each session that does not show the value shows a replacement of it. */
    default boolean isReplaced() {
      Reason left = left();
      Reason right = right();
      return (left == null || left.rule() != null) && (right == null || right.rule() != null);
    }

    /**
     * The reason why a session does not show a value.
     *
     * @param policy the id of the policy under which it was published
     * @param rule the rule that replaced the value by a different one; null if the session shows
     *     none in its place
     */
    record Reason(String policy, @Nullable String rule) {

      /** Checks for null. */
      public Reason {
        Objects.requireNonNull(policy, "policy");
      }
    }
  }

  /**
   * A part of a text that was replaced before the text was compared.
   *
   * @param start the offset of its first character in the recorded text
   * @param end the offset after its last character in the recorded text
   * @param text the text that was compared in its place; empty if the part was removed
   */
  record Replacement(int start, int end, String text) {

    /** Checks for null and for the order of the offsets. */
    public Replacement {
      Objects.requireNonNull(text, "text");
      if (start < 0 || end < start) {
        throw new IllegalArgumentException(
            "offsets of a replacement must be in order: %s, %s".formatted(start, end));
      }
    }
  }

  /** The kind of the difference. */
  DivergenceKind kind();

  /**
   * The place in the left event, a JSON Pointer (RFC 6901); the place in the right event if only
   * that has a value.
   */
  String pointer();

  /**
   * The place in the right event, a JSON Pointer (RFC 6901). It is different from {@link #pointer}
   * for partners at different indices of two arrays.
   */
  String rightPointer();

  /** The value in each event. */
  Sides<JsonValue> sides();

  /** The reason why the two values count as close; null when they do not. */
  @Nullable
  Closeness closeness();

  /**
   * The details of the difference; null when the values were compared as recorded, and for the
   * texts and files of a divergence that is not listed.
   */
  @Nullable
  Detail detail();

  /** The value in the left event; null where there is none. */
  default @Nullable JsonValue before() {
    return sides().left();
  }

  /** The value in the right event; null where there is none. */
  default @Nullable JsonValue after() {
    return sides().right();
  }
}
