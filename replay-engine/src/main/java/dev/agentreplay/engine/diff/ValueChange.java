package dev.agentreplay.engine.diff;

import dev.agentreplay.model.json.JsonValue;
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
 */
public record ValueChange(
    DivergenceKind kind,
    String pointer,
    String rightPointer,
    @Nullable JsonValue before,
    @Nullable JsonValue after,
    @Nullable Closeness closeness) {

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

  /** Checks for null. */
  public ValueChange {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(pointer, "pointer");
    Objects.requireNonNull(rightPointer, "rightPointer");
  }
}
