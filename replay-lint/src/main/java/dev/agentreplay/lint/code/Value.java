package dev.agentreplay.lint.code;

import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A value on the stack, or in a local variable.
 *
 * @param wide whether it takes two slots
 * @param origins its possible origins; empty if none is known
 * @param type the internal name of its static type; null if it is not known
 */
record Value(boolean wide, Set<Origin> origins, @Nullable String type) {

  /** More origins than this are not followed. */
  private static final int MOST_ORIGINS = 24;

  static final Value UNKNOWN = new Value(false, Set.of(), null);

  static final Value WIDE = new Value(true, Set.of(), null);

  static Value of(Set<Origin> origins, @Nullable String type) {
    return origins.isEmpty() && type == null ? UNKNOWN : new Value(false, origins, type);
  }

  Value withType(String changed) {
    return new Value(wide, origins, changed);
  }

  Value merge(Value other) {
    String common = Objects.equals(type, other.type) ? type : null;
    if (Objects.equals(type, common) && origins.containsAll(other.origins)) {
      return this;
    }
    Set<Origin> all = new LinkedHashSet<>(origins);
    for (Origin origin : other.origins) {
      if (all.size() < MOST_ORIGINS) {
        all.add(origin);
      }
    }
    return new Value(wide, all, common);
  }

  /** The origins by which copies of the value are found. */
  Set<Origin> identity() {
    Set<Origin> identity = new LinkedHashSet<>(origins);
    identity.removeIf(origin -> !origin.isIdentity());
    return identity;
  }

  /** Returns the value with changed origins, if its identity is one of those to change. */
  Value changeIf(Predicate<Set<Origin>> changes, UnaryOperator<Set<Origin>> change) {
    return !origins.isEmpty() && changes.test(identity()) ? of(change.apply(origins), type) : this;
  }
}
