package dev.agentreplay.records.store;

import dev.agentreplay.records.InvalidRecordException.Problem;
import java.util.ArrayList;
import java.util.List;

/** Collects the problems and notes of a check. */
final class CheckFindings {

  private final List<Problem> problems = new ArrayList<>();
  private final List<Problem> notes = new ArrayList<>();

  void problem(String path, String message) {
    problems.add(new Problem(path, message));
  }

  void note(String path, String message) {
    notes.add(new Problem(path, message));
  }

  /** Adds a problem unless a member has the expected value. */
  void expect(String path, Object expected, Object found) {
    if (!expected.equals(found)) {
      problem(path, "expected %s, found %s".formatted(expected, found));
    }
  }

  List<Problem> problems() {
    return problems;
  }

  List<Problem> notes() {
    return notes;
  }

  /** The path of a round. */
  static String round(int index) {
    return "trace.rounds[" + index + "]";
  }

  /** The path of a message. */
  static String message(int round, int index) {
    return round(round) + ".messages[" + index + "]";
  }
}
