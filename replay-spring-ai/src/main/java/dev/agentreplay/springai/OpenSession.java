package dev.agentreplay.springai;

import java.nio.file.Path;
import java.time.Instant;

/**
 * A session that is being recorded. Its counts increase until it ends. Safe for use by several
 * threads.
 */
public final class OpenSession {

  private final String id;
  private final Path directory;
  private final Instant startedAt;
  private final RecordedCounts counts;

  OpenSession(String id, Path directory, Instant startedAt, RecordedCounts counts) {
    this.id = id;
    this.directory = directory;
    this.startedAt = startedAt;
    this.counts = counts;
  }

  /** The id of the session. */
  public String id() {
    return id;
  }

  /** The directory of the session. */
  public Path directory() {
    return directory;
  }

  /** The time at which recording started. */
  public Instant startedAt() {
    return startedAt;
  }

  /** The number of model calls so far. */
  public long modelCalls() {
    return counts.modelCalls().sum();
  }

  /** The number of tool calls so far. */
  public long toolCalls() {
    return counts.toolCalls().sum();
  }
}
