package dev.agentreplay.engine.diff;

import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The two sides of a place in two sessions, of which one may be missing, never both.
 *
 * <pre>{@code
 * Sides<String> sides = Sides.of("before", "after");
 * if (sides instanceof Sides.Both<String> both) {
 *   System.out.println(both.left() + " became " + both.right());
 * }
 * }</pre>
 *
 * @param <T> what stands there: a step, an event, a value
 */
public sealed interface Sides<T> permits Sides.Both, Sides.LeftOnly, Sides.RightOnly {

  /** Both sessions have something there. */
  record Both<T>(T left, T right) implements Sides<T> {

    /** Checks for null. */
    public Both {
      Objects.requireNonNull(left, "left");
      Objects.requireNonNull(right, "right");
    }
  }

  /** Only the left session has something there. */
  record LeftOnly<T>(T left) implements Sides<T> {

    /** Checks for null. */
    public LeftOnly {
      Objects.requireNonNull(left, "left");
    }

    @Override
    public @Nullable T right() {
      return null;
    }
  }

  /** Only the right session has something there. */
  record RightOnly<T>(T right) implements Sides<T> {

    /** Checks for null. */
    public RightOnly {
      Objects.requireNonNull(right, "right");
    }

    @Override
    public @Nullable T left() {
      return null;
    }
  }

  /**
   * The sides of which at least one is given.
   *
   * @throws IllegalArgumentException if both are null
   */
  static <T> Sides<T> of(@Nullable T left, @Nullable T right) {
    if (left != null) {
      return right == null ? new LeftOnly<>(left) : new Both<>(left, right);
    }
    if (right == null) {
      throw new IllegalArgumentException("one of the sides must be given");
    }
    return new RightOnly<>(right);
  }

  /** The left side; null when only the right session has one. */
  @Nullable
  T left();

  /** The right side; null when only the left session has one. */
  @Nullable
  T right();

  /** The left side, or else the right one. */
  default T any() {
    T left = left();
    return left != null ? left : Objects.requireNonNull(right());
  }

  /** The sides with a function applied to each that is there. */
  default <R> Sides<R> map(Function<? super T, ? extends R> function) {
    T left = left();
    T right = right();
    return of(
        left == null ? null : function.apply(left), right == null ? null : function.apply(right));
  }
}
