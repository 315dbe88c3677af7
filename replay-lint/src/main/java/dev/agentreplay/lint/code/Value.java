package dev.agentreplay.lint.code;

import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
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

  /** Returns the value with changed origins, if it shares one with a different value. */
  Value changeIfShared(Set<Origin> shared, UnaryOperator<Set<Origin>> change) {
    return origins.stream().anyMatch(shared::contains) ? of(change.apply(origins), type) : this;
  }
}
