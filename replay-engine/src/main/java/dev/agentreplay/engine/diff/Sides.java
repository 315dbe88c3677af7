package dev.agentreplay.engine.diff;

import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A pair of the left and the right session's counterpart of one thing; one of them may be missing,
 * but never both. Immutable.
 *
 * <pre>{@code
 * Sides<String> sides = Sides.of("before", "after");
 * if (sides instanceof Sides.Both<String> both) {
 *   System.out.println(both.left() + " became " + both.right());
 * }
 * }</pre>
 *
 * @param <T> the type of both sides: a step, an event, a value
 */
public sealed interface Sides<T> permits Sides.Both, Sides.LeftOnly, Sides.RightOnly {

  /** Both sessions have it. */
  record Both<T>(T left, T right) implements Sides<T> {

    /** Checks for null. */
    public Both {
      Objects.requireNonNull(left, "left");
      Objects.requireNonNull(right, "right");
    }
  }

  /** Only the left session has it. */
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

  /** Only the right session has it. */
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
   * Returns sides, at least one of which is not null.
   *
   * @throws IllegalArgumentException if both are null
   */
  static <T> Sides<T> of(@Nullable T left, @Nullable T right) {
    if (left != null) {
      return right == null ? new LeftOnly<>(left) : new Both<>(left, right);
    }
    if (right == null) {
      throw new IllegalArgumentException("left and right must not both be null");
    }
    return new RightOnly<>(right);
  }

  /** The left side; null when only the right session has it. */
  @Nullable
  T left();

  /** The right side; null when only the left session has it. */
  @Nullable
  T right();

  /** The left side or, if it is null, the right one. */
  default T any() {
    T left = left();
    return left != null ? left : Objects.requireNonNull(right());
  }

  /** Returns the sides with a function applied to each that is not null. */
  default <R> Sides<R> map(Function<? super T, ? extends R> function) {
    T left = left();
    T right = right();
    return of(
        left == null ? null : function.apply(left), right == null ? null : function.apply(right));
  }
}
