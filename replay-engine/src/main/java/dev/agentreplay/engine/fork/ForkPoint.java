package dev.agentreplay.engine.fork;

import dev.agentreplay.engine.exchange.ExchangeKind;
import dev.agentreplay.model.TreeHead;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A call or value of a recording, and whether a session can be forked before it. */
public final class ForkPoint {

  /** The files of the workspace at a point. */
  public enum Files {
    /** No tool before the point can have changed a file. */
    UNCHANGED,
    /** The recording has a snapshot and the contents of all files that changed before the point. */
    RECORDED,
    /** A tool before the point may have changed files that the recording does not have. */
    UNKNOWN;

    /** The text of the constant in JSON and in reports. */
    public String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final long line;
  private final ExchangeKind kind;
  private final String name;
  private final @Nullable String agent;
  private final @Nullable TreeHead head;
  private final @Nullable String refusal;
  private final @Nullable String unknownFiles;
  private final Files files;

  ForkPoint(
      long line,
      ExchangeKind kind,
      String name,
      @Nullable String agent,
      @Nullable TreeHead head,
      @Nullable String refusal,
      Files files,
      @Nullable String unknownFiles) {
    this.line = line;
    this.kind = kind;
    this.name = name;
    this.agent = agent;
    this.head = head;
    this.refusal = refusal;
    this.files = files;
    this.unknownFiles = unknownFiles;
  }

  /** The line of the call, from 1. */
  public long line() {
    return line;
  }

  /** The kind of the exchange. */
  public ExchangeKind kind() {
    return kind;
  }

  /** The tool, the model or the source; empty for a model call that states none. */
  public String name() {
    return name;
  }

  /** The id of the agent that makes the call; null for the main agent. */
  public @Nullable String agent() {
    return agent;
  }

  /** The head of the Merkle tree over the lines before the call; null if it is the first line. */
  public @Nullable TreeHead head() {
    return head;
  }

  /** Whether a session can be forked here. */
  public boolean isPossible() {
    return refusal == null;
  }

  /** The reason why no session can be forked here; null if it can. */
  public @Nullable String refusal() {
    return refusal;
  }

  /** The files of the workspace at the point, on which tools work that are executed after it. */
  public Files files() {
    return files;
  }

  /** The reason why the files are not known; null if they are. */
  public @Nullable String unknownFiles() {
    return unknownFiles;
  }

  @Override
  public String toString() {
    return "line %d, %s %s: %s"
        .formatted(line, kind.id(), name, refusal == null ? "possible" : refusal);
  }
}
