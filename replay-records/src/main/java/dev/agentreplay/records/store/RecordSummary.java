package dev.agentreplay.records.store;

import dev.agentreplay.records.RecordTime;
import dev.agentreplay.records.SessionRecord;

/** The summary of a record of a store. */
public final class RecordSummary implements StoredRecord {

  private final String id;
  private final String sessionId;
  private final RecordTime createdAt;
  private final long rounds;
  private final long messages;
  private final boolean isReplayable;
  private final long replays;

  RecordSummary(SessionRecord record, long replays) {
    this.id = record.id();
    this.sessionId = record.sessionId();
    this.createdAt = record.createdAt();
    this.rounds = record.trace().rounds().size();
    this.messages = record.trace().rounds().stream()
        .mapToLong(round -> round.messages().size())
        .sum();
    this.isReplayable = record.isReplayable();
    this.replays = replays;
  }

  @Override
  public String id() {
    return id;
  }

  /** The id of the session that was recorded. */
  public String sessionId() {
    return sessionId;
  }

  /** The time at which the record was created. */
  public RecordTime createdAt() {
    return createdAt;
  }

  /** The number of rounds. */
  public long rounds() {
    return rounds;
  }

  /** The number of messages in all rounds. */
  public long messages() {
    return messages;
  }

  /** Whether the record is sufficient for a replay. */
  public boolean isReplayable() {
    return isReplayable;
  }

  /** The number of stored reports of replays. */
  public long replays() {
    return replays;
  }

  @Override
  public String toString() {
    return "%s: session %s, %d rounds, %d messages, %d replays"
        .formatted(id, sessionId, rounds, messages, replays);
  }
}
