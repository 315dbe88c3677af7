package dev.agentreplay.engine.diff;

import dev.agentreplay.engine.diff.rule.Closeness;
import dev.agentreplay.model.json.JsonValue;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A place in an event where two steps differ. Places are those of what is compared of an event,
 * which has the names of the dialect {@code event}: in a log of another dialect, or where a status
 * is spelled otherwise, a value is kept as a blob or as its hash, the line may say it elsewhere or
 * otherwise. {@link EventChange} has the lines as they are, and the patch from one to the other.
 */
public sealed interface ValueChange permits Results.ValueChangeData {

  /** The places of two values that differ, or the parts of them that rules made equal. */
  sealed interface Detail permits Rewritten, Places {}

  /** Two texts of which rules replaced parts: they were compared with the replacements in place. */
  sealed interface Rewritten extends Detail permits Results.RewrittenData {

    /** The replaced parts of the left text, in order, disjoint. */
    List<Replacement> before();

    /** The replaced parts of the right text, in order, disjoint. */
    List<Replacement> after();
  }

  /**
   * Two objects or arrays that are told as a whole: there is too much to say of the places in them,
   * or they are longer than what is aligned.
   */
  sealed interface Places extends Detail permits Results.PlacesData {

    /** The first places in them that differ; none where their elements were not compared. */
    List<ValueChange> first();

    /** The number of places that differ; null where the rest was not compared place by place. */
    @Nullable
    Integer count();
  }

  /**
   * A part of a text that was compared as another text.
   *
   * @param start the offset of its first character in the recorded text
   * @param end the offset of the first character after it
   * @param text the text that was compared in its place; empty where the part was left out
   */
  record Replacement(int start, int end, String text) {

    /** Checks for null, and the order of the offsets. */
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
   * The place on the left, a JSON Pointer (RFC 6901); where only the right event has something, the
   * place of that.
   */
  String pointer();

  /** The place on the right, a different one for partners at different places in two arrays. */
  String rightPointer();

  /** The value in each event. */
  Sides<JsonValue> sides();

  /** The reason why the two count as close; null when they do not. */
  @Nullable
  Closeness closeness();

  /**
   * The differences within the two values; null where they were compared as they were recorded, and
   * for the texts of a divergence that is not listed.
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
