package dev.agentreplay.engine.diff;

import dev.agentreplay.engine.diff.rule.Closeness;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Excerpt;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
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
 *     compared as they were recorded, and for the texts of a divergence that is not listed
 */
public record ValueChange(
    DivergenceKind kind,
    String pointer,
    String rightPointer,
    @Nullable JsonValue before,
    @Nullable JsonValue after,
    @Nullable Closeness closeness,
    @Nullable Detail detail) {

  /** The places of two values that differ, or the parts of them that rules made equal. */
  public sealed interface Detail permits Rewritten, Places {}

  /**
   * Two texts of which rules replaced parts: they were compared with the replacements in place.
   *
   * @param before the replaced parts of the left text, in order, disjoint
   * @param after the replaced parts of the right text, in order, disjoint
   */
  public record Rewritten(List<Replacement> before, List<Replacement> after) implements Detail {

    /** Copies, and checks that the parts are in order and disjoint. */
    public Rewritten {
      before = inOrder(before);
      after = inOrder(after);
    }

    private static List<Replacement> inOrder(List<Replacement> replacements) {
      List<Replacement> copy = List.copyOf(replacements);
      int end = 0;
      for (Replacement next : copy) {
        if (next.start() < end) {
          throw new IllegalArgumentException(
              "replacements must be in order and disjoint: from %s, after one to %s"
                  .formatted(next.start(), end));
        }
        end = next.end();
      }
      return copy;
    }

    /** About how many bytes this takes. */
    private long bytes() {
      return Stream.of(before, after)
          .flatMap(List::stream)
          .mapToLong(replacement -> 32L + replacement.text().length())
          .sum();
    }
  }

  /**
   * A part of a text that was compared as another text.
   *
   * @param start the offset of its first character in the recorded text
   * @param end the offset of the first character after it
   * @param text the text that was compared in its place; empty where the part was left out
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

  /** Checks for null, and that replaced parts are within the texts. */
  public ValueChange {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(pointer, "pointer");
    Objects.requireNonNull(rightPointer, "rightPointer");
    if (detail instanceof Rewritten rewritten) {
      checkWithin(before, rewritten.before());
      checkWithin(after, rewritten.after());
    }
  }

  private static void checkWithin(@Nullable JsonValue value, List<Replacement> replacements) {
    if (!(value instanceof JsonString text)) {
      throw new IllegalArgumentException(
          "only texts have replacements, not: " + Excerpt.of(String.valueOf(value)));
    }
    int end =
        replacements.isEmpty() ? 0 : replacements.get(replacements.size() - 1).end();
    if (end > text.value().length()) {
      throw new IllegalArgumentException("replacement to %s is beyond a text of %s characters"
          .formatted(end, text.value().length()));
    }
  }

  /** About how many bytes the details take that are kept beside the values. */
  long detailBytes() {
    if (detail instanceof Places places) {
      return places.first().stream().mapToLong(ValueChange::detailBytes).sum();
    }
    return detail instanceof Rewritten rewritten ? rewritten.bytes() : 0;
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
