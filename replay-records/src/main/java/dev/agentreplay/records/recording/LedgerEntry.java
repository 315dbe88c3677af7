package dev.agentreplay.records.recording;

import java.util.Objects;

/**
 * A statement about a member of a record that was made: the source it was made from, an assumption,
 * or data that the record does not have. Immutable.
 */
public final class LedgerEntry {

  /** The kind of a statement. */
  public enum Kind {
    /** The member was made from the source by a rule. */
    GENERATED,
    /** The member has a value for which there is no source. */
    ASSUMED,
    /** Data of the source is not in the record. */
    LEFT_OUT,
    /** The source is unusual; the record states it as it is. */
    NOTED
  }

  private final Kind kind;
  private final String path;
  private final String source;
  private final String text;

  LedgerEntry(Kind kind, String path, String source, String text) {
    this.kind = Objects.requireNonNull(kind, "kind");
    this.path = Objects.requireNonNull(path, "path");
    this.source = Objects.requireNonNull(source, "source");
    this.text = Objects.requireNonNull(text, "text");
  }

  /** The kind of the statement. */
  public Kind kind() {
    return kind;
  }

  /**
   * The path of the member, as in {@code trace.rounds[0].ended_at}; {@code []} stands for all
   * elements of an array; empty for the record as a whole.
   */
  public String path() {
    return path;
  }

  /** The source of the member, as in {@code message 3, line 4}; empty if there is none. */
  public String source() {
    return source;
  }

  /** The statement in a sentence. */
  public String text() {
    return text;
  }

  /** Returns the path, the statement and, in parentheses, the source. */
  @Override
  public String toString() {
    return (path.isEmpty() ? "" : path + ": ")
        + text
        + (source.isEmpty() ? "" : " (" + source + ")");
  }
}
