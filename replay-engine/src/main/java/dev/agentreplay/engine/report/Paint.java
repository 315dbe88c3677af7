package dev.agentreplay.engine.report;

import dev.agentreplay.engine.diff.DivergenceSeverity;

/** The colors and emphasis of text reports (ECMA-48, SGR). */
enum Paint {
  PLAIN(""),
  BOLD("1"),
  DIM("2"),
  NAME("36"),
  GOOD("32"),
  REMOVED("31"),
  REMOVED_PART("31;7"),
  ADDED("32"),
  ADDED_PART("32;7"),
  NONE("2"),
  MINOR("36"),
  MODERATE("33;1"),
  MAJOR("31;1");

  private final String code;

  Paint(String code) {
    this.code = code;
  }

  static Paint of(DivergenceSeverity severity) {
    return switch (severity) {
      case NONE -> NONE;
      case MINOR -> MINOR;
      case MODERATE -> MODERATE;
      case MAJOR -> MAJOR;
    };
  }

  /** Returns the text in this color. */
  String on(String text) {
    return code.isEmpty() || text.isEmpty() ? text : "\u001b[" + code + "m" + text + "\u001b[0m";
  }
}
