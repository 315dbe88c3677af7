package dev.agentreplay.engine.attribution;

import dev.agentreplay.engine.fork.ForkChange;
import java.util.Locale;

/** A difference between two recordings that a trial can take over from the second one. */
public final class Difference {

  /** The kind of a difference. */
  public enum Kind {
    /** The model that is called. */
    MODEL,
    /** A parameter of model calls, such as the temperature. */
    PARAMETER,
    /** A part of the prompt with which a conversation begins, such as the system prompt. */
    PROMPT,
    /** The result of a call that both recordings have: another answer to the same request. */
    RESULT,
    /** A nondeterministic value. */
    VALUE;

    /** The text of the constant in JSON. */
    public String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final int number;
  private final Kind kind;
  private final String title;
  private final long leftLine;
  private final long rightLine;
  private final ForkChange change;

  Difference(
      int number, Kind kind, String title, long leftLine, long rightLine, ForkChange change) {
    this.number = number;
    this.kind = kind;
    this.title = title;
    this.leftLine = leftLine;
    this.rightLine = rightLine;
    this.change = change;
  }

  /** The number of the difference in its report, from 1. */
  public int number() {
    return number;
  }

  /** The kind. */
  public Kind kind() {
    return kind;
  }

  /** The words for the difference, as in "result of read_file". It is untrusted text. */
  public String title() {
    return title;
  }

  /** The line of the call or value in the first recording, from 1. */
  public long leftLine() {
    return leftLine;
  }

  /** The line of the call or value in the second recording, from 1. */
  public long rightLine() {
    return rightLine;
  }

  /** The change that a trial makes in the first recording. */
  public ForkChange change() {
    return change;
  }

  @Override
  public String toString() {
    return "%d. %s (line %d, line %d)".formatted(number, title, leftLine, rightLine);
  }
}
