package dev.agentreplay.model.record;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where in a value its reader is, and what was found wrong with the value so far. */
final class Place {

  private final @Nullable Place outer;
  private final @Nullable String name;
  private final int index;
  private final List<Problem> problems;

  private Place(@Nullable Place outer, @Nullable String name, int index, List<Problem> problems) {
    this.outer = outer;
    this.name = name;
    this.index = index;
    this.problems = problems;
  }

  /** The value as a whole, with which nothing is wrong yet. */
  static Place root() {
    return new Place(null, null, -1, new ArrayList<>(0));
  }

  Place member(String member) {
    return new Place(this, member, -1, problems);
  }

  Place element(int position) {
    return new Place(this, null, position, problems);
  }

  void report(String message) {
    StringBuilder path = new StringBuilder();
    append(path);
    problems.add(new Problem(path.toString(), message));
  }

  /** What was found anywhere in the value. */
  List<Problem> problems() {
    return problems;
  }

  private void append(StringBuilder path) {
    if (outer == null) {
      return;
    }
    outer.append(path);
    if (name == null) {
      path.append('[').append(index).append(']');
    } else {
      path.append(path.isEmpty() ? "" : ".").append(name);
    }
  }
}
