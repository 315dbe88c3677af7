package dev.agentreplay.engine.diff;

import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A place in an event where two steps differ. Places are those of what is compared of an event,
 * which has the names of the dialect {@code event}: in a log of another dialect, or where a status
 * is spelled otherwise, a value is kept as a blob or as its hash, the line may say it elsewhere or
 * otherwise. {@link EventChange} has the lines as they are, and the patch from one to the other.
 *
 * @param kind what differs there
 * @param pointer the place on the left, a JSON Pointer (RFC 6901); where only the right one has
 *     something, where that is
 * @param rightPointer the place on the right, which is another one where elements of an array are
 *     partners that have other places
 * @param before what stands there in the left event; null where there is nothing
 * @param after what stands there in the right event; null where there is nothing
 * @param closeness why the two count as close; null when they do not
 * @param detail where in the two values the comparison found a difference; null where they were
 *     compared as they were recorded
 */
public record ValueChange(
    DivergenceKind kind,
    String pointer,
    String rightPointer,
    @Nullable JsonValue before,
    @Nullable JsonValue after,
    @Nullable Closeness closeness,
    @Nullable Detail detail) {

  /**
   * Why two texts that differ count as close.
   *
   * <p>Where a value is told as a whole, since there is too much to say of the places in it, and
   * all that differs there is close, it is close by the lowest similarity.
   *
   * @param rule the rule that says so; for a whole value all of them, joined by {@code " and "}
   * @param similarity how similar they are, from 0.0 to 1.0; null when the rule has no measure
   * @param reason the reason that a {@link SemanticComparator} gave; null when it gave none
   */
  public record Closeness(String rule, @Nullable Double similarity, @Nullable String reason) {

    /** Checks for null. */
    public Closeness {
      Objects.requireNonNull(rule, "rule");
    }
  }

  /** Where in two values a comparison found a difference, and where its rules made them equal. */
  public sealed interface Detail permits Rewritten, Places {}

  /**
   * Two texts of which rules replaced parts: they were compared with the replacements in place.
   *
   * @param before the replaced parts of the left text, in order, disjoint
   * @param after the replaced parts of the right text, in order, disjoint
   */
  public record Rewritten(List<Replacement> before, List<Replacement> after) implements Detail {

    /** Copies. */
    public Rewritten {
      before = List.copyOf(before);
      after = List.copyOf(after);
    }
  }

  /**
   * A part of a text, and what it was compared by.
   *
   * @param start the offset of its first character in the recorded text
   * @param end the offset of the first character after it
   * @param text what it was compared by; empty where it was left out
   */
  public record Replacement(int start, int end, String text) {

    /** Checks for null, and the order of the offsets. */
    public Replacement {
      Objects.requireNonNull(text, "text");
      if (start < 0 || end < start) {
        throw new IllegalArgumentException(
            "offsets of a replacement must be in order: %s, %s".formatted(start, end));
      }
    }
  }

  /**
   * Two objects or arrays that are told as a whole: there is too much to say of the places in them,
   * or they are longer than what is aligned.
   *
   * @param first the first places in them that differ; none where their elements were not compared
   * @param count how many places differ; null where the rest was not compared place by place
   */
  public record Places(List<ValueChange> first, @Nullable Integer count) implements Detail {

    /** The most places that are kept. */
    static final int MAX = 20;

    /** Copies. */
    public Places {
      first = List.copyOf(first);
    }
  }

  /** Checks for null. */
  public ValueChange {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(pointer, "pointer");
    Objects.requireNonNull(rightPointer, "rightPointer");
  }

  /** A place whose values were compared as they were recorded. */
  public ValueChange(
      DivergenceKind kind,
      String pointer,
      String rightPointer,
      @Nullable JsonValue before,
      @Nullable JsonValue after,
      @Nullable Closeness closeness) {
    this(kind, pointer, rightPointer, before, after, closeness, null);
  }
}
