package dev.agentreplay.records;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where in a value its reader is, and what was found wrong with the value so far. */
final class Place {

  private final @Nullable Place outer;
  private final @Nullable String name;
  private final int index;
  private final List<Problem> problems;
  private final List<Problem> warnings;

  private Place(
      @Nullable Place outer,
      @Nullable String name,
      int index,
      List<Problem> problems,
      List<Problem> warnings) {
    this.outer = outer;
    this.name = name;
    this.index = index;
    this.problems = problems;
    this.warnings = warnings;
  }

  /** The value as a whole, with which nothing is wrong yet. */
  static Place root() {
    return new Place(null, null, -1, new ArrayList<>(0), new ArrayList<>(0));
  }

  Place member(String member) {
    return new Place(this, member, -1, problems, warnings);
  }

  Place element(int position) {
    return new Place(this, null, position, problems, warnings);
  }

  void report(String message) {
    problems.add(here(message));
  }

  /** Of what is read all the same. */
  void warn(String message) {
    warnings.add(here(message));
  }

  private Problem here(String message) {
    StringBuilder path = new StringBuilder();
    append(path);
    return new Problem(path.toString(), message);
  }

  /** What was found anywhere in the value. */
  List<Problem> problems() {
    return problems;
  }

  /** What is read, but not as it should be, anywhere in the value. */
  List<Problem> warnings() {
    return warnings;
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
